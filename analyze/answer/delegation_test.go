package answer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/effective"
)

// layered returns routes in layers: each route of a layer passes its requests on to all of the next one.
func layered(layers, each int, last string) string {
	var out strings.Builder
	out.WriteString(`apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: k}
spec: {controllerName: kgateway.dev/kgateway}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: g, namespace: l0}
spec: {gatewayClassName: k, listeners: [{name: http, port: 80, protocol: HTTP}]}
`)
	for layer := range layers {
		for i := range each {
			to, parents := fmt.Sprintf("{group: gateway.networking.k8s.io, kind: HTTPRoute, name: '*', namespace: l%d}", layer+1), ""
			if layer == layers-1 {
				to = fmt.Sprintf("{name: %s, port: 80}", last)
			}
			if layer == 0 {
				parents = "parentRefs: [{name: g}], "
			}
			fmt.Fprintf(&out, `---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: r%d, namespace: l%d}
spec: {%srules: [{matches: [{path: {value: /}}], backendRefs: [%s]}]}
`, i, layer, parents, to)
		}
	}
	return out.String()
}

// Requests that are passed on are followed on a bounded number of ways, and those beyond are left by name.
func TestDelegationsAreBounded(t *testing.T) {
	states := effective.NewStates()
	j := effective.NewJoin(run(t, states, layered(6, 8, "a")), run(t, states, layered(6, 8, "b")), nil)
	for _, side := range []effective.Side{effective.Base, effective.Head} {
		if n := len(answer.Ways(j, side)); n > 200_000 {
			t.Errorf("%d ways", n)
		}
	}
	if _, left := answer.Passages(j, nil); len(left) == 0 {
		t.Error("nothing is left")
	}
	j = effective.NewJoin(run(t, states, layered(3, 3, "a")), run(t, states, layered(3, 3, "b")), nil)
	passages, left := answer.Passages(j, nil)
	if len(left) > 0 || len(passages) == 0 {
		t.Errorf("%d passages, %d left", len(passages), len(left))
	}
}
