package applied

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Comparable reports whether the two revisions of an environment can be compared although the run reached its limits. They
// cannot if it left out something of base alone, which would seem to be added, or something of head alone that declares
// deployers in base, whose objects would seem to be removed. What else it left out of head alone counts as in base (Applied).
func Comparable(pair Pair, base, head *loader.Snapshot) bool {
	was, is := beyondLimits(base, pair.Name()), beyondLimits(head, pair.Name())
	for part := range was {
		if !is[part] {
			return false
		}
	}
	switch {
	case pair.Base == nil:
		return len(was) == 0
	case pair.Head == nil:
		return len(is) == 0
	case len(is) == len(was):
		return true
	}
	kept := pair.Head.Deployers()
	for id, d := range pair.Base.Deployers() {
		below := func(root string) bool { return loader.Within(root, d.At.File) }
		if kept[id] == nil && slices.ContainsFunc(pair.Head.Gaps, func(g loader.Gap) bool { return slices.ContainsFunc(g.Roots, below) }) {
			return false
		}
	}
	return true
}

// beyondLimits are the parts of an environment, as their problems name them, that the run left out.
func beyondLimits(s *loader.Snapshot, environment string) map[string]bool {
	out := map[string]bool{}
	for _, p := range s.Problems {
		if p.Code == loader.LimitRun && (len(p.Environments) == 0 || slices.Contains(p.Environments, environment)) {
			part, _, _ := strings.Cut(p.Message, ": ")
			out[p.Position.File+" "+part] = true
		}
	}
	return out
}
