package change

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// A policy may affect something that is not in the input: a target of another repository, or a
// Gateway whose routes are elsewhere. An edit of this policy then changes nothing in the input, so
// the policy's spec itself is compared, as a change of its declared target.

// compareMissingTargets reports changes of edited policies of a kind that affect something which is not in the
// input.
func (c *verdicts) compareMissingTargets(k *catalogue.Kind, verdicts []PolicyVerdicts, byID [2]map[loader.ID]*policy.Policy, tallies [2]map[*policy.Policy]*effective.Tally) {
	formerly := map[loader.ID]loader.ID{}
	gone := map[loader.ID]bool{}
	for _, v := range verdicts {
		if v.Formerly != (loader.ID{}) {
			formerly[v.ID], gone[v.Formerly] = v.Formerly, true
		}
	}
	for side, policies := range byID {
		for _, id := range slices.SortedFunc(maps.Keys(policies), loader.ID.Compare) {
			after := policies[id]
			if side == int(effective.Base) && (byID[effective.Head][id] != nil || gone[id]) {
				continue // the entry in head covers it
			}
			var before *policy.Policy
			if side == int(effective.Base) {
				before, after = after, nil
			} else if was, renamed := formerly[id]; renamed {
				before = byID[effective.Base][was]
			} else {
				before = byID[effective.Base][id]
			}
			if _, edited := c.edits[id]; edited {
				c.comparePolicyOfMissingTarget(k, [2]*policy.Policy{before, after}, tallies)
			}
		}
	}
}

// comparePolicyOfMissingTarget compares the bodies of one policy at its declared targets that are not in the input,
// or below which the input has no effective target. A side without a valid reference to the target
// has no body.
func (c *verdicts) comparePolicyOfMissingTarget(k *catalogue.Kind, both [2]*policy.Policy, tallies [2]map[*policy.Policy]*effective.Tally) {
	var targets []plan.Target
	var named [2]map[plan.TargetRef]bool
	add := func(t plan.TargetRef, away bool) {
		if !slices.ContainsFunc(targets, func(u plan.Target) bool { return u.Target == t }) {
			targets = append(targets, plan.Target{Target: t, ContextCount: 1, NotInInput: away})
		}
	}
	for side, p := range both {
		named[side] = map[plan.TargetRef]bool{}
		if p == nil || p.Invalid != "" || p.Object.Context {
			continue
		}
		reached := above(tallies[side][p])
		for _, ref := range p.References {
			if !ref.IsAttached() {
				continue
			}
			t := c.declaredRef(side, ref)
			named[side][t] = true
			away := len(ref.Nodes) == 0 && ref.Part == catalogue.Own
			if away && both[1-side] == nil && c.isInstalledOnlyOn(side, ref.Target.ID) {
				continue // the target is added or removed with the policy
			}
			idle := len(reached) == 0 || len(ref.Nodes) > 0 && !slices.ContainsFunc(ref.Nodes, func(n *hierarchy.Node) bool { return reached[n] })
			if (away || idle) && !ref.Elsewhere(c.runs[side].Graph) {
				add(t, away)
			}
		}
		if p.MaySelect(c.runs[side].Graph) != "" {
			for _, t := range p.Selected() {
				at := plan.Ref(t.ID, "")
				named[side][at] = true
				add(at, true)
			}
		}
	}
	for _, t := range targets {
		t.Unreadable = slices.ContainsFunc(both[:], func(p *policy.Policy) bool { return p != nil && c.unreadObject(p.Object) })
		var sides [2][]*effective.Policy
		for side, p := range both {
			if named[side][t.Target] {
				sides[side] = alone(k, p, t.Target)
			}
		}
		for i := range max(len(sides[0]), len(sides[1])) {
			b, a := nth(sides[effective.Base], i), nth(sides[effective.Head], i)
			if d := c.diff(k, b, a); len(d.fields) > 0 {
				c.outcomes.add(outcome{kind: k, change: plan.FieldChange, fields: d.fields, before: b, after: a, causes: c.edited(d.sources)}, t)
			}
		}
	}
}

func nth(list []*effective.Policy, i int) *effective.Policy {
	if i >= len(list) {
		return nil
	}
	return list[i]
}

// isInstalledOnlyOn reports whether the release that may install an object exists on this side but not on the
// other.
func (c *sides) isInstalledOnlyOn(side int, id loader.ID) bool {
	other := c.runs[1-side]
	by, known := c.runs[side].Graph.Installer(id)
	if !known || other == nil {
		return false
	}
	_, stays := other.Graph.Installer(id)
	return !stays && other.Graph.Object(by) == nil
}

// above returns the effective targets of a policy, their sections and all their ancestors.
func above(t *effective.Tally) map[*hierarchy.Node]bool {
	out := map[*hierarchy.Node]bool{}
	if t == nil || t.Contexts == 0 {
		return out
	}
	var climb func(n *hierarchy.Node)
	climb = func(n *hierarchy.Node) {
		if n == nil || out[n] {
			return
		}
		out[n] = true
		climb(n.Owner)
		for _, e := range n.Up {
			if e.Admitted != fact.False {
				climb(e.Parent)
				climb(e.Via)
			}
		}
	}
	for _, n := range t.Targets {
		climb(n)
		for _, section := range n.Sections {
			climb(section)
		}
	}
	return out
}

// alone returns each body of a policy, including those of the older dialect, as an effective policy
// without other policies. It is nil for an empty body.
func alone(k *catalogue.Kind, p *policy.Policy, target plan.TargetRef) []*effective.Policy {
	if p == nil {
		return nil
	}
	at := hierarchy.Target{ID: target.ID(), Section: target.Section}
	var out []*effective.Policy
	for _, spec := range append(effective.ByItself(k, p, at), p.Defaults, p.Overrides) {
		var of *effective.Policy
		if spec != nil {
			of = &effective.Policy{
				Kind: k, Spec: spec, Uncertain: true, Shares: []effective.Share{{Policy: p, Enforcement: plan.EnforcementUnknown, Failing: p.Failing()}},
			}
		}
		out = append(out, of)
	}
	return out
}

// declaredRef returns the declared target, with its name in head if it was renamed. For a
// Namespace, this is the Namespace itself.
func (c *sides) declaredRef(side int, ref *policy.Reference) plan.TargetRef {
	t := ref.Target
	if side == int(effective.Base) && c.pairs != nil {
		for _, n := range ref.Nodes {
			if head := c.pairs.base[n]; head != nil && n.Target == t {
				t = head.Target
			}
		}
	}
	return plan.Ref(t.ID, t.Section)
}
