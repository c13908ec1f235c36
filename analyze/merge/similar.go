package merge

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// Children are the entries of a tree. For a plain list they are its items, with the keys of
// ItemKeys.
func (t *Tree) Children() []Entry {
	if t == nil {
		return nil
	}
	if t.Kind != Leaf || t.Value == nil || t.Value.Shape != loader.List {
		return t.Entries
	}
	keys := ItemKeys(t.Value)
	out := make([]Entry, len(keys))
	for i, item := range t.Value.Items {
		out[i] = Entry{Key: keys[i], Tree: New(item, t.Source, Form{})}
	}
	return out
}

// Alike is the lowest similarity, in percent, at which two items with different names count as
// one.
const Alike = 50

// Similarity is the share of leaves that two trees have in common, in percent.
func Similarity(a, b *Tree) int {
	all := leaves(a) + leaves(b)
	if all == 0 {
		return 100
	}
	return 200 * shared(a, b) / all
}

// OnlyAmountsDiffer reports whether two trees have the same leaves, of which at most numbers, times and sizes differ.
func OnlyAmountsDiffer(a, b *Tree) bool {
	x, y := a.Children(), b.Children()
	switch {
	case a == nil || b == nil || len(x) != len(y):
		return false
	case len(x) > 0:
		return slices.EqualFunc(x, y, func(a, b Entry) bool { return a.Key == b.Key && OnlyAmountsDiffer(a.Tree, b.Tree) })
	case Equal(a, b):
		return true
	case a.Value == nil || b.Value == nil || a.Value.Opaque || b.Value.Opaque:
		return false
	}
	_, amounts := CompareAmounts(a.Value.Text, b.Value.Text)
	return amounts
}

func leaves(t *Tree) int {
	below := t.Children()
	if len(below) == 0 {
		return 1
	}
	n := 0
	for _, e := range below {
		n += leaves(e.Tree)
	}
	return n
}

// shared counts the leaves that two trees have in common.
func shared(a, b *Tree) int {
	if Equal(a, b) {
		return leaves(a)
	}
	n := 0
	others := b.Children()
	for _, e := range a.Children() {
		for _, other := range others {
			if other.Key == e.Key && other.Tree != nil {
				n += shared(e.Tree, other.Tree)
				break
			}
		}
	}
	return n
}

// Renamed returns the tree with the key to for the entry at the path keys. If there is no such
// entry, it returns the tree unchanged.
func (t *Tree) Renamed(keys []string, to string) *Tree {
	if t == nil || len(keys) == 0 {
		return t
	}
	for i, e := range t.Entries {
		if e.Key != keys[0] {
			continue
		}
		out := *t
		out.Entries = append([]Entry(nil), t.Entries...)
		if len(keys) == 1 {
			out.Entries[i].Key = to
		} else {
			out.Entries[i].Tree = e.Tree.Renamed(keys[1:], to)
		}
		return &out
	}
	return t
}
