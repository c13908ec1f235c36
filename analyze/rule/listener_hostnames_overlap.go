package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var listenerHostnamesOverlap = &Rule{
	ID:       "listener-hostnames-overlap",
	Title:    "Hostnames of TLS listeners on one port overlap",
	Severity: plan.Note,
	Why: "A client may reuse a connection to one listener for a name of the other, and gets the wrong " +
		"configuration or a 421 (Gateway API, OverlappingTLSConfig). Where both listeners serve the same " +
		"certificate this is what happens with HTTP/2.",
	Fix:   "Use certificates that do not cover each other's names, or one listener for both.",
	Check: conditions(hierarchy.OverlapsTLS, "OverlappingHostnames"),
}
