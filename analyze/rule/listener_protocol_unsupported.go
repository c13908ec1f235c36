package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var listenerProtocolUnsupported = &Rule{
	ID:       "listener-protocol-unsupported",
	Title:    "A listener has a protocol that its controller does not support",
	Severity: plan.Error,
	Why:      "The listener is not accepted and takes no routes (Gateway API, ListenerReasonUnsupportedProtocol).",
	Fix:      "Use HTTP, HTTPS, TLS, TCP or UDP, as far as the controller supports them.",
	Check:    conditions(hierarchy.Accepted, "UnsupportedProtocol"),
}
