package outline

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
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

// Alike groups findings that are equal except for names: of objects, and of the requests that they are about. So an edit results in one
// line. Groups of at most three findings are split into single lines, and those at different places unless they are many: a place
// on a terminal can be opened.
func Alike(list []FoundIn) [][]FoundIn { return alike(list, OpenRows) }

// AlikeAnywhere is Alike for reports that name the other places of a line.
func AlikeAnywhere(list []FoundIn) [][]FoundIn { return alike(list, few) }

// few is how many findings at one place have lines of their own.
const few = 3

func alike(list []FoundIn, anywhere int) [][]FoundIn {
	names := objectNames()
	var gathered [][]FoundIn
	index := map[string]int{}
	for _, f := range list {
		k := key(f.Rule, f.Severity, f.Side, f.Environments, f.Opens, withoutNames(f.Finding, names))
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
		if len(g) > anywhere {
			lines = append(lines, g)
			continue
		}
		lines = append(lines, byPlace(g)...)
	}
	return lines
}

// byPlace groups equal findings by their places, with a line for each of a few.
func byPlace(list []FoundIn) [][]FoundIn {
	at := map[string]int{}
	var out [][]FoundIn
	for _, f := range list {
		at[key(f.File, f.Line, f.Column)]++
	}
	index := map[string]int{}
	for _, f := range list {
		place := key(f.File, f.Line, f.Column)
		if i, known := index[place]; known && at[place] > few {
			out[i] = append(out[i], f)
			continue
		}
		index[place] = len(out)
		out = append(out, []FoundIn{f})
	}
	return out
}

// objectNames finds the names of objects and their sections behind a kind: "HTTPRoute shop/cart#api".
var objectNames = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b([A-Z][A-Za-z]+) [a-z0-9][-a-z0-9.]*/[a-z0-9][-a-z0-9.]*(#[^\s,;:]+)?`)
})

// withoutNames is what a finding says without the names of objects and the requests.
func withoutNames(f *plan.Finding, names *regexp.Regexp) string {
	text := cmp.Or(f.Statement, f.Message)
	if f.Requests != "" {
		text = strings.ReplaceAll(text, f.Requests, "*")
	}
	return names.ReplaceAllString(text, "$1 *")
}

// Elsewhere counts the findings of a line after the first one and names some of their targets.
func Elsewhere(list []FoundIn) string {
	const most = 4
	var names []string
	seen := map[string]bool{"": true, cmp.Or(list[0].Subject, loader.Spoken(list[0].Target)): true}
	for _, f := range list[1:] {
		if name := cmp.Or(f.Subject, loader.Spoken(f.Target)); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	text := fmt.Sprintf("and %d more like it", len(list)-1)
	if len(names) > 0 {
		text += ": for " + spelling.AtMost(most, names)
	}
	return text
}
