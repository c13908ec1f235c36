package report

import (
	"io"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/change"
)

// textPlan writes a plan as terraform and git would: the verdict, one block per
// cause with - and + lines, findings, problems, and the counts on the last line.
func textPlan(w io.Writer, plan *analyze.Plan, style Style) error {
	p := &page{style: style}
	p.line(bold, "%s", planVerdict(plan))
	if isEmpty(plan) {
		p.line(plainText, "%s", lookedAt(plan))
	}
	p.environments(plan.Environments)
	if style.Detail != Quiet {
		for i, g := range groups(plan) {
			p.group(i+1, g)
		}
	}
	findings := findingsIn(planFindings(plan), isNew)
	p.section("New findings", len(findings))
	for _, f := range findings {
		p.finding("  ", f)
	}
	p.problems(plan.Problems)
	p.notes(plan.Notes)
	if !isEmpty(plan) || len(findings) > 0 || len(plan.Problems) > 0 {
		p.gap()
		p.line(bold, "%s", planTotals(plan))
	}
	return p.flush(w)
}

func planTotals(plan *analyze.Plan) string {
	totals := strings.Join(planCounts(plan.Summary), " · ")
	if plan.Incomplete {
		totals += " · incomplete"
	}
	return totals
}

// environments names those that came, went or were renamed.
func (p *page) environments(list []analyze.Environment) {
	for _, e := range list {
		if e.Status != "" && e.Status != "both" {
			p.line(plainText, "environment %s: %s", e.Name, e.Status)
		}
	}
}

func (p *page) group(number int, g *group) {
	p.gap()
	p.causes(number, g.Causes)
	n := p.style.open(len(g.Policies))
	for _, c := range g.Policies[:n] {
		p.policyChange(c)
	}
	p.more("   ", len(g.Policies), n)
	for _, o := range g.Outcomes {
		p.gap()
		p.outcome(o)
	}
}

func (p *page) causes(number int, causes []change.Cause) {
	if len(causes) == 0 {
		p.line(bold, "%d. cause not known", number)
	}
	n := p.style.open(len(causes))
	for i, c := range causes[:n] {
		lead := "   "
		if i == 0 {
			lead = strconv.Itoa(number) + ". "
		}
		p.parts(lead, p.paint(bold, nodeName(c.Object)), "  ", p.paint(dim, causePlace(c)))
	}
	p.more("   ", len(causes), n)
}

func causePlace(c change.Cause) string {
	place := placeName(c.File, c.Line, 0)
	if c.Side == "base" {
		place += " (base)"
	}
	return place
}

func (p *page) policyChange(c policyOutcome) {
	color, sign := yellow, "~"
	switch policyAction(c.Change) {
	case "added":
		color, sign = green, "+"
	case "removed":
		color, sign = red, "-"
	}
	p.parts("   ", p.paint(color, sign+" policy "+nodeName(c.Change.Policy)), ": ",
		p.paint(plainText, verdictText(c.Change.Before)+" → "+verdictText(c.Change.After)),
		p.paint(dim, environmentsSuffix(c.Environments)))
	if p.style.Detail != Verbose || c.Change.After == nil {
		return
	}
	for _, t := range c.Change.After.Targets {
		p.line(dim, "       at %s: accepted %s%s, %s", t.Target, t.Accepted, reasonText(t.Reason), t.Enforcement)
	}
}

func (p *page) outcome(o *outcome) {
	title := outcomeTitle(o.Change)
	if o.Change.Summary != "" {
		title += ": " + o.Change.Summary
	}
	p.parts("   ", p.paint(bold, title), p.paint(dim, environmentsSuffix(o.Environments)), p.paint(dim, through(o.Change.Policies)))
	n := p.style.open(len(o.Targets))
	for _, t := range o.Targets[:n] {
		p.target(o, t)
	}
	p.more("   ", len(o.Targets), n)
	p.fields(o.Change.Fields)
	p.kept(o.Change.Kept)
}

// kept names the targets that met the same edit and keep their values.
func (p *page) kept(targets []change.TargetRef) {
	n := p.style.open(len(targets))
	for _, t := range targets[:n] {
		p.parts("   ", p.paint(plainText, "= "+targetName(t)), p.paint(dim, "  keeps its own: another policy decides there"))
	}
	p.more("   ", len(targets), n)
}

// through names the policies in force before or after.
func through(policies []string) string {
	if len(policies) == 0 {
		return ""
	}
	var names []string
	for _, node := range policies[:min(len(policies), 4)] {
		_, name, _ := strings.Cut(nodeName(node), " ")
		names = append(names, name)
	}
	return "  by " + few(names)
}

func (p *page) target(o *outcome, t *targetLine) {
	color, sign := signOf(o.Change.Kind)
	name := t.name()
	if extent := t.extent(); extent != "" {
		name += " (" + extent + ")"
	}
	about := flags(t.Certain, t.AgeSensitive)
	if len(t.Environments) < len(o.Environments) {
		about += environmentsSuffix(t.Environments)
	}
	p.parts("   ", p.paint(color, sign+" "+name), p.paint(dim, about))
	if o.Change.Kind == change.Moved {
		p.ways("     - ", red, t.Example.ContextsBefore, len(t.Example.ContextsBefore))
		p.ways("     + ", green, t.Example.Contexts, t.Example.ContextCount)
		return
	}
	if p.style.Detail == Verbose {
		for _, target := range t.All {
			p.ways("       ", dim, target.Contexts, target.ContextCount)
		}
	}
}

// ways prints contexts, each as the way from the root. A plan may list fewer
// than the total.
func (p *page) ways(lead, color string, contexts [][]string, total int) {
	n := p.style.open(len(contexts))
	for _, c := range contexts[:n] {
		p.line(color, "%s%s", lead, strings.Join(c, " > "))
	}
	if n > 0 {
		p.more(strings.Repeat(" ", len(lead)), max(total, len(contexts)), n)
	}
}

func signOf(k change.Kind) (color, sign string) {
	switch k {
	case change.Attached, change.Added:
		return green, "+"
	case change.Detached, change.Removed:
		return red, "-"
	case change.Moved:
		return yellow, ">"
	case change.FieldChange, change.Verdict:
	}
	return yellow, "~"
}

// fieldLine is one side of a field on a line of its own.
type fieldLine struct {
	color, text, place string
}

func (p *page) fields(fields []change.Field) {
	var lines []fieldLine
	limit := maxCell
	if p.style.Detail == Verbose {
		limit = 10 * maxCell
	}
	for i := range fields {
		f := &fields[i]
		if b := before(f); b.Set {
			lines = append(lines, newFieldLine(red, "- ", f.Path, clamp(b.text(), limit), b.Source))
		}
		if a := after(f); a.Set {
			lines = append(lines, newFieldLine(green, "+ ", f.Path, clamp(a.text(), limit), a.Source))
		}
	}
	width := 0
	for _, l := range lines {
		if n := len([]rune(l.text)); n <= p.style.width()/2 {
			width = max(width, n)
		}
	}
	for _, l := range lines {
		p.parts("     ", p.paint(l.color, pad(l.text, width)), "   ", p.paint(dim, l.place))
	}
}

func newFieldLine(color, sign, path, value string, source *change.Source) fieldLine {
	return fieldLine{color, sign + safe(path) + ": " + safe(value), sourcePlace(source)}
}

// sourcePlace says who set a value: file:line, policy and role.
func sourcePlace(s *change.Source) string {
	if s == nil {
		return ""
	}
	place := placeName(s.File, s.Line, 0)
	if s.Object != "" {
		place += "  " + nodeName(s.Object)
	}
	if s.Role != "" {
		place += " (" + s.Role + ")"
	}
	return strings.TrimSpace(place)
}
