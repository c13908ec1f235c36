package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var routeCrowdedOut = &Rule{
	ID:       "route-crowded-out",
	Title:    "A TCPRoute or UDPRoute gets no traffic",
	Severity: plan.Warning,
	Why: "Only one TCPRoute, and one UDPRoute, can have the traffic of a listener: the oldest, then the first " +
		"by namespace and name. The others are accepted nevertheless (Gateway API, conformance test " +
		"TCPRouteMultipleRoutesAttachment).",
	Fix:   "Attach the route to a listener of its own.",
	Check: checkRouteCrowdedOut,
	Stops: routeStops,
}

func checkRouteCrowdedOut(s *Environment, report Report) {
	s.nodes(hierarchy.LevelListener, func(listener *hierarchy.Node) {
		for _, out := range crowdedOut(s.Run.Graph, listener) {
			route := out.Route
			if route.Object.Context {
				continue
			}
			title := say("%s gets no traffic from %s: %s takes it all%s", route, listener, out.By, aged(out.AgeSensitive))
			report(Hit{Target: route.String(), Key: []string{listener.String()}, At: out.At, Object: route.Object, Title: title})
		}
	})
}
