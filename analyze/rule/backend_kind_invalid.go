package rule

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var backendKindInvalid = &Rule{
	ID:       "backend-kind-invalid",
	Title:    "A route refers to a backend whose kind is not supported",
	Severity: plan.Error,
	Why: "The backend's share of requests is answered with an error 500 (Gateway API, RouteReasonInvalidKind). " +
		"Which kinds are backends is the controller's; a kind that nobody knows is one only where the input " +
		"is complete (--complete).",
	Fix:   "Correct group and kind of the backendRef.",
	Check: checkBackendKindInvalid,
}

func checkBackendKindInvalid(s *Environment, report Report) {
	s.broken(report, func(b *broken) string {
		if b.Carrier != hierarchy.BackendRef || b.Reason != hierarchy.InvalidKind {
			return ""
		}
		id := b.Involves[0]
		return say("%s: %s is not a supported kind of backend", b.route, strings.TrimSuffix(id.Kind+"."+id.Group, "."))
	})
}
