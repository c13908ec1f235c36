package markdown

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// requests returns what becomes of requests, a line for each class, worst first.
func (m *planMarkdown) requests(doc *plan.Plan) []string {
	var lines []string
	for _, r := range outline.Requests(doc) {
		line := "**" + outline.RequestClassText(r.RequestChange) + "**: " + mdText(outline.RequestSet(r.RequestChange))
		if len(r.Differences) > 0 {
			line += ": " + mdText(strings.Join(r.Differences[:min(len(r.Differences), 3)], "; "))
		}
		example := mdCode(r.Witness)
		if len(r.Headers) > 0 {
			example += " (" + mdText(strings.Join(r.Headers, ", ")) + ")"
		}
		line += ", such as " + example + ", " + mdText(outline.RequestRules(r.RequestChange))
		for _, rule := range []*plan.RequestRule{r.After, r.Before} {
			if rule != nil {
				side := ""
				if rule == r.Before {
					side = "base"
				}
				line += " " + m.place(rule.File, rule.Line, side, mdCode)
				break
			}
		}
		if len(r.Unknown) > 0 {
			line += ", not known: " + mdText(strings.Join(r.Unknown[:min(len(r.Unknown), 3)], "; "))
		}
		lines = append(lines, line+outline.Flags(r.Certain, false)+environmentsText(r.Environments, mdCode))
	}
	return lines
}
