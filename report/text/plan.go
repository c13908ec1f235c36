package text

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/outline"
)

// planPage writes a plan.
type planPage struct {
	*page
}

// Plan writes a plan as terraform and git would: the verdict, what could not
// be read on one side, one block per cause with - and + lines, findings,
// problems, and the counts on the last line.
func Plan(w io.Writer, doc *plan.Plan, style outline.Style) error {
	p := &planPage{&page{style: style}}
	p.line(bold, "%s", outline.PlanVerdict(doc))
	if outline.IsEmpty(doc) && style.Detail != outline.Quiet {
		p.line(plainText, "%s", outline.LookedAt(doc))
	}
	p.environments(doc.Environments)
	first, rest := outline.SplitProblems(doc.Problems)
	p.problemLines(first)
	p.unseen(doc.Unseen)
	requests := outline.Requests(doc)
	worse := outline.RequestsWorse(requests)
	if worse {
		p.requests(requests)
	}
	if style.Detail != outline.Quiet {
		p.groups(outline.Groups(doc))
	}
	if !worse {
		p.requests(requests)
	}
	p.connections(outline.Connections(doc))
	findings := outline.FindingsIn(outline.PlanFindings(doc), outline.IsNew)
	p.section("New findings", len(findings))
	p.findings("  ", findings)
	p.fixed(doc)
	silenced(p.page, doc.Silenced)
	rest, both := style.Constant(rest)
	p.section("Problems", len(rest)+len(both))
	p.problemLines(rest)
	if both != "" {
		p.line(dim, "  %s", both)
	}
	p.planNotes(doc)
	if !outline.IsEmpty(doc) || len(findings) > 0 || len(doc.Problems) > 0 {
		p.gap()
		p.line(bold, "%s", planTotals(doc))
	}
	return p.flush(w)
}

// openFixed is how many fixed findings are shown by default: nobody has to act on them.
const openFixed = 3

// fixed writes the findings that the change ends.
func (p *planPage) fixed(doc *plan.Plan) {
	list := outline.Fixed(doc)
	if p.style.Detail == outline.Quiet || len(list) == 0 {
		return
	}
	p.section("Fixed findings", len(list))
	n := len(list)
	if !p.style.All && p.style.Detail != outline.Verbose {
		n = min(n, openFixed)
	}
	p.findings("  ", list[:n])
	p.more("  ", len(list), n)
}

// planNotes writes the notes of a plan. Notes that both revisions have are only counted by default.
func (p *planPage) planNotes(doc *plan.Plan) {
	both := p.style.ConstantNotes(doc)
	switch {
	case p.style.Detail == outline.Quiet || len(both) == 0 || len(doc.Notes) > 0 || p.style.All:
		p.notes(slices.Concat(doc.Notes, both))
	default:
		p.gap()
		p.line(dim, "%s", both[0])
	}
}

func planTotals(doc *plan.Plan) string {
	totals := strings.Join(outline.PlanCounts(doc), " · ")
	if doc.Incomplete {
		totals += " · incomplete"
	}
	return totals
}

// environments names the environments that were added, removed or renamed.
func (p *planPage) environments(list []plan.Environment) {
	for _, e := range list {
		if e.Status != "" && e.Status != plan.InBoth {
			p.line(plainText, "environment %s: %s", e.Name, e.Status)
		}
	}
}

func (p *planPage) groups(list []*outline.Group) {
	folded := false
	for i, g := range list {
		p.group(i+1, g)
		folded = folded || slices.ContainsFunc(g.Outcomes, p.folds)
	}
	if folded {
		p.gap()
		p.line(dim, "changes that cannot be verified until the errors above are fixed take one line each; -v shows them in full")
	}
}

// folds reports whether an outcome gets only one line: what cannot be verified until a file is
// readable must not hide the rest.
func (p *planPage) folds(o *outline.Outcome) bool {
	return p.style.Detail != outline.Verbose && o.Unread
}

func (p *planPage) group(number int, g *outline.Group) {
	p.gap()
	p.causes(number, g.Causes)
	n := p.style.Open(len(g.Policies))
	for _, c := range g.Policies[:n] {
		p.policyChange(c)
	}
	p.more("   ", len(g.Policies), n)
	folded := false
	for _, o := range g.Outcomes {
		if p.folds(o) {
			if !folded {
				p.gap()
			}
			p.uncertain(o)
			folded = true
			continue
		}
		folded = false
		p.gap()
		p.outcome(o)
	}
	p.kept(g.Kept)
}

// uncertain writes an outcome in one line.
func (p *planPage) uncertain(o *outline.Outcome) {
	about := spelling.Count(len(o.Targets), "target") // a plan that somebody else wrote may have none
	if len(o.Targets) == 1 {
		about = o.Targets[0].Name()
	}
	if n := len(o.Change.Fields); n > 0 {
		about += ", " + spelling.Count(n, "field")
	}
	color, sign := signOf(o.Change.Kind)
	p.parts("   ", p.paint(color, sign+" "+outline.OutcomeTitle(o.Change)), ": ", p.paint(plainText, about),
		p.paint(dim, " · uncertain"+environmentsSuffix(o.Environments)))
}

func (p *planPage) causes(number int, causes []plan.Cause) {
	if len(causes) == 0 {
		p.line(bold, "%d. cause not known", number)
	}
	n := p.style.Open(len(causes))
	for i, c := range causes[:n] {
		lead := "   "
		if i == 0 {
			lead = strconv.Itoa(number) + ". "
		}
		p.parts(lead, p.paint(bold, outline.NodeName(c.Object)), "  ", p.paint(dim, causePlace(c)))
	}
	p.more("   ", len(causes), n)
}

func causePlace(c plan.Cause) string {
	place := outline.PositionName(c.File, c.Line, 0)
	if c.Side == plan.InBase {
		place += " (base)"
	}
	return place
}

func (p *planPage) policyChange(c outline.PolicyOutcome) {
	color, sign := yellow, "~"
	switch outline.PolicyAction(c.Change) {
	case plan.EditAdded:
		color, sign = green, "+"
	case plan.EditRemoved:
		color, sign = red, "-"
	}
	p.parts("   ", p.paint(color, sign+" policy "+outline.NodeName(c.Change.Policy)), ": ",
		p.paint(plainText, outline.VerdictsText(c.Change)),
		p.paint(dim, outline.Flags(!c.Uncertain, false)+environmentsSuffix(c.Environments)))
	if p.style.Detail != outline.Verbose || c.Change.After == nil {
		return
	}
	for _, t := range c.Change.After.Targets {
		p.line(dim, "       at %s: accepted %s%s, %s", t.Target, t.Accepted, outline.ReasonText(t.Reason), t.Enforcement)
	}
}

func (p *planPage) outcome(o *outline.Outcome) {
	title := outline.OutcomeTitle(o.Change)
	p.parts("   ", p.paint(bold, title), p.paint(dim, environmentsSuffix(o.Environments)), p.paint(dim, through(o)))
	n := p.style.Open(len(o.Targets))
	for _, t := range o.Targets[:n] {
		p.target(o, t)
	}
	p.more("   ", len(o.Targets), n)
	p.fields(o.Change)
}

// kept names the targets that the edit reaches but whose values stay the same.
func (p *planPage) kept(targets []*outline.TargetLine) {
	n := p.style.Open(len(targets))
	for _, t := range targets[:n] {
		name := t.Name()
		if extent := t.Extent(); extent != "" {
			name += " (" + extent + ")"
		}
		p.parts("   ", p.paint(plainText, "= "+name), p.paint(dim, "  keeps its values: another policy takes effect there"))
	}
	p.more("   ", len(targets), n)
}

// through names the policies in force before or after. If some are in force at all targets, it
// names only these and counts the others.
func through(o *outline.Outcome) string {
	list, some := o.Shared, len(o.Shared) > 0 && len(o.Shared) < len(o.Policies)
	if len(o.Shared) == 0 {
		list = o.Policies
	}
	if len(list) == 0 {
		return ""
	}
	var names []string
	for _, node := range list[:min(len(list), 4)] {
		_, name, _ := strings.Cut(outline.NodeName(node), " ")
		names = append(names, name)
	}
	text := "  by " + outline.Few(names)
	if some {
		text += fmt.Sprintf(" and %d more at some targets", len(o.Policies)-len(o.Shared))
	}
	return text
}

func (p *planPage) target(o *outline.Outcome, t *outline.TargetLine) {
	color, sign := signOf(o.Change.Kind)
	name := t.Name()
	if extent := t.Extent(); extent != "" {
		name += " (" + extent + ")"
	}
	about := t.Flags()
	if len(t.Environments) < len(o.Environments) {
		about += environmentsSuffix(t.Environments)
	}
	p.parts("   ", p.paint(color, sign+" "+name), p.paint(dim, about))
	if o.Change.Kind == plan.Moved {
		p.ways("     - ", red, t.Example.ContextsBefore, len(t.Example.ContextsBefore))
		p.ways("     + ", green, t.Example.Contexts, t.Example.ContextCount)
		return
	}
	if p.style.Detail == outline.Verbose {
		for _, target := range t.All {
			p.ways("       ", dim, target.Contexts, target.ContextCount)
		}
	}
}

// ways prints contexts, each as the path from the root. total may be larger, because a plan lists
// only some contexts.
func (p *page) ways(lead, color string, contexts [][]string, total int) {
	n := p.style.Open(len(contexts))
	for _, c := range contexts[:n] {
		p.line(color, "%s%s", lead, strings.Join(c, " > "))
	}
	if n > 0 {
		p.more(strings.Repeat(" ", len(lead)), max(total, len(contexts)), n)
	}
}

func signOf(k plan.ChangeKind) (color, sign string) {
	switch k {
	case plan.Attached, plan.Added:
		return green, "+"
	case plan.Detached, plan.Removed:
		return red, "-"
	case plan.Moved, plan.Renamed:
		return yellow, ">"
	case plan.FieldChange, plan.VerdictChange:
	}
	return yellow, "~"
}
