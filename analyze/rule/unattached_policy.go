package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
)

// UnattachedPolicy is the ID of the rule about policies whose target is not there.
const UnattachedPolicy = "unattached-policy"

var unattachedPolicy = &Rule{
	ID:       UnattachedPolicy,
	Title:    "A policy targets an object that no manifest declares, or no data plane applies the policy to its target",
	Severity: plan.Warning,
	Why: "The policy has no effect until its target exists (GEP-713: Accepted=False, TargetNotFound) and, for some kinds, " +
		"is bound to what applies it (Istio: a waypoint). " +
		"Where the input is not complete the target may live elsewhere; then this is a note.",
	Fix:   "Correct the reference, add the target, or name where it lives with --context or `external` in the configuration.",
	Check: checkUnattachedPolicy,
	Stops: policyStops,
}

func checkUnattachedPolicy(s *Environment, report Report) {
	s.references(policy.TargetNotFound, func(p *policy.Policy, ref *policy.Reference) {
		if s.Run.Graph.Object(ref.Target.ID) == nil || ref.Target.Section == "" {
			report(hitAt(p, ref, notAttached(p, ref)))
		}
	})
	s.references(policy.NotBound, func(p *policy.Policy, ref *policy.Reference) {
		report(hitAt(p, ref, say("%s has no effect: %s", p.ID(), ref.Message)))
	})
	s.references(policy.NotInInput, func(p *policy.Policy, ref *policy.Reference) {
		if len(ref.Nodes) > 0 && ref.Nodes[0].Object != nil {
			return
		}
		h := hitAt(p, ref, say("it is not known whether %s is attached: %s", p.ID(), ref.Message))
		if ref.DidYouMean == "" {
			h.Severity = plan.Note
		}
		report(h)
	})
	s.policies(func(p *policy.Policy) {
		for _, ref := range p.References {
			if ref.Accepted == fact.True && ref.Elsewhere(s.Run.Graph) {
				report(hitAt(p, ref, say("%s has no effect at %s: all its Gateways are of another controller", p.ID(), ref.Target)))
			}
		}
		if len(p.References) == 0 && !p.Kind.PointedAt() && p.Invalid == "" && len(p.Kind.Target.Refs) > 0 {
			h := Hit{
				Target: p.ID().String(), At: p.Object.First(), Object: p.Object,
				Title: say("%s is attached to nothing: no target is named or selected", p.ID()),
			}
			if by := p.MaySelect(s.Run.Graph); by != "" {
				h.Severity = plan.Note
				h.Title = say("it is not known whether %s is attached: nothing that it selects is in the input; it may be rendered by %s", p.ID(), by)
			}
			report(h)
		}
	})
}

// notAttached says that a policy is not attached to a target: to nothing, or elsewhere only.
func notAttached(p *policy.Policy, ref *policy.Reference) string {
	elsewhere := slices.ContainsFunc(p.References, func(other *policy.Reference) bool { return other.Accepted != fact.False })
	if elsewhere {
		return say("%s is not attached to %s: %s", p.ID(), ref.Target, ref.Message)
	}
	return say("%s is attached to nothing: %s", p.ID(), ref.Message)
}
