package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var backendUnreachableByPolicy = &Rule{
	ID:       "backend-unreachable-by-policy",
	Title:    "Network policies keep a Gateway from reaching the pods of a backend",
	Severity: plan.Warning,
	Why: "A route sends requests to a Service whose pods a network policy isolates, and no rule allows the pods of the Gateway " +
		"there, or a policy denies these connections. Requests time out. Only what is certain is reported: for any labels that the " +
		"pods of the Gateway may have in addition, and in each namespace in which their controller may run them.",
	Fix:   "Allow the pods of the Gateway in a policy that selects the backend, by the namespace or the labels of these pods.",
	Check: checkReachable,
}

func checkReachable(s *Environment, report Report) {
	side := s.network()
	if !side.HasPolicies() {
		return
	}
	proxies := map[*hierarchy.Node][]network.Proxy{}
	for _, n := range s.Run.Graph.Nodes {
		if n.Level != hierarchy.LevelGateway {
			continue
		}
		for _, p := range s.Run.Graph.Proxies(n) {
			proxies[n] = append(proxies[n], network.Proxy{Gateway: n.String(), Namespace: p.Namespace, Labels: p.Labels, Entity: p.Entity})
		}
		side.Proxies = append(side.Proxies, proxies[n]...)
	}
	if len(proxies) == 0 {
		return
	}
	w := network.New(side)
	if w.Exceeded() {
		s.Exceeded = true
		return
	}
	s.nodes(hierarchy.LevelRule, func(rule *hierarchy.Node) {
		for _, e := range rule.Down {
			service := e.Via
			if service == nil || service.Object == nil || service.Target.Group != "" || service.Target.Kind != "Service" {
				continue
			}
			for _, gateway := range gatewaysOf(rule.Owner) {
				for _, d := range denials(w, proxies[gateway], service.Object, text(e.Ref.Get("port"))) {
					report(Hit{
						Target: rule.Owner.String(), Key: []string{rule.String(), gateway.String(), service.String(), d.workload}, At: rule.Object.Position(e.Ref), Object: rule.Object,
						Title:   say("Network policies keep %s from reaching the backend %s of %s", gateway, service, rule),
						Detail:  say("%s denies %s connections to %s on %s", loader.Spoken(d.by), senders(proxies[gateway], gateway), d.workload, d.port),
						Related: []plan.Related{{Message: loader.Spoken(d.by) + " denies the connection", Side: "head", File: d.at.File, Line: d.at.Line, Column: d.at.Column}},
					})
				}
			}
		}
	})
}

// senders names what sends the requests of a Gateway.
func senders(proxies []network.Proxy, gateway *hierarchy.Node) string {
	if entity := proxies[0].Entity; entity != "" {
		return say("the entity %s, which sends for %s,", entity, gateway)
	}
	return say("the pods of %s", gateway)
}

// gatewaysOf returns the Gateways of the listeners that admit a route.
func gatewaysOf(route *hierarchy.Node) []*hierarchy.Node {
	var out []*hierarchy.Node
	for _, e := range route.Up {
		if gateway := hierarchy.GatewayOf(e.Parent); e.Open() && gateway.Level == hierarchy.LevelGateway && !slices.Contains(out, gateway) {
			out = append(out, gateway)
		}
	}
	return out
}

// denial is a workload of a backend that surely does not get what a Gateway sends.
type denial struct {
	workload, port, by string
	at                 loader.Position
}

// denials returns the workloads of a Service to whose port no pods of a Gateway may connect, in whatever
// namespace they are.
func denials(w *network.World, proxies []network.Proxy, service *loader.Object, port string) []denial {
	var out []denial
	for _, to := range w.Serving(service) {
		for _, p := range network.TargetPorts(service) {
			if p.Number != port {
				continue
			}
			for _, target := range w.TargetPort(to, p) {
				if d, denied := denied(w, proxies, to, target); denied {
					out = append(out, d)
				}
			}
		}
	}
	return out
}

func denied(w *network.World, proxies []network.Proxy, to int, port network.Range) (denial, bool) {
	out := denial{workload: w.Endpoint(to).String(), port: port.String()}
	for _, p := range proxies {
		from, ok := w.Proxy(p)
		if !ok {
			return out, false
		}
		c := w.Connect(from, to, port)
		if c.Allowed != fact.False {
			return out, false
		}
		steps := c.Ingress.Steps
		if c.Ingress.Allowed != fact.False {
			steps = c.Egress.Steps
		}
		if n := len(steps); n > 0 {
			out.by, out.at = steps[n-1].Policy.Object.ID.String(), steps[n-1].Policy.Position()
		}
	}
	return out, len(proxies) > 0
}
