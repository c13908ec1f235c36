package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var routeNotAdmitted = &Rule{
	ID:       "route-not-admitted",
	Title:    "A route names a parent that does not take it",
	Severity: plan.Warning,
	Why: "allowedRoutes of the listeners refuses the kind or the namespace of the route (Gateway API, Accepted=False, " +
		"NotAllowedByListeners), its ListenerSet is refused itself, its listener lost a conflict, or its controller refuses " +
		"a rule. The route gets no traffic from there, and no policy.",
	Fix:   "Open the listener's allowedRoutes, or attach the route to another listener.",
	Check: refusedParents(hierarchy.NotAllowedByListeners, hierarchy.InvalidRule, setRefused, listenerLost),
	Stops: routeStops,
}
