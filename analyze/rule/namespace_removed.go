package rule

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
)

var namespaceRemoved = &Rule{
	ID:       "namespace-removed",
	Title:    "A Namespace is removed, and with it everything that is declared in it",
	Severity: plan.Error,
	Why: "Flux and Argo CD delete a Namespace that is no longer declared where they prune, and Kubernetes deletes everything in it: " +
		"Gateways, routes and Services, too, although Git still declares them. They cannot be created again without it. Where nothing " +
		"prunes, it is a warning: the next installation lacks the Namespace.",
	Fix:     "Declare the Namespace as before, or move what is in it in the same change.",
	Compare: compareNamespaces,
}

func compareNamespaces(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil {
		return
	}
	var declared map[string]map[string]int
	deployers := p.Head.deployers()
	for _, o := range p.Base.Run.Environment.Objects {
		if o.ID.Group != "" || o.ID.Kind != "Namespace" || o.Context || p.Head.Run.Graph.Object(o.ID) != nil {
			continue
		}
		if declared == nil {
			declared = declaredIn(p.Head)
		}
		lost := counted(declared[o.ID.Name])
		if len(lost) == 0 || o.Deployer != nil && o.Deployer.KeptBy(deployers) != nil {
			continue
		}
		h := Hit{
			Target: o.ID.String(), At: o.First(), InBase: true, Object: o,
			Title:  fmt.Sprintf("Namespace %s is removed with %s in it", o.ID.Name, spelling.And(lost)),
			Detail: "they are declared as before, and the deletion of their Namespace deletes them",
		}
		if o.Deployer == nil {
			h.Severity = plan.Warning
		}
		report(h)
	}
}

// declaredIn counts what an environment declares, by namespace and kind: what requests need, and policies.
func declaredIn(s *Environment) map[string]map[string]int {
	out := map[string]map[string]int{}
	for id := range objectsOf(s) {
		if out[id.Namespace] == nil {
			out[id.Namespace] = map[string]int{}
		}
		out[id.Namespace][id.Kind]++
	}
	return out
}

// counted says how many there are of each kind: "1 Gateway", "2 HTTPRoutes".
func counted(kinds map[string]int) []string {
	var out []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		out = append(out, spelling.Count(kinds[kind], kind))
	}
	return out
}
