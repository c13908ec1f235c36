package analyze

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/afford"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// leftOut returns the parts that the run could not afford as problems, one for each part and reason with all of its
// environments.
func (o Options) leftOut() []plan.Problem {
	type reason struct{ part, why, hint string }
	where := map[reason][]string{}
	var order []reason
	for _, omitted := range o.Parts.Omitted() {
		r := reason{omitted.Part, omitted.Why, cmp.Or(omitted.Hint, "raise --max-memory and --max-time if the input is meant to be so large")}
		if where[r] == nil {
			order = append(order, r)
		}
		where[r] = append(where[r], omitted.Environment)
	}
	var out []loader.Problem
	for _, r := range order {
		slices.Sort(where[r])
		in := slices.Compact(where[r])
		what := r.part
		if what == afford.Environment {
			what = named(in)
		}
		out = append(out, loader.Problem{
			Severity: loader.Warning, Code: loader.LimitRun, Environments: in,
			Message: what + " was left out: " + r.why, Hint: r.hint,
		})
	}
	return problems(out, "")
}

// named names environments. That of a folder without any declaration has no name that says something.
func named(environments []string) string {
	if slices.Equal(environments, []string{"."}) {
		return "the analysis of this folder"
	}
	return "environment " + spelling.AtMost(3, environments)
}

// unaffordable adds to a headline what the run could not afford: it holds only for the rest.
func unaffordable(known claim, omitted []afford.Omission) claim {
	if len(omitted) == 0 {
		return known
	}
	var environments, parts []string
	for _, o := range omitted {
		if o.Part == afford.Environment {
			environments = append(environments, o.Environment)
		} else {
			parts = append(parts, o.Part)
		}
	}
	slices.Sort(environments)
	slices.Sort(parts)
	environments, parts = slices.Compact(environments), slices.Compact(parts)
	if len(environments) == 0 {
		return known.and("; the run could not afford " + spelling.AtMost(2, parts))
	}
	missing := "the run could not afford " + named(environments)
	if known.calm {
		return notKnown(missing)
	}
	return known.and("; " + missing)
}
