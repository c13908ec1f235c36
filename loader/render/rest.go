package render

import (
	"fmt"
	"slices"
)

// territory is what Flux applies of a tree and what lies among it: there nothing
// is deployed in another way.
type territory struct {
	covers, areas map[string]bool
}

func newTerritory(v *view, f deployments) territory {
	t := territory{covers: map[string]bool{}, areas: map[string]bool{}}
	if v.artefact != "" {
		t.areas[v.artefact] = true
	}
	for dir := range f.applied {
		t.areas[dir] = true
	}
	for _, c := range f.clusters {
		for file := range c.covers {
			t.covers[file] = true
		}
		dirs := sorted(c.areas)
		for _, dir := range slices.Concat(dirs, neighbourhoods(dirs)) {
			t.areas[dir] = true
		}
	}
	// Where Flux applies the root, what lies beside its kustomization may still
	// be someone else's.
	delete(t.areas, ".")
	return t
}

// composes says whether a kustomization puts together folders below it that are
// applied one by one.
func (t territory) composes(s *session, v *view, dir string) bool {
	_, dirs := s.covered(v, dir, nil)
	return slices.ContainsFunc(dirs, func(d string) bool { return d != dir && t.areas[d] && within(dir, d) })
}

// rest are the units that no cluster applies or leaves out.
func (s *session) rest(v *view, f deployments, l *layout) []unit {
	units := s.unitsBelow(v, ".")
	if len(f.clusters) == 0 {
		return units
	}
	t := newTerritory(v, f)
	units = slices.DeleteFunc(units, func(u unit) bool {
		first := u.place()
		if u.build {
			first = v.kusts[u.dir][0]
		}
		switch {
		case t.covers[first]:
			return true
		case dotted(first), enclosed(t.areas, first), u.build && t.composes(s, v, u.dir):
			if u.build || s.store.file(v.ids[first]).Manifest {
				l.left = append(l.left, first)
			}
			return true
		}
		return false
	})
	l.notes = append(l.notes, leftOut(len(l.left))...)
	return units
}

// leftOut says how much lies among what is deployed and is deployed by nothing.
func leftOut(n int) []string {
	switch n {
	case 0:
		return nil
	case 1:
		return []string{"1 file or kustomization among those that are deployed is left out: nothing deploys it"}
	}
	return []string{fmt.Sprintf("%d files and kustomizations among those that are deployed are left out: nothing deploys them", n)}
}
