package text

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/report/outline"
)

// workload writes the rules of network policies in force at a workload.
func (p *listing) workload(w *plan.WorkloadRules) {
	p.gap()
	p.line(bold, "%s", w.Workload)
	p.directionRules("ingress", &w.Ingress)
	p.directionRules("egress", &w.Egress)
}

func (p *listing) directionRules(name string, d *plan.DirectionRules) {
	if len(d.Rules) == 0 && len(d.Isolating) == 0 {
		p.parts("  ", p.paint(cyan, name), p.paint(dim, ": everything is allowed, no network policy selects it"))
		return
	}
	p.parts("  ", p.paint(cyan, name))
	texts := make([]string, len(d.Rules))
	for i := range d.Rules {
		texts[i] = outline.Safe(outline.NetworkRuleText(name, &d.Rules[i]))
	}
	p.placed("    ", texts, func(i int) string { return outline.PositionName(d.Rules[i].File, d.Rules[i].Line, 0) })
	otherwise := map[string]string{"allow": "allowed", "deny": "denied", "unknown": "perhaps denied"}[d.Otherwise]
	if len(d.Isolating) > 0 {
		names := make([]string, len(d.Isolating))
		for i, node := range d.Isolating {
			names[i] = outline.NodeName(node)
		}
		otherwise += ", by " + strings.Join(names, ", ")
	}
	p.line(plainText, "    everything else: %s", otherwise)
}
