package change

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// Policies reach what the input does not have: a target of another repository, or a Gateway
// whose routes live elsewhere. Nothing of the input differs by an edit of such a policy, so
// its own spec is compared, as a change of its declared target.

// away reports the edited policies of a kind that reach something which is not in the input.
func (c *verdicts) away(k *catalogue.Kind, verdicts []PolicyVerdicts, byID [2]map[loader.ID]*policy.Policy, tallies [2]map[*policy.Policy]*effective.Tally) {
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
// does not have what they reach. A target that one side does not name has nothing there.
func (c *verdicts) policyAway(k *catalogue.Kind, both [2]*policy.Policy, tallies [2]map[*policy.Policy]*effective.Tally) {
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
			if ref.Accepted == fact.False {
				continue
			}
			t := c.declaredRef(side, ref)
			named[side][t] = true
			away := len(ref.Nodes) == 0 && ref.Part == catalogue.Own
			if away && both[1-side] == nil && c.goes(side, ref.Target.ID) {
				continue // its target comes or goes with it
			}
			idle := len(reached) == 0 || len(ref.Nodes) > 0 && !slices.ContainsFunc(ref.Nodes, func(n *hierarchy.Node) bool { return reached[n] })
			if (away || idle) && !ref.Elsewhere(c.runs[side].Graph) {
				add(t, away)
			}
		}
		if p.MaySelect(c.runs[side].Graph) != "" {
			for _, t := range p.Selected() {
				at := plan.TargetRef{Group: t.Group, Kind: t.Kind, Namespace: t.Namespace, Name: t.Name}
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

// goes says whether the release that may install an object is there on one side alone.
func (c *sides) goes(side int, id loader.ID) bool {
	other := c.runs[1-side]
	by, known := c.runs[side].Graph.Installer(id)
	if !known || other == nil {
		return false
	}
	_, stays := other.Graph.Installer(id)
	return !stays && other.Graph.Object(by) == nil
}

// above are the nodes from which a policy reaches its effective targets.
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

// alone is what one policy says, as if nothing else were said: its bodies, those of the older
// dialect among them.
func alone(k *catalogue.Kind, p *policy.Policy, target plan.TargetRef) []*effective.Policy {
	if p == nil {
		return nil
	}
	at := hierarchy.Target{ID: loader.ID{Group: target.Group, Kind: target.Kind, Namespace: target.Namespace, Name: target.Name}, Section: target.Section}
	var out []*effective.Policy
	for _, spec := range append(effective.ByItself(k, p, at), p.Defaults, p.Overrides) {
		var of *effective.Policy
		if spec != nil {
			of = &effective.Policy{
				Kind: k, Spec: spec, Uncertain: true, Shares: []effective.Share{{Policy: p, Enforcement: plan.EnforcementUnknown}},
			}
		}
		out = append(out, of)
	}
	return out
}

// declaredRef names a declared target, as head does where it was renamed: for a Namespace
// that is the Namespace itself.
func (c *sides) declaredRef(side int, ref *policy.Reference) plan.TargetRef {
	t := ref.Target
	if side == int(effective.Base) && c.pairs != nil {
		for _, n := range ref.Nodes {
			if head := c.pairs.base[n]; head != nil && n.Target == t {
				t = head.Target
			}
		}
	}
	return plan.TargetRef{Group: t.Group, Kind: t.Kind, Namespace: t.Namespace, Name: t.Name, Section: t.Section}
}
