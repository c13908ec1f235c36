package effective

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/policy"
)

// count collects tallies during one walk. It first sums the contexts per set of policies at each
// target, because many states share a set.
type count struct {
	run      *Run
	kind     *catalogue.Kind
	wanted   func(*policy.Policy) bool
	leafwise *leafwise
	tallies  map[*policy.Policy]*Tally

	// sets are all sets met so far, by id; met are those met at the current target.
	sets   []*countedSet
	met    []*countedSet
	judged []bool
	// done are the judged states of kinds whose specs differ by target.
	done map[foldKey]bool
	// stack is the current state, with its lowest set first.
	stack []*countedSet
}

// countedSet is a set of policies with the tallies of its wanted policies.
type countedSet struct {
	placed
	id       setID
	tallies  []open
	contexts int
	// open are the policies whose enforcement other states could still change, calm those that are
	// not known to depend on ages.
	open []open
	calm []open
	// repeats is true if one context may meet a policy of the set twice.
	repeats bool
}

type open struct {
	*Tally
	policy *policy.Policy
}

func (c *count) meet(s State, at *hierarchy.Node, contexts int) {
	c.stack = c.stack[:0]
	repeats := 0
	for t := s; t > Start; t = c.run.states.parent(t) {
		set := c.set(c.run.states.set(t))
		c.stack = append(c.stack, set)
		if set.repeats {
			repeats++
		}
	}
	if repeats > 1 {
		c.meetRepeated(at, contexts)
	} else {
		c.sum(contexts)
	}
	switch {
	case c.kind.Beyond:
	case c.kind.PerTarget:
		key := foldKey{state: s, differs: differs(c.run, c.kind, at)}
		if c.done[key] {
			return
		}
		if c.done == nil {
			c.done = map[foldKey]bool{}
		}
		c.done[key] = true
	default:
		if grown := c.run.states.Len() - len(c.judged); grown > 0 {
			c.judged = append(c.judged, make([]bool, grown)...)
		}
		if c.judged[s] {
			return
		}
		c.judged[s] = true
	}
	c.judge(s, at, repeats > 1)
}

func (c *count) sum(contexts int) {
	for _, set := range c.stack {
		if len(set.tallies) > 0 && set.contexts == 0 {
			c.met = append(c.met, set)
		}
		set.contexts += contexts
	}
}

// meetRepeated counts a policy once if a context meets it at two levels.
func (c *count) meetRepeated(at *hierarchy.Node, contexts int) {
	var seen []*Tally
	for _, set := range c.stack {
		for _, o := range set.tallies {
			if !slices.Contains(seen, o.Tally) && o.policy.Touches(at.Level) {
				seen = append(seen, o.Tally)
				o.reach(at, contexts)
			}
		}
	}
}

// distribute adds the contexts of each set at a target to the tallies of its policies.
func (c *count) distribute(at *hierarchy.Node) {
	for _, set := range c.met {
		for _, o := range set.tallies {
			if o.policy.Touches(at.Level) {
				o.reach(at, set.contexts)
			}
		}
		set.contexts = 0
	}
	c.met = c.met[:0]
}

func (c *count) set(id setID) *countedSet {
	if grown := int(id) + 1 - len(c.sets); grown > 0 {
		c.sets = append(c.sets, make([]*countedSet, grown)...)
	}
	if c.sets[id] == nil {
		c.sets[id] = c.makeSet(id)
	}
	return c.sets[id]
}

func (c *count) makeSet(id setID) *countedSet {
	out := &countedSet{placed: c.run.sets[id], id: id}
	for _, p := range out.Policies {
		out.repeats = out.repeats || !standsOnce(p)
		if !c.wanted(p) {
			continue
		}
		t := c.tallies[p]
		if t == nil {
			t = &Tally{}
			c.tallies[p] = t
		}
		out.tallies = append(out.tallies, open{Tally: t, policy: p})
	}
	out.open = slices.Clone(out.tallies)
	out.calm = slices.Clone(out.tallies)
	return out
}

// standsOnce reports whether no context can meet a policy twice. All nodes that it targets must be
// at one level, and none of several references may mean a Namespace or a filter.
func standsOnce(p *policy.Policy) bool {
	level, some := hierarchy.LevelOutside, false
	for _, ref := range p.References {
		if ref.Part != catalogue.Own && len(p.References) > 1 {
			return false
		}
		for _, n := range ref.Nodes {
			if some && n.Level != level {
				return false
			}
			level, some = n.Level, true
		}
	}
	return true
}

// judge determines the enforcement of a state's policies, unless the tallies of all of them are
// already final.
func (c *count) judge(s State, at *hierarchy.Node, repeats bool) {
	unsure, isOpen, isCalm := false, false, false
	for _, set := range c.stack {
		set.open = slices.DeleteFunc(set.open, func(o open) bool { return o.mixed() })
		set.calm = slices.DeleteFunc(set.calm, func(o open) bool { return o.AgeSensitive })
		unsure = unsure || set.Unsure
		isOpen, isCalm = isOpen || len(set.open) > 0, isCalm || len(set.calm) > 0
	}
	switch {
	case unsure && isCalm, isOpen && (repeats || c.leafwise == nil):
		c.fold(s, at)
	case isOpen:
		c.leafwise.judge(c.run, c.stack)
	}
}

func (c *count) fold(s State, at *hierarchy.Node) {
	e := c.run.Policy(c.kind, s, at)
	for _, share := range e.Shares {
		if t := c.tallies[share.Policy]; t != nil {
			t.judged(share.Enforcement)
			t.void = t.void || share.Void
			t.AgeSensitive = t.AgeSensitive || e.AgeSensitive
		}
	}
}
