package applied

import (
	"slices"

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

// beyond is a part that the run left out, by the file that its problem is in.
type beyond struct{ file, part string }

// beyondLimits are the parts of an environment that the run left out.
func beyondLimits(s *loader.Snapshot, environment string) map[beyond]bool {
	out := map[beyond]bool{}
	for _, p := range s.Problems {
		if p.Code == loader.LimitRun && (len(p.Environments) == 0 || slices.Contains(p.Environments, environment)) {
			out[beyond{p.Position.File, p.Part}] = true
		}
	}
	return out
}
