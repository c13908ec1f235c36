package status

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// routeOrder is the order in which Envoy Gateway translates the kinds of route
// (internal/gatewayapi/translator.go, Translate).
var routeOrder = []string{"HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"}

// secured returns the ancestors of a policy that secures the connections to a backend or its port:
// the parentRefs of the routes whose requests arrive there and use this policy. A backend that the
// route may not use, or with weight 0, has no connections; a policy on the port has precedence over
// one on the whole backend (Envoy Gateway, internal/gatewayapi/route.go, processDestination, and
// backendtlspolicy.go, getBackendTLSPolicy).
func (a *ancestry) secured(n *hierarchy.Node) []upward {
	up := slices.DeleteFunc(slices.Clone(n.Up), func(e *hierarchy.Edge) bool {
		return e.Parent.Level != hierarchy.LevelRule || e.Admitted == fact.False || e.Unweighted() || a.securedAtPort(e)
	})
	slices.SortStableFunc(up, func(x, y *hierarchy.Edge) int {
		return cmp.Compare(slices.Index(routeOrder, x.Parent.Target.Kind), slices.Index(routeOrder, y.Parent.Target.Kind))
	})
	var out []upward
	for _, e := range up {
		out = append(out, a.routes.of(e.Parent.Owner)...)
	}
	return out
}

// securedAtPort reports whether a policy on the port takes the connections of an edge to a whole
// backend.
func (a *ancestry) securedAtPort(e *hierarchy.Edge) bool {
	return slices.ContainsFunc(e.Parent.Down, func(port *hierarchy.Edge) bool {
		if port.Via != e.Child || port.Ref != e.Ref {
			return false
		}
		set := a.run.Attached.At(port.Child, a.policy.Kind)
		return set != nil && len(set.Policies) > 0
	})
}
