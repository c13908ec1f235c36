package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/hierarchy"
)

var backendNotFound = &Rule{
	ID:       "backend-not-found",
	Title:    "A route refers to a backend that does not exist",
	Severity: Error,
	Why: "The route keeps its place and answers the backend's share of requests with an error 500 (Gateway API, " +
		"ResolvedRefs=False, BackendNotFound). Found only where the input is said to be complete (--complete).",
	Fix:   "Correct the backendRef, or add the Service.",
	Check: func(s *Snapshot, report Report) { refusedBackends(s, "BackendNotFound", report) },
}

// refusedBackends reports the backend references refused for a reason. Some
// controllers give the same for a port that a Service does not have, which has a
// rule of its own.
func refusedBackends(s *Snapshot, reason string, report Report) {
	s.nodes(hierarchy.LevelRule, func(rule *hierarchy.Node) {
		for _, e := range rule.Down {
			if e.Reason == reason && e.Admitted == hierarchy.False && e.Via == nil && (reason != "BackendNotFound" || e.Child.Object == nil) {
				report(Hit{
					Target: rule.Owner.String(), Key: []string{e.Child.String()}, At: e.Position(), Object: rule.Object,
					Message: fmt.Sprintf("%s gets errors for its backend: %s", rule, e.Message),
				})
			}
		}
	})
}
