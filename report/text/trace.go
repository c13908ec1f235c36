package text

import (
	"io"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// Trace writes what happens to requests.
func Trace(w io.Writer, trace *plan.Trace, style outline.Style) error {
	p := &listing{&page{style: style}}
	for _, env := range trace.Environments {
		p.environment(env.Name, len(trace.Environments))
		for i := range env.Requests {
			p.request(&env.Requests[i])
		}
	}
	p.nothing(len(trace.Environments))
	p.problems(trace.Problems)
	p.notes(trace.Notes)
	return p.flush(w)
}

func (p *listing) request(r *plan.TracedRequest) {
	p.gap()
	p.line(bold, "%s", r.Request)
	for _, h := range r.Headers {
		p.line(dim, "  %s", h)
	}
	if r.Result != "" {
		p.result(r)
		if p.style.Detail == outline.Quiet || r.Result == plan.SameAnswer && p.style.Detail != outline.Verbose {
			return
		}
		p.title("Before")
		p.answers(r.Base)
		p.title("After")
	}
	p.answers(r.Answers)
}

// result prints what differs between two revisions.
func (p *listing) result(r *plan.TracedRequest) {
	switch r.Result {
	case plan.SameAnswer:
		p.line(green, "  answered in the same way")
		for i := range r.Answers {
			p.line(dim, "  %s", outline.AnswerText(&r.Answers[i]))
		}
	case plan.UnknownAnswer:
		p.line(yellow, "  it is not known whether it is answered differently")
	default:
		p.line(yellow, "  answered differently")
	}
	for _, d := range r.Differences {
		p.line(plainText, "  - %s", outline.Clamp(d, outline.MaxCell*3))
	}
	for _, c := range r.Causes {
		p.line(dim, "  edited: %s  %s", causePlace(c), outline.NodeName(c.Object))
	}
}

func (p *listing) title(text string) {
	p.gap()
	p.line(cyan, "%s", text)
}

func (p *listing) answers(answers []plan.Answer) {
	for i := range answers {
		p.answer(&answers[i])
	}
}

func (p *listing) answer(a *plan.Answer) {
	color := plainText
	switch {
	case a.Outcome == plan.NotKnown:
		color = yellow
	case a.Outcome == plan.Refused || a.Outcome == plan.ByStatus && a.Status >= 400:
		color = red
	}
	p.parts("  ", p.paint(color, outline.AnswerText(a)), p.paint(dim, at(a.File, a.Line)))
	if way := outline.WayText(a); way != "" {
		p.line(dim, "    %s", way)
	}
	if a.Why != "" {
		p.line(plainText, "    %s", a.Why)
	}
	if p.style.Detail == outline.Quiet {
		return
	}
	contenders(p, "May answer instead", a.Doubts)
	p.below(plainText, "On the way", len(a.Steps), func(i int) (string, string, int) { return a.Steps[i].What, a.Steps[i].File, a.Steps[i].Line })
	p.below(plainText, "Backends", len(a.Backends), func(i int) (string, string, int) {
		return outline.BackendText(&a.Backends[i]), a.Backends[i].File, a.Backends[i].Line
	})
	p.below(yellow, "Not computed: what these do, which may be another answer", len(a.Programs), func(i int) (string, string, int) {
		return outline.ProgramText(&a.Programs[i]), a.Programs[i].File, a.Programs[i].Line
	})
	if len(a.Policies) > 0 {
		p.line(plainText, "  In force")
	}
	for _, policy := range a.Policies {
		p.parts("    ", p.paint(cyan, policy.PolicyKind.Kind), p.paint(dim, " at "+policy.Target+outline.Flags(policy.Certain, policy.AgeSensitive)))
		p.fieldLines("      ", policy.Fields)
	}
	contenders(p, "Not answering", a.Others)
}

// contenders prints rules that do not answer, or may answer.
func contenders(p *listing, title string, list []plan.Contender) {
	p.below(plainText, title, len(list), func(i int) (string, string, int) {
		c := &list[i]
		return outline.ContenderText(c), c.File, c.Line
	})
}

// below prints a title and n lines below it, each with its place. It prints nothing without lines.
func (p *listing) below(color, title string, n int, line func(i int) (text, file string, number int)) {
	if n == 0 {
		return
	}
	p.line(color, "  %s", title)
	texts, places := make([]string, n), make([]string, n)
	for i := range n {
		text, file, number := line(i)
		texts[i], places[i] = outline.Safe(text), outline.PositionName(file, number, 0)
	}
	p.placed("    ", texts, func(i int) string { return places[i] })
}

// at is a place at the end of a line.
func at(file string, line int) string {
	if file == "" {
		return ""
	}
	return "   # " + outline.PositionName(file, line, 0)
}
