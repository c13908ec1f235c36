package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// defaultField is a field with the value that an API server gives it.
type defaultField struct {
	parent, field string
	value         *loader.Value
}

// compileDefaults writes out the defaults of an entry, in order of their paths.
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

// fillDefaults gives a policy that is merged field by field the defaults that the API
// server has given it by then: they beat what is merged in from above. Where a policy
// is taken whole they say nothing that its absence does not.
func (p *Policy) fillDefaults() {
	if p.Algorithm != merge.LeafWise && p.Algorithm != merge.SMP {
		return
	}
	for _, d := range p.Kind.defaults {
		parent := p.Spec.At(d.parent)
		if parent == nil || parent.Kind != merge.Map || parent.Get(d.field) != nil && !parent.Get(d.field).Value.IsNull() {
			continue
		}
		value := *d.value
		if parent.Value != nil {
			value.Mark = parent.Value.Mark
		}
		p.Spec = p.Spec.Put(d.parent+"."+d.field, &merge.Tree{Value: &value, Source: parent.Source})
	}
}
