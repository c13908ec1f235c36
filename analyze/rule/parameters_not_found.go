package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var parametersNotFound = &Rule{
	ID:       "parameters-not-found",
	Title:    "A class or Gateway refers to parameters that do not exist",
	Severity: plan.Error,
	Why: "The object is not accepted (Gateway API, InvalidParameters). What is below it gets the controller's defaults " +
		"or does not work at all: that is the controller's own. Found only where the input is complete (--complete).",
	Fix:   "Correct parametersRef, or add the object it names.",
	Check: conditions(hierarchy.Accepted, "InvalidParameters"),
}
