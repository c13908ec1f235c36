package rule

import (
	"cmp"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
)

var invalidPolicy = &Rule{
	ID:       "invalid-policy",
	Title:    "A policy is written in a way that its kind does not accept",
	Severity: plan.Error,
	Why: "The API server or the controller rejects the policy (Accepted=False, Invalid): a target kind that it cannot have, " +
		"an incomplete reference, or two bodies at once.",
	Fix:   "Correct the line; `gwplan kinds KIND` says what the kind accepts.",
	Check: checkInvalidPolicy,
}

func checkInvalidPolicy(s *Environment, report Report) {
	s.policies(func(p *policy.Policy) {
		if p.Invalid != "" {
			report(Hit{
				Target: p.ID().String(), At: p.Object.Position(cmp.Or(p.InvalidAt, p.Object.Spec())), Object: p.Object,
				Title: say("%s is invalid: %s", p.ID(), p.Invalid),
			})
		}
	})
	s.policies(func(p *policy.Policy) {
		if p.Unmergeable != nil {
			report(Hit{
				Target: p.ID().String(), Key: []string{"merge"}, At: p.Object.Position(p.Unmergeable), Object: p.Object,
				Title: say("%s is not applied where a less specific policy is in force; only that one applies there: %s", p.ID(), p.UnmergeableWhy()),
			})
		}
	})
	s.references(policy.Invalid, func(p *policy.Policy, ref *policy.Reference) {
		if p.Invalid == "" && p.Broken == nil {
			report(hitAt(p, ref, say("%s is invalid: %s", p.ID(), ref.Message)))
		}
	})
	s.policies(func(p *policy.Policy) {
		for _, n := range p.Notes {
			if p.Kind.Assumed() || p.Kind.Origin == catalogue.FromConfig {
				report(Hit{
					Target: p.ID().String(), Key: []string{n.Text}, At: p.Object.Position(n.At), Object: p.Object,
					Severity: plan.Note, Title: say("%s: %s", p.ID(), n.Text),
				})
			}
		}
	})
}
