package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var clientValidationInsecure = &Rule{
	ID:       "client-validation-insecure",
	Title:    "Clients are accepted without a valid certificate",
	Severity: plan.Warning,
	Security: true,
	Opens:    true,
	Why: "The mode AllowInsecureFallback accepts connections whose client certificate is missing or invalid; " +
		"what is behind has to check it (Gateway API, InsecureFrontendValidationMode).",
	Fix:   "Use AllowValidOnly, or ignore this finding with the reason why it is safe.",
	Check: conditions(hierarchy.InsecureTLS, "ConfigurationChanged"),
}
