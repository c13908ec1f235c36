package report

import (
	"io"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// shortPlan writes a plan with the short names of environments, which its sentences use, too.
func shortPlan(write func(io.Writer, *plan.Plan, outline.Style) error) func(io.Writer, *plan.Plan, outline.Style) error {
	return func(w io.Writer, doc *plan.Plan, style outline.Style) error {
		out := *doc
		environments, short := shorten(doc.Environments, func(e *plan.Environment) *string { return &e.Name })
		out.Environments = environments
		out.Problems, out.Silenced = short.problems(doc.Problems), short.silenced(doc.Silenced)
		out.Unseen = within(short, doc.Unseen, func(u *plan.Unseen) *[]string { return &u.Environments })
		return write(w, &out, style)
	}
}

// shortCheck does the same for a check.
func shortCheck(write func(io.Writer, *plan.Check, outline.Style) error) func(io.Writer, *plan.Check, outline.Style) error {
	return func(w io.Writer, doc *plan.Check, style outline.Style) error {
		out := *doc
		environments, short := shorten(doc.Environments, func(e *plan.CheckEnvironment) *string { return &e.Name })
		out.Environments = environments
		out.Problems, out.Silenced = short.problems(doc.Problems), short.silenced(doc.Silenced)
		return write(w, &out, style)
	}
}

// shortNames are the short names of environments.
type shortNames map[string]string

// shorten returns environments with their short names.
func shorten[E any](environments []E, name func(*E) *string) ([]E, shortNames) {
	out, names := slices.Clone(environments), make([]string, len(environments))
	for i := range out {
		names[i] = *name(&out[i])
	}
	short := plan.ShortNames(names)
	for i := range out {
		*name(&out[i]) = short[names[i]]
	}
	return out, short
}

// within returns items with the short names of the environments that they are in.
func within[T any](s shortNames, list []T, environments func(*T) *[]string) []T {
	out := slices.Clone(list)
	for i := range out {
		in := environments(&out[i])
		*in = slices.Clone(*in)
		for j, name := range *in {
			if short, known := s[name]; known {
				(*in)[j] = short
			}
		}
	}
	return out
}

func (s shortNames) problems(list []plan.Problem) []plan.Problem {
	return within(s, list, func(p *plan.Problem) *[]string { return &p.Environments })
}

func (s shortNames) silenced(list []plan.Silenced) []plan.Silenced {
	return within(s, list, func(f *plan.Silenced) *[]string { return &f.Environments })
}
