package outline

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/plan"
)

// AllowedText says what becomes of a connection: "denied, allowed before".
func AllowedText(c *plan.TracedConnection) string {
	if c.Head == nil {
		return verdictWord(c.Base.Allowed) + " before; head does not have both ends"
	}
	text := verdictWord(c.Head.Allowed)
	switch c.Result {
	case plan.DifferentAnswer:
		text += ", " + verdictWord(c.Base.Allowed) + " before"
	case plan.SameAnswer:
		text += " as before"
	case plan.UnknownAnswer:
		if c.Base == nil {
			text += "; base does not have both ends"
		}
	}
	return text
}

func verdictWord(allowed string) string {
	switch allowed {
	case plan.True:
		return "allowed"
	case plan.False:
		return "denied"
	}
	return "not known"
}

// SideText says what the policies of one end decide.
func SideText(s *plan.ConnectionSide) string {
	switch {
	case !s.Selected:
		return verdictWord(s.Allowed) + ", no network policy selects it"
	case len(s.Steps) == 0:
		return verdictWord(s.Allowed) + ", no rule of the policies that select it matches the connection"
	}
	return verdictWord(s.Allowed)
}

// StepText describes a rule that takes a connection.
func StepText(s *plan.ConnectionStep) string {
	verb := map[string]string{"allow": "allows", "deny": "denies", "pass": "passes to the next tier"}[s.Action]
	text := fmt.Sprintf("%s %s it", NodeName(s.Policy), verb)
	switch {
	case s.Action == "pass":
		text = fmt.Sprintf("%s passes it to the next tier", NodeName(s.Policy))
	case s.Rule == "":
		text += ": no rule matches it"
	}
	if s.Rule != "" {
		text += " by " + s.Rule
	}
	if s.Only != "" {
		text += ", only " + s.Only
	}
	if !s.Certain {
		text = "perhaps " + text
	}
	if s.Doubt != "" {
		text += " (" + s.Doubt + ")"
	}
	return text
}
