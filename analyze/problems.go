package analyze

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

func incomplete(p *plan.Plan) bool {
	return anyProblem(p.Problems) || slices.ContainsFunc(p.Environments, func(e plan.Environment) bool {
		return e.Incomplete.Base || e.Incomplete.Head
	})
}

func anyProblem(problems []plan.Problem) bool {
	return slices.ContainsFunc(problems, func(p plan.Problem) bool { return p.Severity != string(loader.Note) })
}

// sides joins the problems of two revisions. A problem that both have appears once.
func sides(base, head *loader.Snapshot) []plan.Problem {
	return missing(joinedSides(base, head))
}

// edited marks the problems of files that the change edits.
func edited(o Options, list []plan.Problem) []plan.Problem {
	for i := range list {
		_, list[i].Edited = slices.BinarySearch(o.Changed, list[i].File)
	}
	return list
}

// missing merges the problems of files without content in a partial clone into one problem.
func missing(list []plan.Problem) []plan.Problem {
	var first *plan.Problem
	n := 0
	out := make([]plan.Problem, 0, len(list))
	for _, p := range list {
		if p.Code != loader.MissingBlob {
			out = append(out, p)
			continue
		}
		if n++; first == nil {
			out = append(out, p)
			first = &out[len(out)-1]
		} else {
			first.Environments = append(slices.Clone(first.Environments), p.Environments...)
		}
	}
	if n > 1 {
		first.Message = fmt.Sprintf("git has no content for this file and %d more", n-1)
		slices.Sort(first.Environments)
		first.Environments = slices.Compact(first.Environments)
	}
	return out
}

func joinedSides(base, head *loader.Snapshot) []plan.Problem {
	before, after := problems(base.Problems, plan.InBase), problems(head.Problems, plan.InHead)
	// What is at the same place and differs in a number alone, such as that of the Applications that have it, is the same.
	for _, key := range []func(plan.Problem) string{problemKey, countedKey} {
		before, after = joinedBy(key, before, after)
	}
	return sortedProblems(append(before, after...))
}

// joinedBy moves the problems that both sides have by a key out of those of head, into those of base.
func joinedBy(key func(plan.Problem) string, before, after []plan.Problem) (out, rest []plan.Problem) {
	out = slices.Clone(before)
	index := map[string][]int{}
	for i, p := range out {
		if p.Side == plan.InBase {
			index[key(p)] = append(index[key(p)], i)
		}
	}
	for _, p := range after {
		if twins := index[key(p)]; len(twins) > 0 {
			p.Side = plan.InBoth
			out[twins[0]], index[key(p)] = p, twins[1:]
			continue
		}
		rest = append(rest, p)
	}
	return out, rest
}

// countWord matches the numbers of things in a message, which are words of their own, unlike those in names.
var countWord = regexp.MustCompile(` [0-9]+ `)

// countedKey is problemKey without the numbers of the message, at one place.
func countedKey(p plan.Problem) string {
	p.Message = countWord.ReplaceAllString(p.Message, " # ")
	return fmt.Sprintf("%s\x00%d\x00%d", problemKey(p), p.Line, p.Column)
}

func problemKey(p plan.Problem) string { return p.Code + "\x00" + p.File + "\x00" + p.Message }

func problems(in []loader.Problem, side string) []plan.Problem {
	out := make([]plan.Problem, 0, len(in))
	for _, p := range in {
		out = append(out, plan.Problem{
			Severity: string(p.Severity), Code: p.Code, Side: side, Environments: p.Environments,
			File: p.Position.File, Line: p.Position.Line, Column: p.Position.Column, Message: p.Message, Hint: p.Hint,
		})
	}
	if side == "" {
		out = missing(out)
	}
	return sortedProblems(out)
}

// uncompared adds the problem that an environment has more changed requests than are compared.
func (h *headlines) uncompared(environment string, requests []*answer.Way) {
	if len(requests) == 0 {
		return
	}
	first := requests[0]
	h.problems = sortedProblems(append(h.problems, problems([]loader.Problem{{
		Severity: loader.Warning, Code: plan.LimitRequests, Position: first.Rule.Position(), Environments: []string{environment},
		Message: fmt.Sprintf("the change affects too many requests to compare their protection; %d are not compared, the first is %s", len(requests), first),
		Hint:    "split the change",
	}}, plan.InHead)...))
}

// manyPolicies says that there are too many network policies and ends of connections to decide.
func manyPolicies(environment, side string) plan.Problem {
	return problems([]loader.Problem{{
		Severity: loader.Warning, Code: plan.LimitConnections, Environments: []string{environment},
		Message: "there are too many network policies, workloads and addresses to evaluate all connections; connections are not reported here",
		Hint:    "analyse fewer environments or namespaces at once",
	}}, side)[0]
}

func sortedProblems(out []plan.Problem) []plan.Problem {
	slices.SortStableFunc(out, func(a, b plan.Problem) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Side, b.Side),
		)
	})
	return out
}
