package analyze

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// environmentPair is one environment of base and head; a side may be nil.
type environmentPair struct {
	base, head *loader.Environment
}

func (p environmentPair) name() string { return p.any().Name }
func (p environmentPair) path() string { return p.any().Path }

func (p environmentPair) any() *loader.Environment {
	if p.head != nil {
		return p.head
	}
	return p.base
}

func (p environmentPair) status() string {
	switch {
	case p.base == nil:
		return "added"
	case p.head == nil:
		return "removed"
	case p.base.Name != p.head.Name:
		return "renamed"
	}
	return "both"
}

// pairEnvironments pairs environments by name, then by path, then by the largest overlap of
// identities, so that a renamed cluster is one change.
func pairEnvironments(base, head []*loader.Environment) []environmentPair {
	var out []environmentPair
	taken := map[*loader.Environment]bool{}
	paired := map[*loader.Environment]bool{}
	pair := func(same func(b, h *loader.Environment) bool) {
		for _, h := range head {
			for _, b := range base {
				if !paired[h] && !taken[b] && same(b, h) {
					out = append(out, environmentPair{base: b, head: h})
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
		out = append(out, environmentPair{base: b, head: h})
		paired[h], taken[b] = true, true
	}
	for _, h := range head {
		if !paired[h] {
			out = append(out, environmentPair{base: nil, head: h})
		}
	}
	for _, b := range base {
		if !taken[b] {
			out = append(out, environmentPair{base: b, head: nil})
		}
	}
	slices.SortFunc(out, func(a, b environmentPair) int { return cmp.Compare(a.name(), b.name()) })
	return out
}

// closest finds the unpaired environments that share the most identities.
func closest(base, head []*loader.Environment, taken, paired map[*loader.Environment]bool) (b, h *loader.Environment) {
	most := 0
	for _, before := range base {
		if taken[before] {
			continue
		}
		ids := byID(before)
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
