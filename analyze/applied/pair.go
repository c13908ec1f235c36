// Package applied pairs the environments of two revisions and tells what clusters have after the change: deployers do not
// apply everything that head declares, and keep what they cannot build.
package applied

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// Pair is one environment of base and head; a side may be nil.
type Pair struct {
	Base, Head *loader.Environment
}

// Name returns the name that the environment has in head, or had in base.
func (p Pair) Name() string { return p.any().Name }

// Path returns the folder of the environment in head, or in base.
func (p Pair) Path() string { return p.any().Path }

func (p Pair) any() *loader.Environment {
	if p.Head != nil {
		return p.Head
	}
	return p.Base
}

// Status says which sides there are: added, removed, renamed or both.
func (p Pair) Status() string {
	switch {
	case p.Base == nil:
		return "added"
	case p.Head == nil:
		return "removed"
	case p.Base.Name != p.Head.Name:
		return "renamed"
	}
	return "both"
}

// Pairs pairs environments by name, then by path, then by the largest overlap of
// identities, so that a renamed cluster is one change.
func Pairs(base, head []*loader.Environment) []Pair {
	var out []Pair
	taken := map[*loader.Environment]bool{}
	paired := map[*loader.Environment]bool{}
	pair := func(same func(b, h *loader.Environment) bool) {
		for _, h := range head {
			for _, b := range base {
				if !paired[h] && !taken[b] && same(b, h) {
					out = append(out, Pair{Base: b, Head: h})
					paired[h], taken[b] = true, true
				}
			}
		}
	}
	pair(func(b, h *loader.Environment) bool { return b.Name == h.Name })
	pair(func(b, h *loader.Environment) bool { return b.Path == h.Path })
	for {
		b, h := closest(base, head, taken, paired)
		if b == nil {
			break
		}
		out = append(out, Pair{Base: b, Head: h})
		paired[h], taken[b] = true, true
	}
	for _, h := range head {
		if !paired[h] {
			out = append(out, Pair{Head: h})
		}
	}
	for _, b := range base {
		if !taken[b] {
			out = append(out, Pair{Base: b})
		}
	}
	slices.SortFunc(out, func(a, b Pair) int { return cmp.Compare(a.Name(), b.Name()) })
	return out
}

// closest finds the unpaired environments that share the most identities.
func closest(base, head []*loader.Environment, taken, paired map[*loader.Environment]bool) (b, h *loader.Environment) {
	most := 0
	for _, before := range base {
		if taken[before] {
			continue
		}
		ids := before.ByID()
		for _, after := range head {
			// The name of an Argo CD destination is its identity: objects that go to another
			// destination move.
			if paired[after] || before.By == loader.ByArgoCD && after.By == loader.ByArgoCD {
				continue
			}
			shared := 0
			for _, o := range after.Objects {
				if ids[o.ID] != nil {
					shared++
				}
			}
			if shared > most {
				most, b, h = shared, before, after
			}
		}
	}
	return b, h
}
