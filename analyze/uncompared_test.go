package analyze_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/loader"
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

// Network policies that a run cannot afford make the plan incomplete, and say nothing about connections.
func TestUnaffordableNetworkPoliciesAreAProblem(t *testing.T) {
	world := func(port string) *loader.Snapshot {
		s := snapshot(".", file{name: "all.yaml", text: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: ns}\nspec: {template: {metadata: {labels: {a: b}}}}\n" +
			"---\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: p, namespace: ns}\nspec: {podSelector: {}, ingress: [{ports: [{port: " + port + "}]}]}\n"})
		env := s.Environments[0]
		env.Objects, env.Workloads = nil, env.Objects
		return s
	}
	o := options(t, testKinds)
	if p := analyze.Compare(world("80"), world("81"), o); len(p.Environments[0].Connections) == 0 {
		t.Fatalf("the change changes no connection: %s", jsonText(p))
	}
	o.Rules.Begin = func(string) (func(), string) { return nil, "it alone takes too much" }
	p := analyze.Compare(world("80"), world("81"), o)
	if len(p.Problems) != 1 || p.Problems[0].Code != "limit-connections" || !p.Incomplete || len(p.Environments[0].Connections) > 0 {
		t.Errorf("incomplete: %t, problems: %s", p.Incomplete, jsonText(p.Problems))
	}
}
