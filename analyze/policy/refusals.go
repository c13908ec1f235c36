package policy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
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

// RefusedOver says what the controller refuses in the result of laying a policy over a less specific one although it asks nobody of it in
// either of them there, or is empty: what it refuses of routes alone may stand at a Gateway. Lists are taken whole.
func RefusedOver(p, with *Policy) string {
	of := refusal.By(p.Kind.Refusals)
	if of == nil {
		return ""
	}
	for _, refused := range of(overlay(p.Object.Spec(), with.Object.Spec())) {
		if refused.Untaken {
			return refused.Path + ": " + refused.Why
		}
	}
	return ""
}

// overlay returns a value with the fields of another one that it does not have.
func overlay(over, under *loader.Value) *loader.Value {
	switch {
	case over.IsNull():
		return under
	case under.IsNull() || over.Shape != loader.Map || under.Shape != loader.Map:
		return over
	}
	out := &loader.Value{Shape: loader.Map, Mark: over.Mark}
	for _, f := range over.Fields {
		out.Fields = append(out.Fields, loader.Field{Key: f.Key, Value: overlay(f.Value, under.Get(f.Key))})
	}
	for _, f := range under.Fields {
		if over.Get(f.Key) == nil {
			out.Fields = append(out.Fields, f)
		}
	}
	return out
}

// refuseUntaken rejects the references to routes of a policy that its controller refuses before it translates it for a route. Others of
// its kind lose the route to it all the same (Envoy Gateway internal/gatewayapi/securitypolicy.go, resolveSecurityPolicyRouteTargetRef).
// The policy as a whole is Invalid if it has no others: of those to Gateways, the controller does not ask.
func refuseUntaken(p *Policy, refs []*Reference) {
	all := refusals(p)
	i := slices.IndexFunc(all, func(r refusal.Refusal) bool { return r.Untaken })
	if i < 0 || p.Invalid != "" {
		return
	}
	text, others := all[i].Path+": "+all[i].Why, false
	for _, ref := range refs {
		if hierarchy.LevelOf(ref.Target.Group, ref.Target.Kind) != hierarchy.LevelRoute {
			others = true
			continue
		}
		if ref.Reason != TargetNotFound { // whether there is a rule of the name is asked before
			ref.Takes = ref.Accepted != fact.False
			ref.refuse(Invalid, text)
		} else {
			others = true
		}
	}
	if !others {
		p.Invalid, p.InvalidAt = text, all[i].At
	}
}

// refusedAt returns what the controller refuses in the spec of a policy at the Gateways of a target.
func refusedAt(g *hierarchy.Graph, ref *Reference) (out []refusal.Refusal) {
	of := refusal.AtGateway(ref.Policy.Kind.Refusals)
	if of == nil {
		return nil
	}
	for _, gateway := range gatewaysOf(g, ref) {
		out = append(out, of(ref.Policy.Object.Spec(), refusal.Place{Parameter: parameter(g, gateway)})...)
	}
	return out
}

// parameter returns the fields of the parameters in force at a Gateway.
func parameter(g *hierarchy.Graph, gateway *hierarchy.Node) func(path ...string) (*loader.Value, bool) {
	return func(path ...string) (*loader.Value, bool) {
		return hierarchy.InForce(g, gateway, append([]string{"spec"}, path...)...)
	}
}

// gatewaysOf are the Gateways that a target is, belongs to or, of a route, is attached to.
func gatewaysOf(g *hierarchy.Graph, ref *Reference) (out []*hierarchy.Node) {
	add := func(n *hierarchy.Node) {
		if gateway := hierarchy.GatewayOf(n); gateway != nil && gateway.Object != nil && !slices.Contains(out, gateway) {
			out = append(out, gateway)
		}
	}
	nodes := ref.Nodes
	if listeners, isRoute := ofRoute(g, ref, func(p *hierarchy.Parent) []*hierarchy.Node { return p.Open }); isRoute {
		nodes = listeners
	}
	for _, n := range nodes {
		add(n)
	}
	return out
}

// ofRoute returns those listeners of each parent of a route that pick returns, and whether a target is a route. Parents that the
// controller of the policy's kind does not handle are left out (Envoy Gateway internal/gatewayapi/contexts.go, GetRouteParentContext).
func ofRoute(g *hierarchy.Graph, ref *Reference, pick func(*hierarchy.Parent) []*hierarchy.Node) (out []*hierarchy.Node, isRoute bool) {
	route := g.Node(hierarchy.Target{ID: ref.Target.ID}, hierarchy.LevelRoute)
	if route == nil {
		return nil, false
	}
	all := g.Parents(route)
	handled := slices.DeleteFunc(slices.Clone(all), func(p hierarchy.Parent) bool {
		return p.Missing || !ref.Policy.Kind.Controllers.Governs(g, hierarchy.GatewayOf(p.Target))
	})
	if len(handled) == 0 { // nobody asks
		handled = all
	}
	for _, parent := range handled {
		out = append(out, pick(&parent)...)
	}
	return out, true
}
