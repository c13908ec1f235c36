package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var filterReferenceInvalid = &Rule{
	ID:       "filter-reference-invalid",
	Title:    "A filter of a route refers to something that it cannot use",
	Severity: plan.Error,
	Why: "A mirror, an external authorization or an extension that cannot be resolved is never skipped: the " +
		"controller answers requests with an error or refuses the rule (Gateway API, HTTPRouteFilter).",
	Fix:   "Correct the reference, or add the object or the ReferenceGrant it needs.",
	Check: checkFilterReferenceInvalid,
}

func checkFilterReferenceInvalid(s *Environment, report Report) {
	s.broken(report, func(b *broken) string {
		if b.Carrier != hierarchy.Filter {
			return ""
		}
		return say("a filter of %s fails: %s", b.route, b.Message)
	})
}
