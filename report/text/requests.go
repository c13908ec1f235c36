package text

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/outline"
)

// openRequests is how many classes of requests are shown by default.
const openRequests = 5

// requests prints what becomes of requests, worst first.
func (p *planPage) requests(list []outline.RequestsIn) {
	if p.style.Detail == outline.Quiet {
		return
	}
	p.section("Requests", len(list))
	n := len(list)
	if p.style.Detail != outline.Verbose {
		n = min(n, openRequests)
	}
	for _, r := range list[:n] {
		p.requestClass(r)
	}
	p.more("  ", len(list), n)
}

func (p *planPage) requestClass(r outline.RequestsIn) {
	color := plainText
	switch r.Class {
	case plan.RequestsExposed, plan.RequestsLost:
		color = red
	case plan.RequestsMoved, plan.RequestsChanged, plan.RequestsUnknown:
		color = yellow
	case plan.RequestsGained, plan.RequestsGuarded:
		color = green
	}
	most := outline.ShownRequests
	if p.style.Detail == outline.Verbose {
		most = len(r.Requests)
	}
	text := r.Set(most)
	if len(r.Differences) > 0 {
		text += ": " + strings.Join(p.differences(r.Differences), "; ")
	}
	p.parts("  ", p.paint(color, outline.RequestClassText(r.RequestChange)), ": ", p.paint(plainText, text), p.paint(dim, environmentsSuffix(r.Environments)))
	as := func(s string) string { return s }
	p.line(dim, "    %s%s", outline.RequestExample(r.RequestChange, as, as), outline.Flags(r.Certain, false))
	if len(r.Causes) > 0 {
		p.line(dim, "    edited: %s", strings.Join(p.edits(r.Causes), ", "))
	}
	if len(r.Unknown) > 0 {
		p.line(dim, "    not known: %s", strings.Join(p.differences(r.Unknown), "; "))
	}
}

// edits are the places of the first edits, and the number of others.
func (p *planPage) edits(causes []plan.Cause) []string {
	causes = outline.EditedLines(causes)
	n := len(causes)
	if p.style.Detail != outline.Verbose {
		n = min(n, 3)
	}
	out := make([]string, 0, n+1)
	for _, c := range causes[:n] {
		out = append(out, causePlace(c))
	}
	if rest := len(causes) - n; rest > 0 {
		out = append(out, spelling.Count(rest, "more edit"))
	}
	return out
}

// differences are the first differences, and the number of others.
func (p *planPage) differences(list []string) []string {
	n := len(list)
	if p.style.Detail != outline.Verbose {
		n = min(n, 3)
	}
	out := make([]string, 0, n+1)
	for _, d := range list[:n] {
		out = append(out, outline.Clamp(d, 2*outline.MaxCell))
	}
	if rest := len(list) - n; rest > 0 {
		out = append(out, spelling.Count(rest, "more difference"))
	}
	return out
}
