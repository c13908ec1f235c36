package analyze

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/loader"
)

// refused returns the objects and fields of an environment that an API server does not take, as problems: a list shows
// what would be if it did.
func refused(env *loader.Environment, t *catalogue.Table, severity map[string]plan.Severity) []plan.Problem {
	var out []loader.Problem
	for _, r := range env.Rejected {
		if !rule.Decides(t, r.Object.ID) {
			continue
		}
		for _, reason := range r.Reasons {
			out = append(out, loader.Problem{
				Severity: loader.Warning, Code: rule.Admission, Position: r.Object.Position(reason.At), Environments: []string{env.Name},
				Message: fmt.Sprintf("the API server rejects %s: %s: %s (%s); it is shown as if it were accepted", r.Object.ID.Spoken(), reason.Path, reason.Message, r.By),
				Hint:    "correct the field",
			})
		}
	}
	if severity[rule.UnknownField] == plan.Off {
		return problems(out, "")
	}
	for _, u := range env.Unknown {
		if !rule.Decides(t, u.Object.ID) {
			continue
		}
		for _, field := range u.Reasons {
			p := loader.Problem{
				Severity: loader.Warning, Code: rule.UnknownField, Position: u.Object.Position(field.At), Environments: []string{env.Name},
				Message: fmt.Sprintf("%s: %s has no field %s (%s); the API server drops it, and it is ", u.Object.ID.Spoken(), u.Object.ID.Kind, field.Path, u.By),
			}
			if field.Message != "" {
				p.Message, p.Hint = p.Message+"left out here", fmt.Sprintf("is %s meant?", field.Message)
			} else {
				p.Message, p.Hint = p.Message+"shown as if it were kept", "correct the field"
			}
			out = append(out, p)
		}
	}
	return problems(out, "")
}
