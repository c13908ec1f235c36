package effective

import (
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// Alike reports whether a state of base and one of head are known to have equal specs, without
// folding them. That is so if other steps override every leaf that the edit changed. It returns
// false if this cannot be determined.
func (j *Join) Alike(k *catalogue.Kind, base, head State) bool {
	l := j.fast(k)
	if l == nil || base <= Start || head <= Start || j.Runs[Base] == nil || j.Runs[Head] == nil {
		return false
	}
	l.load(j.Runs[Head], head)
	after := append(l.other[:0], l.stack...)
	l.other = after
	l.load(j.Runs[Base], base)
	if len(after) != len(l.stack) {
		return false
	}
	// Replace the steps one by one with those of head.
	for i, step := range after {
		before := l.stack[i]
		if step == before {
			continue
		}
		if step.override != before.override {
			return false
		}
		l.beat(i)
		if !l.difference(before, step).within(l.beaten) {
			return false
		}
		l.stack[i] = step
	}
	return true
}

// Enforcement returns the enforcement of a policy in a state that is Alike to one of the other
// side. It does not fold.
func (j *Join) Enforcement(k *catalogue.Kind, side Side, s State, p *policy.Policy) plan.Enforcement {
	l := j.fast(k)
	if l == nil {
		return plan.EnforcementUnknown
	}
	return l.enforcement(j.Runs[side], s, p)
}

// Met visits the sets of policies of a state, the most specific one first.
func (r *Run) Met(s State, visit func(*policy.Set)) {
	for ; s > Start; s = r.states.parent(s) {
		visit(r.sets[r.states.set(s)].Set)
	}
}

func (j *Join) fast(k *catalogue.Kind) *leafwise {
	l, ok := j.leafwise[k]
	if !ok {
		l = newLeafwise(k, j.Runs[:]...)
		j.leafwise[k] = l
	}
	return l
}

// difference returns the leaves that two steps set to different values.
func (l *leafwise) difference(before, after *leafStep) leafSet {
	key := [2]*leafStep{before, after}
	if out, ok := l.changed[key]; ok {
		return out
	}
	out := make(leafSet, len(l.beaten))
	values := map[int]*loader.Value{}
	l.leaves(before.spec, "", func(leaf int, v *loader.Value) {
		values[leaf] = v
		out.add(leaf)
	})
	l.leaves(after.spec, "", func(leaf int, v *loader.Value) {
		if was, ok := values[leaf]; ok && loader.Equal(was, v) {
			out.drop(leaf)
			return
		}
		out.add(leaf)
	})
	l.changed[key] = out
	return out
}

func (l *leafwise) leaves(t *merge.Tree, path string, visit func(int, *loader.Value)) {
	switch {
	case t == nil:
	case t.Kind == merge.Leaf:
		visit(l.ids[path], t.Value)
	default:
		for _, e := range t.Entries {
			l.leaves(e.Tree, path+"\x00"+e.Key, visit)
		}
	}
}

func (s leafSet) drop(leaf int) { s[leaf/64] &^= 1 << (leaf % 64) }

// within reports whether all leaves of s are in other.
func (s leafSet) within(other leafSet) bool {
	for i, word := range s {
		if word&^other[i] != 0 {
			return false
		}
	}
	return true
}
