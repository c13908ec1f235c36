package rule

import "github.com/gwplan/gwplan/analyze/hierarchy"

var backendUnsupported = &Rule{
	ID:       "backend-unsupported",
	Title:    "A route refers to a backend in a way that its controller does not support",
	Severity: Error,
	Why: "The reference names something that exists, and the controller still refuses it: a port is missing, " +
		"or the kind of Service is not served.",
	Fix:   "Change the backendRef as the message says.",
	Check: checkBackendUnsupported,
}

// Missing objects, grants, kinds and ports have rules of their own.
func checkBackendUnsupported(s *Snapshot, report Report) {
	s.broken(report, func(b *broken) bool {
		switch b.Reason {
		case "BackendNotFound", "RefNotPermitted", "InvalidKind", "PortNotFound":
			return false
		}
		return b.Carrier == hierarchy.BackendRef
	})
}
