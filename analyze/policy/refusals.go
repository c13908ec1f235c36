package policy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/refusal"
	"github.com/gwplan/gwplan/loader"
)

// refusals returns what the controller refuses in the spec of a policy.
func refusals(p *Policy) []refusal.Refusal {
	of := refusal.By(p.Kind.Refusals)
	if of == nil {
		return nil
	}
	return of(p.Object.Spec())
}

// checkRefusals makes a policy Invalid because of what its controller refuses before it takes the
// targets.
func checkRefusals(p *Policy) {
	for _, refused := range refusals(p) {
		if refused.Untaken && p.Invalid == "" {
			p.Invalid, p.InvalidAt = refused.Path+": "+refused.Why, refused.At
		}
	}
}

// refusedAt returns what the controller refuses in the spec of a policy at the Gateways of a target.
func refusedAt(g *hierarchy.Graph, ref *Reference) (out []refusal.Refusal) {
	of := refusal.At(ref.Policy.Kind.Refusals)
	if of == nil {
		return nil
	}
	for _, gateway := range gatewaysOf(g, ref) {
		out = append(out, of(ref.Policy.Object.Spec(), refusal.Place{
			Parameter: func(path ...string) (*loader.Value, bool) {
				return g.InForce(gateway, append([]string{"spec"}, path...)...)
			},
		})...)
	}
	return out
}

// gatewaysOf are the Gateways that a target is, belongs to or, of a route, is attached to.
func gatewaysOf(g *hierarchy.Graph, ref *Reference) (out []*hierarchy.Node) {
	add := func(n *hierarchy.Node) {
		if gateway := hierarchy.GatewayOf(n); gateway != nil && gateway.Object != nil && !slices.Contains(out, gateway) {
			out = append(out, gateway)
		}
	}
	if route := g.Node(hierarchy.Target{ID: ref.Target.ID}, hierarchy.LevelRoute); route != nil {
		for _, parent := range g.Parents(route) {
			for _, listener := range parent.Open {
				add(listener)
			}
		}
		return out
	}
	for _, n := range ref.Nodes {
		add(n)
	}
	return out
}
