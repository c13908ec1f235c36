package rule

import (
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var backendExternalName = &Rule{
	ID:       "backend-external-name",
	Title:    "A route refers to an ExternalName Service",
	Severity: plan.Warning,
	Security: true,
	Why: "Such a Service can be pointed at anything, also at what its author may not reach (CVE-2021-25740). Gateway API says " +
		"that implementations should not support it, and several answer its share of requests with an error 500: " +
		"where that is known of the controller, this is an error.",
	Fix:   "Use a Service with endpoints, or the controller's own kind of backend for hosts elsewhere.",
	Check: checkBackendExternalName,
}

func checkBackendExternalName(s *Environment, report Report) {
	s.nodes(hierarchy.LevelRule, func(rule *hierarchy.Node) {
		for _, e := range rule.Down {
			if e.Via != nil || !externalName(e.Child.Object) {
				continue
			}
			h := Hit{
				Target: rule.Owner.String(), Key: []string{e.Child.String()}, At: e.Position(), Object: rule.Object, Involves: []loader.ID{e.Child.Target.ID},
				Title: say("%s sends requests to %s, which is a name outside the cluster", rule, e.Child),
			}
			if e.Admitted == fact.False && e.Reason != hierarchy.NotPermitted && !e.Ref.Get("port").IsNull() {
				h.Severity, h.Key = plan.Error, append(h.Key, e.Reason)
				h.Title = say("%s cannot reach its backend: %s is a name outside the cluster, which the controller does not support (%s)", rule, e.Child, e.Reason)
			}
			report(h)
		}
	})
}

func externalName(o *loader.Object) bool {
	return o != nil && o.ID.Group == "" && o.ID.Kind == "Service" && o.Spec().Str("type") == "ExternalName"
}
