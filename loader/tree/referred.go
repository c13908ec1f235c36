package tree

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// ReferredKind is a kind of objects to which others refer by group, kind and name.
type ReferredKind struct{ Group, Kind string }

// Referred are the undecided kinds to which some object refers, so that their documents are needed.
func (r *relevance) Referred() []ReferredKind {
	return slices.SortedFunc(maps.Keys(r.referred), func(a, b ReferredKind) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind))
	})
}

// ReferredBy returns the kinds to which an object refers and whose documents were undecided so far.
func (r *relevance) ReferredBy(group, kind string, root *loader.Value) []ReferredKind {
	if r.kinds.Refers == nil {
		return nil
	}
	var out []ReferredKind
	r.kinds.Refers(group, kind, root.Get("spec"), func(group, kind string) {
		if r.Relevance(group, kind) == manifest.Undecided {
			out = append(out, ReferredKind{group, kind})
		}
	})
	return out
}

// readReferred reads files again if documents in them were skipped whose kinds something refers to. Which kinds these
// are is known only after all files are read, and most trees refer to no undecided kind.
func (s *Store) readReferred(views []*View) error {
	if len(s.found) == 0 {
		return nil
	}
	for _, kind := range s.found {
		s.referred[kind] = true
	}
	again := skipping(s, views, func(group, kind string) bool { return s.referred[ReferredKind{group, kind}] })
	return s.batches.each(views, again, s.decode)
}
