package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/hierarchy"
)

var backendPortNotFound = &Rule{
	ID:       "backend-port-not-found",
	Title:    "A route refers to a port that its Service does not have",
	Severity: Error,
	Why:      "Requests to the backend fail; the specification has no condition that says so.",
	Fix:      "Name the port of the Service (spec.ports[].port), not that of the container.",
	Check:    checkBackendPortNotFound,
}

func checkBackendPortNotFound(s *Snapshot, report Report) {
	s.nodes(hierarchy.LevelRule, func(rule *hierarchy.Node) {
		for _, e := range rule.Down {
			service := e.Via
			if service == nil || service.Object == nil || service.Target.Group != "" || service.Target.Kind != "Service" ||
				e.Child.Value != nil || len(service.Value.List("ports")) == 0 {
				continue
			}
			report(Hit{
				Target: rule.Owner.String(), Key: []string{e.Child.String()}, At: e.Position(), Object: rule.Object,
				Message: fmt.Sprintf("%s refers to %s, and the Service has no such port", rule, e.Child),
			})
		}
	})
}
