package rule

var parentNotFound = &Rule{
	ID:       "parent-not-found",
	Title:    "A route names a parent that does not exist",
	Severity: Warning,
	Why: "No controller looks at the parentRef, and the status of the route does not even mention it (Gateway API, " +
		"ParentReference). Found only where the input is said to be complete (--complete), or where the parent was removed.",
	Fix:   "Correct the parentRef, or add the parent.",
	Check: refusedParents("ParentNotFound"),
}
