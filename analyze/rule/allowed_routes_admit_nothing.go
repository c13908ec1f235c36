package rule

import (
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var allowedRoutesAdmitNothing = &Rule{
	ID:       "allowed-routes-admit-nothing",
	Title:    "A listener takes no routes at all",
	Severity: plan.Warning,
	Why: "No namespace of the input has the labels that allowedRoutes selects: the listener serves nothing, whoever asks " +
		"for it. Found only where the input is complete (--complete).",
	Fix:   "Correct allowedRoutes of the listener.",
	Check: checkAllowedRoutesAdmitNothing,
}

// Other rules report a missing selector and kinds that the protocol does not support.
func checkAllowedRoutesAdmitNothing(s *Environment, report Report) {
	s.nodes(hierarchy.LevelListener, func(n *hierarchy.Node) {
		selector := n.Value.Get("allowedRoutes", "namespaces", "selector")
		if selector == nil || s.Run.Graph.SelectsNothing(n.Value.Get("allowedRoutes", "namespaces")) != fact.True {
			return
		}
		report(Hit{
			Target: n.String(), At: n.Object.Position(selector), Object: n.Object,
			Title: say("%s takes no routes: no namespace has the labels that allowedRoutes asks for", n),
		})
	})
}
