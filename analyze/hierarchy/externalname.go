package hierarchy

import (
	"github.com/gwplan/gwplan/analyze/fact"
)

// resolvesNames reports whether each Gateway of a route asks a DNS server of its own for Services of type ExternalName, by its
// parameters or else by those of its class (nginx-gateway-fabric internal/controller/state/graph/backend_refs.go,
// checkExternalNameValidForGateways).
func resolvesNames(r *referring) (fact.Fact, string) {
	if len(r.own.Routes.NameResolver) == 0 {
		return fact.False, "has no endpoints in the cluster"
	}
	g := &gateways{controllers: r.controllers}
	for _, e := range r.route.Up {
		parent := e.Parent
		if parent.Owner != nil {
			parent = parent.Owner
		}
		gateway := GatewayOf(parent)
		if gateway == nil || gateway.Object == nil {
			return fact.Unknown, "its Gateway is not in the input"
		}
		own, ofClass := gateway.Value.Get("infrastructure", "parametersRef"), ofClass(g, gateway)
		switch {
		case g.Parameter(gateway, r.own.Routes.NameResolver...) != nil, ofClass.Get(r.own.Routes.NameResolver...) != nil:
		case !own.IsNull() && g.parametersOf(gateway) == nil, ofClass == nil && !classIsBare(gateway):
			return fact.Unknown, "the parameters of " + gateway.Spoken() + " are not in the input"
		default:
			return fact.False, "the parameters of " + gateway.Spoken() + " have no DNS resolver"
		}
	}
	return fact.True, ""
}
