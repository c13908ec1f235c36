package unseen

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/loader"
)

// versions finds policies that have a new version which the catalogue does not have. It may be a mistake, or newer than the
// catalogue. Versions of kinds whose CRDs are in the input, and of Gateway API, are judged as an API server does.
func (s *search) versions(pair applied.Pair) {
	for _, e := range s.edits.of(pair) {
		o := e.Object()
		kind := s.Table.Kind(o.ID.Group, o.ID.Kind)
		if kind == nil || e.Is == nil || o.Context || e.Was != nil && e.Was.Version == o.Version || len(kind.Versions) == 0 || slices.Contains(kind.Versions, o.Version) {
			continue
		}
		if !defined(pair.Head, o.ID) {
			s.add(o.ID.Spoken(), e.Change(), pair.Name(), o.Position(o.Root.Get("apiVersion")), []string{o.ID.Group + "/" + o.Version}).Version = true
		}
	}
}

// defined reports whether an environment has the CustomResourceDefinition of a kind.
func defined(env *loader.Environment, of loader.ID) bool {
	return slices.ContainsFunc(env.Objects, func(o *loader.Object) bool {
		return o.ID.Kind == "CustomResourceDefinition" && o.Root.Str("spec", "group") == of.Group && o.Root.Str("spec", "names", "kind") == of.Kind
	})
}
