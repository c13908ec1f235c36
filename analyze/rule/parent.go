package rule

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// refused is a parentRef that nobody accepts.
type refused struct {
	route *hierarchy.Node
	hierarchy.Parent
}

// refusedParents is a rule's check for parentRefs that are refused for some
// reasons.
func refusedParents(reasons ...string) func(*Snapshot, Report) {
	return func(s *Snapshot, report Report) {
		for _, r := range s.refusals() {
			reason := r.Accepted.Reason
			if r.Target.Level == hierarchy.LevelListenerSet && reason == "NoMatchingParent" && refusedSet(r.Target) {
				reason += "/ListenerSet"
			}
			if !slices.Contains(reasons, reason) {
				continue
			}
			report(Hit{
				Target: r.route.String(), Key: []string{r.Accepted.Reason, r.Target.String()}, At: r.Accepted.Position(), Object: r.route.Object,
				Message: fmt.Sprintf("%s is not admitted by %s (%s): %s", r.route, r.Target, r.Accepted.Reason, r.Accepted.Message),
			})
		}
	}
}

// refusedSet says whether the Gateway of a ListenerSet does not take it.
func refusedSet(set *hierarchy.Node) bool {
	return slices.ContainsFunc(set.Up, func(e *hierarchy.Edge) bool { return !e.Open() })
}

// refusals are the refused parentRefs of all routes.
func (s *Snapshot) refusals() []refused {
	if s.refused == nil {
		s.refused = []refused{}
		s.nodes(hierarchy.LevelRoute, func(route *hierarchy.Node) {
			if !slices.ContainsFunc(route.Up, func(e *hierarchy.Edge) bool { return !e.Open() }) {
				return
			}
			for _, p := range s.Run.Graph.Parents(route) {
				if p.Accepted.Status == hierarchy.False {
					s.refused = append(s.refused, refused{route, p})
				}
			}
		})
	}
	return s.refused
}
