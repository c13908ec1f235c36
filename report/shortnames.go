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
		names := make([]string, len(doc.Environments))
		for i := range doc.Environments {
			names[i] = doc.Environments[i].Name
		}
		short := shortNames(plan.ShortNames(names))
		out := *doc
		out.Environments = slices.Clone(doc.Environments)
		for i := range out.Environments {
			out.Environments[i].Name = short.of(out.Environments[i].Name)
		}
		out.Problems, out.Silenced = short.problems(doc.Problems), short.silenced(doc.Silenced)
		out.Unseen = slices.Clone(doc.Unseen)
		for i := range out.Unseen {
			out.Unseen[i].Environments = short.all(out.Unseen[i].Environments)
		}
		return write(w, &out, style)
	}
}

// shortCheck does the same for a check.
func shortCheck(write func(io.Writer, *plan.Check, outline.Style) error) func(io.Writer, *plan.Check, outline.Style) error {
	return func(w io.Writer, doc *plan.Check, style outline.Style) error {
		names := make([]string, len(doc.Environments))
		for i := range doc.Environments {
			names[i] = doc.Environments[i].Name
		}
		short := shortNames(plan.ShortNames(names))
		out := *doc
		out.Environments = slices.Clone(doc.Environments)
		for i := range out.Environments {
			out.Environments[i].Name = short.of(out.Environments[i].Name)
		}
		out.Problems, out.Silenced = short.problems(doc.Problems), short.silenced(doc.Silenced)
		return write(w, &out, style)
	}
}

type shortNames map[string]string

func (s shortNames) of(name string) string {
	if short, known := s[name]; known {
		return short
	}
	return name
}

func (s shortNames) all(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = s.of(name)
	}
	return out
}

func (s shortNames) problems(list []plan.Problem) []plan.Problem {
	out := slices.Clone(list)
	for i := range out {
		out[i].Environments = s.all(out[i].Environments)
	}
	return out
}

func (s shortNames) silenced(list []plan.Silenced) []plan.Silenced {
	out := slices.Clone(list)
	for i := range out {
		out[i].Environments = s.all(out[i].Environments)
	}
	return out
}
