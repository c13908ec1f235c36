package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var backendNotFound = &Rule{
	ID:       "backend-not-found",
	Title:    "A route refers to a backend that does not exist",
	Severity: plan.Error,
	Why: "The route keeps its place and answers the backend's share of requests with an error 500 (Gateway API, " +
		"ResolvedRefs=False, BackendNotFound). Found where the input is complete (--complete), and where a Service of almost that name is there. " +
		"Where a change removes the Service and a chart that is not rendered may hold one of its name, it is a warning, or a note if the chart is new. " +
		"So it is where a rule passes requests on to a route that does not exist, or that accepts none of them.",
	Fix: "Correct the backendRef, or add the Service.",
	Check: func(s *Environment, report Report) {
		refusedBackends(s, hierarchy.BackendNotFound, report)
		misspeltBackends(s, report)
		emptyDelegations(s, report)
	},
	Stops: func(p *Pair, node string) bool { return p.Base != nil && p.Base.object(node) != nil },
}

// misspeltBackends reports references to Services that are not in the input if a Service with a
// similar name is.
func misspeltBackends(s *Environment, report Report) {
	s.nodes(hierarchy.LevelRule, func(rule *hierarchy.Node) {
		for _, e := range rule.Down {
			if similar := misspeltBackend(s, e); similar != "" {
				report(Hit{
					Target: rule.Owner.String(), Key: []string{e.Child.String()}, At: e.Position(), Object: rule.Object, Severity: plan.Warning, Involves: []loader.ID{e.Child.Target.ID},
					Title: say("%s: %s is not in the input%s", rule, e.Child, spelling.Meant(similar)),
				})
			}
		}
	})
}

// misspeltBackend is the name that a reference to a backend which is not in the input seems to mean, or empty.
func misspeltBackend(s *Environment, e *hierarchy.Edge) string {
	id := e.Child.Target.ID
	if e.Child.Object != nil || !e.Open() || e.Via != nil || s.Run.Graph.External(id) || s.Run.Graph.Producer(id) != "" {
		return ""
	}
	return s.Run.Graph.Similar(id)
}

// refusedBackends reports the backend references that are refused for a reason. Some controllers
// use BackendNotFound also for a port that a Service does not have; another rule reports that.
func refusedBackends(s *Environment, reason string, report Report) {
	s.nodes(hierarchy.LevelRule, func(rule *hierarchy.Node) {
		for _, e := range rule.Down {
			if e.Reason == reason && e.Admitted == fact.False && e.Via == nil && (reason != hierarchy.BackendNotFound || e.Child.Object == nil) {
				detail := say("%s answers the requests for it with errors: %s", rule, e.Message)
				if s.Run.Graph.LeftOut(rule) {
					detail = say("its controller leaves out %s: %s", rule, e.Message)
				}
				report(Hit{
					Target: rule.Owner.String(), Key: []string{e.Child.String()}, At: e.Position(), Object: rule.Object, Involves: []loader.ID{e.Child.Target.ID},
					Title: say("%s cannot reach %s", rule.Owner, e.Child), Detail: detail,
					Subject: rule.Owner.Spoken(), Statement: e.Message,
				})
			}
		}
	})
}

// emptyDelegations reports the rules that pass requests on to a route that takes none of them, or that does not exist
// while a route with a similar name does (kgateway and agentgateway, route delegation): the Gateway answers these
// requests with errors.
func emptyDelegations(s *Environment, report Report) {
	s.nodes(hierarchy.LevelRule, func(rule *hierarchy.Node) {
		told := map[*loader.Value]bool{}
		for _, ref := range rule.Value.List("backendRefs") {
			id := hierarchy.BackendID(ref, rule.Namespace())
			if hierarchy.LevelOf(id.Group, id.Kind) != hierarchy.LevelRoute {
				continue
			}
			title := ""
			if i := slices.IndexFunc(rule.Down, func(e *hierarchy.Edge) bool { return e.Child.Target.ID == id }); i >= 0 {
				if e := rule.Down[i]; e.Admitted == fact.False {
					title = say("%s passes requests on to %s, which accepts none of them (%s): %s", rule, id, e.Reason, e.Message)
				}
			} else if similar := s.Run.Graph.Similar(id); similar != "" && s.Run.Graph.Object(id) == nil {
				title = say("%s passes requests on to %s, which is not in the input%s", rule, id, spelling.Meant(similar))
			}
			if title != "" {
				told[ref] = true
				report(Hit{
					Target: rule.Owner.String(), Key: []string{rule.String(), id.String()}, At: rule.Object.Position(ref), Object: rule.Object,
					Involves: []loader.ID{id}, Severity: plan.Warning, Title: title,
				})
			}
		}
		for _, c := range hierarchy.Undelegated(s.Run.Graph, rule) {
			if !told[c.Ref] {
				report(Hit{
					Target: rule.Owner.String(), Key: []string{rule.String(), c.Involves[0].String()}, At: c.Position(), Object: rule.Object,
					Involves: c.Involves, Title: say("%s answers requests with errors: %s", rule, c.Message),
				})
			}
		}
	})
}
