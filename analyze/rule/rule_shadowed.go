package rule

import (
	"github.com/gwplan/gwplan/analyze/plan"
)

var ruleShadowed = &Rule{
	ID:       "rule-shadowed",
	Title:    "A rule of a route is never reached",
	Severity: plan.Warning,
	Why: "For each hostname and listener, rules with precedence take all requests of its matches: rules with a longer path or " +
		"more conditions, or, with equal matches, those of the older route, then the first by namespace and name, then the first " +
		"rule (Gateway API, HTTPRouteRule.matches). The policies on it have no effect either.",
	Fix:   "Remove the rule, or make its matches differ.",
	Check: checkRuleShadowed,
}

func checkRuleShadowed(s *Environment, report Report) {
	for _, shadow := range shadowed(s) {
		rule := shadow.Rule
		if rule.Object.Context {
			continue
		}
		title := say("%s is never reached: other rules together take its requests", rule)
		if shadow.By != nil {
			title = say("%s is never reached: %s takes the same requests%s", rule, shadow.By, aged(shadow.AgeSensitive))
		}
		report(Hit{
			Target: rule.Owner.String(), Key: []string{rule.Target.Section}, At: rule.Position(), Object: rule.Object, Title: title,
		})
	}
}
