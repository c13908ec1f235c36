package analyze

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// connections returns the connections that network policies newly allow or deny, as far as the filter
// lets them through.
func (f Filter) connections(p *rule.Pair) []plan.ConnectionChange {
	return slices.DeleteFunc(slices.Clone(p.Connections().Changes), func(c plan.ConnectionChange) bool {
		return !f.causes(c.Causes) || len(c.Targets) > 0 && !slices.ContainsFunc(c.Targets, f.node)
	})
}

// connectionHeadline sums up the changes of connections if no finding does.
func connectionHeadline(p *plan.Plan) string {
	var sentences []string
	for _, env := range p.Environments {
		for _, c := range env.Connections {
			if !slices.Contains(sentences, c.Sentence) {
				sentences = append(sentences, c.Sentence)
			}
		}
	}
	switch len(sentences) {
	case 0:
		return ""
	case 1:
		return brief(sentences[0])
	}
	return brief(sentences[0]) + "; and " + spelling.Count(len(sentences)-1, "more change") + " of connections"
}

// hiddenPolicies says which parts of the environments that are not rendered have network policies of their own.
func hiddenPolicies(environments ...*loader.Environment) []string {
	hidden := gapsOf(environments, loader.Gap.SetsNetworkPolicies)
	if len(hidden) == 0 {
		return nil
	}
	return []string{"what is not rendered may have network policies that decide differently: " + spelling.Few(hidden)}
}

// gapsOf names the gaps of environments, of which some may be nil, as far as they matter.
func gapsOf(environments []*loader.Environment, matters func(loader.Gap) bool) []string {
	names := map[string]bool{}
	for _, env := range environments {
		if env == nil { // a revision does not have it
			continue
		}
		for _, g := range env.Gaps {
			if matters(g) {
				names[g.String()] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// connectionNotes says what may also have network policies where connections are told.
func connectionNotes(p *plan.Plan, pairs []applied.Pair) []string {
	var told []*loader.Environment
	for i, pair := range pairs {
		if len(p.Environments[i].Connections) > 0 {
			told = append(told, pair.Base, pair.Head)
		}
	}
	hidden := gapsOf(told, func(loader.Gap) bool { return true })
	if len(hidden) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("network policies in what is not rendered are not part of the connections: %s", spelling.Few(hidden))}
}
