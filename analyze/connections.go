package analyze

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/internal/spelling"
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
