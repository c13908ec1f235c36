package rule

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
)

var crdDepartsFromGEP = &Rule{
	ID:       "crd-departs-from-gep",
	Title:    "A policy CRD outside the catalogue does not follow GEP-713",
	Severity: plan.Note,
	Why: "The CRD looks like a policy kind and departs from the pattern, so what its controller really does may differ " +
		"from what gwplan assumes.",
	Fix:   "Describe the kind in `kinds` of the configuration, or follow the GEP.",
	Check: checkCRDDepartsFromGEP,
}

func checkCRDDepartsFromGEP(s *Environment, report Report) {
	for _, suspect := range s.Table.Suspects {
		crd := s.Run.Graph.Object(suspect.CRD.ID)
		if crd == nil || crd.Context {
			continue
		}
		report(Hit{
			Target: crd.ID.String(), At: crd.First(), Object: crd,
			Title: say("the CRD of %s departs from GEP-713: %s", suspect.Kind, strings.Join(suspect.Why, "; ")),
		})
	}
}
