package status

import (
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
	broken := s.brokenTLS(route, &own.Routes.BackendTLS)
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

// brokenTLS is the condition for the first backend of a route whose connections cannot be secured
// as configured, or nil.
func (s states) brokenTLS(route *hierarchy.Node, own *implementation.BackendTLS) *hierarchy.Condition {
	for _, rule := range route.Sections {
		for _, e := range rule.Down {
			if e.Child.Level != hierarchy.LevelBackend || e.Admitted != fact.True || e.Unweighted() {
				continue
			}
			if message := s.run.Attached.BrokenTLS(s.graph, e.Child.Target.ID, portOf(e)); message != "" {
				return &hierarchy.Condition{
					Type: hierarchy.ResolvedRefs, Status: fact.False, Reason: own.Reason, Message: message,
					Owner: route.Object, Ref: e.Ref, Carrier: hierarchy.BackendRef, Involves: []loader.ID{e.Child.Target.ID},
				}
			}
		}
	}
	return nil
}

// portOf is the port of the reference that makes an edge, or empty.
func portOf(e *hierarchy.Edge) string {
	if port := e.Ref.Get("port"); port != nil {
		return port.Text
	}
	return ""
}
