package analyze_test

import (
	"slices"
	"strings"
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

// Where the run left out something of base alone, or deployers of head, the revisions are not compared: what only one of them
// has would seem to be added or removed.
func TestUnlikeLimitsAreNotCompared(t *testing.T) {
	const route = `{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: pay, namespace: shop}, spec: {rules: [{backendRefs: [{name: pay, port: 80}]}]}}`
	limit := func(file, part, why string) loader.Problem {
		return loader.Problem{Severity: loader.Warning, Code: loader.LimitRun, Position: loader.Position{File: file, Line: 1, Column: 1}, Part: part, Message: part + ": " + why}
	}
	full := func() *loader.Snapshot {
		s := snapshot(".", file{name: "apps/pay/route.yaml", text: route})
		child := loader.ID{Group: "argoproj.io", Kind: "Application", Namespace: "argocd", Name: "pay"}
		s.Environments[0].Objects[0].Deployer = &loader.Deployer{ID: child, At: loader.Position{File: "argocd/pay.yaml", Line: 1, Column: 1}}
		return s
	}
	cut := func(root string, problems ...loader.Problem) *loader.Snapshot {
		s := snapshot(".")
		s.Problems = problems
		s.Environments[0].Gaps = []loader.Gap{{Kind: "Application", Name: "root", Position: loader.Position{File: "root.yaml", Line: 1, Column: 1}, Roots: []string{root}}}
		return s
	}
	for name, c := range map[string]struct {
		base, head *loader.Snapshot
		compared   bool
	}{
		"head lacks deployers": {full(), cut("argocd", limit("root.yaml", "what it applies is left out", "a")), false},
		"base lacks something": {cut("argocd", limit("root.yaml", "what it applies is left out", "a")), full(), false},
		"each lacks another":   {cut("argocd", limit("root.yaml", "a is left out", "x")), cut("argocd", limit("root.yaml", "b is left out", "x")), false},
		"names with a colon":   {cut("argocd", limit("root.yaml", `the chart of "pay: a" is not rendered`, "x")), cut("argocd", limit("root.yaml", `the chart of "pay: b" is not rendered`, "x")), false},
		"both lack the same":   {cut("argocd", limit("root.yaml", "a is left out", "x")), cut("argocd", limit("root.yaml", "a is left out", "y")), true},
		"no limits":            {full(), snapshot("."), true},
	} {
		p := analyze.Compare(c.base, c.head, options(t, "[]"))
		if told := strings.Contains(p.Summary.Headline, "could not afford"); told == c.compared || !c.compared && p.Summary.Changes > 0 {
			t.Errorf("%s: %q with %d changes", name, p.Summary.Headline, p.Summary.Changes)
		}
	}
}
