package markdown

import (
	"cmp"
	"io"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// traceID tells the comment of a trace from that of a diff.
const traceID = "trace"

// Trace writes what happens to requests, the differences first.
func Trace(w io.Writer, trace *plan.Trace, style outline.Style) error {
	style.CommentID = cmp.Or(style.CommentID, traceID)
	text := written(style, func(s step) *blocks {
		m := &markdown{style: style, step: s}
		b := &blocks{write: m.list, fold: m.folded, alert: m.alert}
		b.head = m.style.Marker() + "\n### gwplan trace\n"
		for _, env := range trace.Environments {
			for i := range env.Requests {
				name := ""
				if len(trace.Environments) > 1 || outline.Named([]string{env.Name}) {
					name = " (" + mdCode(env.Name) + ")"
				}
				b.lists = append(b.lists, list{title: "Request", noun: "line", lines: m.traced(&env.Requests[i], name)})
			}
		}
		b.lists = append(b.lists, list{title: "Problems", noun: "problem", lines: m.problems(trace.Problems)}, list{title: "Assumptions", noun: "note", lines: noteLines(trace.Notes)})
		return b
	})
	_, err := io.WriteString(w, text)
	return err
}

func (m *markdown) traced(r *plan.TracedRequest, environment string) []string {
	first := "**" + mdCode(r.Request) + "**" + environment
	switch r.Result {
	case plan.SameAnswer:
		first += ": answered in the same way"
	case plan.DifferentAnswer:
		first += ": answered differently"
	case plan.UnknownAnswer:
		first += ": it is not known whether it is answered differently"
	}
	lines := []string{first}
	for _, d := range r.Differences {
		lines = append(lines, mdText(d))
	}
	for _, c := range r.Causes {
		lines = append(lines, "edited: "+mdCode(outline.NodeName(c.Object))+" "+m.place(c.File, c.Line, c.Side, mdCode))
	}
	if r.Result != "" && r.Result != plan.SameAnswer {
		for i := range r.Base {
			b := &r.Base[i]
			lines = append(lines, strings.TrimSpace("before: "+mdText(outline.AnswerText(b))+" "+m.place(b.File, b.Line, plan.InBase, mdCode)))
		}
	}
	return append(lines, m.answersOf(r.Answers)...)
}

func (m *markdown) answersOf(answers []plan.Answer) []string {
	var lines []string
	for i := range answers {
		a := &answers[i]
		line := "answer: " + mdText(outline.AnswerText(a))
		if way := outline.WayText(a); way != "" {
			line += ", " + mdText(way)
		}
		if a.Why != "" {
			line += ": " + mdText(a.Why)
		}
		lines = append(lines, strings.TrimSpace(line+" "+m.place(a.File, a.Line, "", mdCode)))
		for _, s := range a.Steps {
			lines = append(lines, strings.TrimSpace(mdText(s.What)+" "+m.place(s.File, s.Line, "", mdCode)))
		}
		for i := range a.Backends {
			b := &a.Backends[i]
			lines = append(lines, strings.TrimSpace("backend "+mdText(outline.BackendText(b))+" "+m.place(b.File, b.Line, "", mdCode)))
		}
		for i := range a.Programs {
			program := &a.Programs[i]
			lines = append(lines, strings.TrimSpace("not computed: what "+mdText(outline.ProgramText(program))+" does "+m.place(program.File, program.Line, "", mdCode)))
		}
		for _, policy := range a.Policies {
			for _, f := range policy.Fields {
				lines = append(lines, strings.TrimSpace(mdCode(policy.PolicyKind.Kind)+" "+mdCode(f.Path)+" "+mdCode(outline.ValueText(f.Value))+" "+m.place(f.Source.File, f.Source.Line, "", mdCode)))
			}
		}
		lines = append(lines, m.contenders("may answer instead", a.Doubts)...)
		lines = append(lines, m.contenders("does not answer", a.Others)...)
	}
	return lines
}

// contenders are the rules that do not answer, or may answer.
func (m *markdown) contenders(what string, list []plan.Contender) []string {
	var lines []string
	for i := range list {
		c := &list[i]
		lines = append(lines, strings.TrimSpace(what+": "+mdText(outline.ContenderText(c))+" "+m.place(c.File, c.Line, "", mdCode)))
	}
	return lines
}
