package text

import (
	"fmt"
	"io"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// ConnectionTrace writes what network policies say of connections.
func ConnectionTrace(w io.Writer, trace *plan.ConnectionTrace, style outline.Style) error {
	p := &listing{&page{style: style}}
	for _, env := range trace.Environments {
		p.environment(env.Name, len(trace.Environments))
		for i := range env.Connections {
			p.connection(&env.Connections[i])
		}
	}
	p.nothing(len(trace.Environments))
	p.problems(trace.Problems)
	p.notes(trace.Notes)
	return p.flush(w)
}

func (p *listing) connection(c *plan.TracedConnection) {
	p.gap()
	p.parts("", p.paint(bold, fmt.Sprintf("%s to %s, %s: ", c.From, c.To, c.Port)), p.paint(allowedColor(c.Head), outline.AllowedText(c)))
	if p.style.Detail == outline.Quiet {
		return
	}
	if c.Head == nil {
		p.decision(c, c.Base)
		return
	}
	if c.Result == plan.DifferentAnswer {
		p.title("Before")
		p.decision(c, c.Base)
		p.title("After")
	}
	p.decision(c, c.Head)
}

// allowedColor returns the color of a decision, nil for one that is not known.
func allowedColor(d *plan.ConnectionDecision) string {
	switch {
	case d == nil:
		return yellow
	case d.Allowed == plan.True:
		return green
	case d.Allowed == plan.False:
		return red
	}
	return yellow
}

func (p *listing) decision(c *plan.TracedConnection, d *plan.ConnectionDecision) {
	p.side("egress of "+c.From, &d.Egress)
	p.side("ingress of "+c.To, &d.Ingress)
}

func (p *listing) side(name string, s *plan.ConnectionSide) {
	p.line(plainText, "  %s: %s", name, outline.SideText(s))
	for i := range s.Steps {
		step := &s.Steps[i]
		p.parts("    ", p.paint(plainText, outline.StepText(step)), p.paint(dim, "  "+outline.PositionName(step.File, step.Line, 0)))
	}
}
