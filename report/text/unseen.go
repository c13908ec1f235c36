package text

import (
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// unseen lists the changes that were not rendered. It comes before those that were.
func (p *page) unseen(list []plan.Unseen) {
	p.section("Not seen", len(list))
	p.some(len(list), func(i int) {
		u := &list[i]
		place := outline.PositionName(u.File, u.Line, u.Column)
		if u.Side == plan.InBase {
			place += " (base)"
		}
		p.parts("  ", p.paint(bold, place), ": ", p.paint(plainText, outline.UnseenText(u)), p.paint(dim, environmentsSuffix(u.Environments)))
	})
}
