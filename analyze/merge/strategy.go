package merge

import (
	"slices"
	"strings"
)

// Algorithm is one of the ways in which specs are merged.
type Algorithm string

// The algorithms. The GEP's five strategies are None, and Atomic and Leaf
// ("Patch") in both directions.
const (
	// None merges nothing: the oldest policy wins, others are rejected.
	None Algorithm = "none"
	// Atomic takes one whole spec.
	Atomic Algorithm = "atomic"
	// Top takes whole top-level fields.
	Top Algorithm = "top"
	// LeafWise is a JSON merge patch (RFC 7396): it merges each scalar by itself and lists as
	// one value.
	LeafWise Algorithm = "leaf"
	// SMP is LeafWise plus keyed lists.
	SMP Algorithm = "smp"
	// Units and Named take whole units at explicit paths.
	Units Algorithm = "units"
	Named Algorithm = "named"
	// Collect keeps every spec, in order.
	Collect Algorithm = "collect"
	// UnionOrReject unites specs. If both set the same unit, the later policy is rejected
	// instead.
	UnionOrReject Algorithm = "union-or-reject"
	// DefaultOverride is the older dialect: one policy may hold defaults and
	// overrides at once.
	DefaultOverride Algorithm = "default-override"
	// FromLevels, for policies at one level, is the algorithm between levels.
	FromLevels Algorithm = "from-levels"
)

// Algorithms lists all algorithms.
func Algorithms() []Algorithm {
	return []Algorithm{
		None, Atomic, Top, LeafWise, SMP, Units, Named, Collect, UnionOrReject, DefaultOverride, FromLevels,
	}
}

// Strategy is an algorithm with the properties of a policy kind that it needs.
type Strategy struct {
	Algorithm Algorithm
	// Units are dotted paths, `*` for any key. The value at such a path is never split.
	Units []string
	// OneOf are groups of dotted paths that are alternative names of one field: a spec that sets
	// one of them sets them all.
	OneOf [][]string
}

// Merge merges two specs; values of the winner replace those of the loser. If one is absent, the
// result is the other.
func (s Strategy) Merge(winner, loser *Tree) *Tree {
	switch {
	case winner == nil:
		return loser
	case loser == nil:
		return winner
	}
	if loser = s.displace(winner, loser); loser == nil {
		return winner
	}
	switch s.Algorithm {
	case Top:
		return mergeMaps(winner, loser, func(w, _ *Tree, _ string) *Tree { return w }, "")
	case LeafWise:
		return patch(winner, loser)
	case SMP:
		return patchKeyed(winner, loser)
	case Units, Named, UnionOrReject:
		return s.units(winner, loser, "")
	case Collect:
		return collect(winner, loser)
	case None, Atomic, DefaultOverride, FromLevels:
	}
	return winner
}

// displace removes from the loser each field that the winner sets under another name.
func (s Strategy) displace(winner, loser *Tree) *Tree {
	for _, group := range s.OneOf {
		for _, name := range group {
			if winner.At(name) == nil {
				continue
			}
			for _, other := range group {
				if other != name {
					loser = cut(loser, strings.Split(other, "."))
				}
			}
		}
	}
	return loser
}

// cut removes the value at a path and every parent that is empty afterwards.
func cut(t *Tree, path []string) *Tree {
	child := t.Get(path[0])
	if child == nil {
		return t
	}
	if len(path) > 1 {
		if left := cut(child, path[1:]); left == child {
			return t
		} else if left != nil {
			return t.With(left, path[0])
		}
	}
	out := t.Without(path[0])
	if len(out.Entries) == 0 {
		return nil
	}
	return out
}

// patch is RFC 7396 with the winner as the patch. A null in the winner stays in the tree, see
// Deleted.
func patch(winner, loser *Tree) *Tree {
	if winner.Slotted && loser.Slotted && !slices.ContainsFunc(winner.Entries, func(e Entry) bool { return e.Key != slot }) {
		// Readers treat a list that has only a slot as no list.
		return mergeKeyed(winner, loser, nil, "")
	}
	if winner.Kind != Map || loser.Kind != Map {
		return winner
	}
	return mergeMaps(winner, loser, func(w, l *Tree, _ string) *Tree { return patch(w, l) }, "")
}

// patchKeyed works like patch and also merges the items of keyed lists by key (Envoy Gateway
// internal/utils/merge.go).
func patchKeyed(winner, loser *Tree) *Tree {
	switch {
	case winner.Kind == Map && loser.Kind == Map:
		return mergeMaps(winner, loser, func(w, l *Tree, _ string) *Tree { return patchKeyed(w, l) }, "")
	case winner.Kind == Keyed && loser.Kind == Keyed:
		return mergeKeyed(winner, loser, func(w, l *Tree, _ string) *Tree { return patchKeyed(w, l) }, "")
	}
	return winner
}

func (s Strategy) units(winner, loser *Tree, path string) *Tree {
	if !s.splits(path) {
		if s.Algorithm == UnionOrReject && winner.Kind == Keyed && loser.Kind == Keyed {
			return mergeKeyed(winner, loser, s.units, path) // the items of both lists add up, so no unit is set twice
		}
		return winner
	}
	switch {
	case winner.Kind == Map && loser.Kind == Map:
		return mergeMaps(winner, loser, s.units, path)
	case winner.Kind == Keyed && loser.Kind == Keyed:
		return mergeKeyed(winner, loser, s.units, path)
	}
	return winner
}

// Overlap reports whether two specs set the same unit.
func (s Strategy) Overlap(a, b *Tree) bool {
	sets := func(t *Tree) func([]string) bool {
		return func(group []string) bool {
			return slices.ContainsFunc(group, func(name string) bool { return t.At(name) != nil })
		}
	}
	for _, group := range s.OneOf {
		if sets(a)(group) && sets(b)(group) {
			return true
		}
	}
	return s.overlap(a, b, "")
}

func (s Strategy) overlap(a, b *Tree, path string) bool {
	if a == nil || b == nil {
		return false
	}
	if a.Kind == Keyed && b.Kind == Keyed {
		return false
	}
	if !s.splits(path) || a.Kind != Map || b.Kind != Map {
		return true
	}
	return slices.ContainsFunc(a.Entries, func(e Entry) bool { return s.overlap(e.Tree, b.Get(e.Key), Join(path, e.Key)) })
}

// splits reports whether a path is above some unit.
func (s Strategy) splits(path string) bool {
	if path == "" {
		return true
	}
	return slices.ContainsFunc(s.Units, func(unit string) bool { return above(path, unit) })
}

// above reports whether a path is a proper prefix of a unit's path.
func above(path, unit string) bool {
	for {
		p, restPath, morePath := strings.Cut(path, ".")
		u, restUnit, moreUnit := strings.Cut(unit, ".")
		if u != "*" && u != p || !moreUnit {
			return false
		}
		if !morePath {
			return true
		}
		path, unit = restPath, restUnit
	}
}

type mergeFunc func(winner, loser *Tree, path string) *Tree

// mergeMaps unites two sorted maps. For a key in both, the function both returns the result.
func mergeMaps(winner, loser *Tree, both mergeFunc, path string) *Tree {
	if winner.Kind != Map || loser.Kind != Map {
		return winner
	}
	out := &Tree{Value: winner.Value, Source: winner.Source, Kind: Map}
	out.Entries = make([]Entry, 0, max(len(winner.Entries), len(loser.Entries)))
	w, l := winner.Entries, loser.Entries
	for len(w) > 0 && len(l) > 0 {
		switch {
		case w[0].Key < l[0].Key:
			out.Entries, w = append(out.Entries, w[0]), w[1:]
		case w[0].Key > l[0].Key:
			out.Entries, l = append(out.Entries, l[0]), l[1:]
		default:
			merged := accumulate(w[0].Tree, l[0].Tree)
			if merged == nil {
				merged = both(w[0].Tree, l[0].Tree, Join(path, w[0].Key))
			}
			out.Entries, w, l = append(out.Entries, Entry{w[0].Key, merged}), w[1:], l[1:]
		}
	}
	out.Entries = append(append(out.Entries, w...), l...)
	for i, e := range out.Entries {
		// A winner that sets the object around a list also sets the list's slot, even if it is
		// empty.
		if e.Tree.Slotted && winner.Get(e.Key) == nil {
			out.Entries[i].Tree = e.Tree.withoutSlot()
		}
	}
	return out
}

// accumulate puts values that add up side by side. It returns nil for others.
func accumulate(winner, loser *Tree) *Tree {
	if !winner.Adds || !loser.Adds {
		return nil
	}
	out := mergeKeyed(winner, loser, func(w, _ *Tree, _ string) *Tree { return w }, "")
	out.Adds = true
	return out
}

func (t *Tree) withoutSlot() *Tree {
	out := *t
	out.Entries = slices.DeleteFunc(slices.Clone(t.Entries), func(e Entry) bool { return e.Key == slot })
	return &out
}

// mergeKeyed unites two keyed lists. The winner's items keep their order. An item that only the
// loser has goes before a shared item if it does so in the loser, and otherwise last
// (k8s.io/apimachinery strategicpatch, mergeSortedSlice).
func mergeKeyed(winner, loser *Tree, merge mergeFunc, path string) *Tree {
	out := &Tree{Value: winner.Value, Source: winner.Source, Kind: Keyed, Slotted: winner.Slotted}
	if winner.Slotted {
		loser = loser.withoutSlot()
	}
	place := make(map[string]int, len(loser.Entries))
	for i, e := range loser.Entries {
		place[e.Key] = i
	}
	shared := make(map[string]bool, len(winner.Entries))
	for _, e := range winner.Entries {
		shared[e.Key] = true
	}
	only := slices.DeleteFunc(slices.Clone(loser.Entries), func(e Entry) bool { return shared[e.Key] })
	for _, e := range winner.Entries {
		if at, both := place[e.Key]; both {
			for len(only) > 0 && place[only[0].Key] < at {
				out.Entries, only = append(out.Entries, only[0]), only[1:]
			}
			e.Tree = merge(e.Tree, loser.Entries[at].Tree, Join(path, e.Key))
		}
		out.Entries = append(out.Entries, e)
	}
	out.Entries = append(out.Entries, only...)
	return out
}

// collect appends the second tree. Trees to collect are Keyed by the policy that they come from.
func collect(first, second *Tree) *Tree {
	return &Tree{
		Value: first.Value, Source: first.Source, Kind: Keyed,
		Entries: append(slices.Clone(first.Entries), second.Entries...),
	}
}
