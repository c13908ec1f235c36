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
	text := written(style, func(s step) *blocks {
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
	b.head = m.style.Marker() + "\n### gwplan: " + mdText(outline.PlanTitle(doc, maxTitle)) + "\n\n" + planLine(doc)
	first, rest := outline.SplitProblems(doc.Problems)
	if n := min(len(first), outline.OpenRows); n < len(first) {
		first, rest = first[:n], append(first[n:], rest...)
	}
	errors, others := m.news(doc)
	b.alerts = []notice{{"Caution", "error", errors}, {"Warning", "problem", m.incomplete(doc, first)}}
	if len(first) > 0 {
		slices.Reverse(b.alerts)
	}
	b.sections = m.sections(all)
	rest, both := m.style.Constant(rest)
	problems := m.problems(rest)
	if both != "" {
		problems = append(problems, mdText(both))
	}
	requests := list{title: "Requests", noun: "request group", lines: m.requests(doc)}
	if outline.RequestsWorse(outline.Requests(doc)) { // what becomes of requests matters more than by which fields
		b.first, requests = requests, list{}
	}
	b.lists = []list{
		{title: "Not seen", noun: "thing", lines: m.unseen(doc.Unseen)},
		requests,
		{title: "Connections", noun: "change", lines: m.connections(doc)},
		{title: newFindings(len(errors)), noun: "finding", lines: others},
		{noun: "fixed finding", lines: m.findings(outline.Fixed(doc))},
		m.silenced(doc.Silenced),
		{title: "Problems", noun: "problem", lines: problems},
		{title: "Environments", noun: "environment", lines: environmentLines(doc.Environments)},
		{title: "Assumptions", noun: "note", lines: m.notes(doc)},
	}
	b.write, b.fold, b.alert = m.list, m.folded, m.alert
	assumptions := spelling.Count(len(doc.Notes)+len(doc.NotesOfBoth), "assumption")
	if len(doc.NotesOfBoth) > 0 && !m.style.All {
		assumptions += " (--all lists them)"
	}
	b.footer = m.footer(m.compared(doc), doc.Tool.Version, assumptions, spelling.Count(doc.Summary.Problems, "problem"))
	return b
}

// news returns the new findings, errors first. The errors are shown above everything else.
func (m *planMarkdown) news(doc *plan.Plan) (errors, others []string) {
	found := outline.FindingsIn(outline.PlanFindings(doc), outline.IsNew)
	var ofErrors, ofOthers []outline.FoundIn
	for _, f := range found {
		if f.Severity == plan.Error {
			ofErrors = append(ofErrors, f)
		} else {
			ofOthers = append(ofOthers, f)
		}
	}
	return m.findings(ofErrors), m.findings(ofOthers)
}

// newFindings is the title of the findings that are not shown at the top.
func newFindings(errors int) string {
	if errors > 0 {
		return "Further findings"
	}
	return "New findings"
}

// planLine is the sentence with the counts.
func planLine(doc *plan.Plan) string {
	counts := outline.PlanCounts(doc)
	if outline.IsEmpty(doc) {
		counts[0] = outline.LookedAt(doc)
		return mdText(strings.Join(counts, " · ")) + "\n"
	}
	return "**" + mdText(counts[0]) + "** · " + mdText(strings.Join(counts[1:], " · ")) + "\n"
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

// notes returns the notes of a plan. Notes that both revisions have are only counted by default, in the footer.
func (m *planMarkdown) notes(doc *plan.Plan) []string {
	if m.style.All {
		return noteLines(slices.Concat(doc.Notes, doc.NotesOfBoth))
	}
	return noteLines(doc.Notes)
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
		if e.Status != "" && e.Status != plan.InBoth {
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
	environments := sectionEnvironments(g)
	line := m.causePlaces(g.Causes)
	own := func(p outline.PolicyOutcome) bool { return len(g.Causes) > 0 && p.Change.Policy == g.Causes[0].Object }
	for _, p := range ownFirst(g.Policies, own) {
		text := mdText(outline.VerdictsText(p.Change)) + outline.Flags(!p.Uncertain, false)
		if !own(p) {
			text = "policy " + mdCode(outline.NodeName(p.Change.Policy)) + ": " + text
		}
		if !slices.Equal(p.Environments, environments) {
			text += environmentsText(p.Environments, mdCode)
		}
		line += " · " + text
	}
	line = strings.TrimPrefix(line+environmentsText(environments, mdCode), " · ")
	parts := []string{fmt.Sprintf("#### %d. %s\n", number, m.causeTitle(g))}
	if line != "" {
		parts = append(parts, line+"\n")
	}
	for _, o := range g.Outcomes {
		parts = append(parts, m.outcome(o, environments))
	}
	parts = append(parts, m.kept(g.Kept), m.reach(g), m.graph(g))
	return join(parts)
}

// ownFirst puts the policy that a section is about before those that it affects.
func ownFirst(policies []outline.PolicyOutcome, own func(outline.PolicyOutcome) bool) []outline.PolicyOutcome {
	first, others := []outline.PolicyOutcome{}, []outline.PolicyOutcome{}
	for _, p := range policies {
		if own(p) {
			first = append(first, p)
		} else {
			others = append(others, p)
		}
	}
	return append(first, others...)
}

// sectionEnvironments returns the environments of everything in a group if they are the same, else
// nil.
func sectionEnvironments(g *outline.Group) []string {
	var all [][]string
	for _, p := range g.Policies {
		all = append(all, p.Environments)
	}
	for _, o := range g.Outcomes {
		all = append(all, o.Environments)
	}
	if len(all) == 0 || slices.ContainsFunc(all, func(e []string) bool { return !slices.Equal(e, all[0]) }) {
		return nil
	}
	return all[0]
}
