package outline

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
)

// oneSided returns the errors that occur on one side only. The objects that they hide look as if
// they were added or removed.
func oneSided(problems []plan.Problem) []*plan.Problem {
	var list []*plan.Problem
	for i := range problems {
		if isOneSided(&problems[i]) {
			list = append(list, &problems[i])
		}
	}
	return list
}

func isOneSided(p *plan.Problem) bool {
	return p.Severity == string(plan.Error) && (p.Side == plan.InBase || p.Side == plan.InHead)
}

// SplitProblems separates the errors of one side. They come first, because they explain the results
// that follow.
func SplitProblems(problems []plan.Problem) (first, rest []plan.Problem) {
	for i := range problems {
		if isOneSided(&problems[i]) {
			first = append(first, problems[i])
			continue
		}
		rest = append(rest, problems[i])
	}
	return first, rest
}

// unreadIn reports whether one of these errors concerns an environment.
func unreadIn(problems []*plan.Problem, env string) bool {
	return slices.ContainsFunc(problems, func(p *plan.Problem) bool {
		return len(p.Environments) == 0 || slices.Contains(p.Environments, env)
	})
}

// unread reports whether one of these errors concerns a file that changed a policy, or a
// kustomization of the environment, which may hide any file.
func unread(problems []*plan.Problem, env string, c *plan.PolicyChange) bool {
	return slices.ContainsFunc(problems, func(p *plan.Problem) bool {
		for _, cause := range c.Causes {
			if cause.File != "" && cause.File == p.File {
				return true
			}
		}
		return p.HidesFiles() && slices.Contains(p.Environments, env)
	})
}

// Constant separates the problems that both revisions have and only counts them, unless All is set:
// a reviewer of the change needs the others. That the clone lacks files is shown, as nothing is known without them.
func (s Style) Constant(problems []plan.Problem) (differ []plan.Problem, both string) {
	n := 0
	for i := range problems {
		if problems[i].Side == plan.InBoth && !s.All && !problems[i].LacksContent() {
			n++
			continue
		}
		differ = append(differ, problems[i])
	}
	return differ, ofBoth(n, "problem")
}

// ConstantNotes returns the notes that both revisions have, or only their number.
func (s Style) ConstantNotes(doc *plan.Plan) []string {
	if len(doc.NotesOfBoth) == 0 || s.All {
		return doc.NotesOfBoth
	}
	return []string{ofBoth(len(doc.NotesOfBoth), "note")}
}

// ofBoth counts entries that both revisions have and that are not listed.
func ofBoth(n int, what string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("1 %s that both revisions have (--all shows it)", what)
	}
	return fmt.Sprintf("%d %ss that both revisions have (--all shows them)", n, what)
}
