package text

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// openConnections is how many changes of connections are shown by default.
const openConnections = 8

// connections prints what network policies newly allow and deny.
func (p *planPage) connections(list []outline.ConnectionsIn) {
	if p.style.Detail == outline.Quiet {
		return
	}
	p.section("Connections", len(list))
	n := len(list)
	if p.style.Detail != outline.Verbose {
		n = min(n, openConnections)
	}
	for _, c := range list[:n] {
		color, sign := red, "+ "
		if c.Class == plan.ConnectionsCut {
			color, sign = yellow, "- "
		}
		p.parts("  ", p.paint(color, sign+outline.Clamp(c.Sentence, 4*outline.MaxCell)), p.paint(dim, environmentsSuffix(c.Environments)))
		if p.style.Detail == outline.Verbose {
			p.line(dim, "    from: %s", strings.Join(c.From, ", "))
			p.line(dim, "    to: %s", strings.Join(c.To, ", "))
		}
		if len(c.Causes) > 0 {
			p.line(dim, "    edited: %s", strings.Join(p.edits(c.Causes), ", "))
		}
	}
	p.more("  ", len(list), n)
}
