package rule

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// both is what two trees have below one key.
type both struct {
	key           string
	before, after *merge.Tree
}

// below gives what a step of a pattern means. The items of a plain list are paired by
// their keys; those that go by their positions alone first by what they say, so that
// an order that does not matter changes nothing.
func (f protectedField) below(step string) []both {
	before, after := entries(f.before), entries(f.after)
	if step != "*" {
		return []both{{step, valueOf(before, step), valueOf(after, step)}}
	}
	if plainItems(f.before) && plainItems(f.after) {
		after = alongside(before, after)
	}
	var out []both
	for _, e := range before {
		out = append(out, both{e.Key, e.Tree, valueOf(after, e.Key)})
	}
	for _, e := range after {
		if valueOf(before, e.Key) == nil {
			out = append(out, both{e.Key, nil, e.Tree})
		}
	}
	slices.SortStableFunc(out, func(a, b both) int { return cmp.Compare(a.key, b.key) })
	return out
}

// plainItems says whether a tree is a list whose items go by their positions.
func plainItems(t *merge.Tree) bool {
	return t != nil && t.Kind == merge.Leaf && t.Value != nil && t.Value.Shape == loader.List && len(t.Value.Items) > 0 &&
		!slices.ContainsFunc(t.Value.Items, func(item *loader.Value) bool { return item.Shape != loader.Map || item.Str("name") != "" })
}

// maxPaired bounds the work on long lists: beyond it places and names alone count.
const maxPaired = 1 << 16

// alongside gives the items of a list the keys of equal ones of another, and those
// that are left the keys that are.
func alongside(before, after []merge.Entry) []merge.Entry {
	if len(before)*len(after) > maxPaired {
		return after
	}
	out := slices.Clone(after)
	taken, settled := make([]bool, len(before)), make([]bool, len(after))
	for i := range out {
		for j, was := range before {
			if !taken[j] && merge.Equal(was.Tree, out[i].Tree) {
				out[i].Key, taken[j], settled[i] = was.Key, true, true
				break
			}
		}
	}
	next := 0
	for i := range out {
		if settled[i] {
			continue
		}
		for next < len(before) && taken[next] {
			next++
		}
		if next < len(before) {
			out[i].Key = before[next].Key
			next++
		} else if valueOf(before, out[i].Key) != nil {
			out[i].Key = "+" + strconv.Itoa(i) // its position was another item's
		}
	}
	return out
}

func valueOf(entries []merge.Entry, key string) *merge.Tree {
	for _, e := range entries {
		if e.Key == key {
			return e.Tree
		}
	}
	return nil
}

// entries are the children of a tree, those of a plain list by their keys.
func entries(t *merge.Tree) []merge.Entry {
	if t == nil {
		return nil
	}
	if t.Kind != merge.Leaf || t.Value == nil || t.Value.Shape != loader.List {
		return t.Entries
	}
	keys := merge.ItemKeys(t.Value)
	out := make([]merge.Entry, len(keys))
	for i, item := range t.Value.Items {
		out[i] = merge.Entry{Key: keys[i], Tree: merge.New(item, t.Source, merge.Form{})}
	}
	return out
}

// unmoved leaves out what went at one place of a pattern and came, as it was, at
// another: a policy or an item with another name.
func unmoved(fields []protectedField) []protectedField {
	if len(fields) > maxPaired>>8 {
		return fields
	}
	moved := make([]bool, len(fields))
	for i, went := range fields {
		if went.before == nil || went.after != nil {
			continue
		}
		for j, came := range fields {
			if came.before == nil && came.after != nil && !moved[j] && merge.Equal(went.before, came.after) {
				moved[i], moved[j] = true, true
				break
			}
		}
	}
	var out []protectedField
	for i, f := range fields {
		if !moved[i] {
			out = append(out, f)
		}
	}
	return out
}
