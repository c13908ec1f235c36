package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/rule"
)

// markdownPlan writes the comment of a pull request: marker, verdict, counts,
// warnings, one section per cause, findings, footer.
func markdownPlan(w io.Writer, plan *analyze.Plan, style Style) error {
	all := groups(plan)
	text := fit(style.maxBytes(), func(s step) *blocks {
		m := &markdown{style: style, step: s, base: plan.Base.Commit, head: plan.Head.Commit}
		return m.plan(plan, all)
	})
	_, err := io.WriteString(w, text)
	return err
}

func (m *markdown) plan(plan *analyze.Plan, all []*group) *blocks {
	b := &blocks{noun: "cause"}
	b.head = m.style.marker() + "\n### gwplan: " + mdText(clamp(planVerdict(plan), 200)) + "\n\n" + planLine(plan)
	b.alerts = []string{m.alert("Caution", m.cautions(plan, all)), m.alert("Warning", m.incomplete(plan))}
	for i, g := range all {
		b.sections = append(b.sections, m.section(i+1, g))
	}
	var lines []string
	for _, f := range findingsIn(planFindings(plan), isNew) {
		lines = append(lines, m.finding(f))
	}
	b.lists = []list{
		{"New findings", "finding", lines},
		{"Problems", "problem", m.problems(plan.Problems)},
		{"Environments", "environment", environmentLines(plan.Environments)},
		{"Assumptions", "note", noteLines(plan.Notes)},
	}
	b.write = m.list
	b.footer = m.footer(m.compared(plan), plan.Tool.Version,
		count(len(plan.Notes), "assumption"), count(plan.Summary.Problems, "problem"))
	return b
}

// planLine is the sentence with the counts.
func planLine(plan *analyze.Plan) string {
	counts := planCounts(plan.Summary)
	if isEmpty(plan) {
		counts = append([]string{lookedAt(plan)}, counts[2:]...)
		return mdText(strings.Join(counts, " · ")) + "\n"
	}
	return "**" + mdText(counts[0]) + "** · " + mdText(strings.Join(counts[1:], " · ")) + "\n"
}

// cautions are what a reviewer must not miss: policies that go and take
// something along, else new findings that are errors.
func (m *markdown) cautions(plan *analyze.Plan, all []*group) []string {
	var lines []string
	for _, g := range all {
		for _, p := range g.Policies {
			if policyAction(p.Change) == "removed" && len(g.Outcomes) > 0 {
				lines = append(lines, "**"+mdCode(nodeName(p.Change.Policy))+" is deleted.** It was "+
					mdText(verdictText(p.Change.Before))+environmentsText(p.Environments, mdCode)+".")
			}
		}
	}
	if len(lines) == 0 {
		for _, f := range findingsIn(planFindings(plan), isNew) {
			if f.Severity == rule.Error {
				lines = append(lines, m.finding(f))
			}
		}
	}
	const shown = 3
	if rest := len(lines) - shown; rest > 0 {
		lines = append(lines[:shown], fmt.Sprintf("And %d more, see below.", rest))
	}
	return lines
}

func (m *markdown) incomplete(plan *analyze.Plan) []string {
	if !plan.Incomplete {
		return nil
	}
	return []string{"**This plan is incomplete:** " + mdText(planGaps(plan)) +
		". What could not be read may change more than is shown here."}
}

func (m *markdown) problems(problems []analyze.Problem) []string {
	var lines []string
	for i := range problems {
		lines = append(lines, m.problem(&problems[i]))
	}
	return lines
}

func noteLines(notes []string) []string {
	var lines []string
	for _, n := range notes {
		lines = append(lines, "Note: "+mdText(n))
	}
	return lines
}

func environmentLines(list []analyze.Environment) []string {
	var lines []string
	for _, e := range list {
		if e.Status != "" && e.Status != "both" {
			lines = append(lines, "Environment "+mdCode(e.Name)+": "+mdText(e.Status))
		}
	}
	return lines
}

// compared names both sides, with a link where both are commits.
func (m *markdown) compared(plan *analyze.Plan) string {
	base, head := revision(plan.Base), revision(plan.Head)
	text := mdCode(base) + "…" + mdCode(head)
	if url := m.style.compare(plan.Base.Commit, plan.Head.Commit); url != "" {
		return "[" + text + "](" + url + ")"
	}
	return text
}
