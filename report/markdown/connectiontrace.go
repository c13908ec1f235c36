package markdown

import (
	"cmp"
	"io"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// ConnectionTrace writes what network policies say of connections.
func ConnectionTrace(w io.Writer, trace *plan.ConnectionTrace, style outline.Style) error {
	style.CommentID = cmp.Or(style.CommentID, traceID)
	text := written(style, func(s step) *blocks {
		m := &markdown{style: style, step: s}
		b := &blocks{write: m.list, fold: m.folded, alert: m.alert}
		b.head = m.style.Marker() + "\n### gwplan trace\n"
		for _, env := range trace.Environments {
			name := ""
			if len(trace.Environments) > 1 || outline.Named([]string{env.Name}) {
				name = " (" + mdCode(env.Name) + ")"
			}
			for i := range env.Connections {
				b.lists = append(b.lists, list{title: "Connection", noun: "line", lines: m.connection(&env.Connections[i], name)})
			}
		}
		b.lists = append(b.lists, list{title: "Problems", noun: "problem", lines: m.problems(trace.Problems)}, list{title: "Assumptions", noun: "note", lines: noteLines(trace.Notes)})
		return b
	})
	_, err := io.WriteString(w, text)
	return err
}

func (m *markdown) connection(c *plan.TracedConnection, environment string) []string {
	lines := []string{mdText(c.From) + " to " + mdText(c.To) + ", " + mdText(c.Port) + environment + ": **" + mdText(outline.AllowedText(c)) + "**"}
	if c.Result == plan.DifferentAnswer || c.Head == nil {
		lines = append(lines, m.connectionSide("before, egress", plan.InBase, &c.Base.Egress), m.connectionSide("before, ingress", plan.InBase, &c.Base.Ingress))
	}
	if c.Head == nil {
		return lines
	}
	return append(lines, m.connectionSide("egress", "", &c.Head.Egress), m.connectionSide("ingress", "", &c.Head.Ingress))
}

func (m *markdown) connectionSide(name, side string, s *plan.ConnectionSide) string {
	line := name + ": " + mdText(outline.SideText(s))
	for i := range s.Steps {
		line += "; " + mdText(outline.StepText(&s.Steps[i])) + " " + m.place(s.Steps[i].File, s.Steps[i].Line, side, mdCode)
	}
	return line
}
