package rule

import (
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var kindMisspelt = &Rule{
	ID:       "kind-misspelt",
	Title:    "An object has a kind that does not exist",
	Severity: plan.Error,
	Why: "The group is that of Kubernetes, Gateway API or a known controller or deployer, and the kind is not, only similar to one of its " +
		"kinds: the API server refuses the object, and Flux and Argo CD apply nothing of what they apply together with it. The object of " +
		"the right kind that had its name stays as it was.",
	Fix: "Correct the kind. Where a CRD has it, add that to the input.",
	Check: func(s *Environment, report Report) {
		for _, r := range s.Run.Environment.Rejected {
			for _, reason := range r.Reasons {
				if reason.Path == loader.KindPath {
					report(Hit{
						Target: r.Object.ID.String(), Key: []string{r.By}, At: r.Object.Position(reason.At), Object: r.Object,
						Title: say("%s is rejected%s: %s", r.Object.ID, outcomes[r.Outcome], reason.Message),
					})
				}
			}
		}
	},
}
