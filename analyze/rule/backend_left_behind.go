package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var backendLeftBehind = &Rule{
	ID:       "backend-left-behind",
	Title:    "A route now names a backend of another namespace that is not there",
	Severity: plan.Warning,
	Why: "The rule sent its requests to an object that is in the input, and now names one of the same name in another namespace, which is " +
		"not. An edit of a namespace, such as that of a kustomization, takes the references of a route along; what they name may stay where " +
		"it was. Without the backend, the Gateway answers with an error 500 (Gateway API, BackendNotFound).",
	Fix:     "Name the namespace in the backendRef, with a ReferenceGrant there, or move the backend as well.",
	Compare: compareBackends,
}

// compareBackends reports references that name a Service of another namespace now which is not in the input, where the one of
// the same name that got the requests before was: an edit of a namespace takes backends along that stay.
func compareBackends(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil {
		return
	}
	p.Difference.Join.Nodes(func(at *effective.Joint) {
		was, is := at.Nodes[effective.Base], at.Nodes[effective.Head]
		if at.Level != hierarchy.LevelRule || was == nil || is == nil {
			return
		}
		for _, e := range is.Down {
			id := e.Child.Target.ID
			if e.Child.Object != nil || !e.Open() || e.Via != nil || p.Head.Run.Graph.External(id) || p.Head.Run.Graph.Producer(id) != "" {
				continue
			}
			i := slices.IndexFunc(was.Down, func(before *hierarchy.Edge) bool {
				other := before.Child.Target.ID
				return before.Child.Object != nil && other.Kind == id.Kind && other.Name == id.Name && other.Namespace != id.Namespace
			})
			if i >= 0 {
				report(Hit{
					Target: is.Owner.String(), Key: []string{e.Child.String()}, At: e.Position(), Object: is.Object,
					Title: say("%s: %s is not in the input; these requests went to %s before, which was", is, e.Child, was.Down[i].Child),
				})
			}
		}
	})
}
