package rule

import (
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

var ambiguousOrder = &Rule{
	ID:       "ambiguous-order",
	Title:    "Which policy wins depends on creation times that the manifests do not contain",
	Severity: plan.Warning,
	Why: "Between policies at one target the older takes precedence (GEP-713). Manifests in Git rarely carry creation " +
		"times, so the winner was assumed from the names; the cluster may decide differently.",
	Fix: "Give each target one policy, or state the times: metadata.creationTimestamp, the annotation gwplan.dev/created-at, " +
		"or `ages` in the configuration.",
	Check: checkAmbiguousOrder,
}

func checkAmbiguousOrder(s *Environment, report Report) {
	for _, set := range s.Run.Attached.Sets() {
		if !set.Unsure || len(set.Policies) == 0 || set.Policies[0].Object.Context {
			continue
		}
		if set.Kind.SameAlgorithm == merge.UnionOrReject && set.Kind.Merge.Same.Tie != catalogue.Undefined {
			continue // those that unite do so in any order, and of those that conflict conflict-lost says it
		}
		winner := set.Policies[0]
		rivals := append(append([]*policy.Policy{}, set.Policies[1:]...), set.Losers...)
		for _, rival := range rivals {
			at := loader.Spoken(set.At)
			title := say("%s takes precedence over %s at %s only because %s", winner.ID(), rival.ID(), at, plan.Because(set.DecidedBy))
			detail := say("if %s was created first, the result is reversed", rival.ID())
			switch {
			case set.Kind.Merge.Same.Tie == catalogue.NewestTarget: // Of defaults the younger counts, of overrides the older.
				title = say("%s is assumed to be older than %s at %s, only because %s", winner.ID(), rival.ID(), at, plan.Because(set.DecidedBy))
			case set.DecidedBy == plan.ByNothing:
				title, detail = say("%s and %s differ at %s, and it is not defined which of them takes effect", winner.ID(), rival.ID(), at), ""
			}
			report(Hit{
				Target: rival.ID().String(), Key: []string{winner.ID().String(), set.At}, At: rival.Object.First(), Object: rival.Object,
				Title: title, Detail: detail,
			})
		}
	}
}
