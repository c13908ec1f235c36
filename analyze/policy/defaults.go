package policy

import (
	"github.com/gwplan/gwplan/analyze/merge"
)

// fillDefaults adds the CRD's default values to a policy that merges field by field. In the
// cluster, the API server has set them before the merge, so they win over values from less
// specific policies. A policy that counts as a whole does not need them: they mean the same as
// an absent field.
func (r bodyReader) fillDefaults() {
	if r.Algorithm != merge.LeafWise && r.Algorithm != merge.SMP {
		return
	}
	for _, d := range r.Kind.Defaults {
		parent := r.Spec.At(d.Parent)
		if parent == nil || parent.Kind != merge.Map || parent.Get(d.Field) != nil && !parent.Get(d.Field).Value.IsNull() {
			continue
		}
		value := *d.Value
		if parent.Value != nil {
			value.Mark = parent.Value.Mark
		}
		r.Spec = r.Spec.Put(d.Parent+"."+d.Field, &merge.Tree{Value: &value, Source: parent.Source})
	}
}
