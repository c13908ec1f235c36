package applicationset

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// selected returns the sets that match the selector of a generator. It is a label selector
// over the flattened parameters (generator_spec_processor.go, Transform).
func (g *generator) selected(sets []params, selector *loader.Value) ([]params, *Problem) {
	if selector.IsEmpty() {
		return sets, nil
	}
	if err := g.budget.Spend(len(sets), 0); err != nil {
		return nil, g.failed(selector, err)
	}
	var out []params
	for _, set := range sets {
		flat := map[string]string{}
		flattenPlain(flat, "", map[string]any(set))
		ok, err := accepts(selector, flat)
		if err != nil {
			return nil, g.failed(selector, err)
		}
		if ok {
			out = append(out, set)
		}
	}
	return out, nil
}

func flattenPlain(into map[string]string, prefix string, v any) {
	join := func(key string) string {
		if prefix == "" {
			return key
		}
		return prefix + "." + key
	}
	switch v := v.(type) {
	case map[string]any:
		for key, below := range v {
			flattenPlain(into, join(key), below)
		}
	case []any:
		for i, below := range v {
			flattenPlain(into, join(fmt.Sprint(i)), below)
		}
	case nil:
	default:
		into[prefix] = fmt.Sprint(v)
	}
}

// accepts evaluates a label selector without validating the syntax of keys and values.
func accepts(selector *loader.Value, set map[string]string) (bool, error) {
	for _, f := range selector.Get("matchLabels").FieldList() {
		if v, ok := set[f.Key]; !ok || v != f.Value.Text {
			return false, nil
		}
	}
	for _, e := range selector.List("matchExpressions") {
		v, has := set[e.Str("key")]
		in := has && slices.ContainsFunc(e.List("values"), func(item *loader.Value) bool { return item.Text == v })
		var ok bool
		switch op := e.Str("operator"); op {
		case "In":
			ok = in
		case "NotIn":
			ok = !in
		case "Exists":
			ok = has
		case "DoesNotExist":
			ok = !has
		default:
			return false, fmt.Errorf("%q is no operator of a selector", clip(op))
		}
		if !ok {
			return false, nil
		}
	}
	return true, nil
}
