package answer

import (
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// Exchange is a backend that gets requests after a change and did not before it.
type Exchange struct {
	// Edge leads to the backend, Context are the nodes of the way with it.
	Edge    *hierarchy.Edge
	Context []*hierarchy.Node
	// Before are the contexts of the backends in whose place it may have come: those that get none any more, or all if every
	// one still does.
	Before [][]*hierarchy.Node
}

// Exchanges returns the backends of a way that the one before did not have. whole is true if it has no other ones.
func Exchanges(j *effective.Join, before, after *Way) (list []Exchange, whole bool) {
	is := map[*effective.Joint]bool{}
	for _, e := range after.backends() {
		is[j.Of(effective.Head, e.Child)] = true
	}
	was := map[*effective.Joint]bool{}
	var gone, all []*hierarchy.Edge
	for _, e := range before.backends() {
		joint := j.Of(effective.Base, e.Child)
		was[joint] = true
		if all = append(all, e); !is[joint] {
			gone = append(gone, e)
		}
	}
	if len(gone) > 0 {
		all = gone
	}
	whole = true
	for _, e := range after.backends() {
		if was[j.Of(effective.Head, e.Child)] {
			whole = false
			continue
		}
		one := Exchange{Edge: e, Context: after.through(e)}
		for _, b := range all {
			if b.Child.Level == e.Child.Level {
				one.Before = append(one.Before, before.through(b))
			}
		}
		if len(one.Before) > 0 {
			list = append(list, one)
		}
	}
	return list, whole
}

// backends are the edges from the rule of a way to its backends and their ports.
func (w *Way) backends() []*hierarchy.Edge {
	var out []*hierarchy.Edge
	for _, e := range w.Rule.Down {
		if e.Open() && e.Child.Level >= hierarchy.LevelBackend {
			out = append(out, e)
		}
	}
	return out
}
