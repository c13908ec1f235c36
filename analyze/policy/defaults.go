package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// defaultField is a field with the default value that the API server sets.
type defaultField struct {
	parent, field string
	value         *loader.Value
}

// compileDefaults expands the default values of an entry, sorted by path.
func compileDefaults(defaults map[string]any) []defaultField {
	var out []defaultField
	for _, pattern := range slices.Sorted(maps.Keys(defaults)) {
		value := &loader.Value{Shape: loader.String, Text: fmt.Sprint(defaults[pattern]), Defaulted: true}
		switch defaults[pattern].(type) {
		case bool:
			value.Shape = loader.Bool
		case float64:
			value.Shape = loader.Int
		}
		for _, path := range alternatives(pattern) {
			if i := strings.LastIndexByte(path, '.'); i > 0 {
				out = append(out, defaultField{path[:i], path[i+1:], value})
			}
		}
	}
	return out
}

// fillDefaults adds the CRD's default values to a policy that merges field by field. In the
// cluster, the API server has set them before the merge, so they win over values from less
// specific policies. A policy that counts as a whole does not need them: they mean the same as
// an absent field.
func (r bodyReader) fillDefaults() {
	if r.Algorithm != merge.LeafWise && r.Algorithm != merge.SMP {
		return
	}
	for _, d := range r.Kind.defaults {
		parent := r.Spec.At(d.parent)
		if parent == nil || parent.Kind != merge.Map || parent.Get(d.field) != nil && !parent.Get(d.field).Value.IsNull() {
			continue
		}
		value := *d.value
		if parent.Value != nil {
			value.Mark = parent.Value.Mark
		}
		r.Spec = r.Spec.Put(d.parent+"."+d.field, &merge.Tree{Value: &value, Source: parent.Source})
	}
}
