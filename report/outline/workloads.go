package outline

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/plan"
)

// NetworkRuleText describes a rule in force: "allow from pods with app=front of namespace web on 8080/TCP".
func NetworkRuleText(direction string, r *plan.NetworkRule) string {
	side := "from "
	if direction == "egress" {
		side = "to "
	}
	text := r.Action + " " + side + r.Peers + " on " + r.Ports
	if r.Only != "" {
		text += ", only " + r.Only
	}
	if !r.Certain {
		text = "perhaps " + text
	}
	if r.Doubt != "" {
		text += " (" + r.Doubt + ")"
	}
	text += ", " + NodeName(r.Policy)
	if r.Rule != "" {
		text += " " + r.Rule
	}
	if r.Priority != "" {
		text += fmt.Sprintf(" (tier %s, priority %s)", r.Tier, r.Priority)
	}
	return text
}
