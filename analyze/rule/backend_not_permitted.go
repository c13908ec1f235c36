package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
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
		"objects of its namespace are, this is a warning: the grant may be elsewhere, too. So it is where a backend of the same name is in " +
		"the route's own namespace. Where a change removes the backend itself, it is an error.",
	Fix:   "Add a ReferenceGrant in the namespace of the backend, or a Service in the route's namespace.",
	Check: checkPermitted,
	Stops: func(p *Pair, node string) bool {
		stops := false
		p.Head.nodes(hierarchy.LevelRule, func(rule *hierarchy.Node) {
			stops = stops || rule.Owner.String() == node && slices.ContainsFunc(rule.Down, func(e *hierarchy.Edge) bool { return removesBackend(p, e) })
		})
		return stops
	},
}

func checkPermitted(s *Environment, report Report) {
	refusedBackends(s, hierarchy.NotPermitted, report)
	ungranted(s, func(e *hierarchy.Edge) (plan.Severity, string) {
		switch {
		case s.Run.Graph.Ungranted(e):
			return plan.Warning, e.Message
		case hasNamesake(s, e):
			return plan.Warning, say("%s, and one of this name is in its own namespace", e.Message)
		}
		return "", ""
	}, report)
}

// hasNamesake reports whether a reference to a backend that is not there has the name of one in the route's own namespace.
func hasNamesake(s *Environment, e *hierarchy.Edge) bool {
	own := e.Child.Target.ID
	own.Namespace = e.Parent.Namespace()
	return e.Child.Object == nil && s.Run.Graph.Object(own) != nil
}

// removesBackend reports whether the change removes the backend that a reference names.
func removesBackend(p *Pair, e *hierarchy.Edge) bool {
	return p.Base != nil && e.Reason == hierarchy.NotPermitted && e.Child.Object == nil && p.Base.Run.Graph.Object(e.Child.Target.ID) != nil
}

// ungranted reports the references to backends that no ReferenceGrant in the input permits, where one may be elsewhere, with the severity
// and the reason that judge gives. It gives no severity for a reference that is not reported.
func ungranted(s *Environment, judge func(*hierarchy.Edge) (plan.Severity, string), report Report) {
	s.nodes(hierarchy.LevelRule, func(rule *hierarchy.Node) {
		for _, e := range rule.Down {
			if e.Admitted != fact.Unknown || e.Reason != hierarchy.NotPermitted || e.Via != nil {
				continue
			}
			severity, why := judge(e)
			if severity == "" {
				continue
			}
			title := say("%s perhaps cannot reach %s", rule.Owner, e.Child)
			if severity == plan.Error {
				title = say("%s cannot reach %s", rule.Owner, e.Child)
			}
			report(Hit{
				Target: rule.Owner.String(), Key: []string{e.Child.String()}, At: e.Position(), Object: rule.Object, Involves: []loader.ID{e.Child.Target.ID},
				Severity: severity, Title: title, Detail: why, Subject: rule.Owner.Spoken(), Statement: why,
			})
		}
	})
}
