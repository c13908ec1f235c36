package unseen

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/loader"
)

// meshWide finds policies for the pods of all namespaces that are added, removed or changed and that the plan does not
// mention: the effective policies of what is in the input stay the same, but other workloads may exist (Istio, policies
// in the root namespace).
func meshWide(s *search, pair applied.Pair, told map[string]bool) {
	for _, e := range s.edits.of(pair) {
		o := e.Object()
		k := s.Table.Kind(o.ID.Group, o.ID.Kind)
		if k == nil || k.Target.Root == "" || o.ID.Namespace != k.Target.Root || o.Context || told[o.ID.String()] || undenied(e) {
			continue
		}
		if (selectsAll(e.Was) || selectsAll(e.Is)) && len(differing(e.Was, e.Is)) > 0 {
			s.add(o.ID.Spoken(), e.Change(), pair.Name(), o.First(), []string{"the pods of all namespaces, also those that are not in the input"}).Global = true
		}
	}
}

// selectsAll reports whether a policy names neither pods nor targets. It may be nil.
func selectsAll(o *loader.Object) bool {
	return o != nil && !slices.ContainsFunc([]string{"selector", "workloadSelector", "targetRef", "targetRefs"}, func(field string) bool {
		return !o.Spec().Get(field).IsEmpty()
	})
}
