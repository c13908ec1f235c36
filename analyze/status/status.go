// Package status presents the verdicts on the hierarchy and on policies in a form that users
// know: the .status that a controller would write, as far as manifests determine it. What they
// do not determine has status Unknown and reason NotInInput. What depends on a running system
// (programmed, addresses, health) is omitted, except that something would not be programmed.
package status

import (
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// unknownController is the controllerName if the GatewayClass is not in the input and no setting
// names its controller.
const unknownController = "gwplan.dev/unknown"

// Object is one object of the input with its status.
type Object struct {
	Object *loader.Object
	Status plan.Status
}

// word is the status of a condition for a fact.
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
		return unknownController
	}
	return name
}
