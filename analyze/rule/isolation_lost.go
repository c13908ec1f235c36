package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var isolationLost = &Rule{
	ID:       "isolation-lost",
	Title:    "A workload is no longer isolated by any network policy",
	Severity: plan.Error,
	Why: "A network policy isolated the pods of this workload: connections that no rule allowed were denied. No policy selects the " +
		"pods in this direction now, so everything that no rule denies is allowed.",
	Fix:      "Keep a policy that selects the pods, or give the pods the labels back by which one did.",
	Security: true,
	Compare:  compareIsolation,
}

func compareIsolation(p *Pair, report Report) {
	for _, e := range p.Connections().exposed {
		target := e.Workload.String()
		if e.Workload == (loader.ID{}) && len(e.causes) > 0 {
			target = e.causes[0].Object
		}
		hit := Hit{
			Target: target, Key: []string{e.Name, e.Direction.String()},
			Title:  fmt.Sprintf("%s no longer isolated: %s", subject(e), openTo[e.Direction]),
			Detail: fmt.Sprintf("no network policy isolates %s for %s", podsOf(e), e.Direction),
		}
		if p.unreadable(e.Edits) {
			hit.Severity = plan.Warning
			hit.Title = "perhaps " + hit.Title
		}
		hit.At, hit.InBase = p.causePlace(e.causes)
		report(hit)
	}
}

// subject begins a sentence about one workload or about pods, which may be no more.
func subject(e exposure) string {
	switch {
	case e.Workload == (loader.ID{}):
		return e.Name + ", if there still are such pods, are"
	case e.Formerly != "":
		return e.Name + ", which was " + e.Formerly + ", is"
	}
	return e.Name + " is"
}

func podsOf(e exposure) string {
	if e.Workload == (loader.ID{}) {
		return "them"
	}
	return "its pods"
}

var openTo = map[network.Direction]string{
	network.Ingress: "every connection is accepted",
	network.Egress:  "connections to everything are allowed",
}
