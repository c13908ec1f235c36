package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
)

var isolationLost = &Rule{
	ID:       "isolation-lost",
	Title:    "No network policy isolates a workload any more",
	Severity: plan.Error,
	Why: "A network policy isolated the pods of this workload: connections that no rule allowed were denied. No policy selects the " +
		"pods any more in this direction, so that whatever no rule denies is allowed.",
	Fix:      "Keep a policy that selects the pods, or give the pods the labels back by which one did.",
	Security: true,
	Compare:  compareIsolation,
}

func compareIsolation(p *Pair, report Report) {
	for _, e := range p.Connections().exposed {
		hit := Hit{
			Target: e.Workload.String(), Key: []string{e.Direction.String()},
			Message: fmt.Sprintf("%s is no longer isolated for %s: no network policy selects it, so that it %s", e.Workload, e.Direction, openTo[e.Direction]),
			Title:   fmt.Sprintf("%s %s/%s %s", e.Workload.Kind, e.Workload.Namespace, e.Workload.Name, openTitle[e.Direction]),
		}
		if p.unreadable(e.Edits) {
			hit.Severity = plan.Warning
		}
		hit.At, hit.InBase = p.causePlace(e.causes)
		report(hit)
	}
}

var openTo = map[network.Direction]string{
	network.Ingress: "accepts connections from everywhere",
	network.Egress:  "may connect to everything",
}

var openTitle = map[network.Direction]string{
	network.Ingress: "is not isolated any more: it accepts every connection",
	network.Egress:  "is not isolated any more: it may connect to everything",
}
