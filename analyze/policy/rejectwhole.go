package policy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/merge"
)

// rejectWhole decides the conflicts of the kinds whose losers are rejected for all their targets
// (merge.same.rejectScope: policy). It takes the policies in order; a policy that was rejected does not reject others.
// If targets differ, a controller may go through them in another order and reach another result (NGINX Gateway Fabric
// internal/controller/state/graph/policies.go, a map).
func rejectWhole(attached map[attachmentPoint][]*Reference, ages age.Ages) map[*Policy]bool {
	var policies []*Policy
	at := map[*Policy][]attachmentPoint{}
	for _, where := range sorted(attached) {
		refs := attached[where]
		if where.kind.Merge.Same.RejectScope != "policy" {
			continue
		}
		for _, ref := range refs {
			if at[ref.Policy] == nil {
				policies = append(policies, ref.Policy)
			}
			at[ref.Policy] = append(at[ref.Policy], where)
		}
	}
	slices.SortFunc(policies, func(a, b *Policy) int {
		if a.Kind != b.Kind {
			return catalogue.CompareKinds(a.Kind, b.Kind)
		}
		return a.Kind.Precedence(a.Object, b.Object, ages).Compare
	})
	lost := map[*Policy]bool{}
	taken := map[attachmentPoint][]*Policy{}
	for _, p := range policies {
		if rival, shared := rivalOf(p, at[p], taken, ages); rival != nil {
			lost[p] = true
			certain := slices.ContainsFunc(shared, func(where attachmentPoint) bool { return meet(attached[where], rival, p) })
			for _, ref := range p.References {
				if ref.IsAttached() { // otherwise it already has another reason
					ref.loseIf(certain, rival, "conflicts with "+rival.ID().Spoken()+", which takes precedence, and is rejected for all its targets")
					ref.assume(ages)
				}
			}
			continue
		}
		for _, where := range at[p] {
			taken[where] = append(taken[where], p)
		}
	}
	return lost
}

// meet reports whether both policies are known to attach by the references to one target.
func meet(refs []*Reference, a, b *Policy) bool {
	attaches := func(p *Policy) bool {
		return slices.ContainsFunc(refs, func(ref *Reference) bool { return ref.Policy == p && ref.Accepted == fact.True })
	}
	return attaches(a) && attaches(b)
}

// rivalOf is the first policy, in order of precedence, that conflicts with another at some of its
// targets, and these targets. It is nil if there is none.
func rivalOf(p *Policy, at []attachmentPoint, taken map[attachmentPoint][]*Policy, ages age.Ages) (first *Policy, shared []attachmentPoint) {
	for _, where := range at {
		for _, earlier := range taken[where] {
			if earlier == p || !conflicts(earlier, p, ages) {
				continue
			}
			switch {
			case first == earlier:
				shared = append(shared, where)
			case first == nil || p.Kind.Precedence(earlier.Object, first.Object, ages).Compare < 0:
				first, shared = earlier, []attachmentPoint{where}
			}
		}
	}
	return first, shared
}

func conflicts(earlier, later *Policy, ages age.Ages) bool {
	k := later.Kind
	switch k.SameAlgorithm {
	case merge.None:
		return strictly(earlier, later, ages)
	case merge.UnionOrReject:
		return k.Strategy(merge.UnionOrReject).Overlap(earlier.Spec, later.Spec)
	default:
	}
	return false
}
