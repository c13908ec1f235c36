package rule

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// bad reports the failing conditions of classes, Gateways, ListenerSets and listeners for which
// means returns true.
func (s *Environment) bad(report Report, means func(*hierarchy.Node, *hierarchy.Condition) bool) {
	for _, n := range s.Run.Graph.Nodes {
		if n.Object == nil || n.Object.Context {
			continue
		}
		for i := range n.Conditions {
			if c := &n.Conditions[i]; c.Bad() && means(n, c) {
				report(Hit{
					Target: n.String(), Key: []string{c.Type, c.Reason, c.Subject}, At: c.Position(), Object: n.Object,
					Title:   say("%s: %s%s%s", n, c.Message, named(c.Reason), aged(c.AgeSensitive)),
					Subject: n.Spoken(), Statement: c.Reason + ": " + c.Message, Missing: c.Involves,
				})
			}
		}
	}
}

// conditions returns the check of a rule for conditions of one type with one of some reasons.
func conditions(kind string, reasons ...string) func(*Environment, Report) {
	return func(s *Environment, report Report) {
		s.bad(report, func(_ *hierarchy.Node, c *hierarchy.Condition) bool {
			return c.Type == kind && slices.Contains(reasons, c.Reason)
		})
	}
}

// broken is a route's reference that fails.
type broken struct {
	route *hierarchy.Node
	hierarchy.Condition
}

// broken reports the failing references of routes for which title returns a sentence.
func (s *Environment) broken(report Report, title func(*broken) string) {
	if s.failing == nil {
		s.failing = []broken{}
		s.nodes(hierarchy.LevelRoute, func(route *hierarchy.Node) {
			s.Run.Graph.RouteReferences(route, func(c hierarchy.Condition) {
				if c.Status == fact.False {
					s.failing = append(s.failing, broken{route: route, Condition: c})
				}
			})
		})
	}
	for i := range s.failing {
		b := &s.failing[i]
		if text := title(b); text != "" {
			about := b.Subject
			if len(b.Involves) > 0 {
				about = b.Involves[0].String()
			}
			report(Hit{
				Target: b.route.String(), Key: []string{b.Reason, about}, At: b.Position(), Object: b.route.Object, Involves: b.Involves,
				Title:   fmt.Sprintf("%s (%s)", text, b.Reason),
				Subject: b.route.Spoken(), Statement: b.Reason + ": " + b.Message,
			})
		}
	}
}

// named returns the reason in the status, or "" if it is too general to help.
func named(reason string) string {
	if reason == "Invalid" || reason == "ConfigurationChanged" {
		return ""
	}
	return " (" + reason + ")"
}

// aged returns the note that an age which is not in the input could reverse a finding.
func aged(sensitive bool) string {
	if sensitive {
		return " (the same age is assumed; in the cluster the order may be reversed)"
	}
	return ""
}
