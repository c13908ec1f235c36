package markdown

import (
	"io"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/outline"
)

// Check writes the findings of one revision.
func Check(w io.Writer, check *plan.Check, style outline.Style) error {
	text := written(style, func(s step) *blocks {
		m := &markdown{style: style, step: s, head: check.Revision.Commit}
		return m.check(check)
	})
	_, err := io.WriteString(w, text)
	return err
}

func (m *markdown) check(check *plan.Check) *blocks {
	s := check.Summary
	b := &blocks{write: m.list, fold: m.folded, alert: m.alert}
	b.head = m.style.Marker() + "\n### gwplan: " + mdText(spelling.Brief(outline.CheckVerdict(check), maxTitle)) + "\n\n" +
		"Looked at " + spelling.Count(s.Routes, "route") + " and " + spelling.Count(s.Policies, "policy") + " in " + spelling.Count(s.Environments, "environment") + "\n"
	if check.Incomplete {
		b.alerts = []notice{{"Warning", "problem", []string{"**This check is incomplete:** " + mdText(outline.CheckGaps(check)) + "."}}}
	}
	lines := m.findings(outline.FindingsIn(outline.CheckFindings(check), func(*plan.Finding) bool { return true }))
	b.lists = []list{
		{title: "Findings", noun: "finding", lines: lines},
		m.silenced(check.Silenced),
		{title: "Problems", noun: "problem", lines: m.problems(check.Problems)},
		{title: "Assumptions", noun: "note", lines: noteLines(check.Notes)},
	}
	b.footer = m.footer(mdCode(revision(check.Revision)), check.Tool.Version,
		spelling.Count(len(check.Notes), "assumption"), spelling.Count(s.Problems, "problem"))
	return b
}
