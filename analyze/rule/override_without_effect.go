package rule

import (
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
)

var overrideWithoutEffect = &Rule{
	ID:       "override-without-effect",
	Title:    "A policy has no effect anywhere: other policies override all of it",
	Severity: plan.Warning,
	Why: "The policy is accepted and applies to traffic, yet in every context other policies beat everything it says " +
		"(GEP-713: Overridden). A reader of the manifest expects settings that have no effect.",
	Fix:   "Remove the policy, or change the one that overrides it.",
	Check: checkOverrideWithoutEffect,
}

func checkOverrideWithoutEffect(s *Environment, report Report) {
	s.policies(func(p *policy.Policy) {
		v := s.verdict(p)
		if v.Enforcement != plan.Overridden || v.DecidedBy == plan.ByNothing {
			return
		}
		report(Hit{
			Target: p.ID().String(), At: p.Object.First(), Object: p.Object,
			Title: say("%s has no effect: other policies override it wherever it applies", p.ID()),
		})
	})
}
