package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var addressUnsupported = &Rule{
	ID:       "address-unsupported",
	Title:    "A Gateway asks for an address that its controller does not support",
	Severity: plan.Error,
	Why:      "The Gateway is not accepted (Gateway API, GatewayReasonUnsupportedAddress).",
	Fix:      "Use a type of address that the controller supports.",
	Check:    checkAddressUnsupported,
}

// checkAddressUnsupported reports Gateways only: their ListenerSets fail because of the same address.
func checkAddressUnsupported(s *Environment, report Report) {
	s.bad(report, func(n *hierarchy.Node, c *hierarchy.Condition) bool {
		return n.Level == hierarchy.LevelGateway && c.Type == hierarchy.Accepted && c.Reason == hierarchy.UnsupportedAddress
	})
}
