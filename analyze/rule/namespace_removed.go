package rule

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var namespaceRemoved = &Rule{
	ID:       "namespace-removed",
	Title:    "A Namespace goes, and what is declared in it goes with it",
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
	deployers := p.Head.deployers()
	there := func(id loader.ID) bool { return deployers[id] != nil }
	for _, o := range p.Base.Run.Environment.Objects {
		if o.ID.Group != "" || o.ID.Kind != "Namespace" || o.Context || p.Head.Run.Graph.Object(o.ID) != nil {
			continue
		}
		lost := declaredIn(p.Head, o.ID.Name)
		if len(lost) == 0 || o.Deployer != nil && o.Deployer.KeptBy(there) != nil {
			continue
		}
		h := Hit{
			Target: o.ID.String(), At: o.First(), InBase: true, Object: o,
			Title:   fmt.Sprintf("Namespace %s is removed with %s in it", o.ID.Name, spelling.And(lost)),
			Message: fmt.Sprintf("Namespace %s is no longer declared; its deletion takes %s with it, which are declared there", o.ID.Name, spelling.And(lost)),
		}
		if o.Deployer == nil {
			h.Severity = plan.Warning
		}
		report(h)
	}
}

// declaredIn counts what an environment declares in a namespace, by kind: what requests need, and policies.
func declaredIn(s *Environment, namespace string) []string {
	count := map[string]int{}
	var kinds []string
	for _, o := range objectsOf(s) {
		if o.ID.Namespace == namespace {
			if count[o.ID.Kind] == 0 {
				kinds = append(kinds, o.ID.Kind)
			}
			count[o.ID.Kind]++
		}
	}
	slices.Sort(kinds)
	for i, kind := range kinds {
		kinds[i] = spelling.Count(count[kind], kind)
	}
	return kinds
}
