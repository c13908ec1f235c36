package sentence

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/internal/spelling"
)

// exchange is what a field does where one authentication takes the place of another.
type exchange int

const (
	stays exchange = iota
	goes
	comes
)

// exchangeOf says whether a field is of an authentication that goes for another one, or of the one that comes for it.
func exchangeOf(s protection.Shift, f plan.Field) exchange {
	of := func(list []protection.Field) bool {
		return slices.ContainsFunc(list, func(whole protection.Field) bool { return isAtOrBelow(steps(f), whole.Path) })
	}
	switch {
	case len(s.Replacing) == 0:
	case of(s.Replaced):
		return goes
	case of(s.Replacing):
		return comes
	}
	return stays
}

// identities is where an AuthPolicy has the ways to authenticate, by names that users give.
const identities = "rules.authentication"

// anonymous is opens if a field that is added identifies requests that prove nothing, where some proof was asked for, refuses if it goes
// and some proof is asked for then, and else -1 (Authorino: an AuthConfig authenticates by the first identity that succeeds).
func anonymous(c *change.Compared, f plan.Field) effect {
	_, before, after := c.Effective()
	path := catalogue.Dotted(f.Path)
	switch {
	case c.PolicyKind == nil || !strings.HasPrefix(path, identities+".") || !strings.HasSuffix(path, ".anonymous"):
	case f.Action == plan.FieldAdded && has(before, identities):
		return opens
	case f.Action == plan.FieldRemoved && has(after, identities):
		return refuses
	}
	return -1
}

// exchanged names the authentication that takes the place of another: "API key authentication instead of JWT authentication".
func (s *Sentences) exchanged(k *catalogue.Kind, shift protection.Shift) string {
	words := func(list []protection.Field) string {
		var out []string
		for _, f := range list {
			out = append(out, s.table.Words(k, catalogue.Dotted(f.Path)))
		}
		return spelling.And(out)
	}
	return words(shift.Replacing) + " instead of " + words(shift.Replaced)
}
