package report

import (
	"fmt"
	"io"
	"slices"
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
	first, rest := splitProblems(plan.Problems)
	if n := min(len(first), openRows); n < len(first) {
		first, rest = first[:n], append(first[n:], rest...)
	}
	b.alerts = []string{m.alert("Caution", m.cautions(plan, all)), m.alert("Warning", m.incomplete(plan, first))}
	if len(first) > 0 {
		slices.Reverse(b.alerts)
	}
	b.sections = m.sections(all)
	rest, both := m.style.constant(rest)
	problems := m.problems(rest)
	if both != "" {
		problems = append(problems, mdText(both))
	}
	lines := m.findings(findingsIn(planFindings(plan), isNew))
	b.lists = []list{
		{"Not seen", "thing", m.unseen(plan.Unseen)},
		{"New findings", "finding", lines},
		{"Problems", "problem", problems},
		{"Environments", "environment", environmentLines(plan.Environments)},
		{"Assumptions", "note", m.notes(plan)},
	}
	b.write = m.list
	b.footer = m.footer(m.compared(plan), plan.Tool.Version,
		count(len(plan.Notes)+len(plan.NotesOfBoth), "assumption"), count(plan.Summary.Problems, "problem"))
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

// incomplete says what is missing, and first what is missing on one side.
func (m *markdown) incomplete(plan *analyze.Plan, first []analyze.Problem) []string {
	if !plan.Incomplete {
		return m.problems(first)
	}
	lines := []string{"**This plan is incomplete:** " + mdText(planGaps(plan)) +
		". What could not be read may change more than is shown here."}
	return append(lines, m.problems(first)...)
}

func (m *markdown) problems(problems []analyze.Problem) []string {
	var lines []string
	for i := range problems {
		lines = append(lines, m.problem(&problems[i]))
	}
	return lines
}

// notes are those of a plan, those that both revisions have as their count.
func (m *markdown) notes(plan *analyze.Plan) []string {
	both := m.style.constantNotes(plan)
	if m.style.All {
		return noteLines(slices.Concat(plan.Notes, both))
	}
	lines := noteLines(plan.Notes)
	for _, count := range both {
		lines = append(lines, mdText(count))
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
