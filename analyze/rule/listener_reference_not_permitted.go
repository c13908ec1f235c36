package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var listenerReferenceNotPermitted = &Rule{
	ID:       "listener-reference-not-permitted",
	Title:    "A Gateway refers to another namespace without a grant",
	Severity: plan.Error,
	Why: "Certificates and authorities in another namespace need a ReferenceGrant there, from Gateway or from " +
		"ListenerSet, whichever refers to it: neither inherits the other's (Gateway API, RefNotPermitted).",
	Fix:   "Add a ReferenceGrant to the namespace of the Secret or ConfigMap, or move it to the namespace of the object that refers to it.",
	Check: conditions(hierarchy.ResolvedRefs, hierarchy.NotPermitted),
}
