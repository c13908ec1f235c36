package text

import (
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// silenced lists the findings that somebody accepted, and why. By default they are only counted.
func silenced(p *page, list []plan.Silenced) {
	if !p.style.Ignored {
		return
	}
	p.section("Ignored findings", len(list))
	for i := range list {
		s := &list[i]
		p.parts("  ", p.paint(dim, outline.PositionName(s.File, s.Line, s.Column)+": "), p.paint(plainText, outline.Title(&s.Finding)),
			p.paint(dim, " ["+s.Rule+"] "+outline.SilencedText(s)+environmentsSuffix(s.Environments)))
	}
}
