package change

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// policyPairs maps each removed policy of a kind to an added one with the same targets: the policy
// was renamed or moved to another namespace. Policies with equal specs are paired first.
func (c *effects) policyPairs(k *catalogue.Kind) map[loader.ID]loader.ID {
	if known, ok := c.paired[k]; ok {
		return known
	}
	out := map[loader.ID]loader.ID{}
	c.paired[k] = out
	if c.runs[effective.Base] == nil || c.runs[effective.Head] == nil {
		return out
	}
	type candidate struct {
		gone, come loader.ID
		score      int
	}
	var found []candidate
	targets := map[string][]*policy.Policy{}
	before, after := policiesOf(c.runs[effective.Base], k), policiesOf(c.runs[effective.Head], k)
	for id, p := range before {
		if after[id] == nil && !c.unreadOn(id) {
			key := c.declares(0, p)
			targets[key] = append(targets[key], p)
		}
	}
	for id, come := range after {
		if before[id] != nil || c.unreadOn(id) {
			continue
		}
		for _, gone := range targets[c.declares(1, come)] {
			score := 1
			if sameSpec(gone, come) {
				score = 2
			}
			found = append(found, candidate{gone: gone.ID(), come: id, score: score})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		names := func(x candidate) string {
			one, two := x.gone.String(), x.come.String()
			return min(one, two) + " " + max(one, two)
		}
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(names(a), names(b)))
	})
	taken := map[loader.ID]bool{}
	for _, f := range found {
		if out[f.gone] == (loader.ID{}) && !taken[f.come] {
			out[f.gone], taken[f.come] = f.come, true
		}
	}
	return out
}

// unreadOn reports whether an object is on one side only because the other side could not read its
// file.
func (c *sides) unreadOn(id loader.ID) bool {
	e := c.edits[id]
	return e.before != nil && e.after == nil && c.unreadObject(e.before) || e.after != nil && e.before == nil && c.unreadObject(e.after)
}

// policyNames maps the names of renamed policies in base to those in head.
func (c *effects) policyNames(k *catalogue.Kind) map[string]string {
	out := map[string]string{}
	for gone, come := range c.policyPairs(k) {
		out[gone.String()] = come.String()
	}
	return out
}

// renamedPolicies merges the verdicts on a removed policy and on the policy that replaces it.
func (c *verdicts) renamedPolicies(k *catalogue.Kind, verdicts []PolicyVerdicts) []PolicyVerdicts {
	at := map[loader.ID]int{}
	for i, v := range verdicts {
		at[v.ID] = i
	}
	for base, head := range c.policyPairs(k) {
		i, went := at[base]
		j, came := at[head]
		if !went || !came {
			continue
		}
		gone, come := &verdicts[i], &verdicts[j]
		come.Formerly, come.Before = gone.ID, gone.Before
		come.SameEffect = !c.touches(gone.Node) && !c.touches(come.Node) && c.effectKnown(k, gone.ID, come.ID)
		come.Causes = sortedCauses(slices.Concat(come.Causes, gone.Causes))
		gone.ID = loader.ID{}
	}
	return slices.DeleteFunc(verdicts, func(v PolicyVerdicts) bool { return v.ID == loader.ID{} })
}

// effectKnown reports whether the effect of a renamed policy can be compared: its spec is
// unchanged, or all its targets are in the input.
func (c *verdicts) effectKnown(k *catalogue.Kind, base, head loader.ID) bool {
	gone, come := policiesOf(c.runs[effective.Base], k)[base], policiesOf(c.runs[effective.Head], k)[head]
	if gone == nil || come == nil || sameSpec(gone, come) {
		return true
	}
	return len(come.References) > 0 && !slices.ContainsFunc(come.References, func(r *policy.Reference) bool {
		return len(r.Nodes) == 0 && r.Part == catalogue.Own
	})
}

// declares returns a key of the targets of a policy. Renamed targets have their name in head.
func (c *effects) declares(side int, p *policy.Policy) string {
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

// touches reports whether anything changes at a target where a policy is in force.
func (c *sides) touches(node string) bool {
	return slices.ContainsFunc(c.outcomes.found, func(g gathered) bool { return slices.Contains(g.policies(), node) })
}
