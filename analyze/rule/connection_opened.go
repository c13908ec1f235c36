package rule

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var connectionOpened = &Rule{
	ID:       "connection-opened",
	Title:    "Network policies allow connections that they denied before",
	Severity: plan.Warning,
	Why: "These pods, addresses or names could not connect before the change, and now they can: a rule allows them, a rule that " +
		"denied them is gone, or the labels by which policies select pods or namespaces differ.",
	Fix:      "If it is not meant, narrow the rule to the pods and ports that need it, or restore the labels.",
	Security: true,
	Compare:  func(p *Pair, report Report) { reportConnections(p, plan.ConnectionsOpened, report) },
}

// reportConnections reports the changes of connections of one class, those of one edit together. A
// workload that is not isolated any more is another finding, and its connections are not reported again.
func reportConnections(p *Pair, class plan.ConnectionClass, report Report) {
	type edit struct {
		causes  string
		certain bool
	}
	var edits groups[edit, *plan.ConnectionChange]
	for i := range p.Connections().Changes {
		c := &p.Connections().Changes[i]
		if c.Class != class || class == plan.ConnectionsOpened && p.Connections().exposes(i) {
			continue
		}
		of := edit{certain: c.Certain}
		for _, cause := range c.Causes { // one line may be part of several policies
			of.causes += fmt.Sprintf("%q:%d:%s ", cause.File, cause.Line, cause.Side)
		}
		edits.add(of, c)
	}
	for _, of := range edits.keys {
		report(p.connectionHit(edits.of[of]))
	}
}

// connectionHit is the finding about the changes of one edit.
func (p *Pair) connectionHit(changes []*plan.ConnectionChange) Hit {
	first := changes[0]
	hit := Hit{Title: first.Sentence}
	if len(first.Targets) > 0 {
		hit.Target = first.Targets[0]
	}
	for _, c := range first.Causes {
		hit.Key = append(hit.Key, c.Object)
	}
	if more := len(changes) - 1; more > 0 {
		hit.Detail = "and " + spelling.Count(more, "more change") + " of connections by the same edit"
	}
	hit.At, hit.InBase = p.causePlace(first.Causes)
	if !first.Certain {
		hit.Severity = plan.Note
	}
	return hit
}

// exposes reports whether a change is that of workloads which are not isolated any more: its destinations
// for ingress, or its sources for egress.
func (c *Connections) exposes(i int) bool {
	if c.allExposed(c.ends[i][network.Ingress], network.Ingress) || c.allExposed(c.ends[i][network.Egress], network.Egress) {
		return true
	}
	change := &c.Changes[i]
	return slices.ContainsFunc(c.exposed, func(e exposure) bool {
		return slices.Equal(change.To, []string{e.Name}) && e.Direction == network.Ingress || slices.Equal(change.From, []string{e.Name}) && e.Direction == network.Egress
	})
}

func (c *Connections) allExposed(workloads []loader.ID, d network.Direction) bool {
	for _, id := range workloads {
		if !slices.ContainsFunc(c.exposed, func(e exposure) bool { return e.Workload == id && e.Direction == d }) {
			return false
		}
	}
	return len(workloads) > 0
}
