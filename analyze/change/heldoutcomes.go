package change

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

// onward holds back the changes at rules, for a kind that also has an effect at backends, until the backends are compared. If all
// backends of a rule have the same effective policy as before, and what changed at the rule is in it, the policy has only moved
// between the route and its backends: it holds for every request as before.
type onward struct {
	held []heldOutcome
	// same are the effective policies at backends that are equal on both sides, other the backends at which one
	// differs.
	same  map[*effective.Joint][]*effective.Policy
	other map[*effective.Joint]bool
}

type heldOutcome struct {
	at *effective.Joint
	outcome
	target plan.Target
}

// newOnward returns nil for a kind whose changes are not held back.
func newOnward(k *catalogue.Kind) *onward {
	levels := k.EffectiveLevels()
	if !slices.Contains(levels, hierarchy.LevelRule) || !slices.Contains(levels, hierarchy.LevelBackend) {
		return nil
	}
	return &onward{same: map[*effective.Joint][]*effective.Policy{}, other: map[*effective.Joint]bool{}}
}

// hold reports whether an outcome is held back. It notes the backends where something differs.
func (o *onward) hold(at *effective.Joint, one outcome, target plan.Target) bool {
	switch {
	case o == nil:
		return false
	case at.Level == hierarchy.LevelRule && one.change == plan.FieldChange:
		o.held = append(o.held, heldOutcome{at, one, target})
		return true
	case at.Level == hierarchy.LevelBackend:
		o.other[at] = true
	}
	return false
}

// addUnchanged records an effective policy at a backend that is the same as before. A policy that may not attach counts as
// different.
func (o *onward) addUnchanged(at *effective.Joint, p *effective.Policy) {
	switch {
	case o == nil || at.Level != hierarchy.LevelBackend || p == nil:
	case p.Uncertain:
		o.other[at] = true
	default:
		o.same[at] = append(o.same[at], p)
	}
}

// moved reports whether what differs at a rule is in force at all its backends as before.
func (o *onward) moved(j *effective.Join, h heldOutcome) bool {
	backends := 0
	for side, n := range h.at.Nodes {
		if n == nil || len(n.Down) == 0 {
			return false
		}
		for _, e := range n.Down {
			if e.Child.Level == hierarchy.LevelPort { // a part of a backend that is in the list, too
				continue
			}
			at := j.Of(effective.Side(side), e.Child)
			if at == nil || o.other[at] || len(o.same[at]) == 0 || slices.ContainsFunc(o.same[at], func(p *effective.Policy) bool { return lacksField(p, h.fields) }) {
				return false
			}
			backends++
		}
	}
	return backends > 0
}

func lacksField(p *effective.Policy, fields []plan.Field) bool {
	return slices.ContainsFunc(fields, func(f plan.Field) bool { return p.Spec.At(catalogue.Dotted(f.Path)).IsEmpty() })
}
