package rule

import (
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
)

var missingSection = &Rule{
	ID:       "missing-section",
	Title:    "A policy targets a section that its object does not have",
	Severity: plan.Error,
	Why: "The object exists, the listener, rule or port of that name does not, so the policy must fail to attach " +
		"(GEP-2648, Section Names). A renamed listener or rule silently drops the policies on it.",
	Fix:   "Name an existing section, or remove sectionName to target the whole object. Only named rules can be targeted.",
	Check: checkMissingSection,
	Stops: policyStops,
}

func checkMissingSection(s *Environment, report Report) {
	s.references(policy.TargetNotFound, func(p *policy.Policy, ref *policy.Reference) {
		if ref.Target.Section != "" && s.Run.Graph.Object(ref.Target.ID) != nil {
			report(hitAt(p, ref, notAttached(p, ref)))
		}
	})
}
