package markdown

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/outline"
)

// Plan writes the comment of a pull request: marker, verdict, counts,
// warnings, one section per cause, findings, footer.
func Plan(w io.Writer, doc *plan.Plan, style outline.Style) error {
	all := outline.Groups(doc)
	text := fit(style.ByteLimit(), func(s step) *blocks {
		m := &planMarkdown{&tables{&markdown{style: style, step: s, base: doc.Base.Commit, head: doc.Head.Commit}}}
		return m.plan(doc, all)
	})
	_, err := io.WriteString(w, text)
	return err
}

// planMarkdown writes a plan.
type planMarkdown struct {
	*tables
}

func (m *planMarkdown) plan(doc *plan.Plan, all []*outline.Group) *blocks {
	b := &blocks{noun: "cause"}
	b.head = m.style.Marker() + "\n### gwplan: " + mdText(outline.Clamp(outline.PlanVerdict(doc), 200)) + "\n\n" + planLine(doc)
	first, rest := outline.SplitProblems(doc.Problems)
	if n := min(len(first), outline.OpenRows); n < len(first) {
		first, rest = first[:n], append(first[n:], rest...)
	}
	b.alerts = []string{m.alert("Caution", m.cautions(doc, all)), m.alert("Warning", m.incomplete(doc, first))}
	if len(first) > 0 {
		slices.Reverse(b.alerts)
	}
	b.sections = m.sections(all)
	rest, both := m.style.Constant(rest)
	problems := m.problems(rest)
	if both != "" {
		problems = append(problems, mdText(both))
	}
	lines := m.findings(outline.FindingsIn(outline.PlanFindings(doc), outline.IsNew))
	b.lists = []list{
		{"Not seen", "thing", m.unseen(doc.Unseen)},
		{"New findings", "finding", lines},
		{"Problems", "problem", problems},
		{"Environments", "environment", environmentLines(doc.Environments)},
		{"Assumptions", "note", m.notes(doc)},
	}
	b.write = m.list
	b.footer = m.footer(m.compared(doc), doc.Tool.Version,
		spelling.Count(len(doc.Notes)+len(doc.NotesOfBoth), "assumption"), spelling.Count(doc.Summary.Problems, "problem"))
	return b
}

// planLine is the sentence with the counts.
func planLine(doc *plan.Plan) string {
	counts := outline.PlanCounts(doc.Summary)
	if outline.IsEmpty(doc) {
		counts = append([]string{outline.LookedAt(doc)}, counts[2:]...)
		return mdText(strings.Join(counts, " · ")) + "\n"
	}
	return "**" + mdText(counts[0]) + "** · " + mdText(strings.Join(counts[1:], " · ")) + "\n"
}

// cautions are what a reviewer must not miss: deleted policies that have further effects, or,
// without these, new findings that are errors.
func (m *planMarkdown) cautions(doc *plan.Plan, all []*outline.Group) []string {
	var lines []string
	for _, g := range all {
		for _, p := range g.Policies {
			if outline.PolicyAction(p.Change) == "removed" && len(g.Outcomes) > 0 {
				lines = append(lines, "**"+mdCode(outline.NodeName(p.Change.Policy))+" is deleted.** It was "+
					mdText(outline.VerdictText(p.Change.Before))+environmentsText(p.Environments, mdCode)+".")
			}
		}
	}
	if len(lines) == 0 {
		for _, f := range outline.FindingsIn(outline.PlanFindings(doc), outline.IsNew) {
			if f.Severity == plan.Error {
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

// incomplete lists the errors of one side, after a warning if the plan is incomplete.
func (m *planMarkdown) incomplete(doc *plan.Plan, first []plan.Problem) []string {
	if !doc.Incomplete {
		return m.problems(first)
	}
	lines := []string{"**This plan is incomplete:** " + mdText(outline.PlanGaps(doc)) +
		". What could not be read may change more than is shown here."}
	return append(lines, m.problems(first)...)
}

func (m *markdown) problems(problems []plan.Problem) []string {
	var lines []string
	for i := range problems {
		lines = append(lines, m.problem(&problems[i]))
	}
	return lines
}

// notes returns the notes of a plan. Notes that both revisions have are only counted by default.
func (m *planMarkdown) notes(doc *plan.Plan) []string {
	both := m.style.ConstantNotes(doc)
	if m.style.All {
		return noteLines(slices.Concat(doc.Notes, both))
	}
	lines := noteLines(doc.Notes)
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

func environmentLines(list []plan.Environment) []string {
	var lines []string
	for _, e := range list {
		if e.Status != "" && e.Status != "both" {
			lines = append(lines, "Environment "+mdCode(e.Name)+": "+mdText(e.Status))
		}
	}
	return lines
}

// compared names both sides, with a link where both are commits.
func (m *planMarkdown) compared(doc *plan.Plan) string {
	base, head := revision(doc.Base), revision(doc.Head)
	text := mdCode(base) + "…" + mdCode(head)
	if url := m.style.Compare(doc.Base.Commit, doc.Head.Commit); url != "" {
		return "[" + text + "](" + url + ")"
	}
	return text
}

// section writes the results of one cause.
func (m *planMarkdown) section(number int, g *outline.Group) string {
	parts := []string{fmt.Sprintf("#### %d. %s\n", number, m.causeTitle(g)), m.causePlaces(g.Causes)}
	var policies []string
	for _, p := range g.Policies {
		policies = append(policies, "Policy "+mdCode(outline.NodeName(p.Change.Policy))+": "+mdText(outline.VerdictsText(p.Change))+
			outline.Flags(!p.Uncertain, false)+environmentsText(p.Environments, mdCode))
	}
	parts = append(parts, m.list(policies, "policy"))
	for i, o := range g.Outcomes {
		var kept []*outline.TargetLine
		if i == len(g.Outcomes)-1 {
			kept = g.Kept
		}
		parts = append(parts, m.outcome(o, kept))
	}
	parts = append(parts, m.reach(g), m.graph(g))
	return join(parts)
}
