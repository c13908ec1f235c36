package policy

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// refuseOnSharedPorts rejects the policies of kinds with target.sharedPorts at a listener or
// ListenerSet if plain HTTP listeners outside the target share one of its ports: they are one
// listener of the proxy, and the policy would also apply to the others (Envoy Gateway,
// internal/gatewayapi/clienttrafficpolicy.go, validatePortOverlapForClientTrafficPolicy).
func refuseOnSharedPorts(g *hierarchy.Graph, policies []*Policy, claimed claims) {
	for _, p := range policies {
		reason := p.Kind.Target.SharedPorts
		if reason == "" {
			continue
		}
		for _, ref := range p.References {
			if ref.Accepted == fact.False {
				continue
			}
			other := besideOnPort(g, ref, claimed)
			if other == nil {
				continue
			}
			ref.refuse(reason, fmt.Sprintf("it would also apply to %s, a plain HTTP listener of the same port", other.Spoken()))
			// Less specific policies do not take its place, although nothing of it applies.
			ref.Holds, ref.Void = true, true
		}
	}
}

// nothing is the spec of a policy where nothing of it applies.
func nothing(p *Policy) *merge.Tree {
	return bodyReader{p}.tree(&loader.Value{Shape: loader.Map, Mark: p.Object.Spec().Mark}, p.Direction)
}

// besideOnPort returns a plain HTTP listener of the same data plane that shares a port with the target
// and is not part of it, or nil. Of a Gateway or ListenerSet, only the listeners count that no policy
// of the kind claims for itself.
func besideOnPort(g *hierarchy.Graph, ref *Reference, claimed claims) *hierarchy.Node {
	for _, n := range ref.Nodes {
		var inside func(listener *hierarchy.Node) bool
		switch n.Level {
		case hierarchy.LevelListener:
			inside = func(listener *hierarchy.Node) bool { return listener == n }
		case hierarchy.LevelListenerSet:
			inside = func(listener *hierarchy.Node) bool { return listener.Owner == n }
		case hierarchy.LevelGateway:
			inside = func(listener *hierarchy.Node) bool { return hierarchy.GatewayOf(listener) == n }
		default:
			continue
		}
		ports := map[string]bool{}
		listeners := g.DataPlane(hierarchy.GatewayOf(n))
		for _, l := range listeners {
			if port := plainOn(g, l); port != "" && inside(l) && (l == n || !claimed[l]) {
				ports[port] = true
			}
		}
		for _, l := range listeners {
			if port := plainOn(g, l); port != "" && ports[port] && !inside(l) {
				return l
			}
		}
	}
	return nil
}

// SharesPort reports whether a listener and a plain HTTP listener outside a group are one listener of the proxy.
func SharesPort(g *hierarchy.Graph, listener *hierarchy.Node, inside func(*hierarchy.Node) bool) bool {
	port := plainOn(g, listener)
	return port != "" && slices.ContainsFunc(g.DataPlane(hierarchy.GatewayOf(listener)), func(l *hierarchy.Node) bool {
		return plainOn(g, l) == port && !inside(l)
	})
}

// plainOn returns the port of a valid listener without TLS, or "".
func plainOn(g *hierarchy.Graph, n *hierarchy.Node) string {
	if n.Value.Str("protocol") != "HTTP" || n.IsInvalid(g.Implementation(hierarchy.GatewayOf(n))) {
		return ""
	}
	if port := n.Value.Get("port"); !port.IsNull() {
		return port.Text
	}
	return ""
}
