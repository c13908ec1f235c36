package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var listenerConflict = &Rule{
	ID:       "listener-conflict",
	Title:    "Two listeners conflict: a client could mean either",
	Severity: plan.Error,
	Why: "Listeners of one port need different hostnames, or protocols that share a port (Gateway API, " +
		"GatewaySpec.listeners; GEP-1713 for ListenerSets). Inside one Gateway all of them fail, though some controllers " +
		"take the first; between objects the first one wins. What is attached to the others is not served.",
	Fix:   "Give the listener a port or a hostname of its own.",
	Check: conditions(hierarchy.ConflictedIs, "HostnameConflict", "ProtocolConflict"),
}
