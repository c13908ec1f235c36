package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var backendUnsupported = &Rule{
	ID:       "backend-unsupported",
	Title:    "A route refers to a backend in a way that its controller does not support",
	Severity: plan.Error,
	Why: "What the reference names may exist, and the controller still refuses it, as for a Service without a port. The " +
		"backend's share of requests is answered with an error 500. Kong leaves out a rule whose Services have other annotations of Kong.",
	Fix:   "Change the backendRef as the message says.",
	Check: checkBackendUnsupported,
}

// Other rules report missing objects, grants, kinds and ports, and names outside the cluster.
func checkBackendUnsupported(s *Environment, report Report) {
	s.broken(report, func(b *broken) string {
		switch b.Reason {
		case hierarchy.BackendNotFound, hierarchy.NotPermitted, hierarchy.InvalidKind:
			return ""
		case "PortNotFound":
			if len(b.Involves) == 0 || b.Involves[0].Kind == "Service" {
				return ""
			}
		}
		if b.Carrier != hierarchy.BackendRef || len(b.Involves) > 0 && !b.Ref.Get("port").IsNull() && externalName(s.Run.Graph.Object(b.Involves[0])) {
			return ""
		}
		return say("%s: %s", b.route, b.Message)
	})
	s.nodes(hierarchy.LevelRoute, func(route *hierarchy.Node) {
		for _, rule := range route.Sections {
			if key := s.Run.Graph.UnlikeServices(rule); key != "" {
				report(Hit{
					Target: route.String(), Key: []string{rule.String(), key}, At: rule.Position(), Object: route.Object,
					Title: say("%s leaves out %s: its Services do not have the same annotation %s", s.Run.Graph.Decider(route).Name, rule, key),
				})
			}
		}
	})
}
