package applicationset

import (
	"fmt"

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
		ok, err := loader.Selects(selector, flat)
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
