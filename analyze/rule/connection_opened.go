package rule

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
)

var connectionOpened = &Rule{
	ID:       "connection-opened",
	Title:    "Network policies allow connections that they denied before",
	Severity: plan.Warning,
	Why: "These pods, addresses or names could not connect before the change, and now they can: a rule allows them, a rule that " +
		"denied them is gone, or the labels by which policies select pods or namespaces differ.",
	Fix:      "If it is not meant, narrow the rule to the pods and ports that need it, or give the labels back.",
	Security: true,
	Compare:  func(p *Pair, report Report) { reportConnections(p, plan.ConnectionsOpened, report) },
}

// reportConnections reports the changes of connections of one class. A workload that is not isolated
// any more is another finding, and its connections are not reported again.
func reportConnections(p *Pair, class plan.ConnectionClass, report Report) {
	for _, c := range p.Connections().Changes {
		if c.Class != class || class == plan.ConnectionsOpened && p.Connections().exposes(&c) {
			continue
		}
		target := ""
		if len(c.Targets) > 0 {
			target = c.Targets[0]
		}
		hit := Hit{Target: target, Key: []string{strings.Join(c.Targets, " "), strings.Join(c.From, " "), strings.Join(c.To, " ")}, Message: c.Sentence, Title: c.Sentence}
		hit.At, hit.InBase = p.causePlace(c.Causes)
		if !c.Certain {
			hit.Severity = plan.Note
		}
		report(hit)
	}
}

// exposes reports whether all targets of a change are workloads that are not isolated any more.
func (c *Connections) exposes(change *plan.ConnectionChange) bool {
	exposed := map[string]bool{}
	for _, e := range c.exposed {
		exposed[e.Workload.String()] = true
	}
	for _, target := range change.Targets {
		if !exposed[target] {
			return false
		}
	}
	return len(change.Targets) > 0
}
