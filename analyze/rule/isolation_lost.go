package rule

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var isolationLost = &Rule{
	ID:       "isolation-lost",
	Title:    "A workload is no longer isolated by any network policy",
	Severity: plan.Error,
	Why: "A network policy isolated the pods of this workload: connections that no rule allowed were denied. No policy selects the " +
		"pods in this direction now, so everything that no rule denies is allowed. A warning where no workload of the input has such pods, and all of it is rendered.",
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
		if e.Workload == (loader.ID{}) && p.Head != nil && len(p.Head.Run.Environment.Gaps) == 0 && hasWorkloads(p.Head) {
			hit.Severity = plan.Warning // all that is known runs other pods
		}
		if p.unreadable(e.Edits) {
			hit.Severity = plan.Warning
			hit.Title = "perhaps " + hit.Title
		}
		hit.At, hit.InBase = p.causePlace(e.causes)
		report(hit)
	}
}

// hasWorkloads reports whether an environment declares what runs in its pods.
func hasWorkloads(s *Environment) bool {
	return slices.ContainsFunc(s.network().Objects, func(o *loader.Object) bool { return network.Workload(o.ID.Group, o.ID.Kind) })
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
