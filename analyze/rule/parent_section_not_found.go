package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var parentSectionNotFound = &Rule{
	ID:       "parent-section-not-found",
	Title:    "A route names a listener that its parent does not have",
	Severity: plan.Warning,
	Why: "No listener of the parent has the sectionName and port of the parentRef (Gateway API, Accepted=False, " +
		"NoMatchingParent). A parentRef to a Gateway means the Gateway's own listeners, never those of its ListenerSets. " +
		"The route gets no traffic from there, and no policy.",
	Fix:   "Correct sectionName and port, or name the ListenerSet as the parent.",
	Check: refusedParents(hierarchy.NoMatchingParent),
	Stops: routeStops,
}
