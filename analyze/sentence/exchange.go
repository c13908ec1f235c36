package sentence

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
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
