package rule

import "github.com/gwplan/gwplan/analyze/hierarchy"

var parametersNotFound = &Rule{
	ID:       "parameters-not-found",
	Title:    "A class or Gateway refers to parameters that do not exist",
	Severity: Error,
	Why: "The object is not accepted (Gateway API, InvalidParameters): everything below it is down. Found only " +
		"where the input is said to be complete (--complete).",
	Fix:   "Correct parametersRef, or add the object it names.",
	Check: conditions(hierarchy.Accepted, "InvalidParameters"),
}
