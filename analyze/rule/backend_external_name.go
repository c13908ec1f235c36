package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/hierarchy"
)

var backendExternalName = &Rule{
	ID:       "backend-external-name",
	Title:    "A route refers to an ExternalName Service",
	Severity: Warning,
	Security: true,
	Why: "Such a Service can be pointed at anything, also at what its author may not reach; Gateway API says " +
		"that implementations should not support it, and several answer with an error (CVE-2021-25740).",
	Fix:   "Use a Service with endpoints, or the controller's own kind of backend for hosts elsewhere.",
	Check: checkBackendExternalName,
}

func checkBackendExternalName(s *Snapshot, report Report) {
	s.nodes(hierarchy.LevelRule, func(rule *hierarchy.Node) {
		for _, e := range rule.Down {
			if e.Via == nil && e.Child.Target.Kind == "Service" && e.Child.Value.Str("type") == "ExternalName" {
				report(Hit{
					Target: rule.Owner.String(), Key: []string{e.Child.String()}, At: e.Position(), Object: rule.Object,
					Message: fmt.Sprintf("%s sends requests to %s, which is a name outside the cluster", rule, e.Child),
				})
			}
		}
	})
}
