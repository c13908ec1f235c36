// Package status shows the verdicts of the hierarchy and of policies in the form
// that users know: the .status that a controller would write, as far as
// manifests decide it. What they do not decide has status Unknown and reason
// NotInInput; what only a running system knows (programmed, addresses, health)
// is left out, except that something would not be programmed.
package status

import (
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// UnknownController is the controllerName where the GatewayClass is not in the
// input and nobody said it.
const UnknownController = "gwplan.dev/unknown"

// Object is one object of the input with its status.
type Object struct {
	Object *loader.Object
	Status plan.Status
}

// word writes a fact as conditions do.
func word(f fact.Fact) string {
	switch f {
	case fact.True:
		return "True"
	case fact.False:
		return "False"
	case fact.Unknown:
	}
	return "Unknown"
}

func conditionsOf(list []hierarchy.Condition) []plan.Condition {
	out := make([]plan.Condition, 0, len(list))
	for i := range list {
		out = append(out, conditionOf(&list[i]))
	}
	return out
}

func conditionOf(c *hierarchy.Condition) plan.Condition {
	return plan.Condition{
		Type: c.Type, Status: word(c.Status), Reason: c.Reason, Message: c.Message,
		At: c.Position(), Bad: c.Bad(), AgeSensitive: c.AgeSensitive,
	}
}

func controller(name string) string {
	if name == "" {
		return UnknownController
	}
	return name
}
