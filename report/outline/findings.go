package outline

import (
	"cmp"
	"fmt"

	"github.com/gwplan/gwplan/analyze/plan"
)

// FoundIn is a finding with the environments that have it.
type FoundIn struct {
	*plan.Finding
	Environments []string
}

// FindingsIn merges equal findings of several environments. It skips findings that keep rejects.
func FindingsIn(environments []EnvironmentFindings, keep func(*plan.Finding) bool) []FoundIn {
	var list []FoundIn
	index := map[string]int{}
	var recurring plan.Recurring
	var requests [][]string
	for _, env := range environments {
		recurring.Next()
		for i := range env.Findings {
			f := &env.Findings[i]
			if !keep(f) {
				continue
			}
			k := cmp.Or(recurring.Key(f), key(f.Rule, f.Severity, f.Message, f.Target, f.File, f.Line, f.Column))
			at, known := index[k]
			if !known {
				at = len(list)
				index[k] = at
				list, requests = append(list, FoundIn{Finding: f}), append(requests, nil)
			}
			list[at].Environments, requests[at] = AppendNew(list[at].Environments, env.Name), AppendNew(requests[at], f.Requests)
		}
	}
	for i := range list {
		if len(requests[i]) > 1 {
			all := list[i].NamingAll(requests[i])
			list[i].Finding = &all
		}
	}
	return list
}

// EnvironmentFindings are the findings of one environment of a plan or a check.
type EnvironmentFindings struct {
	Name     string
	Findings []plan.Finding
}

// PlanFindings returns the findings of a diff by environment.
func PlanFindings(p *plan.Plan) []EnvironmentFindings {
	var list []EnvironmentFindings
	for _, e := range p.Environments {
		list = append(list, EnvironmentFindings{e.Name, e.Findings})
	}
	return list
}

// CheckFindings returns the findings of a check by environment.
func CheckFindings(c *plan.Check) []EnvironmentFindings {
	var list []EnvironmentFindings
	for _, e := range c.Environments {
		list = append(list, EnvironmentFindings{e.Name, e.Findings})
	}
	return list
}

// IsNew reports whether a finding is new in a diff. Findings of a check have no state and are all
// kept.
func IsNew(f *plan.Finding) bool { return f.State == plan.New || f.State == "" }

// Alike groups findings that are equal except for their targets, so that one edit results in one
// line. Groups of at most three findings are split into single lines.
func Alike(list []FoundIn) [][]FoundIn { return alike(list, false) }

// AlikeAnywhere is Alike for findings at any places: the same edit in many files results in one line, too.
func AlikeAnywhere(list []FoundIn) [][]FoundIn { return alike(list, true) }

func alike(list []FoundIn, anywhere bool) [][]FoundIn {
	const few = 3
	var gathered [][]FoundIn
	index := map[string]int{}
	for _, f := range list {
		k := key(f.Rule, f.Severity, f.Side, f.File, f.Line, f.Column, f.Environments, cmp.Or(f.Statement, f.Message))
		if anywhere && f.Statement != "" {
			k = key(f.Rule, f.Severity, f.Side, f.Environments, f.Statement)
		}
		at, known := index[k]
		if !known || f.File == "" {
			at = len(gathered)
			index[k] = at
			gathered = append(gathered, nil)
		}
		gathered[at] = append(gathered[at], f)
	}
	var lines [][]FoundIn
	for _, g := range gathered {
		if len(g) > few {
			lines = append(lines, g)
			continue
		}
		for _, f := range g {
			lines = append(lines, []FoundIn{f})
		}
	}
	return lines
}

// Elsewhere counts the findings of a line after the first one and names their targets.
func Elsewhere(list []FoundIn) string {
	var names []string
	for _, f := range list[1:] {
		if f.Subject != "" {
			names = AppendNew(names, f.Subject)
		}
		if len(names) > 3 {
			break
		}
	}
	text := fmt.Sprintf("and %d more like it", len(list)-1)
	if len(names) > 0 {
		text += ": for " + Few(names)
	}
	return text
}
