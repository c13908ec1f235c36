package markdown

import (
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// connections returns what network policies newly allow and deny, a line for each change.
func (m *planMarkdown) connections(doc *plan.Plan) []string {
	var lines []string
	for _, c := range outline.Connections(doc) {
		line := mdText(outline.Clamp(c.Sentence, 4*outline.MaxCell))
		causes := outline.EditedLines(c.Causes)
		for i, cause := range causes[:min(len(causes), 2)] {
			if i == 0 {
				line += ", edited:"
			}
			line += " " + m.place(cause.File, cause.Line, cause.Side, mdCode)
		}
		lines = append(lines, line+environmentsText(c.Environments, mdCode))
	}
	return lines
}
