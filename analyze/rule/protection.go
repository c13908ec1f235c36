package rule

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// shift is what a change does to protection: the fields that loosen it and
// those that tighten it.
type shift struct {
	lost, tightened []string
}

// protection compares the protecting fields of the effective policies behind a
// change, as the kind's entry lists them.
func protection(c *change.Change) shift {
	var out shift
	k, before, after := c.Effective()
	if k == nil {
		return out
	}
	var b, a *merge.Tree
	if before != nil {
		b = before.Spec
	}
	if after != nil {
		a = after.Spec
	}
	for _, p := range k.Protects {
		for _, pair := range expand(b, a, p.Path) {
			switch direction(p, pair.before, pair.after) {
			case -1:
				out.lost = append(out.lost, pair.path+" ("+p.What+")")
			case 1:
				out.tightened = append(out.tightened, pair.path+" ("+p.What+")")
			}
		}
	}
	slices.Sort(out.lost)
	slices.Sort(out.tightened)
	out.lost, out.tightened = slices.Compact(out.lost), slices.Compact(out.tightened)
	return out
}

// protectedField is one place that a pattern means, on both sides.
type protectedField struct {
	path          string
	before, after *merge.Tree
}

// expand finds the places that a dotted pattern means in either tree; `*` is
// any key, or any item of a list.
func expand(before, after *merge.Tree, pattern string) []protectedField {
	out := []protectedField{{before: before, after: after}}
	for step := range strings.SplitSeq(pattern, ".") {
		var next []protectedField
		for _, f := range out {
			for _, key := range steps(f, step) {
				next = append(next, protectedField{f.path + "/" + key, child(f.before, key), child(f.after, key)})
			}
		}
		out = next
	}
	return out
}

func steps(f protectedField, step string) []string {
	if step != "*" {
		return []string{step}
	}
	var keys []string
	for _, t := range []*merge.Tree{f.before, f.after} {
		for _, e := range entries(t) {
			keys = append(keys, e.Key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func child(t *merge.Tree, key string) *merge.Tree {
	for _, e := range entries(t) {
		if e.Key == key {
			return e.Tree
		}
	}
	return nil
}

// entries are the children of a tree, items of a plain list by their name or
// else their place.
func entries(t *merge.Tree) []merge.Entry {
	if t == nil || t.Kind != merge.Leaf || t.Value == nil || t.Value.Shape != loader.List {
		if t == nil {
			return nil
		}
		return t.Entries
	}
	var out []merge.Entry
	for i, item := range t.Value.Items {
		key := item.Str("name")
		if key == "" {
			key = strconv.Itoa(i)
		}
		out = append(out, merge.Entry{Key: key, Tree: merge.New(item, t.Source, merge.Form{})})
	}
	return out
}

// direction is -1 where the edit of a field loosens, 1 where it tightens.
func direction(p policy.Protection, before, after *merge.Tree) int {
	switch {
	case merge.Equal(before, after):
		return 0
	case p.Loosens == "changed":
		if before != nil {
			return -1
		}
		return 1
	case p.Loosens == "removed":
		return presence(before, after)
	case p.Loosens == "added":
		return presence(turnedOn(after), turnedOn(before))
	case before == nil || after == nil:
		return 0
	}
	up := compareScalars(p, before, after)
	if p.Loosens == "higher" {
		return -up
	}
	return up
}

// presence is -1 where something goes and 1 where it comes.
func presence(before, after *merge.Tree) int {
	switch {
	case before != nil && after == nil:
		return -1
	case before == nil && after != nil:
		return 1
	}
	return 0
}

// turnedOn counts a boolean as there only while it is true.
func turnedOn(t *merge.Tree) *merge.Tree {
	if t != nil && t.Value != nil && t.Value.Shape == loader.Bool && t.Value.Text != "true" {
		return nil
	}
	return t
}

// compareScalars is 1 where a field grows: along the entry's order of words,
// or as a number or quantity.
func compareScalars(p policy.Protection, before, after *merge.Tree) int {
	if before.Value == nil || after.Value == nil {
		return 0
	}
	b, a := before.Value.Text, after.Value.Text
	if len(p.Order) > 0 {
		i, j := slices.Index(p.Order, b), slices.Index(p.Order, a)
		if i < 0 || j < 0 {
			return 0
		}
		return compareInts(i, j)
	}
	x, errX := resource.ParseQuantity(b)
	y, errY := resource.ParseQuantity(a)
	if errX != nil || errY != nil {
		return 0
	}
	return y.Cmp(x)
}

func compareInts(before, after int) int {
	switch {
	case after > before:
		return 1
	case after < before:
		return -1
	}
	return 0
}
