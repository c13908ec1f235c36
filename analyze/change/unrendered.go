package change

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/loader"
)

// ofUnrendered reports whether one of the policies is on one side only because the other side does not render its
// deployer: the policy may exist there as well.
func ofUnrendered(c *sides, policies ...*effective.Policy) bool {
	for _, p := range policies {
		if p != nil && slices.ContainsFunc(p.Shares, func(s effective.Share) bool {
			o := s.Policy.Object
			e, edited := c.edits[o.ID]
			return edited && (e.before == nil && isUnrendered(c, o, effective.Base) || e.after == nil && isUnrendered(c, o, effective.Head))
		}) {
			return true
		}
	}
	return false
}

// isUnrendered reports whether an object may exist on a side that does not declare it, because that side does not
// render its deployer.
func isUnrendered(c *sides, o *loader.Object, side effective.Side) bool {
	if c.runs[0] == nil || c.runs[1] == nil {
		return false
	}
	if c.unrendered == nil {
		c.unrendered = applied.NewUnrendered(c.runs[effective.Base].Environment, c.runs[effective.Head].Environment)
	}
	return c.unrendered.On(int(side), o)
}
