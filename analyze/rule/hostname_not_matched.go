package rule

import "github.com/gwplan/gwplan/analyze/plan"

var hostnameNotMatched = &Rule{
	ID:       "hostname-not-matched",
	Title:    "No hostname of a route is one of its parent's",
	Severity: plan.Warning,
	Why: "Hostnames of route and listener have nothing in common (Gateway API, Accepted=False, NoMatchingListenerHostname): a " +
		"wildcard matches one label or more, never none. The route gets no traffic from there, and no policy.",
	Fix:   "Correct the hostnames of the route or of the listener.",
	Check: refusedParents("NoMatchingListenerHostname"),
	Stops: routeStops,
}
