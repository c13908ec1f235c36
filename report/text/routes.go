package text

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/outline"
)

// Routes writes the matches of each hostname in the order in which they are tried.
func Routes(w io.Writer, list *plan.RouteTable, style outline.Style) error {
	p := &listing{&page{style: style}}
	for _, env := range list.Environments {
		p.environment(env.Name, len(list.Environments))
		for i := range env.Hosts {
			p.routeHost(&env.Hosts[i])
		}
		if len(env.Hosts) == 0 {
			p.line(dim, "no route is attached to the selection in environment %s", env.Name)
		}
	}
	p.nothing(len(list.Environments))
	p.problems(list.Problems)
	p.notes(list.Notes)
	return p.flush(w)
}

func (p *listing) routeHost(h *plan.RouteHost) {
	p.gap()
	host := h.Host
	if host == "*" {
		host = "any host"
	}
	p.parts("", p.paint(bold, host), p.paint(dim, "  "+strings.TrimSpace(h.Protocol+" port "+h.Port)+" of "+strings.Join(h.Listeners, ", ")))
	rows := make([][]string, len(h.Matches))
	widths := make([]int, 4)
	for i := range h.Matches {
		rows[i] = routeRow(&h.Matches[i])
		for j, cell := range rows[i] {
			rows[i][j] = outline.Clamp(outline.Safe(cell), outline.MaxCell)
			widths[j] = max(widths[j], utf8.RuneCountInString(rows[i][j]))
		}
	}
	for i, row := range rows {
		color := plainText
		if h.Matches[i].Shadowed {
			color = dim
		}
		var cells []string
		for j, cell := range row {
			cells = append(cells, pad(cell, widths[j]))
		}
		p.parts("  ", p.paint(color, strings.TrimRight(strings.Join(cells, "  "), " ")), p.paint(dim, at(h.Matches[i].File, h.Matches[i].Line)))
		if r := &h.Matches[i]; r.PartlyBy > 0 && !r.Shadowed && p.style.Detail == outline.Verbose {
			p.line(dim, "    %s", "partly taken by "+spelling.And(r.Partly)+spelling.More(r.PartlyBy-len(r.Partly)))
		}
	}
}

func routeRow(r *plan.RouteRow) []string {
	protection := strings.Join(r.Protection, ", ")
	switch {
	case r.Shadowed && r.By != "":
		protection = "never reached: " + r.By + " takes its requests"
	case r.Shadowed && r.PartlyBy == 1:
		protection = "never reached: " + r.Partly[0] + " takes its requests"
	case r.Shadowed && len(r.Partly) > 0:
		protection = "never reached: " + spelling.And(r.Partly) + spelling.More(r.PartlyBy-len(r.Partly)) + " take its requests"
	case r.Shadowed:
		protection = "never reached: other rules take its requests"
	case protection == "":
		protection = "-"
	}
	answer := r.Answer
	if answer == "" {
		answer = "-"
	}
	return []string{r.Match + outline.Flags(r.Certain, false), r.Rule, answer, protection}
}
