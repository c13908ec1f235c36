package analyze_test

import (
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/loader"
)

// What head does not build because the run reached its limits is not known: nothing of it is
// removed. Without the limit, a kustomization that goes takes its objects
// along.
func TestUnbuiltIsNotRemoved(t *testing.T) {
	const route = `{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: pay, namespace: shop}, spec: {rules: [{backendRefs: [{name: pay, port: 80}]}]}}`
	o := options(t, "[]")
	for _, limited := range []bool{true, false} {
		base, head := snapshot(".", file{name: "apps/pay/route.yaml", text: route}), snapshot(".")
		for _, object := range base.Environments[0].Objects {
			object.Listed = []loader.Position{{File: "apps/pay/kustomization.yaml", Line: 1, Column: 1}}
		}
		at := loader.Position{File: "apps/pay/kustomization.yaml", Line: 1, Column: 1}
		if limited {
			head.Problems = append(head.Problems, loader.Problem{Severity: loader.Warning, Code: loader.LimitRun, Position: at})
			head.Environments[0].Gaps = append(head.Environments[0].Gaps, loader.Gap{Kind: "kustomization", Name: "apps/pay", Position: at, Roots: []string{"apps/pay"}})
			head.Environments[0].Incomplete = true
		}
		p := analyze.Compare(base, head, o)
		if removed := p.Summary.Changes > 0; removed == limited {
			t.Errorf("limited %t: %d changes", limited, p.Summary.Changes)
		}
	}
}
