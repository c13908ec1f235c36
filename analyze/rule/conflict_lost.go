package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
)

var conflictLost = &Rule{
	ID:       "conflict-lost",
	Title:    "A policy is rejected because another policy already has its target",
	Severity: plan.Warning,
	Why: "Policies of this kind do not merge: of two on one target the older wins and the other is rejected " +
		"(GEP-713, None: Accepted=False, Conflicted). Some controllers also reject a policy on a route while a route that it does " +
		"not target shares a path with it (NGINX Gateway Fabric: TargetConflict).",
	Fix:   "Put the settings into the policy that wins, or give this one another target.",
	Check: checkConflictLost,
	Stops: policyStops,
}

func checkConflictLost(s *Environment, report Report) {
	s.references(policy.Conflicted, func(p *policy.Policy, ref *policy.Reference) {
		h := hitAt(p, ref, say("%s is rejected at %s: %s", p.ID(), ref.Target, ref.Message))
		if winner := ref.LostTo; winner != nil { // Some conflicts have no winner.
			h.Key = append(h.Key, winner.ID().String())
			at := winner.Object.First()
			if ref.LostBy != "" {
				h.Detail = say("%s takes precedence only because of its %s; if %s was created first, the result is reversed", winner.ID(), ref.LostBy, p.ID())
			}
			h.Related = []plan.Related{{Message: say("%s wins", winner.ID()), Side: plan.InHead, File: at.File, Line: at.Line, Column: at.Column}}
		}
		report(h)
	})
	s.policies(func(p *policy.Policy) {
		reason := p.Kind.Target.SharedPaths
		i := slices.IndexFunc(p.References, func(ref *policy.Reference) bool { return reason != "" && ref.Reason == reason })
		if i >= 0 {
			ref := p.References[i]
			report(hitAt(p, ref, say("%s is rejected for all its targets (%s): %s", p.ID(), reason, ref.Message)))
		}
	})
}
