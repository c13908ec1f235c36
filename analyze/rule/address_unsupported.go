package rule

import "github.com/gwplan/gwplan/analyze/hierarchy"

var addressUnsupported = &Rule{
	ID:       "address-unsupported",
	Title:    "A Gateway asks for an address that its controller does not support",
	Severity: Error,
	Why:      "The Gateway is not accepted (Gateway API, GatewayReasonUnsupportedAddress).",
	Fix:      "Use a type of address that the controller supports.",
	Check:    conditions(hierarchy.Accepted, "UnsupportedAddress"),
}
