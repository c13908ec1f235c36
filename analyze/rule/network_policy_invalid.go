package rule

import (
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
)

var networkPolicyInvalid = &Rule{
	ID:       "network-policy-invalid",
	Title:    "A network policy has an error and no effect",
	Severity: plan.Error,
	Why: "The controller refuses the whole policy because of one of its rules. It then allows and denies nothing, and does not " +
		"isolate the pods that it names.",
	Fix:      "Correct the rule that the message names.",
	Security: true,
	Check:    checkNetworkPolicies,
}

func checkNetworkPolicies(s *Environment, report Report) {
	for _, p := range network.Invalid(s.network()) {
		report(Hit{
			Target: p.Object.ID.String(), Key: []string{p.Invalid}, At: p.Position(), Object: p.Object,
			Title: say("%s has no effect: %s", p.Object.ID, p.Invalid),
		})
	}
}
