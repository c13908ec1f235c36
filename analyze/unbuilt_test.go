package analyze_test

import (
	"slices"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
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

// A kustomization that the run does not afford in head still declares what another one declares, too: the object counts as
// in base. If head's own declaration is edited, it counts.
func TestUnbuiltStillDeclares(t *testing.T) {
	namespace := func(label string) string {
		return `{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {istio.io/dataplane-mode: ` + label + `}}}`
	}
	at := loader.Position{File: "ambient/kustomization.yaml", Line: 1, Column: 1}
	for _, tt := range []struct {
		name, label string
		changes     bool
	}{{"as it was", "none", false}, {"edited", "other", true}} {
		t.Run(tt.name, func(t *testing.T) {
			base := snapshot(".", file{name: "shop/namespace.yaml", text: namespace("none")}, file{name: "ambient/namespace.yaml", text: namespace("ambient")})
			for _, o := range base.Environments[0].Objects {
				o.Listed = []loader.Position{at}
			}
			head := snapshot(".", file{name: "shop/namespace.yaml", text: namespace(tt.label)})
			head.Problems = []loader.Problem{{Severity: loader.Warning, Code: loader.LimitRun, Position: at}}
			head.Environments[0].Gaps = []loader.Gap{{Kind: "kustomization", Name: "ambient", Position: at, Roots: []string{"ambient"}}}
			p := analyze.Compare(base, head, options(t, "[]"))
			fixed := slices.ContainsFunc(p.Environments[0].Findings, func(f plan.Finding) bool { return f.State == "fixed" })
			if fixed != tt.changes {
				t.Errorf("the finding that it is declared twice is fixed: %t, want %t", fixed, tt.changes)
			}
		})
	}
}
