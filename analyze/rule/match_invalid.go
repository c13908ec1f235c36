package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var matchInvalid = &Rule{
	ID:       "match-invalid",
	Title:    "A match of a route is one that the controller does not take",
	Severity: plan.Error,
	Why: "Envoy Gateway and NGINX Gateway Fabric leave out the whole rule: a regular expression that is not valid, and for NGINX also a " +
		"path with a brace or a semicolon, a name of a header with an underscore, a method of gRPC without its service. Requests get what another rule answers, " +
		"or 404. Others hand the expression to the proxy, which may refuse all routes of the listener and keep those it had until it " +
		"starts again.",
	Fix:   "Correct the match. Regular expressions of Envoy have the syntax of RE2.",
	Check: checkMatchInvalid,
}

func checkMatchInvalid(s *Environment, report Report) {
	s.broken(report, func(b *broken) string {
		if b.Carrier != hierarchy.MatchOfRule {
			return ""
		}
		return say("a rule of %s is left out: %s", b.route, b.Message)
	})
	s.nodes(hierarchy.LevelRoute, func(route *hierarchy.Node) {
		for _, rule := range route.Sections {
			if at, why := hierarchy.BrokenExpression(rule); at != nil && s.Run.Graph.UnusableMatch(rule) == nil {
				report(Hit{
					Target: route.String(), Key: []string{why}, At: route.Object.Position(at), Object: route.Object, Severity: plan.Warning,
					Title: say("%s is not valid: %s; it depends on the controller whether the rule, the route or all routes of the listener are left out", rule, why),
				})
			}
		}
	})
}
