package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var listenerSetNotAllowed = &Rule{
	ID:       "listener-set-not-allowed",
	Title:    "A Gateway does not take a ListenerSet",
	Severity: plan.Error,
	Why: "Gateways allow no ListenerSets unless spec.allowedListeners says so (GEP-1713, NotAllowed). None of its listeners " +
		"works.",
	Fix:   "Open allowedListeners of the Gateway to the namespace of the ListenerSet.",
	Check: conditions(hierarchy.Accepted, "NotAllowed"),
}
