package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var backendLeftBehind = &Rule{
	ID:       "backend-left-behind",
	Title:    "A route now refers to a backend that does not exist; the previous one does",
	Severity: plan.Warning,
	Why: "The rule sent its requests to an object that is in the input, and now names one of the same name in another namespace, which is " +
		"not. An edit of a namespace, such as that of a kustomization, takes the references of a route along; what they name may stay where " +
		"it was. So may a slip in a name: the one before has almost the name, and what is not rendered could give any. " +
		"Without the backend, the Gateway answers with an error 500 (Gateway API, BackendNotFound). It is an error where a change removes the " +
		"backend of a route in another namespace, to which no ReferenceGrant in the input lets the route refer.",
	Fix: "Name the namespace in the backendRef, with a ReferenceGrant there, or move the backend as well; correct a name.",
	Compare: func(p *Pair, report Report) {
		if p.Base != nil && p.Head != nil {
			compareBackends(p, report)
			compareUngranted(p, report)
		}
	},
}

// compareBackends reports references that now name a Service which is not in the input, if the Service that got the
// requests before was: either one of the same name in another namespace, because an edit of a namespace also moves the
// references to backends that stay where they are, or one with a similar name that still exists.
func compareBackends(p *Pair, report Report) {
	p.Difference.Join.Nodes(func(at *effective.Joint) {
		was, is := at.Nodes[effective.Base], at.Nodes[effective.Head]
		if at.Level != hierarchy.LevelRule || was == nil || is == nil {
			return
		}
		for _, e := range is.Down {
			id := e.Child.Target.ID
			graph := p.Head.Run.Graph
			if e.Child.Object != nil || !e.Open() || e.Via != nil || graph.External(id) {
				continue
			}
			made, similar := graph.Producer(id) != "", graph.Similar(id)
			i := slices.IndexFunc(was.Down, func(before *hierarchy.Edge) bool {
				other := before.Child.Target.ID
				if before.Child.Object == nil || other.Kind != id.Kind || other.Group != id.Group {
					return false
				}
				elsewhere := !made && other.Name == id.Name && other.Namespace != id.Namespace
				misspelt := made && similar != "" && other.Name == similar && other.Namespace == id.Namespace && graph.Object(other) != nil
				return elsewhere || misspelt
			})
			if i >= 0 {
				report(Hit{
					Target: is.Owner.String(), Key: []string{e.Child.String()}, At: e.Position(), Object: is.Object,
					Title: say("%s: %s is not in the input; before, these requests went to %s, which is in the input", is, e.Child, was.Down[i].Child),
				})
			}
		}
	})
}

// compareUngranted reports the references to backends that the change removes, or from whose namespace it removes all that was there: then
// the input no longer shows that the namespace is one of its own.
func compareUngranted(p *Pair, report Report) {
	ungranted(p.Head, func(e *hierarchy.Edge) (plan.Severity, string) {
		switch {
		case p.Head.Run.Graph.Ungranted(e) || hasNamesake(p.Head, e) || e.Child.Object != nil: // told by the check
		case !reached(p, e): // it was refused, or in doubt, before
		case removesBackend(p, e):
			return plan.Error, say("%s is removed", e.Child)
		case p.Base.Run.Graph.Inhabited(e.Child.Namespace()):
			return plan.Warning, e.Message
		}
		return "", ""
	}, report)
}

// reached reports whether base has the rule of a reference of head, and sends requests to the same backend, or does not have the rule.
func reached(p *Pair, e *hierarchy.Edge) bool {
	at := p.Difference.Join.Of(effective.Head, e.Parent)
	if at == nil || at.Nodes[effective.Base] == nil {
		return true
	}
	for _, was := range at.Nodes[effective.Base].Down {
		if was.Child.Target.ID == e.Child.Target.ID {
			return was.Admitted == fact.True
		}
	}
	return true
}
