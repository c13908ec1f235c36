package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var routeKindsOverlap = &Rule{
	ID:       "route-kinds-overlap",
	Title:    "An HTTPRoute and a GRPCRoute share a hostname on one listener",
	Severity: plan.Warning,
	Why: "Gateway API has implementations accept only one of the two, the older, then the first by namespace and name " +
		"(GRPCRouteSpec.hostnames); the handling of the other one depends on the implementation.",
	Fix:   "Give the routes different hostnames, or match gRPC requests in the HTTPRoute.",
	Check: checkRouteKindsOverlap,
}

func checkRouteKindsOverlap(s *Environment, report Report) {
	s.nodes(hierarchy.LevelListener, func(listener *hierarchy.Node) {
		for _, o := range kindsOverlap(s.Run.Graph, listener) {
			if o.Route.Object.Context {
				continue
			}
			title := say("%s shares hostname %s of %s with %s, to which Gateway API gives precedence%s", o.Route, o.Hostname, listener, o.By, aged(o.AgeSensitive))
			report(Hit{Target: o.Route.String(), Key: []string{listener.String(), o.Hostname}, At: o.At, Object: o.Route.Object, Title: title})
		}
	})
}
