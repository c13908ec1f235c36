package report

import (
	"fmt"
	"io"

	"github.com/gwplan/gwplan/analyze/plan"
)

// Check is what gwplan check prints.
var Check = Document[plan.Check]{"check", []Writer[plan.Check]{{"text", textCheck}, {"markdown", markdownCheck}, {"sarif", sarifCheck}, {"json", jsonDocument[plan.Check]}}}

// textCheck writes one finding a line, then the counts.
func textCheck(w io.Writer, check *plan.Check, style Style) error {
	p := &page{style: style}
	p.findings("", findingsIn(checkFindings(check), func(*plan.Finding) bool { return true }))
	p.problems(check.Problems)
	p.notes(check.Notes)
	s := check.Summary
	p.gap()
	p.line(bold, "%s", checkVerdict(check))
	if style.Detail != Quiet {
		looked := fmt.Sprintf("looked at %s and %s in %s · %s", count(s.Routes, "route"), count(s.Policies, "policy"),
			count(s.Environments, "environment"), count(s.Problems, "problem"))
		if s.Silenced > 0 {
			looked += " · " + count(s.Silenced, "finding") + " ignored"
		}
		p.line(dim, "%s", looked)
	}
	return p.flush(w)
}
