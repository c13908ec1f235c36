package report

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze"
)

// oneSided are the errors that stand on one side alone. What they hide looks
// as if it had come or gone.
func oneSided(problems []analyze.Problem) []*analyze.Problem {
	var list []*analyze.Problem
	for i := range problems {
		if isOneSided(&problems[i]) {
			list = append(list, &problems[i])
		}
	}
	return list
}

func isOneSided(p *analyze.Problem) bool {
	return p.Severity == "error" && (p.Side == "base" || p.Side == "head")
}

// splitProblems sets the errors of one side apart: they explain what follows, so
// they go first.
func splitProblems(problems []analyze.Problem) (first, rest []analyze.Problem) {
	for i := range problems {
		if isOneSided(&problems[i]) {
			first = append(first, problems[i])
			continue
		}
		rest = append(rest, problems[i])
	}
	return first, rest
}

// unreadIn says whether such an error is about an environment.
func unreadIn(problems []*analyze.Problem, env string) bool {
	return slices.ContainsFunc(problems, func(p *analyze.Problem) bool {
		return len(p.Environments) == 0 || slices.Contains(p.Environments, env)
	})
}

// unread says whether such an error is about a file behind a change of policy,
// or about a kustomization of its environment, which may hide any file.
func unread(problems []*analyze.Problem, env string, c *analyze.PolicyChange) bool {
	return slices.ContainsFunc(problems, func(p *analyze.Problem) bool {
		for _, cause := range c.Causes {
			if cause.File != "" && cause.File == p.File {
				return true
			}
		}
		everything := p.File == "" || strings.HasPrefix(strings.ToLower(path.Base(p.File)), "kustomization")
		return everything && slices.Contains(p.Environments, env)
	})
}

// constant sets apart the problems that both revisions have, unless they are asked for: a
// reviewer of the change looks for the others.
func (s Style) constant(problems []analyze.Problem) (differ []analyze.Problem, both string) {
	n := 0
	for i := range problems {
		if problems[i].Side == "both" && !s.All {
			n++
			continue
		}
		differ = append(differ, problems[i])
	}
	return differ, ofBoth(n, "problem")
}

// constantNotes are what was assumed of both revisions, or how much that is.
func (s Style) constantNotes(plan *analyze.Plan) []string {
	if len(plan.NotesOfBoth) == 0 || s.All {
		return plan.NotesOfBoth
	}
	return []string{ofBoth(len(plan.NotesOfBoth), "note")}
}

// ofBoth counts what both revisions have and is not listed.
func ofBoth(n int, what string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("1 %s that both revisions have (--all shows it)", what)
	}
	return fmt.Sprintf("%d %ss that both revisions have (--all shows them)", n, what)
}
