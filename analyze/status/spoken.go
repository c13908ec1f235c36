package status

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
)

// Spoken returns the conditions that controllers write on a policy, each once as
// TYPE=STATUS/REASON. It omits Unknown conditions and those that only report success. The
// annotation of a dry run is included.
func Spoken(r *effective.Run) func(*policy.Policy) []string {
	s := newStates(r)
	return func(p *policy.Policy) []string {
		var out []string
		if p.DryRun != "" {
			out = append(out, p.DryRun)
		}
		if p.Kind.Silent() {
			return out
		}
		for _, a := range s.ancestors(p) {
			for _, c := range a.Conditions {
				plain := c.Status == "True" && (c.Type == hierarchy.Accepted || c.Type == hierarchy.ResolvedRefs)
				if plain || c.Status == "Unknown" {
					continue
				}
				if word := c.Type + "=" + c.Status + "/" + c.Reason; !slices.Contains(out, word) {
					out = append(out, word)
				}
			}
		}
		slices.Sort(out)
		return out
	}
}

// enforcements are the keys in an entry's status for how much of a policy is in force.
var enforcements = map[plan.Enforcement]string{
	plan.Enforced:          "enforced",
	plan.PartiallyEnforced: "partial",
	plan.Overridden:        "overridden",
	plan.NotEnforced:       "unused",
}

// enforcement is the condition with which a kind's controller reports how much of a policy is in
// force, if there is one. Kinds with layers report it by Overridden and Merged instead.
func (s states) enforcement(p *policy.Policy) (plan.Condition, bool) {
	if hasLayers(p.Kind) || !p.Kind.TellsEnforcement() {
		return plan.Condition{}, false
	}
	said := p.Kind.Status[enforcements[s.enforcementOf(p)]]
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

func (s states) enforcementOf(p *policy.Policy) plan.Enforcement {
	if p.Kind.Judged == "merges" {
		if s.shares[p.Kind] == nil {
			s.shares[p.Kind] = s.run.WorstShares(p.Kind)
		}
		share, met := s.shares[p.Kind][p]
		if !met {
			return plan.NotEnforced
		}
		return byShare[share]
	}
	if s.tallies[p.Kind] == nil {
		s.tallies[p.Kind] = effective.Alone(s.run).Tallies(p.Kind, effective.Head, func(*policy.Policy) bool { return true })
	}
	return s.run.VerdictOf(p, s.tallies[p.Kind][p]).Enforcement
}

// condition reads a condition as a kind's entry writes it: TYPE=STATUS/REASON; MESSAGE.
func condition(said string) plan.Condition {
	said, message, _ := strings.Cut(said, "; ")
	kind, rest, _ := strings.Cut(said, "=")
	status, reason, _ := strings.Cut(rest, "/")
	return plan.Condition{Type: kind, Status: status, Reason: reason, Message: message}
}
