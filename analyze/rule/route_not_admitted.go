package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/hierarchy"
)

var routeNotAdmitted = &Rule{
	ID:       "route-not-admitted",
	Title:    "A route names a parent that does not take it",
	Severity: Warning,
	Why: "No listener of the parent admits the route: none has that name or port, allowedRoutes refuses its kind or " +
		"namespace, or no hostname matches (Gateway API, Accepted=False). The route gets no traffic from there, and no policy.",
	Fix:   "Correct the parentRef or the hostnames, or open the listener's allowedRoutes.",
	Check: checkRouteNotAdmitted,
}

func checkRouteNotAdmitted(s *Snapshot, report Report) {
	s.nodes(hierarchy.LevelRoute, func(route *hierarchy.Node) {
		for _, ref := range route.Value.List("parentRefs") {
			e := refusal(route, func(e *hierarchy.Edge) bool { return e.Ref == ref })
			if e == nil {
				continue
			}
			report(Hit{
				Target: route.String(), Key: []string{e.Reason, parentName(e)}, At: e.Position(), Object: route.Object,
				Message: fmt.Sprintf("%s is not admitted by %s (%s): %s", route, parentName(e), e.Reason, e.Message),
			})
		}
	})
}

// refusal is the first refused edge of a reference that nobody accepts: a
// route that some listener of the parent takes is attached.
func refusal(route *hierarchy.Node, of func(*hierarchy.Edge) bool) *hierarchy.Edge {
	var refused *hierarchy.Edge
	for _, e := range route.Up {
		switch {
		case !of(e):
		case e.Open():
			return nil
		case refused == nil:
			refused = e
		}
	}
	return refused
}

func parentName(e *hierarchy.Edge) string {
	if e.Parent.Owner != nil {
		return e.Parent.Owner.String()
	}
	return e.Parent.String()
}
