package analyze

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/internal/spelling"
)

// connections returns the connections that network policies newly allow or deny.
func (o Options) connections(p *rule.Pair) []plan.ConnectionChange {
	return slices.DeleteFunc(slices.Clone(p.Connections().Changes), func(c plan.ConnectionChange) bool {
		return !o.Filter.causes(c.Causes) || len(c.Targets) > 0 && !slices.ContainsFunc(c.Targets, o.Filter.node)
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
