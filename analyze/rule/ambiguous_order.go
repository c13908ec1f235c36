package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
)

var ambiguousOrder = &Rule{
	ID:       "ambiguous-order",
	Title:    "Which policy wins depends on creation times that the manifests do not contain",
	Severity: plan.Warning,
	Why: "Between policies at one target the older takes precedence (GEP-713). Manifests in Git rarely carry creation " +
		"times, so the winner was assumed from the names; the cluster may decide otherwise.",
	Fix: "Give each target one policy, or state the times: metadata.creationTimestamp, the annotation gwplan.dev/created-at, " +
		"or `ages` in the configuration.",
	Check: checkAmbiguousOrder,
}

func checkAmbiguousOrder(s *Environment, report Report) {
	for _, set := range s.Run.Attached.Sets() {
		if !set.Unsure || len(set.Policies) == 0 || set.Policies[0].Object.Context {
			continue
		}
		winner := set.Policies[0]
		rivals := append(append([]*policy.Policy{}, set.Policies[1:]...), set.Losers...)
		for _, rival := range rivals {
			message := fmt.Sprintf("%s takes precedence over %s at %s only because of its %s; if %s was created first, the result is reversed",
				winner.ID(), rival.ID(), set.At, set.DecidedBy, rival.ID())
			switch {
			case set.Kind.Merge.Same.Tie == catalogue.NewestTarget: // Of defaults the younger counts, of overrides the older.
				message = fmt.Sprintf("%s is assumed to be older than %s at %s, only because of its %s; if %s was created first, the result is reversed",
					winner.ID(), rival.ID(), set.At, set.DecidedBy, rival.ID())
			case set.DecidedBy == plan.ByNothing:
				message = fmt.Sprintf("%s and %s differ at %s, and it is not defined which of them takes effect", winner.ID(), rival.ID(), set.At)
			}
			report(Hit{
				Target: rival.ID().String(), Key: []string{winner.ID().String(), set.At}, At: first(rival.Object), Object: rival.Object,
				Message: message,
			})
		}
	}
}
