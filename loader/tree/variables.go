package tree

import (
	"maps"
	"slices"
)

// Variables returns the names of the variables that manifests of a view use, sorted. Files of charts count, because their
// values may be substituted, too.
func Variables(s *Store, v *View) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, done := s.variables[v]; done {
		return known
	}
	found := map[string]bool{}
	for _, file := range v.Manifests {
		for _, name := range s.File(v.IDs[file]).Variables {
			found[name] = true
		}
	}
	out := slices.Sorted(maps.Keys(found))
	s.variables[v] = out
	return out
}
