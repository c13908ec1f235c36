package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var clientAuthorityInvalid = &Rule{
	ID:       "client-authority-invalid",
	Title:    "Clients cannot be validated",
	Severity: plan.Error,
	Security: true,
	Why: "The Gateway asks for client certificates, and the authorities that are to validate them are missing, " +
		"of a wrong kind, or none is good: HTTPS listeners there do not work (Gateway API, " +
		"ListenerReasonInvalidCACertificateRef, NoValidCACertificate).",
	Fix:   "Correct caCertificateRefs: a ConfigMap with ca.crt, or another kind that the controller takes.",
	Check: checkClientAuthorityInvalid,
}

// A Gateway's reference is reported once, even if it affects several listeners.
func checkClientAuthorityInvalid(s *Environment, report Report) {
	said := map[loader.Position]bool{}
	conditions(hierarchy.ResolvedRefs, "InvalidCACertificateRef", "InvalidCACertificateKind")(s, func(h Hit) {
		if !said[h.At] {
			said[h.At] = true
			report(h)
		}
	})
}
