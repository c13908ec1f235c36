// Package applied pairs the environments of two revisions and tells what clusters have after the change: deployers do not
// apply everything that head declares, and keep what they cannot build.
package applied

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
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
		return plan.EditAdded
	case p.Head == nil:
		return plan.EditRemoved
	case p.Base.Name != p.Head.Name:
		return plan.EditRenamed
	}
	return plan.InBoth
}

// Pairs pairs environments by name, then by path, then by the Applications of Argo CD that deploy them, then by the
// largest overlap of identities, so that a renamed cluster is one change.
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
	for _, shared := range []func(b, h *loader.Environment) int{deployers, identities()} {
		for {
			b, h := closest(base, head, taken, paired, shared)
			if b == nil {
				break
			}
			out = append(out, Pair{Base: b, Head: h})
			paired[h], taken[b] = true, true
		}
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

// closest finds the unpaired environments that share the most, or none if none share anything.
func closest(base, head []*loader.Environment, taken, paired map[*loader.Environment]bool, shared func(b, h *loader.Environment) int) (b, h *loader.Environment) {
	most := 0
	for _, before := range base {
		if taken[before] {
			continue
		}
		for _, after := range head {
			if paired[after] {
				continue
			}
			if n := shared(before, after); n > most {
				most, b, h = n, before, after
			}
		}
	}
	return b, h
}

// deployers counts the Applications of Argo CD that deploy both environments. One that the same file declares counts
// twice. The name of an environment distinguishes installations of Argo CD: if a second installation is added or
// removed, the name of the first environment changes and nothing else does. Environments with different destinations
// have nothing in common here, because their objects have moved.
func deployers(b, h *loader.Environment) int {
	if b.Cluster == "" || b.Cluster != h.Cluster {
		return 0
	}
	deploying := func(e *loader.Environment) map[loader.ID]string {
		out := map[loader.ID]string{}
		for _, p := range e.Parts {
			if p.Deployer != nil {
				out[p.Deployer.ID] = p.Deployer.At.File
			}
		}
		return out
	}
	n, had := 0, deploying(b)
	for id, file := range deploying(h) {
		was, both := had[id]
		if both {
			n++
		}
		if both && was == file {
			n++
		}
	}
	return n
}

// identities returns a function that counts the objects that both environments have. The name of a destination of Argo CD is
// its identity: objects that go to another destination move.
func identities() func(b, h *loader.Environment) int {
	known := map[*loader.Environment]map[loader.ID]*loader.Object{}
	return func(b, h *loader.Environment) int {
		if b.By == loader.ByArgoCD && h.By == loader.ByArgoCD {
			return 0
		}
		if known[b] == nil {
			known[b] = b.ByID()
		}
		n := 0
		for _, o := range h.Objects {
			if known[b][o.ID] != nil {
				n++
			}
		}
		return n
	}
}
