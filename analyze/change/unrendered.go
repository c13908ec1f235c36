package change

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/effective"
)

// ofUnrendered reports whether one of the policies is on one side only because the other side does not render its
// deployer: the policy may exist there as well.
func ofUnrendered(c *sides, policies ...*effective.Policy) bool {
	for _, p := range policies {
		if p != nil && slices.ContainsFunc(p.Shares, func(s effective.Share) bool {
			o := s.Policy.Object
			e, edited := c.edits[o.ID]
			return edited && (e.before == nil && c.unrendered.On(int(effective.Base), o) || e.after == nil && c.unrendered.On(int(effective.Head), o))
		}) {
			return true
		}
	}
	return false
}
