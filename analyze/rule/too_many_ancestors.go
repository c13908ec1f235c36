package rule

import (
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/analyze/status"
)

var tooManyAncestors = &Rule{
	ID:       "too-many-ancestors",
	Title:    "A policy has more ancestors than its status can hold",
	Severity: plan.Note,
	Why: "status.ancestors has 16 places (Gateway API, PolicyStatus): for further Gateways the status does not show whether " +
		"the policy is accepted.",
	Fix:   "Split the policy, or do not rely on its status.",
	Check: checkTooManyAncestors,
}

// maxAncestors is how many ancestors a status can hold.
const maxAncestors = 16

func checkTooManyAncestors(s *Environment, report Report) {
	ancestors := status.Ancestors(s.Run)
	s.policies(func(p *policy.Policy) {
		if n := len(ancestors(p)); n > maxAncestors {
			report(Hit{
				Target: p.ID().String(), At: p.References[0].Position(), Object: p.Object,
				Title: say("%s has %d ancestors, and its status shows %d of them", p.ID(), n, maxAncestors),
			})
		}
	})
}
