package text

import (
	"fmt"
	"io"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/outline"
)

// Check writes one finding a line, then the counts.
func Check(w io.Writer, check *plan.Check, style outline.Style) error {
	p := &page{style: style}
	p.findings("", outline.FindingsIn(outline.CheckFindings(check), func(*plan.Finding) bool { return true }))
	silenced(p, check.Silenced)
	p.problems(check.Problems)
	p.notes(check.Notes)
	s := check.Summary
	p.gap()
	p.line(bold, "%s", outline.CheckVerdict(check))
	if style.Detail != outline.Quiet {
		looked := fmt.Sprintf("looked at %s and %s in %s · %s", spelling.Count(s.Routes, "route"), spelling.Count(s.Policies, "policy"),
			spelling.Count(s.Environments, "environment"), spelling.Count(s.Problems, "problem"))
		if s.Silenced > 0 {
			looked += " · " + spelling.Count(s.Silenced, "finding") + " ignored"
		}
		p.line(dim, "%s", looked)
	}
	return p.flush(w)
}
