package report

import (
	"io"

	"github.com/gwplan/gwplan/analyze/plan"
)

// markdownCheck writes the findings of one revision.
func markdownCheck(w io.Writer, check *plan.Check, style Style) error {
	text := fit(style.maxBytes(), func(s step) *blocks {
		m := &markdown{style: style, step: s, head: check.Revision.Commit}
		return m.check(check)
	})
	_, err := io.WriteString(w, text)
	return err
}

func (m *markdown) check(check *plan.Check) *blocks {
	s := check.Summary
	b := &blocks{write: m.list}
	b.head = m.style.marker() + "\n### gwplan: " + mdText(clamp(checkVerdict(check), 200)) + "\n\n" +
		"Looked at " + count(s.Routes, "route") + " and " + count(s.Policies, "policy") + " in " + count(s.Environments, "environment") + "\n"
	if check.Incomplete {
		b.alerts = []string{m.alert("Warning", []string{"**This check is incomplete:** " + mdText(checkGaps(check)) + "."})}
	}
	lines := m.findings(findingsIn(checkFindings(check), func(*plan.Finding) bool { return true }))
	b.lists = []list{
		{"Findings", "finding", lines},
		{"Problems", "problem", m.problems(check.Problems)},
		{"Assumptions", "note", noteLines(check.Notes)},
	}
	b.footer = m.footer(mdCode(revision(check.Revision)), check.Tool.Version,
		count(len(check.Notes), "assumption"), count(s.Problems, "problem"))
	return b
}
