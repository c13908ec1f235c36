package effective

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// leafwise tells what survives a fold without folding, for kinds all of whose
// policies merge leaf by leaf, the higher one dictating, and agree on the shape
// of their specs: no path is a leaf in one and a map in another, and no null
// removes anything. Then each leaf is decided by itself. It survives unless a
// higher override sets it or, if it is a default, something lower does.
//
// It serves both sides of a join: equal ids of sets mean equal steps.
type leafwise struct {
	kind *policy.Kind
	// ids number the paths of leaves.
	ids     map[string]int
	steps   map[setID][]*leafStep
	changed map[[2]*leafStep]leafSet

	// stack and other are the steps of the states that are under way.
	stack, other []*leafStep
	beaten       leafSet
}

// leafStep is one step of a fold: what it sets, and which of it is whose.
type leafStep struct {
	sets     leafSet
	override bool
	own      map[loader.ID][]int
	spec     *merge.Tree
	// open are the policies of the step that are to be judged.
	open []open
}

// leafSet is a set of leaves by number.
type leafSet []uint64

func (s leafSet) add(leaf int)      { s[leaf/64] |= 1 << (leaf % 64) }
func (s leafSet) has(leaf int) bool { return s[leaf/64]&(1<<(leaf%64)) != 0 }

func (s leafSet) union(other leafSet) {
	for i, word := range other {
		s[i] |= word
	}
}

// maxLeaves bounds the memory of the sets of leaves.
const maxLeaves = 1 << 13

// newLeafwise gives the fast way for a kind in some runs, nil if it has none.
func newLeafwise(k *policy.Kind, runs ...*Run) *leafwise {
	if k.Way != policy.HigherDictates || k.PerTarget || k.Merge.Levels.Inherit != nil || len(k.Merge.OneOf) > 0 || k.Class() == policy.Direct {
		return nil
	}
	l := &leafwise{kind: k, ids: map[string]int{}, steps: map[setID][]*leafStep{}, changed: map[[2]*leafStep]leafSet{}}
	inner := map[string]bool{}
	for _, r := range runs {
		if r != nil && !l.numberAll(r, inner) {
			return nil
		}
	}
	for path := range l.ids {
		if inner[path] {
			return nil
		}
	}
	l.beaten = make(leafSet, (len(l.ids)+63)/64)
	return l
}

func (l *leafwise) numberAll(r *Run, inner map[string]bool) bool {
	for _, p := range r.Attached.Policies {
		if p.Kind != l.kind || p.Spec == nil {
			continue
		}
		if len(p.Draws) > 0 {
			return false // what it draws from may change by itself
		}
		patches := p.Algorithm == merge.LeafWise || p.Algorithm == merge.SMP
		if !patches || !l.number(p.Spec, "", inner) {
			return false
		}
	}
	return true
}

// number gives each leaf of a spec its number. It is false for a spec that does
// not merge leaf by leaf.
func (l *leafwise) number(t *merge.Tree, path string, inner map[string]bool) bool {
	switch {
	case t.Kind == merge.Leaf:
		if _, ok := l.ids[path]; !ok {
			l.ids[path] = len(l.ids)
		}
		return path != "" && len(l.ids) <= maxLeaves
	case t.Kind != merge.Map || len(t.Entries) == 0:
		return false
	}
	inner[path] = true
	return !slices.ContainsFunc(t.Entries, func(e merge.Entry) bool {
		return !l.number(e.Tree, path+"\x00"+e.Key, inner)
	})
}

// judge tells the open policies of a state, given from its lowest set up, what
// became of them there.
func (l *leafwise) judge(r *Run, state []*countedSet) {
	l.stack = l.stack[:0]
	for _, set := range state {
		for _, step := range l.stepsOf(r, set.id) {
			step.open = set.open
			l.stack = append(l.stack, step)
		}
	}
	slices.Reverse(l.stack)
	for i, step := range l.stack {
		if len(step.open) == 0 {
			continue
		}
		l.beat(i)
		for _, o := range step.open {
			if own, ok := step.own[o.policy.ID()]; ok {
				o.judged(enforcement(l.alive(own), o.policy.Leaves()))
			}
		}
	}
}

// enforcement is what becomes of one policy in a state of a run.
func (l *leafwise) enforcement(r *Run, s State, p *policy.Policy) plan.Enforcement {
	l.load(r, s)
	alive := 0
	for i, step := range l.stack {
		if own := step.own[p.ID()]; len(own) > 0 {
			l.beat(i)
			alive += l.alive(own)
		}
	}
	return enforcement(alive, p.Leaves())
}

// load puts the steps of a state on the stack, from the root down.
func (l *leafwise) load(r *Run, s State) {
	l.stack = l.stack[:0]
	for ; s > Start; s = r.states.parent(s) {
		l.stack = append(l.stack, l.stepsOf(r, r.states.set(s))...)
	}
	slices.Reverse(l.stack)
}

// beat gathers what the steps around one take from it.
func (l *leafwise) beat(at int) {
	clear(l.beaten)
	for i, other := range l.stack {
		if i < at && other.override || i > at && !l.stack[at].override {
			l.beaten.union(other.sets)
		}
	}
}

func (l *leafwise) alive(own []int) int {
	alive := 0
	for _, leaf := range own {
		if !l.beaten.has(leaf) {
			alive++
		}
	}
	return alive
}

// stepsOf are the steps of a set, from the most specific up where it has
// several: a state is read from its end.
func (l *leafwise) stepsOf(r *Run, id setID) []*leafStep {
	if steps, ok := l.steps[id]; ok {
		return steps
	}
	var out []*leafStep
	for _, e := range slices.Backward(r.elements(l.kind, []placed{r.sets[id]})) {
		step := &leafStep{
			sets: make(leafSet, len(l.beaten)), override: e.direction == merge.Override,
			own: map[loader.ID][]int{}, spec: e.spec,
		}
		for _, member := range e.policies {
			step.own[member.ID()] = nil
		}
		if e.spec != nil {
			l.fill(step, e.spec, "")
		}
		out = append(out, step)
	}
	l.steps[id] = out
	return out
}

func (l *leafwise) fill(step *leafStep, t *merge.Tree, path string) {
	if t.Kind == merge.Leaf {
		leaf, owner := l.ids[path], t.Source.Object.ID
		step.sets.add(leaf)
		step.own[owner] = append(step.own[owner], leaf)
		return
	}
	for _, e := range t.Entries {
		l.fill(step, e.Tree, path+"\x00"+e.Key)
	}
}
