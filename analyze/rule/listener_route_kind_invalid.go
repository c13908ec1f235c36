package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var listenerRouteKindInvalid = &Rule{
	ID:       "listener-route-kind-invalid",
	Title:    "A listener allows a kind of route that its protocol does not support",
	Severity: plan.Warning,
	Why: "The protocol of the listener does not support the kind, so the kind is ignored and the listener " +
		"has ResolvedRefs=False (Gateway API, ListenerReasonInvalidRouteKinds).",
	Fix:   "Remove the kind from allowedRoutes.kinds, or change the protocol.",
	Check: conditions(hierarchy.ResolvedRefs, "InvalidRouteKinds"),
}
