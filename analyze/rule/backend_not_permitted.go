package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var backendNotPermitted = &Rule{
	ID:       "backend-not-permitted",
	Title:    "A route refers to a backend in another namespace without a grant",
	Severity: plan.Error,
	Why: "A cross-namespace backend needs a ReferenceGrant in the backend's namespace (Gateway API, ResolvedRefs=False, " +
		"RefNotPermitted). Its share of requests is answered with an error 500. Where the backend is not in the input either, and other " +
		"objects of its namespace are, this is a warning: the grant may be elsewhere, too.",
	Fix:   "Add a ReferenceGrant in the namespace of the backend, or a Service in the route's namespace.",
	Check: checkPermitted,
}

func checkPermitted(s *Environment, report Report) {
	refusedBackends(s, hierarchy.NotPermitted, report)
	s.nodes(hierarchy.LevelRule, func(rule *hierarchy.Node) {
		for _, e := range rule.Down {
			if s.Run.Graph.Ungranted(e) {
				report(Hit{
					Target: rule.Owner.String(), Key: []string{e.Child.String()}, At: e.Position(), Object: rule.Object, Involves: []loader.ID{e.Child.Target.ID},
					Severity: plan.Warning,
					Title:    say("%s perhaps cannot reach %s", rule.Owner, e.Child), Detail: e.Message,
					Subject: rule.Owner.Spoken(), Statement: e.Message,
				})
			}
		}
	})
}
