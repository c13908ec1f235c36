package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/plan"
)

// UnknownField is the id of the rule for fields that a CRD does not have.
const UnknownField = "unknown-field"

var unknownField = &Rule{
	ID:       UnknownField,
	Title:    "A field that the CRD does not have",
	Severity: plan.Warning,
	Why: "The API server drops the field, so that it has no effect, or refuses the object if it is applied on the server's side. " +
		"Flux applies so: below its Kustomizations an object with a misspelt field is rejected-by-api-server. The schema is that of the CRD in the input, else that of the Gateway API version that the message names, with " +
		"its experimental fields.",
	Fix: "Correct the name or the place of the field, or install the CRDs that have it.",
	Check: func(s *Environment, report Report) {
		for _, u := range s.Run.Environment.Unknown {
			id := u.Object.ID
			if !Decides(s.Table, id) {
				continue
			}
			for _, f := range u.Reasons {
				h := Hit{Target: id.String(), Key: []string{f.Path}, At: u.Object.Position(f.At), Object: u.Object}
				h.Title = say("%s: %s has no field %s (%s): the API server drops it, or refuses the object", id, id.Kind, f.Path, u.By)
				if f.Message != "" {
					h.Detail = fmt.Sprintf("is %s meant?", f.Message)
				}
				report(h)
			}
		}
	},
}
