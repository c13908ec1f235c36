package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var clientCertificateInvalid = &Rule{
	ID:       "client-certificate-invalid",
	Title:    "A Gateway has no certificate to show to backends",
	Severity: plan.Error,
	Why: "clientCertificateRef names something that is not a Secret or does not exist, so backends that ask for a " +
		"client certificate refuse the Gateway (Gateway API, GatewayReasonInvalidClientCertificateRef).",
	Fix:   "Correct tls.backend.clientCertificateRef.",
	Check: conditions(hierarchy.ResolvedRefs, "InvalidClientCertificateRef"),
}
