package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var backendPortNotFound = &Rule{
	ID:       "backend-port-not-found",
	Title:    "A route refers to a port that its Service does not have",
	Severity: plan.Error,
	Why: "Requests to the backend fail. The specification has no condition that says so; some controllers have one of their " +
		"own, others keep silent.",
	Fix:   "Name the port of the Service (spec.ports[].port), not that of the container.",
	Check: checkBackendPortNotFound,
}

func checkBackendPortNotFound(s *Environment, report Report) {
	s.nodes(hierarchy.LevelRule, func(rule *hierarchy.Node) {
		for _, e := range rule.Down {
			service := e.Via
			if service == nil || service.Object == nil || service.Target.Group != "" || service.Target.Kind != "Service" ||
				e.Child.Value != nil || len(service.Value.List("ports")) == 0 {
				continue
			}
			port := e.Ref.Get("port")
			if port.Opaque || slices.ContainsFunc(service.Value.List("ports"), func(p *loader.Value) bool { return p.Get("port") != nil && p.Get("port").Opaque }) {
				continue // a variable may be any port
			}
			report(Hit{
				Target: rule.Owner.String(), Key: []string{e.Child.String()}, At: rule.Object.Position(port), Object: rule.Object, Involves: []loader.ID{service.Target.ID},
				Title:   say("%s refers to port %s of %s, which has %s", rule, text(port), service, portsOf(service.Object)),
				Subject: rule.Spoken(), Statement: say("port %s of %s", text(port), service),
			})
		}
	})
}

// portsOf lists the ports of a Service, at most four.
func portsOf(service *loader.Object) string {
	const shown = 4
	var ports []string
	for _, p := range service.Spec().List("ports") {
		ports = append(ports, text(p.Get("port")))
	}
	if len(ports) == 1 {
		return "port " + ports[0] + " alone"
	}
	return "ports " + spelling.AtMost(shown, ports)
}
