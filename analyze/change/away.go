package change

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// Policies reach what the input does not have: a target of another repository, or a Gateway
// whose routes live elsewhere. Nothing of the input differs by an edit of such a policy, so
// its own spec is compared, as a change of its declared target.

// away reports the edited policies of a kind that reach something which is not in the input.
func (c *comparison) away(k *policy.Kind, verdicts []PolicyVerdicts, byID [2]map[loader.ID]*policy.Policy, tallies [2]map[*policy.Policy]*effective.Tally) {
	formerly := map[loader.ID]loader.ID{}
	gone := map[loader.ID]bool{}
	for _, v := range verdicts {
		if v.Formerly != (loader.ID{}) {
			formerly[v.ID], gone[v.Formerly] = v.Formerly, true
		}
	}
	for side, policies := range byID {
		for id, after := range policies {
			if side == int(effective.Base) && (byID[effective.Head][id] != nil || gone[id]) {
				continue // it is compared from its other side
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
				c.policyAway(k, [2]*policy.Policy{before, after}, tallies)
			}
		}
	}
}

// policyAway compares the bodies of one policy at the declared targets of which the input
// does not have what they reach.
func (c *comparison) policyAway(k *policy.Kind, both [2]*policy.Policy, tallies [2]map[*policy.Policy]*effective.Tally) {
	var targets []Target
	for side, p := range both {
		if p == nil || p.Invalid != "" || p.Object.Context {
			continue
		}
		tally := tallies[side][p]
		idle := tally == nil || tally.Contexts == 0
		for _, ref := range p.References {
			away := ref.Accepted != hierarchy.False && len(ref.Nodes) == 0 && ref.Part == policy.Own
			if !away && !(idle && ref.Accepted != hierarchy.False) || c.foreign(k, side, ref) {
				continue
			}
			t := Target{Target: declaredRef(ref), ContextCount: 1, NotInInput: away}
			if !slices.ContainsFunc(targets, func(u Target) bool { return u.Target == t.Target }) {
				targets = append(targets, t)
			}
		}
	}
	for side, p := range both {
		if p != nil && p.Invalid == "" && !p.Object.Context && p.MaySelect(c.runs[side].Graph) != "" {
			for _, t := range p.Selected() {
				at := Target{Target: TargetRef{Group: t.Group, Kind: t.Kind, Namespace: t.Namespace, Name: t.Name}, ContextCount: 1, NotInInput: true}
				if !slices.ContainsFunc(targets, func(u Target) bool { return u.Target == at.Target }) {
					targets = append(targets, at)
				}
			}
		}
	}
	if len(targets) == 0 {
		return
	}
	for _, body := range []func(*policy.Policy) *merge.Tree{
		func(p *policy.Policy) *merge.Tree { return p.Spec },
		func(p *policy.Policy) *merge.Tree { return p.Defaults },
		func(p *policy.Policy) *merge.Tree { return p.Overrides },
	} {
		b, a := alone(k, both[effective.Base], body), alone(k, both[effective.Head], body)
		if d := c.diff(k, b, a); len(d.fields) > 0 {
			o := outcome{kind: k, change: FieldChange, fields: d.fields, before: b, after: a, causes: c.edited(d.sources)}
			for _, t := range targets {
				t.Unreadable = slices.ContainsFunc(both[:], func(p *policy.Policy) bool {
					return p != nil && c.unreadObject(p.Object)
				})
				c.outcomes.add(o, t)
			}
		}
	}
}

// foreign says whether a reference leads to Gateways of other controllers alone.
func (c *comparison) foreign(k *policy.Kind, side int, ref *policy.Reference) bool {
	return len(ref.Nodes) > 0 && !slices.ContainsFunc(ref.Nodes, func(n *hierarchy.Node) bool {
		return !k.Foreign(c.runs[side].Graph, cmp.Or(n.Owner, n))
	})
}

// alone is what one policy says, as if nothing else were said.
func alone(k *policy.Kind, p *policy.Policy, body func(*policy.Policy) *merge.Tree) *effective.Policy {
	if p == nil || body(p) == nil {
		return nil
	}
	return &effective.Policy{
		Kind: k, Spec: body(p), Uncertain: true, Shares: []effective.Share{{Policy: p, Enforcement: effective.EnforcementUnknown}},
	}
}

// declaredRef names a declared target: for a Namespace that is the Namespace itself.
func declaredRef(ref *policy.Reference) TargetRef {
	t := ref.Target
	return TargetRef{Group: t.Group, Kind: t.Kind, Namespace: t.Namespace, Name: t.Name, Section: t.Section}
}
