package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/hierarchy"
)

var allowedRoutesAdmitNothing = &Rule{
	ID:       "allowed-routes-admit-nothing",
	Title:    "A listener takes no routes at all",
	Severity: Warning,
	Why: "allowedRoutes leaves no kind, or no namespace that exists: the listener serves nothing whoever asks " +
		"for it.",
	Fix:   "Correct allowedRoutes of the listener.",
	Check: checkAllowedRoutesAdmitNothing,
}

func checkAllowedRoutesAdmitNothing(s *Snapshot, report Report) {
	s.nodes(hierarchy.LevelListener, func(n *hierarchy.Node) {
		allowed := n.Value.Get("allowedRoutes")
		message := ""
		switch {
		case len(allowed.List("kinds")) > 0 && len(n.Kinds) == 0:
			message = "none of the kinds in allowedRoutes goes with the protocol"
		case s.Run.Graph.SelectsNothing(allowed.Get("namespaces")) == hierarchy.True:
			message = "no namespace has the labels that allowedRoutes asks for"
		default:
			return
		}
		report(Hit{
			Target: n.String(), At: n.Object.Position(allowed), Object: n.Object,
			Message: fmt.Sprintf("%s takes no routes: %s", n, message),
		})
	})
}
