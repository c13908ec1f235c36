package effective

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
)

// combineBeside folds the steps above routes and the steps on routes separately and joins the two
// results. At some paths the values of both count, side by side. Some units are finer in this join
// than within either part (policy.LevelMerge.Beside).
func combineBeside(k *catalogue.Kind, stack []element) *merge.Tree {
	split := firstOnRoute(stack)
	above, below := foldHigher(k, stack[:split]), foldHigher(k, stack[split:])
	strategy := k.Strategy(merge.Units)
	strategy.Units = slices.Concat(strategy.Units, k.Merge.Levels.Finer)
	joined := strategy.Merge(below, above)
	for _, b := range k.Merge.Levels.Beside {
		if list := sideBySide(b, below.At(b.Path), above.At(b.Path)); list != nil {
			joined = joined.Put(b.Path, list)
		}
	}
	return joined
}

// says reports whether a tree has a value: it is neither absent nor an explicit null.
func says(t *merge.Tree) bool { return t != nil && t.Kind != merge.Deleted && !t.Value.IsNull() }

// sideBySide keys values by the objects that they refer to, or by the policies that set them. Of
// two values with the same key the first counts. A value that switches off the others is the only
// one in the result, whichever side it is on.
func sideBySide(b catalogue.Beside, values ...*merge.Tree) *merge.Tree {
	if i := slices.IndexFunc(values, func(value *merge.Tree) bool { return b.Mutes != "" && says(value.Get(b.Mutes)) }); i >= 0 {
		values = values[i : i+1]
	}
	var out *merge.Tree
	for _, value := range values {
		if value == nil || value.Kind != merge.Map || value.Source == nil {
			continue
		}
		key := besideKey(b, value)
		switch {
		case out == nil:
			out = &merge.Tree{Value: value.Value, Source: value.Source, Kind: merge.Keyed}
		case out.Get(key) != nil:
			continue
		}
		out.Entries = append(out.Entries, merge.Entry{Key: key, Tree: value})
	}
	return out
}

func besideKey(b catalogue.Beside, value *merge.Tree) string {
	policy := value.Source.Object.ID
	if b.By == "" {
		return policy.String()
	}
	ref := value.At(b.By)
	name, namespace := ref.Get("name"), ref.Get("namespace")
	if name == nil || name.Value == nil {
		// The value names no object, for example because it switches off the others.
		var fields []string
		for _, e := range value.Entries {
			fields = append(fields, e.Key)
		}
		return strings.Join(fields, ",")
	}
	if namespace == nil || namespace.Value == nil {
		return policy.Namespace + "/" + name.Value.Text
	}
	return namespace.Value.Text + "/" + name.Value.Text
}
