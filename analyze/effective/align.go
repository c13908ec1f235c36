package effective

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/merge"
)

// Aligned returns before, an effective policy of base, with list items renamed to their names in
// after, the policy of head. It renames an item whose drawn object has another name in head but
// mostly the same content. A comparison then shows what the contents differ in, not the names.
func Aligned(before, after *Policy) *Policy {
	if before == nil || after == nil || before.Spec == nil || after.Spec == nil {
		return before
	}
	gone, come := oneSided(before.Drawn, after.Drawn), oneSided(after.Drawn, before.Drawn)
	if len(gone)*len(come) == 0 || len(gone)*len(come) > mostDrawn*mostDrawn {
		return before
	}
	var found []itemName
	for _, b := range gone {
		for _, a := range come {
			n, ok := renamedItem(b, a)
			if ok && n.score >= merge.Alike && entryAt(after.Spec, n.at[:len(n.at)-1], n.at[len(n.at)-1]) == nil && entryAt(before.Spec, n.at[:len(n.at)-1], n.to) == nil {
				found = append(found, n)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b itemName) int { return cmp.Compare(b.score, a.score) })
	out := *before
	var taken []itemName
	for _, n := range found {
		if slices.ContainsFunc(taken, n.meets) {
			continue
		}
		taken = append(taken, n)
		out.Spec = out.Spec.Renamed(n.at, n.to)
		out.Drawn = slices.Clone(out.Drawn)
		for i, d := range out.Drawn {
			if isAtOrBelow(d.Place, n.at) {
				out.Drawn[i].Place = slices.Clone(d.Place)
				out.Drawn[i].Place[len(n.at)-1].Key = n.to
			}
		}
	}
	return &out
}

// itemName is the path of keys to a list item in base, and the item's name in head.
type itemName struct {
	at    []string
	to    string
	score int
}

// meets reports whether two renames concern the same item, of base or of head.
func (n itemName) meets(other itemName) bool {
	last := len(n.at) - 1
	return slices.Equal(n.at, other.at) || len(n.at) == len(other.at) && slices.Equal(n.at[:last], other.at[:last]) && n.to == other.to
}

// oneSided returns the entries of list whose place is not in others.
func oneSided(list, others []Drawn) []Drawn {
	var out []Drawn
	for _, d := range list {
		if !slices.ContainsFunc(others, func(o Drawn) bool { return slices.Equal(o.Place, d.Place) }) {
			out = append(out, d)
		}
	}
	return out
}

// renamedItem compares two places. It reports true only if they differ in nothing but the name of
// one list item.
func renamedItem(before, after Drawn) (itemName, bool) {
	n := itemName{}
	if len(before.Place) != len(after.Place) {
		return n, false
	}
	differs := -1
	for i := range before.Place {
		if before.Place[i] == after.Place[i] {
			continue
		}
		if differs >= 0 || !before.Place[i].Item || !after.Place[i].Item {
			return n, false
		}
		differs = i
	}
	if differs < 0 {
		return n, false
	}
	for _, step := range before.Place[:differs+1] {
		n.at = append(n.at, step.Key)
	}
	n.to, n.score = after.Place[differs].Key, merge.Similarity(before.Content(), after.Content())
	return n, true
}

// isAtOrBelow reports whether a place is at or below an item.
func isAtOrBelow(place []Step, item []string) bool {
	if len(place) < len(item) {
		return false
	}
	for i, key := range item {
		if place[i].Key != key {
			return false
		}
	}
	return true
}

// entryAt returns the subtree at keys followed by key, or nil.
func entryAt(t *merge.Tree, keys []string, key string) *merge.Tree {
	for _, k := range keys {
		t = t.Get(k)
	}
	return t.Get(key)
}
