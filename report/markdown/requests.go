package markdown

import (
	"fmt"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/outline"
)

// requests returns what becomes of requests, a line for each class, worst first.
func (m *planMarkdown) requests(doc *plan.Plan) []string {
	var lines []string
	for _, r := range outline.Requests(doc) {
		line := "**" + outline.RequestClassText(r.RequestChange) + "**: " + mdText(r.Set(outline.ShownRequests))
		if len(r.Differences) > 0 {
			line += ": " + mdText(firstFew(r.Differences))
		}
		line += ", " + outline.RequestExample(r.RequestChange, mdCode, mdText)
		line += m.edits(r)
		if len(r.Unknown) > 0 {
			line += ", not known: " + mdText(firstFew(r.Unknown))
		}
		lines = append(lines, line+outline.Flags(r.Certain, false)+environmentsText(r.Environments, mdCode))
	}
	return lines
}

// edits links the places of the first edits that cause a class, or the rule where none is known.
func (m *planMarkdown) edits(r outline.RequestsIn) string {
	text := ""
	causes := outline.EditedLines(r.Causes)
	for _, c := range causes[:min(len(causes), 2)] {
		text += " " + m.place(c.File, c.Line, c.Side, mdCode)
	}
	text += spelling.More(len(causes) - 2)
	if text != "" {
		return ", edited:" + text
	}
	for _, rule := range []*plan.RequestRule{r.After, r.Before} {
		if rule != nil {
			side := ""
			if rule == r.Before {
				side = plan.InBase
			}
			return " " + m.place(rule.File, rule.Line, side, mdCode)
		}
	}
	return ""
}

// firstFew joins the first three clauses, and counts the others.
func firstFew(list []string) string {
	const few = 3
	text := strings.Join(list[:min(len(list), few)], "; ")
	if more := len(list) - few; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}
