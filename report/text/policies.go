package text

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// Policies writes a table: what each policy affects, how many, what of it
// is in force.
func Policies(w io.Writer, list *plan.PolicyList, style outline.Style) error {
	p := &listing{&page{style: style}}
	for _, env := range list.Environments {
		p.environment(env.Name, len(list.Environments))
		(&policyTables{p.page}).write(env)
	}
	p.nothing(len(list.Environments))
	p.problems(list.Problems)
	p.notes(list.Notes)
	return p.flush(w)
}

// WidePolicies writes the table of Policies with all of each cell, whatever the width of the terminal.
func WidePolicies(w io.Writer, list *plan.PolicyList, style outline.Style) error {
	style.Width, style.Wide = 0, true
	return Policies(w, list, style)
}

// policyTables writes the policies of environments.
type policyTables struct{ *page }

func (p *policyTables) write(env plan.PolicyEnvironment) {
	policies := env.Policies
	if len(policies) == 0 {
		p.line(dim, "no policies to show in environment %s", env.Name)
		return
	}
	rows := [][]string{{"POLICY", "CLASS", "ATTACHED TO", "ACCEPTED", "ENFORCEMENT", "TARGETS", "CONTEXTS", "AFFECTS", "DECLARED AT"}}
	for i := range policies {
		rows = append(rows, policyRow(&policies[i], p.style.Wide))
	}
	if !outline.Fits(rows, p.style.Width) {
		p.policiesByKind(policies)
		return
	}
	p.rows(outline.Table(rows, 0), policies, func(int) string { return "" })
}

// rows prints a table of policies below its header, each with its details where they are wanted. Before each line comes what
// above says of it, if that is anything.
func (p *policyTables) rows(lines []string, policies []plan.Policy, above func(int) string) {
	p.line(bold, "%s", lines[0])
	for i, line := range lines[1:] {
		if heading := above(i); heading != "" {
			p.line(cyan, "%s", heading)
		}
		p.line(plainText, "%s", line)
		if p.style.Detail == outline.Verbose {
			p.reach(&policies[i])
		}
	}
}

// policiesByKind prints what a narrow terminal has room for: below each kind the names of its policies, which are never
// shortened, with their state, what each affects and where it is declared.
func (p *policyTables) policiesByKind(policies []plan.Policy) {
	names, rows := [][]string{{"POLICY"}}, [][]string{{"STATE", "AFFECTS", "ATTACHED TO", "DECLARED AT"}}
	for i := range policies {
		_, name, _ := strings.Cut(policies[i].Policy, "/")
		names = append(names, []string{"  " + outline.Safe(name)})
		rows = append(rows, shortPolicyRow(&policies[i]))
	}
	lines, width := outline.Table(names, 0), 0
	for _, line := range lines {
		width = max(width, utf8.RuneCountInString(line))
	}
	left := max(p.style.Width-width-len("  "), 1)
	for i, line := range outline.Table(outline.Narrowed(rows, left, "ATTACHED TO", "DECLARED AT"), left) {
		lines[i] = pad(lines[i], width) + "  " + line
	}
	p.rows(lines, policies, func(i int) string {
		if kind := kindAndGroup(policies[i].Policy); i == 0 || kind != kindAndGroup(policies[i-1].Policy) {
			return kind
		}
		return ""
	})
}

// kindAndGroup names the kind of an object as people do: "SecurityPolicy (gateway.envoyproxy.io)".
func kindAndGroup(id string) string {
	id, _, _ = strings.Cut(id, "/")
	kind, group, _ := strings.Cut(id, ".")
	if group == "" {
		return outline.Safe(kind)
	}
	return outline.Safe(kind + " (" + group + ")")
}

// shortPolicyRow is a row without what is as it should be, and without API groups.
func shortPolicyRow(c *plan.Policy) []string {
	state := string(c.Enforcement)
	if c.Enforcement == plan.PartiallyEnforced {
		state = "partly"
	}
	if c.Accepted != plan.True {
		state = cmp.Or(c.Reason, "accepted: "+c.Accepted)
	}
	if c.AgeSensitive {
		state += outline.AgeText(c.DecidedBy)
	}
	targets := make([]string, len(c.DeclaredTargets))
	for i, target := range c.DeclaredTargets {
		targets[i] = outline.WithoutGroups(target)
	}
	row := []string{state, cmp.Or(outline.ByKind(c.AffectsByKind), "-"), outline.Few(targets), outline.PositionName(c.File, c.Line, 0)}
	for i := range row {
		row[i] = outline.Clamp(outline.Safe(row[i]), outline.MaxCell)
	}
	return row
}

func policyRow(c *plan.Policy, wide bool) []string {
	enforcement := string(c.Enforcement) + outline.SpokenText(c.Conditions, c.Reason)
	if c.AgeSensitive {
		enforcement += outline.AgeText(c.DecidedBy)
	}
	affects := outline.ByKind(c.AffectsByKind)
	if affects == "" {
		affects = "-"
	}
	targets := outline.Few(c.DeclaredTargets)
	if wide {
		targets = strings.Join(c.DeclaredTargets, ", ")
	}
	row := []string{
		c.Policy, c.Class, targets, c.Accepted + outline.ReasonText(c.Reason), enforcement,
		fmt.Sprint(c.EffectiveTargets), fmt.Sprint(c.Contexts), affects, outline.PositionName(c.File, c.Line, 0),
	}
	for i := range row {
		if row[i] = outline.Safe(row[i]); !wide {
			row[i] = outline.Clamp(row[i], outline.MaxCell)
		}
	}
	return row
}

// reach prints the details of a policy: its verdict at each target, and what it affects.
func (p *policyTables) reach(c *plan.Policy) {
	for _, t := range c.Targets {
		p.line(dim, "  at %s: accepted %s%s, %s", t.Target, t.Accepted, outline.ReasonText(t.Reason), t.Enforcement)
	}
	for node := range slices.Values(c.Affects) {
		p.line(dim, "  affects %s", node)
	}
}
