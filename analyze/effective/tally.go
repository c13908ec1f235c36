package effective

import (
	"cmp"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
)

// Tally records at which targets a policy takes part, and its enforcement there.
type Tally struct {
	// Targets are the effective targets, in the order of the walk.
	Targets      []*hierarchy.Node
	Contexts     int
	AgeSensitive bool

	// Each is true if the policy has this enforcement in some context.
	enforced, partly, overridden bool
	// void means that the controller refused the policy at a target.
	void bool
}

// Tallies returns a tally for each policy of a kind that wanted accepts, on one side of a join. It
// judges each state once, and only if the tally of one of its policies could still change.
func (j *Join) Tallies(k *catalogue.Kind, side Side, wanted func(*policy.Policy) bool) map[*policy.Policy]*Tally {
	r := j.Runs[side]
	if r == nil {
		return map[*policy.Policy]*Tally{}
	}
	c := count{run: r, kind: k, wanted: wanted, leafwise: newLeafwise(k, r), tallies: map[*policy.Policy]*Tally{}}
	w := walk{join: j, kind: k}
	w.run(func(at *Joint) bool {
		for i := range at.flows {
			if f := &at.flows[i]; f.states[side] > Start {
				c.meet(f.states[side], at.Nodes[side], f.count)
			}
		}
		c.distribute(at.Nodes[side])
		return true
	})
	return c.tallies
}

// Tallies returns a tally for each policy of a kind. They are made once: rules and statuses both ask for them.
func (r *Run) Tallies(k *catalogue.Kind) map[*policy.Policy]*Tally {
	if r.tallies == nil {
		r.alone, r.tallies = Alone(r), map[*catalogue.Kind]map[*policy.Policy]*Tally{}
	}
	if r.tallies[k] == nil {
		r.tallies[k] = r.alone.Tallies(k, Head, func(*policy.Policy) bool { return true })
	}
	return r.tallies[k]
}

// mixed reports whether the policy is known to be enforced in part.
func (t *Tally) mixed() bool { return t.partly || t.enforced && (t.overridden || t.void) }

func (t *Tally) judged(e plan.Enforcement) {
	t.enforced = t.enforced || e == plan.Enforced
	t.partly = t.partly || e == plan.PartiallyEnforced
	t.overridden = t.overridden || e == plan.Overridden
}

func (t *Tally) reach(at *hierarchy.Node, contexts int) {
	if n := len(t.Targets); n == 0 || t.Targets[n-1] != at {
		t.Targets = append(t.Targets, at)
	}
	t.Contexts += contexts
}

// enforcement sums up all contexts: enforced if the whole policy is in force everywhere, overridden
// if nothing of it is in force anywhere.
func (t *Tally) enforcement() plan.Enforcement {
	switch {
	case t == nil || t.Contexts == 0:
		return plan.NotEnforced
	case t.mixed():
		return plan.PartiallyEnforced
	case t.enforced:
		return plan.Enforced
	case t.overridden:
		return plan.Overridden
	}
	return plan.NotEnforced // it sets no value
}

// VerdictOf returns the verdict on a policy, given its tally (nil: no contexts).
func (r *Run) VerdictOf(p *policy.Policy, t *Tally) *plan.Verdict {
	v := &plan.Verdict{Accepted: fact.False.String(), Reason: policy.Invalid, Enforcement: t.enforcement()}
	best := fact.False
	for i, ref := range p.References {
		v.Targets = append(v.Targets, targetVerdict(ref, t))
		if i == 0 || ref.Accepted > best {
			best, v.Reason = ref.Accepted, ref.Reason
		}
		r.decided(v, ref)
	}
	v.Accepted = best.String()
	switch {
	case len(p.References) == 0 && p.Kind.PointedAt():
		v.Accepted, v.Reason = fact.Unknown.String(), "NotReferenced"
	case len(p.References) == 0 && len(p.Kind.Target.Refs) == 0 && !p.Kind.Assumed():
		v.Accepted, v.Reason = fact.Unknown.String(), "NotFollowed"
	case len(p.References) == 0 && p.Invalid == "":
		v.Reason = policy.TargetNotFound
		if p.MaySelect(r.Graph) != "" {
			v.Accepted, v.Reason = fact.Unknown.String(), policy.NotInInput
		}
	case best == fact.False && v.Reason == policy.Conflicted:
		v.Enforcement = plan.Conflicted
	}
	if t != nil {
		v.EffectiveTargets, v.Contexts = len(t.Targets), t.Contexts
		v.AgeSensitive = v.AgeSensitive || t.AgeSensitive
	}
	return v
}

func targetVerdict(ref *policy.Reference, t *Tally) plan.TargetVerdict {
	v := plan.TargetVerdict{
		Target: ref.Target.String(), Accepted: ref.Accepted.String(), Reason: ref.Reason, Enforcement: t.enforcement(),
	}
	switch {
	case ref.LostTo != nil:
		v.Enforcement = plan.Conflicted
	case ref.Accepted == fact.False:
		v.Enforcement = plan.NotEnforced
	}
	return v
}

// decided records which rule broke a tie at a target, and whether times in the cluster could break
// it differently.
func (r *Run) decided(v *plan.Verdict, ref *policy.Reference) {
	for _, set := range r.Attached.Of(ref) {
		if len(set.Policies)+len(set.Losers) > 1 {
			v.DecidedBy = cmp.Or(v.DecidedBy, set.DecidedBy)
			// If the kind settles its specs, the order of a set does not decide the result; its
			// folds detect age sensitivity.
			v.AgeSensitive = v.AgeSensitive || set.Unsure && set.Kind.Settling.Spec == nil
		}
	}
}
