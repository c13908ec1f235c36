package effective

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/policy"
)

// Tally is where the policies of a kind take part, and with what success.
type Tally struct {
	// Targets are the effective targets, in the order of the walk.
	Targets  []*hierarchy.Node
	Contexts int
	// Won counts contexts by what became of the policy there.
	Won          map[Enforcement]int
	AgeSensitive bool
}

// Tallies counts for the policies of a kind that wanted accepts, on one side
// of a join. Only their own states are folded.
func (j *Join) Tallies(k *policy.Kind, side Side, wanted func(*policy.Policy) bool) map[*policy.Policy]*Tally {
	r := j.Runs[side]
	out := map[*policy.Policy]*Tally{}
	if r == nil {
		return out
	}
	j.Flows(k, func(at *Joint, flows []Flow) {
		for i := range flows {
			s := flows[i].States[side]
			if s <= Start || !r.any(s, wanted) {
				continue
			}
			if r.settled(s, wanted, out) {
				r.countOnly(s, wanted, out, at.Nodes[side], flows[i].Count)
				continue
			}
			e := r.Policy(k, s, at.Nodes[side])
			for _, share := range e.Shares {
				if wanted(share.Policy) {
					tallyOf(out, share.Policy).count(at.Nodes[side], flows[i].Count, share.Enforcement, e)
				}
			}
		}
	})
	return out
}

// settled says whether every wanted policy of a state is known to be enforced
// in part: folding the state would tell nothing new. Sets whose order is unsure
// are always folded, to know whether the order matters.
func (r *Run) settled(s State, wanted func(*policy.Policy) bool, all map[*policy.Policy]*Tally) bool {
	for ; s > Start; s = r.states.parent(s) {
		set := r.sets[r.states.set(s)]
		if set.Unsure {
			return false
		}
		for _, p := range set.Policies {
			if wanted(p) && (all[p] == nil || !all[p].mixed()) {
				return false
			}
		}
	}
	return true
}

func (t *Tally) mixed() bool {
	return t.Won[PartiallyEnforced] > 0 || t.Won[Enforced] > 0 && t.Won[Overridden] > 0
}

func (r *Run) countOnly(s State, wanted func(*policy.Policy) bool, all map[*policy.Policy]*Tally, at *hierarchy.Node, contexts int) {
	for ; s > Start; s = r.states.parent(s) {
		for _, p := range r.sets[r.states.set(s)].Policies {
			if wanted(p) {
				all[p].reach(at, contexts)
			}
		}
	}
}

// any says whether a state holds a wanted policy.
func (r *Run) any(s State, wanted func(*policy.Policy) bool) bool {
	for ; s > Start; s = r.states.parent(s) {
		if slices.ContainsFunc(r.sets[r.states.set(s)].Policies, wanted) {
			return true
		}
	}
	return false
}

func tallyOf(all map[*policy.Policy]*Tally, p *policy.Policy) *Tally {
	t := all[p]
	if t == nil {
		t = &Tally{Won: map[Enforcement]int{}}
		all[p] = t
	}
	return t
}

func (t *Tally) count(at *hierarchy.Node, contexts int, won Enforcement, e *Policy) {
	t.reach(at, contexts)
	t.Won[won] += contexts
	t.AgeSensitive = t.AgeSensitive || e.AgeSensitive
}

func (t *Tally) reach(at *hierarchy.Node, contexts int) {
	if n := len(t.Targets); n == 0 || t.Targets[n-1] != at {
		t.Targets = append(t.Targets, at)
	}
	t.Contexts += contexts
}

// enforcement is the sum over contexts: enforced where all of the policy is in
// force everywhere, overridden where nothing is left anywhere.
func (t *Tally) enforcement() Enforcement {
	switch {
	case t == nil || t.Contexts == 0:
		return NotEnforced
	case t.mixed():
		return PartiallyEnforced
	case t.Won[Enforced] == t.Contexts:
		return Enforced
	case t.Won[Overridden] == t.Contexts:
		return Overridden
	}
	return PartiallyEnforced
}

// VerdictOf is what becomes of a policy, given its tally (nil: no contexts).
func (r *Run) VerdictOf(p *policy.Policy, t *Tally) *Verdict {
	v := &Verdict{Accepted: hierarchy.False.String(), Reason: policy.Invalid, Enforcement: t.enforcement()}
	best := hierarchy.False
	for i, ref := range p.References {
		v.Targets = append(v.Targets, r.targetVerdict(p, ref, t))
		if i == 0 || ref.Accepted > best {
			best, v.Reason = ref.Accepted, ref.Reason
		}
		r.decided(v, p, ref)
	}
	v.Accepted = best.String()
	switch {
	case len(p.References) == 0 && p.Kind.Target.Via != "":
		v.Accepted, v.Reason = hierarchy.Unknown.String(), "NotReferenced"
	case len(p.References) == 0 && p.Invalid == "":
		v.Reason = policy.TargetNotFound
	case best == hierarchy.False && v.Reason == policy.Conflicted:
		v.Enforcement = Conflicted
	}
	if t != nil {
		v.EffectiveTargets, v.Contexts = len(t.Targets), t.Contexts
		v.AgeSensitive = v.AgeSensitive || t.AgeSensitive
	}
	return v
}

func (r *Run) targetVerdict(p *policy.Policy, ref *policy.Reference, t *Tally) TargetVerdict {
	v := TargetVerdict{
		Target: ref.Target.String(), Accepted: ref.Accepted.String(), Reason: ref.Reason, Enforcement: t.enforcement(),
	}
	switch {
	case ref.LostTo != nil:
		v.Enforcement = Conflicted
	case ref.Accepted == hierarchy.False:
		v.Enforcement = NotEnforced
	}
	return v
}

// decided says what broke a tie at a target, and whether the cluster may know
// better.
func (r *Run) decided(v *Verdict, p *policy.Policy, ref *policy.Reference) {
	for _, set := range r.setsOf(p, ref) {
		if len(set.Policies)+len(set.Losers) > 1 {
			v.DecidedBy = cmp.Or(v.DecidedBy, set.DecidedBy)
			v.AgeSensitive = v.AgeSensitive || set.Unsure
		}
	}
}

func (r *Run) setsOf(p *policy.Policy, ref *policy.Reference) []*policy.Set {
	var out []*policy.Set
	for _, n := range ref.Nodes {
		if s := r.Attached.At(n, p.Kind); s != nil {
			out = append(out, s)
		}
	}
	if s := r.Attached.AtNamespace(ref.Namespace, p.Kind); ref.IsNamespace() && s != nil {
		out = append(out, s)
	}
	return out
}
