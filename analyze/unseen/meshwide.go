package unseen

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/loader"
)

// meshWide finds policies for the pods of all namespaces that come, go or change, of which the plan tells nothing: for what is in the
// input the effective policies stay, but there may be other workloads (Istio, policies in the root namespace). A policy that
// denied the rest of a namespace is told in any case.
func meshWide(s *search, pair applied.Pair, told map[string]bool) {
	for _, e := range s.edits.of(pair) {
		o := e.Object()
		if !o.Context && deniesRest(e.Was) && !deniesRest(e.Is) {
			of := "namespace " + o.ID.Namespace
			if k := s.Table.Kind(o.ID.Group, o.ID.Kind); k != nil && k.Target.Root == o.ID.Namespace {
				of = "all namespaces"
			}
			s.add(o.ID.Spoken(), e.Change(), pair.Name(), o.First(), []string{"the pods of " + of + " that no Service of the input selects"}).Global = true
			continue
		}
		k := s.Table.Kind(o.ID.Group, o.ID.Kind)
		if k == nil || k.Target.Root == "" || o.ID.Namespace != k.Target.Root || o.Context || told[o.ID.String()] {
			continue
		}
		if (selectsAll(e.Was) || selectsAll(e.Is)) && len(differing(e.Was, e.Is)) > 0 {
			s.add(o.ID.Spoken(), e.Change(), pair.Name(), o.First(), []string{"the pods of all namespaces, also those that are not in the input"}).Global = true
		}
	}
}

// deniesRest reports whether a policy denies what no other policy allows, at all pods of its namespace: an AuthorizationPolicy of
// Istio without rules and selector. It may be nil.
func deniesRest(o *loader.Object) bool {
	if o == nil || o.ID.Group != "security.istio.io" || o.ID.Kind != "AuthorizationPolicy" || !selectsAll(o) {
		return false
	}
	action := o.Spec().Str("action")
	return (action == "" || action == "ALLOW") && len(o.Spec().List("rules")) == 0
}

// selectsAll reports whether a policy names neither pods nor targets. It may be nil.
func selectsAll(o *loader.Object) bool {
	return o != nil && !slices.ContainsFunc([]string{"selector", "workloadSelector", "targetRef", "targetRefs"}, func(field string) bool {
		return !o.Spec().Get(field).IsEmpty()
	})
}
