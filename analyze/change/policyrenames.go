package change

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// renamedPolicies makes one of a policy that went and one that came for the same targets: it
// has another name, or lies in another namespace. Those that say the same are paired first.
func (c *comparison) renamedPolicies(verdicts []PolicyVerdicts, byID [2]map[loader.ID]*policy.Policy) []PolicyVerdicts {
	type candidate struct {
		gone, come int
		score      int
	}
	var found []candidate
	targets := map[string][]int{}
	for i, v := range verdicts {
		if v.Before != nil && v.After == nil {
			key := c.declares(0, byID[0][v.ID])
			targets[key] = append(targets[key], i)
		}
	}
	for j, v := range verdicts {
		if v.Before != nil || v.After == nil {
			continue
		}
		come := byID[1][v.ID]
		for _, i := range targets[c.declares(1, come)] {
			score := 1
			if sameSpec(byID[0][verdicts[i].ID], come) {
				score = 2
			}
			found = append(found, candidate{i, j, score})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		names := func(x candidate) string {
			one, two := verdicts[x.gone].Node, verdicts[x.come].Node
			return min(one, two) + " " + max(one, two)
		}
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(names(a), names(b)))
	})
	taken := map[int]bool{}
	for _, f := range found {
		if taken[f.gone] || taken[f.come] {
			continue
		}
		taken[f.gone], taken[f.come] = true, true
		gone, come := &verdicts[f.gone], &verdicts[f.come]
		come.Formerly, come.Before = gone.ID, gone.Before
		come.SameEffect = !c.touches(gone.Node) && !c.touches(come.Node)
		come.Causes = sortedCauses(slices.Concat(come.Causes, gone.Causes))
		gone.ID = loader.ID{}
	}
	return slices.DeleteFunc(verdicts, func(v PolicyVerdicts) bool { return v.ID == loader.ID{} })
}

// declares tells what a policy names as its targets, by the names that both sides know.
func (c *comparison) declares(side int, p *policy.Policy) string {
	var out []string
	for _, ref := range p.References {
		for _, n := range ref.Nodes {
			out = append(out, fmt.Sprint(ref.Part, " ", c.pairs.name(side, n)))
		}
		if len(ref.Nodes) == 0 {
			out = append(out, fmt.Sprint(ref.Part, " ", ref.Target, " ", ref.Namespace))
		}
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), "\x00")
}

func sameSpec(a, b *policy.Policy) bool {
	return merge.Equal(a.Spec, b.Spec) && merge.Equal(a.Defaults, b.Defaults) && merge.Equal(a.Overrides, b.Overrides)
}

// touches says whether anything changes at a target where a policy is in force.
func (c *comparison) touches(node string) bool {
	return slices.ContainsFunc(c.outcomes.found, func(g gathered) bool { return slices.Contains(g.policies(), node) })
}
