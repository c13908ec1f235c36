package markdown

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// silenced lists the findings that somebody accepted, and why, folded: who reads the change should see what is not held against it. Of
// a long list, such as that of a baseline, it has the beginning.
func (m *markdown) silenced(findings []plan.Silenced) list {
	var lines []string
	for i := range findings {
		if i == outline.OpenRows {
			lines = append(lines, fmt.Sprintf("*and %d more*", len(findings)-i))
			break
		}
		s := &findings[i]
		lines = append(lines, mdCode(s.Rule)+" "+mdText(outline.ShortPath(outline.Title(&s.Finding)))+environmentsText(s.Environments, mdCode)+
			" · "+m.place(s.File, s.Line, s.Side, mdCode)+" · "+mdText(outline.SilencedText(s)))
	}
	return list{noun: "ignored finding", lines: lines, of: len(findings)}
}
