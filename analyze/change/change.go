// Package change compares two results of the analysis: what differs in the
// effective configuration of each target, where each value came from, and
// which edits brought it about.
package change

import (
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
)

// Compared is a change with the effective policies that were compared, for the rules.
type Compared struct {
	plan.Change
	policyKind    *catalogue.Kind
	before, after *effective.Policy
}

// Effective gives the kind and the effective policies that were compared, nil
// for other changes and for a side without one.
func (c *Compared) Effective() (k *catalogue.Kind, before, after *effective.Policy) {
	return c.policyKind, c.before, c.after
}
