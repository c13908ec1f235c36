package report

import (
	"cmp"
	"fmt"

	"github.com/gwplan/gwplan/analyze/plan"
)

// foundIn is a finding with the environments that have it.
type foundIn struct {
	*plan.Finding
	Environments []string
}

// findingsIn folds equal findings of several environments. keep chooses.
func findingsIn(environments []environmentFindings, keep func(*plan.Finding) bool) []foundIn {
	var list []foundIn
	index := map[string]int{}
	for _, env := range environments {
		for i := range env.Findings {
			f := &env.Findings[i]
			if !keep(f) {
				continue
			}
			k := key(f.Rule, f.Severity, f.Message, f.Target, f.File, f.Line, f.Column)
			at, known := index[k]
			if !known {
				at = len(list)
				index[k] = at
				list = append(list, foundIn{Finding: f})
			}
			list[at].Environments = appendNew(list[at].Environments, env.Name)
		}
	}
	return list
}

// environmentFindings are the findings of an environment of either document.
type environmentFindings struct {
	Name     string
	Findings []plan.Finding
}

func planFindings(p *plan.Plan) []environmentFindings {
	var list []environmentFindings
	for _, e := range p.Environments {
		list = append(list, environmentFindings{e.Name, e.Findings})
	}
	return list
}

func checkFindings(c *plan.Check) []environmentFindings {
	var list []environmentFindings
	for _, e := range c.Environments {
		list = append(list, environmentFindings{e.Name, e.Findings})
	}
	return list
}

// isNew keeps what counts in a diff; outside a diff findings have no state.
func isNew(f *plan.Finding) bool { return f.State == "new" || f.State == "" }

// alike gathers findings that say the same of one place for several targets:
// one edit is one line. A few of them stay apart.
func alike(list []foundIn) [][]foundIn {
	const few = 3
	var gathered [][]foundIn
	index := map[string]int{}
	for _, f := range list {
		k := key(f.Rule, f.Severity, f.Side, f.File, f.Line, f.Column, f.Environments, cmp.Or(f.Statement, f.Message))
		at, known := index[k]
		if !known || f.File == "" {
			at = len(gathered)
			index[k] = at
			gathered = append(gathered, nil)
		}
		gathered[at] = append(gathered[at], f)
	}
	var lines [][]foundIn
	for _, g := range gathered {
		if len(g) > few {
			lines = append(lines, g)
			continue
		}
		for _, f := range g {
			lines = append(lines, []foundIn{f})
		}
	}
	return lines
}

// elsewhere says for whom the findings after the first one of a line are.
func elsewhere(list []foundIn) string {
	var names []string
	for _, f := range list[1:] {
		if f.Subject != "" {
			names = appendNew(names, f.Subject)
		}
		if len(names) > 3 {
			break
		}
	}
	text := fmt.Sprintf("and %d more like it", len(list)-1)
	if len(names) > 0 {
		text += ": for " + few(names)
	}
	return text
}
