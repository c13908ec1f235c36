package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var parentNotFound = &Rule{
	ID:       "parent-not-found",
	Title:    "A route or ListenerSet names a parent that does not exist",
	Severity: plan.Warning,
	Why: "No controller looks at the parentRef, and the status does not even mention it (Gateway API, ParentReference). Found " +
		"where the input is complete (--complete), where the parent was removed, or where one of almost that name is there.",
	Fix:   "Correct the parentRef, or add the parent.",
	Check: checkParentNotFound,
	Stops: routeStops,
}

func checkParentNotFound(s *Environment, report Report) {
	for _, level := range []hierarchy.Level{hierarchy.LevelListenerSet, hierarchy.LevelRoute} {
		s.nodes(level, func(n *hierarchy.Node) {
			seen := map[*hierarchy.Node]bool{}
			for _, e := range n.Up {
				parent := e.Parent
				if parent.Owner != nil {
					parent = parent.Owner
				}
				if seen[parent] || parent.Object != nil {
					continue
				}
				seen[parent] = true
				similar := s.Run.Graph.Similar(parent.Target.ID)
				if !e.Open() {
					similar = s.Run.Graph.Kin(parent.Target.ID)
				}
				title := say("%s: %s", n, e.Message)
				switch {
				case s.Run.Graph.External(parent.Target.ID):
					continue
				case similar != "":
					title += spelling.Meant(similar)
				case e.Open():
					continue // it may be declared elsewhere
				}
				report(Hit{
					Target: n.String(), Key: []string{parent.String()}, At: e.Position(), Object: n.Object, Title: title,
					Subject: n.Spoken(), Statement: e.Message, Missing: []loader.ID{parent.Target.ID},
				})
			}
		})
	}
}
