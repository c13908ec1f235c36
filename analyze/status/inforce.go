package status

import (
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
)

// inForce says how much of a policy is in force, and keeps what that takes for a whole kind.
type inForce struct {
	run *effective.Run
	// shares are those of the kinds that are judged separately for each merge.
	shares map[*catalogue.Kind]map[*policy.Policy]effective.MergeShare
}

// enforcements are the keys in an entry's status for how much of a policy is in force.
var enforcements = map[plan.Enforcement]string{
	plan.Enforced:          "enforced",
	plan.PartiallyEnforced: "partial",
	plan.Overridden:        "overridden",
	plan.NotEnforced:       "unused",
}

// condition is the condition with which a kind's controller reports how much of a policy is in
// force, if there is one. Kinds with layers report it by Overridden and Merged instead.
func (f *inForce) condition(p *policy.Policy) (plan.Condition, bool) {
	if hasLayers(p.Kind) || !p.Kind.TellsEnforcement() {
		return plan.Condition{}, false
	}
	said := p.Kind.Status[enforcements[f.enforcement(p)]]
	if said == "" {
		return plan.Condition{}, false
	}
	c := condition(said)
	c.Bad = c.Status == "False"
	return c, true
}

// byShare maps the policy's share of a merge to an enforcement.
var byShare = map[effective.MergeShare]plan.Enforcement{
	effective.WholeShare: plan.Enforced,
	effective.PartShare:  plan.PartiallyEnforced,
	effective.NoShare:    plan.Overridden,
}

func (f *inForce) enforcement(p *policy.Policy) plan.Enforcement {
	if p.Kind.Judged == "merges" {
		if f.shares[p.Kind] == nil {
			f.shares[p.Kind] = f.run.WorstShares(p.Kind)
		}
		share, met := f.shares[p.Kind][p]
		if !met {
			return plan.NotEnforced
		}
		return byShare[share]
	}
	return f.run.VerdictOf(p, f.run.Tallies(p.Kind)[p]).Enforcement
}
