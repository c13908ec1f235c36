package analyze_test

import (
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
)

// TestVerdictsAreWhatEffectivePoliciesSay compares what becomes of each policy,
// which the engine knows without folding where it can, with a count of its
// shares in every effective policy.
func TestVerdictsAreWhatEffectivePoliciesSay(t *testing.T) {
	pairs(t, func(t *testing.T, o analyze.Options, _, docs []doc) {
		wrong := func(docs []doc) string {
			r := runOf(o, snapshot(".", files(docs)...))
			join := effective.Alone(r)
			for _, k := range r.Attached.Kinds {
				all := join.Tallies(k, effective.Head, func(*policy.Policy) bool { return true })
				for p, shares := range sharesOf(join, k) {
					if got, want := r.VerdictOf(p, all[p]).Enforcement, sum(shares); got != want {
						return p.ID().String() + " is " + string(got) + ", want " + string(want)
					}
				}
			}
			return ""
		}
		if wrong(docs) != "" {
			docs = shrink(docs, func(docs []doc) bool { return wrong(docs) != "" })
			t.Errorf("%s\nin this world (complete: %t):\n%s", wrong(docs), o.Complete, manifests(docs))
		}
	})
}

// sharesOf counts for each policy of a kind the contexts by what became of it.
func sharesOf(join *effective.Join, k *catalogue.Kind) map[*policy.Policy]map[plan.Enforcement]int {
	out := map[*policy.Policy]map[plan.Enforcement]int{}
	join.Flows(k, func(at *effective.Joint, flows []effective.Flow) {
		for _, f := range flows {
			e := join.Runs[effective.Head].Policy(k, f.States[effective.Head], at.Any())
			if e == nil {
				continue
			}
			for _, s := range e.Shares {
				if out[s.Policy] == nil {
					out[s.Policy] = map[plan.Enforcement]int{}
				}
				out[s.Policy][s.Enforcement] += f.Count
			}
		}
	})
	return out
}

// sum is enforced where all of a policy is in force everywhere, overridden where
// nothing of it is anywhere (GEP-713, Policy status).
func sum(shares map[plan.Enforcement]int) plan.Enforcement {
	for _, e := range []plan.Enforcement{plan.Enforced, plan.Overridden} {
		if len(shares) == 1 && shares[e] > 0 {
			return e
		}
	}
	return plan.PartiallyEnforced
}
