package status

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

// routeOrder is the order in which Envoy Gateway translates the kinds of route
// (internal/gatewayapi/translator.go, Translate).
var routeOrder = []string{"HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"}

// secured returns the ancestors of a policy that secures the connections to a backend or its port:
// the parentRefs of the routes whose requests arrive there and use this policy. A backend that the
// route may not use, with weight 0, with a filter that is not supported there, or of a rule that is left out has no connections; a policy on the port has precedence over
// one on the whole backend (Envoy Gateway, internal/gatewayapi/route.go, processDestination, and
// backendtlspolicy.go, getBackendTLSPolicy).
func (a *ancestry) secured(n *hierarchy.Node) []upward {
	var routes []*hierarchy.Node
	for _, e := range n.Up {
		used := e.Admitted != fact.False || e.Reason == hierarchy.BesideResolver
		if e.Parent.Level == hierarchy.LevelRule && used && !e.Unweighted() && !a.graph.Unseen(e.Parent.Owner, e.Ref) && a.graph.UnusableMatch(e.Parent) == nil && !a.securedAtPort(e) {
			routes = append(routes, e.Parent.Owner)
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

// byMirrors adds the parentRefs of the routes that mirror to a declared target, for a policy that secures connections: copies
// of requests count as requests do (Envoy Gateway, filters.go, processRequestMirrorFilter). Nothing else may lead to the port.
func (a *ancestry) byMirrors(target hierarchy.Target, conditions []plan.Condition) {
	if !a.secures() {
		return
	}
	for _, m := range a.routes.mirroring(target.ID) {
		port := hierarchy.Target{ID: target.ID, Section: a.graph.PortName(target.ID, m.port)}
		if target.Section != port.Section && (target.Section != "" || a.run.Attached.FirstAt(port) != nil) {
			continue
		}
		a.upward(a.routes.of(m.route), conditions)
	}
}

// secures reports whether the policy secures connections for a controller that lists the parentRefs of their routes.
func (a *ancestry) secures() bool {
	return a.graph.Dominant().Policies.SectionAncestors && a.policy.Kind.Class() == catalogue.Direct
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
