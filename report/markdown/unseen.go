package markdown

import (
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

func (m *markdown) unseen(list []plan.Unseen) []string {
	var lines []string
	for i := range list {
		u := &list[i]
		line := mdText(outline.UnseenText(u))
		if place := m.place(u.File, u.Line, u.Side, mdCode); place != "" {
			line += " · " + place
		}
		lines = append(lines, line+environmentsText(u.Environments, mdCode))
	}
	return lines
}
