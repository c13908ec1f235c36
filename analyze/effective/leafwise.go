package effective

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// leafwise determines what survives a fold without folding. It is for kinds whose policies all
// merge leaf by leaf, with the strategy of the higher one, and have specs of compatible shapes: no
// path is a leaf in one and a map in another, and no null removes anything. Each leaf is then
// independent. It survives unless a higher override sets it or, if it is a default, a lower step
// sets it.
//
// One leafwise serves both sides of a join, because equal set ids mean equal steps.
type leafwise struct {
	kind *catalogue.Kind
	// ids are the numbers of leaves, by path.
	ids     map[string]int
	steps   map[setID][]*leafStep
	changed map[[2]*leafStep]leafSet

	// stack and other are the steps of the states being evaluated.
	stack, other []*leafStep
	beaten       leafSet
}

// leafStep is one step of a fold: the leaves that it sets, and in own the leaves of each policy.
type leafStep struct {
	sets     leafSet
	override bool
	own      map[loader.ID][]int
	spec     *merge.Tree
	// open are the policies of the step whose enforcement is to be determined.
	open []open
}

// leafSet is a bit set of leaf numbers.
type leafSet []uint64

func (s leafSet) add(leaf int)      { s[leaf/64] |= 1 << (leaf % 64) }
func (s leafSet) has(leaf int) bool { return s[leaf/64]&(1<<(leaf%64)) != 0 }

func (s leafSet) union(other leafSet) {
	for i, word := range other {
		s[i] |= word
	}
}

// maxLeaves limits the memory of the leaf sets.
const maxLeaves = 1 << 13

// newLeafwise returns the fast evaluation of a kind in some runs, nil if the kind has none.
func newLeafwise(k *catalogue.Kind, runs ...*Run) *leafwise {
	if k.Way != catalogue.HigherDictates || k.PerTarget || k.Merge.Levels.Inherit != nil || len(k.Merge.OneOf) > 0 || k.Class() == catalogue.Direct {
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
			return false // the objects that it draws from may change independently
		}
		patches := p.Algorithm == merge.LeafWise || p.Algorithm == merge.SMP
		if !patches || !l.number(p.Spec, "", inner) {
			return false
		}
	}
	return true
}

// number assigns a number to each leaf of a spec. It returns false if the spec does not merge leaf
// by leaf or there are too many leaves.
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

// judge records the enforcement of the open policies in a state. The state is given with its lowest
// set first.
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

// enforcement returns the enforcement of one policy in a state of a run.
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

// beat collects in beaten the leaves that other steps override in one step.
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

// stepsOf returns the steps of a set, the most specific first, because a state is read from its
// end.
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
