package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var kindMisspelt = &Rule{
	ID:       "kind-misspelt",
	Title:    "An object has a kind that Gateway API does not have",
	Severity: plan.Warning,
	Why: "The group is Gateway API's and the kind is not, only similar to one of its kinds: the API server " +
		"refuses the object, which therefore has no effect.",
	Fix:   "Correct the kind.",
	Check: checkKindMisspelt,
}

func checkKindMisspelt(s *Environment, report Report) {
	for _, o := range s.Run.Environment.Objects {
		if o.Context || o.ID.Group != loader.GatewayGroup || s.Table.Kind(o.ID.Group, o.ID.Kind) != nil {
			continue
		}
		if kind := hierarchy.SimilarKind(o.ID.Group, o.ID.Kind); kind != "" {
			report(Hit{
				Target: o.ID.String(), Key: []string{kind}, At: o.Position(o.Root.Get("kind")), Object: o,
				Title: say("%s is of kind %s, which does not exist; did you mean %s?", o.ID, o.ID.Kind, kind),
			})
		}
	}
}
