// Package change compares two results of the analysis. It reports what differs in the effective
// configuration of each target, which policy each value came from, and which edits caused the
// difference.
package change

import (
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
)

// Compared is a change together with the two effective policies that were compared, as input for
// the rules.
type Compared struct {
	plan.Change
	policyKind    *catalogue.Kind
	before, after *effective.Policy
}

// Effective returns the policy kind and the two effective policies that were compared. All are nil
// for other changes; one policy is nil if its side has no effective policy.
func (c *Compared) Effective() (k *catalogue.Kind, before, after *effective.Policy) {
	return c.policyKind, c.before, c.after
}
