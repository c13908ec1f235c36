package unseen

import (
	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/loader"
)

// denyAll finds policies that no longer deny the requests that no other policy allows. The plan reports the Services;
// denyAll reports the pods that no Service selects, which are open as well.
func denyAll(s *search, pair applied.Pair) {
	for _, e := range s.edits.of(pair) {
		o := e.Object()
		if o.Context || !undenied(e) {
			continue
		}
		of := "namespace " + o.ID.Namespace
		if k := s.Table.Kind(o.ID.Group, o.ID.Kind); k != nil && k.Target.Root == o.ID.Namespace {
			of = "all namespaces"
		}
		s.add(o.ID.Spoken(), e.Change(), pair.Name(), o.First(), []string{"the pods of " + of + " that no Service of the input selects"}).Global = true
	}
}

// undenied reports whether an edit takes away that a policy denies what no other policy allows.
func undenied(e applied.Edit) bool { return deniesRest(e.Was) && !deniesRest(e.Is) }

// deniesRest reports whether a policy denies what no other policy allows, at all pods of its namespace: an AuthorizationPolicy of
// Istio without rules and selector. It may be nil.
func deniesRest(o *loader.Object) bool {
	if o == nil || o.ID.Group != "security.istio.io" || o.ID.Kind != "AuthorizationPolicy" || !selectsAll(o) {
		return false
	}
	action := o.Spec().Str("action")
	return (action == "" || action == "ALLOW") && len(o.Spec().List("rules")) == 0
}
