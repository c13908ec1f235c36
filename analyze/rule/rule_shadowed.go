package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/plan"
)

var ruleShadowed = &Rule{
	ID:       "rule-shadowed",
	Title:    "A rule of a route is never reached",
	Severity: plan.Warning,
	Why: "Each of its matches, for each hostname and listener, is also that of a rule with precedence: the " +
		"older route, then the first by namespace and name, then the first rule (Gateway API, " +
		"HTTPRouteRule.matches). The policies on it have no effect either.",
	Fix:   "Remove the rule, or make its matches differ.",
	Check: checkRuleShadowed,
}

func checkRuleShadowed(s *Environment, report Report) {
	for _, shadow := range shadowed(s.Run.Graph) {
		rule := shadow.Rule
		if rule.Object.Context {
			continue
		}
		message := fmt.Sprintf("%s is never reached: %s takes the same requests%s", rule, shadow.By, aged(shadow.AgeSensitive))
		report(Hit{
			Target: rule.Owner.String(), Key: []string{rule.Target.Section}, At: rule.Position(), Object: rule.Object, Message: message,
		})
	}
}
