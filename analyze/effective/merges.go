package effective

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// MergeShare is how much of a policy survives in one merge.
type MergeShare int

// The shares, the worst last: all units, some, none.
const (
	WholeShare MergeShare = iota
	PartShare
	NoShare
)

// WorstShares returns for each policy of a kind the worst of its shares over all merges at all
// effective targets. Policies on routes and policies above routes are two separate merges. A policy
// whose units are side by side with units of others has PartShare, although nothing of it is lost
// (kgateway pkg/pluginsdk/ir/merge.go, GetRefCount, and pkg/reports/policy.go,
// addAttachmentCondition).
func (r *Run) WorstShares(k *catalogue.Kind) map[*policy.Policy]MergeShare {
	worst := map[*policy.Policy]MergeShare{}
	seen := map[State]bool{}
	Alone(r).States(k, func(_ *Joint, flows []Flow) bool {
		for _, f := range flows {
			s := f.States[Head]
			if s <= Start || seen[s] {
				continue
			}
			seen[s] = true
			stack := r.elements(k, r.sequence(s))
			split := firstOnRoute(stack)
			for _, part := range [][]element{stack[:split], stack[split:]} {
				for p, share := range sharesOf(k, part) {
					worst[p] = max(worst[p], share)
				}
			}
		}
		return true
	})
	return worst
}

// firstOnRoute returns the index of the first step on a route or rule. The steps before it are
// above routes.
func firstOnRoute(stack []element) int {
	split := slices.IndexFunc(stack, func(e element) bool {
		return e.place.Level == hierarchy.LevelRoute || e.place.Level == hierarchy.LevelRule
	})
	if split < 0 {
		return len(stack)
	}
	return split
}

func sharesOf(k *catalogue.Kind, stack []element) map[*policy.Policy]MergeShare {
	units := 0
	owned := map[*loader.Object]int{}
	eachUnit(k, foldHigher(k, stack), func(unit *merge.Tree) {
		units++
		owners := map[*loader.Object]bool{}
		eachLeaf(unit, func(leaf *merge.Tree) {
			if leaf.Source != nil {
				owners[leaf.Source.Object] = true
			}
		})
		for o := range owners {
			owned[o]++
		}
	})
	out := map[*policy.Policy]MergeShare{}
	for _, e := range stack {
		for _, p := range e.policies {
			switch owned[p.Object] {
			case units: // If there are no units, every policy has WholeShare.
				out[p] = WholeShare
			case 0:
				out[p] = NoShare
			default:
				out[p] = PartShare
			}
		}
	}
	return out
}

// eachUnit visits the units of a spec: those that its kind lists, else the top-level fields.
func eachUnit(k *catalogue.Kind, spec *merge.Tree, visit func(*merge.Tree)) {
	paths := k.Merge.Units
	if len(paths) == 0 {
		paths = []string{"*"}
	}
	for _, path := range paths {
		at(spec, strings.Split(path, "."), visit)
	}
}

// at visits the subtrees at a path in which * matches any key.
func at(t *merge.Tree, path []string, visit func(*merge.Tree)) {
	switch {
	case t == nil:
	case len(path) == 0:
		visit(t)
	case path[0] != "*":
		at(t.Get(path[0]), path[1:], visit)
	default:
		for _, e := range t.Entries {
			at(e.Tree, path[1:], visit)
		}
	}
}
