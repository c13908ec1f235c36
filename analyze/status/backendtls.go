package status

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// resolved is the ResolvedRefs condition of a route at a parent. It includes backends whose TLS
// settings refer to something unusable, if the parent's controller reports them on the route (Envoy
// Gateway, internal/gatewayapi/route.go, processDestination).
func (s states) resolved(route *hierarchy.Node, p *hierarchy.Parent) hierarchy.Condition {
	own := s.graph.Implementation(hierarchy.GatewayOf(p.Target))
	if own.Routes.BackendTLS.Reason == "" || p.Target.Level == hierarchy.LevelFrontend {
		return p.Resolved
	}
	broken := s.brokenTLS(route, hierarchy.GatewayOf(p.Target), &own.Routes.BackendTLS)
	switch {
	case broken == nil:
		return p.Resolved
	case p.Resolved.Status != fact.False:
		return *broken
	}
	c := p.Resolved
	reasons := append(strings.Split(c.Reason, ","), broken.Reason)
	slices.Sort(reasons)
	c.Reason = strings.Join(slices.Compact(reasons), ",")
	return c
}

// brokenTLS is the condition for the first backend of a route, or of its mirrors, whose connections
// cannot be secured as configured, there or for a Gateway, or nil.
func (s states) brokenTLS(route, gateway *hierarchy.Node, own *implementation.BackendTLS) *hierarchy.Condition {
	var broken *hierarchy.Condition
	client := hierarchy.UnusableClientCertificate(s.graph, gateway)
	judge := func(backend loader.ID, ref *loader.Value, carrier hierarchy.Carrier) {
		if broken != nil {
			return
		}
		message := s.run.Attached.BrokenTLS(s.graph, backend, portOf(ref))
		if message == "" && client != "" && s.run.Attached.Secures(s.graph, backend, portOf(ref)) {
			message = client
		}
		if message != "" {
			broken = &hierarchy.Condition{
				Type: hierarchy.ResolvedRefs, Status: fact.False, Reason: own.Reason, Message: message,
				Owner: route.Object, Ref: ref, Carrier: carrier, Involves: []loader.ID{backend},
			}
		}
	}
	s.graph.Mirrors(route, func(ref *loader.Value) {
		judge(hierarchy.BackendID(ref, route.Namespace()), ref, hierarchy.Filter)
	})
	for _, rule := range route.Sections {
		if s.graph.UnusableMatch(rule) != nil { // the rule is left out before its backends are looked at
			continue
		}
		for _, e := range rule.Down {
			// A rule has one edge to a backend, and one to each port of it that it refers to.
			backend := cmp.Or(e.Via, e.Child)
			if backend.Level != hierarchy.LevelBackend || e.Admitted != fact.True || e.Unweighted() || s.graph.Unseen(route, e.Ref) {
				continue
			}
			judge(backend.Target.ID, e.Ref, hierarchy.BackendRef)
		}
	}
	return broken
}

// portOf is the port of a reference, or empty.
func portOf(ref *loader.Value) string {
	if port := ref.Get("port"); port != nil {
		return port.Text
	}
	return ""
}
