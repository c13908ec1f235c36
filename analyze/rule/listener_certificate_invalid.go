package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var listenerCertificateInvalid = &Rule{
	ID:       "listener-certificate-invalid",
	Title:    "A listener refers to a certificate that cannot be used",
	Severity: plan.Error,
	Why: "The listener is not programmed and TLS connections to it fail (Gateway API, " +
		"ListenerReasonInvalidCertificateRef), unless the controller makes do with its other certificates. What is no " +
		"Secret is found in any input; a missing Secret only where the input is complete (--complete) and " +
		"nothing in it makes the Secret.",
	Fix:   "Correct certificateRefs, or add what makes the Secret.",
	Check: checkListenerCertificateInvalid,
}

// If other certificates of the listener are valid, this is only a warning.
func checkListenerCertificateInvalid(s *Environment, report Report) {
	conditions(hierarchy.ResolvedRefs, "InvalidCertificateRef")(s, report)
	conditions(hierarchy.ResolvedRefs, "PartiallyInvalidCertificateRef")(s, func(h Hit) {
		h.Severity = plan.Warning
		report(h)
	})
}
