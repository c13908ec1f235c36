package analyze_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze"
)

// A change of more requests than are compared makes the plan incomplete, and says from which one on.
func TestTooManyRequestsAreAProblem(t *testing.T) {
	routes := func(version string) []file {
		out := []file{{name: "gateway.yaml", text: "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: g, namespace: ns}\n" +
			"spec: {gatewayClassName: c, listeners: [{name: http, port: 80, protocol: HTTP}]}\n"}}
		for r := range 26 {
			var matches []string
			for m := range 128 {
				matches = append(matches, fmt.Sprintf("{headers: [{name: x, value: %s-%d-%d}]}", version, r, m))
			}
			out = append(out, file{name: fmt.Sprintf("r%d.yaml", r), text: fmt.Sprintf("apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\n"+
				"metadata: {name: r%d, namespace: ns}\nspec: {parentRefs: [{name: g}], rules: [{matches: [%s]}]}\n", r, strings.Join(matches, ", "))})
		}
		return out
	}
	p := analyze.Compare(snapshot(".", routes("1")...), snapshot(".", routes("2")...), options(t, testKinds))
	if len(p.Problems) != 1 || p.Problems[0].Code != "limit-requests" || p.Problems[0].File == "" || !p.Incomplete || p.Summary.Problems != 1 {
		t.Errorf("incomplete: %t, problems: %s", p.Incomplete, jsonText(p.Problems))
	}
}
