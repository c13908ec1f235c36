package outline

import (
	"github.com/gwplan/gwplan/analyze/plan"
)

// IsObject reports whether a group holds one added or removed object and nothing else.
func (g *Group) IsObject() bool {
	if len(g.Policies) > 0 || len(g.Kept) > 0 || len(g.Outcomes) != 1 || len(g.Outcomes[0].Targets) != 1 {
		return false
	}
	c := g.Outcomes[0].Change
	return c.PolicyKind == nil && (c.Kind == plan.Added || c.Kind == plan.Removed)
}
