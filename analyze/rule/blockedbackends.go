package rule

import (
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/loader"
)

// BlockedBackends says which backends network policies keep the pods of Gateways from.
type BlockedBackends struct {
	world   *network.World
	proxies map[*hierarchy.Node][]network.Proxy
}

// BlockedBackendsOf prepares the network policies of a run. It returns nil without any, without a Gateway whose pods are known, and
// where there are too many to decide, which exceeded says.
func BlockedBackendsOf(run *effective.Run) (r *BlockedBackends, exceeded bool) {
	side := network.Of(run.Environment, run.Graph)
	if !side.HasPolicies() {
		return nil, false
	}
	proxies := map[*hierarchy.Node][]network.Proxy{}
	for _, n := range run.Graph.Nodes {
		if n.Level != hierarchy.LevelGateway {
			continue
		}
		for _, p := range run.Graph.Proxies(n) {
			proxies[n] = append(proxies[n], network.Proxy{Gateway: n.String(), Namespace: p.Namespace, Labels: p.Labels, Entity: p.Entity})
		}
		side.Proxies = append(side.Proxies, proxies[n]...)
	}
	if len(proxies) == 0 {
		return nil, false
	}
	w := network.New(side)
	if w.Exceeded() {
		return nil, true
	}
	return &BlockedBackends{w, proxies}, false
}

// Denial is a workload of a backend that surely does not get what a Gateway sends. By is the policy that denies it.
type Denial struct {
	Workload, Port, By string
	At                 loader.Position
}

// Denials returns the workloads of the Service that an edge of a rule leads to, to whose port no pods of a Gateway may
// connect, in whatever namespace they are.
func (r *BlockedBackends) Denials(gateway *hierarchy.Node, e *hierarchy.Edge) []Denial {
	service := e.Via
	if service == nil || service.Object == nil || service.Target.Group != "" || service.Target.Kind != "Service" {
		return nil
	}
	var out []Denial
	for _, to := range r.world.Serving(service.Object) {
		for _, p := range network.TargetPorts(service.Object) {
			if p.Number != text(e.Ref.Get("port")) {
				continue
			}
			for _, target := range r.world.TargetPort(to, p) {
				if d, denied := r.denied(r.proxies[gateway], to, target); denied {
					out = append(out, d)
				}
			}
		}
	}
	return out
}

func (r *BlockedBackends) denied(proxies []network.Proxy, to int, port network.Range) (Denial, bool) {
	out := Denial{Workload: r.world.Endpoint(to).String(), Port: port.String()}
	for _, p := range proxies {
		from, ok := r.world.Proxy(p)
		if !ok {
			return out, false
		}
		c := r.world.Connect(from, to, port)
		if c.Allowed != fact.False {
			return out, false
		}
		steps := c.Ingress.Steps
		if c.Ingress.Allowed != fact.False {
			steps = c.Egress.Steps
		}
		if n := len(steps); n > 0 {
			out.By, out.At = steps[n-1].Policy.Object.ID.String(), steps[n-1].Policy.Position()
		}
	}
	return out, len(proxies) > 0
}
