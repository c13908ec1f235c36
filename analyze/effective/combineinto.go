package effective

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// combineInto merges policies into the target's own fields (policy attachment, "Merging into
// existing spec fields"). The object's value is the most specific one: it overrides every default,
// and every override overrides it.
func combineInto(k *catalogue.Kind, stack []element, target *hierarchy.Node, own ownReader) *merge.Tree {
	if own == nil {
		own = func(*loader.Value) *merge.Tree { return nil }
	}
	result := withOwn(k, stack, own(nil))
	for _, m := range k.Into {
		if m.Each != "" {
			result = intoItems(k, stack, target, m, result, own)
		}
	}
	return result
}

// ownReader returns the fields that the target itself sets, in a list item or, if item is nil,
// outside lists. If the reader itself is nil, these fields are ignored.
type ownReader func(item *loader.Value) *merge.Tree

// withOwn folds a stack over an object's own fields.
func withOwn(k *catalogue.Kind, stack []element, own *merge.Tree) *merge.Tree {
	if k.Older() {
		return combineOlder(stack, own)
	}
	lowest := element{algorithm: merge.LeafWise, direction: merge.Object, spec: own}
	return combineStack(k, append(slices.Clone(stack), lowest))
}

// intoItems replaces the policy's field by one result for each item of a list of the object. Items
// without the field's parent are skipped.
func intoItems(k *catalogue.Kind, stack []element, target *hierarchy.Node, m catalogue.Into, result *merge.Tree, own ownReader) *merge.Tree {
	list := target.Value.Get(strings.Split(m.Each, ".")...)
	items := &merge.Tree{Value: list, Kind: merge.Keyed, Source: objectSource(target)}
	for i, item := range list.ItemList() {
		if parent, nested := parentOf(m.Object); nested && item.Get(strings.Split(parent, ".")...) == nil {
			continue
		}
		merged := withOwn(k, stack, own(item)).At(m.Path)
		if merged == nil {
			continue
		}
		var tree *merge.Tree
		items.Entries = append(items.Entries, merge.Entry{Key: strconv.Itoa(i), Tree: tree.Put(m.Object, merged)})
	}
	result = result.Without(m.Path)
	if len(items.Entries) == 0 {
		return result
	}
	return result.Put(m.Each, items)
}

// ownFields returns the mapped fields that the object itself sets, at the policy's paths: those in
// item if it is given, else those outside lists.
func ownFields(k *catalogue.Kind, target *hierarchy.Node, item *loader.Value) *merge.Tree {
	var own *merge.Tree
	for _, m := range k.Into {
		from := target.Value
		if m.Each != "" {
			from = item
		}
		v := from.Get(strings.Split(m.Object, ".")...)
		if v.IsNull() || m.EmptyIsUnset && v.IsEmpty() {
			continue
		}
		own = own.Put(m.Path, merge.New(v, objectSource(target), formBelow(k.Form, m.Path)))
	}
	return own
}

// formBelow returns the part of a form below a path, with paths relative to it.
func formBelow(f merge.Form, path string) merge.Form {
	var out merge.Form
	for _, whole := range f.Whole {
		if whole == path {
			out.Whole = append(out.Whole, "")
		}
		if rest, ok := strings.CutPrefix(whole, path+"."); ok {
			out.Whole = append(out.Whole, rest)
		}
	}
	return out
}

func objectSource(n *hierarchy.Node) *merge.Source {
	return &merge.Source{Object: n.Object, Role: merge.Object}
}

// parentOf returns the parent of a dotted path, if it has one.
func parentOf(path string) (parent string, nested bool) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return "", false
	}
	return path[:i], true
}
