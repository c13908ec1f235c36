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
// backendtlspolicy.go, getBackendTLSPolicy). Copies of requests count as requests do (filters.go,
// processRequestMirrorFilter).
func (a *ancestry) secured(n *hierarchy.Node) []upward {
	var routes []*hierarchy.Node
	for _, e := range n.Up {
		if e.Parent.Level == hierarchy.LevelRule && e.Admitted != fact.False && !e.Unweighted() && !a.securedAtPort(e) {
			routes = append(routes, e.Parent.Owner)
		}
	}
	for _, m := range a.routes.mirroring(n.Target.ID) {
		port := hierarchy.Target{ID: n.Target.ID, Section: a.graph.PortName(n.Target.ID, m.port)}
		if n.Target.Section == port.Section || n.Target.Section == "" && a.run.Attached.FirstAt(port) == nil {
			routes = append(routes, m.route)
		}
	}
	slices.SortStableFunc(routes, func(x, y *hierarchy.Node) int {
		return cmp.Compare(slices.Index(routeOrder, x.Target.Kind), slices.Index(routeOrder, y.Target.Kind))
	})
	var out []upward
	for _, route := range routes {
		out = append(out, a.routes.of(route)...)
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
