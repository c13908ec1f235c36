package policy

import (
	"cmp"
	"slices"
	"sync"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/refusal"
	"github.com/gwplan/gwplan/loader"
)

// refuseAtListeners rejects references for what the controller refuses at a listener of the target, which depends on the policy for its
// clients (Envoy Gateway, internal/gatewayapi/translator.go: policies of clients come first).
func refuseAtListeners(g *hierarchy.Graph, policies []*Policy, claimed claims, ages age.Ages) {
	ofClients := func(p *Policy) bool { return p.Kind.Target.SharedPorts != "" }
	refuseEach(g, slices.DeleteFunc(slices.Clone(policies), func(p *Policy) bool { return !ofClients(p) }), claimed, clientsOf(policies, ages))
	refuseEach(g, slices.DeleteFunc(slices.Clone(policies), ofClients), claimed, clientsOf(policies, ages))
}

func refuseEach(g *hierarchy.Graph, policies []*Policy, claimed claims, clients func(*hierarchy.Node) *Policy) {
	for _, p := range policies {
		of := refusal.AtListener(p.Kind.Refusals)
		if of == nil {
			continue
		}
		for _, ref := range p.References {
			if ref.Accepted == fact.False {
				continue
			}
			refused, at := firstRefused(g, ref, of, claimed, clients)
			if refused == nil {
				continue
			}
			why := refused.Path + ": " + refused.Why
			ref.refuse(p.Kind.Refused, why)
			ref.Holds = true
			if p.Faults == nil {
				p.Faults = []hierarchy.Condition{{Type: hierarchy.ResolvedRefs, Status: fact.False, Reason: p.Kind.Refused, Message: why, Owner: p.Object, Ref: refused.At}}
			}
			if p.BrokenAt != nil {
				p.BrokenAt = append(p.BrokenAt, at...)
			}
			if p.Broken == nil {
				p.BrokenAt = at
				p.Broken = &hierarchy.Condition{Type: hierarchy.ResolvedRefs, Status: fact.False, Reason: p.Kind.Refused, Message: why, Owner: p.Object, Ref: refused.At}
			}
		}
	}
}

func firstRefused(g *hierarchy.Graph, ref *Reference, of refusal.There, claimed claims, clients func(*hierarchy.Node) *Policy) (first *refusal.Refusal, at []*hierarchy.Node) {
	for _, listener := range httpListeners(g, ref, claimed) {
		all := of(ref.Policy.Object.Spec(), refusal.Place{
			Parameter: parameter(g, hierarchy.GatewayOf(listener)),
			Clients: func(path ...string) (*loader.Value, bool) {
				p := clients(listener)
				if p == nil {
					return nil, g.Whole()
				}
				return p.Object.Spec().Get(path...), true
			},
			Hostname: listener.Value.Str("hostname"),
			NamedWays: func() (n int, known bool) {
				n, known = g.NamedWays(listener)
				return n, known && g.Whole()
			},
		})
		if len(all) > 0 {
			at = append(at, listener)
			first = cmp.Or(first, &all[0])
		}
	}
	return first, at
}

// httpListeners are the listeners for HTTP that a target is, has or, of a route, is attached to. Of policies for clients those are left
// out that another one claims for itself.
func httpListeners(g *hierarchy.Graph, ref *Reference, claimed claims) (out []*hierarchy.Node) {
	add := func(n *hierarchy.Node) {
		protocol := n.Value.Str("protocol")
		if (protocol == "HTTP" || protocol == "HTTPS") && !n.IsInvalid(g.Implementation(hierarchy.GatewayOf(n))) {
			out = append(out, n)
		}
	}
	if listeners, isRoute := ofRoute(g, ref, func(p *hierarchy.Parent) []*hierarchy.Node { return p.Listeners }); isRoute {
		if !translated(g, ref) {
			return nil
		}
		for _, listener := range listeners {
			add(listener)
		}
		return out
	}
	for _, n := range ref.Nodes {
		for _, listener := range g.Listeners(hierarchy.GatewayOf(n)) {
			taken := ref.Policy.Kind.Target.SharedPorts != "" && claimed.from(n, listener)
			if (listener == n || listener.Owner == n || hierarchy.GatewayOf(listener) == n) && !taken {
				add(listener)
			}
		}
	}
	return out
}

// translated reports whether a rule that a target is, or has, is not left out for a match (Envoy Gateway
// internal/gatewayapi/securitypolicy.go, translateSecurityPolicyForRoute, looks at the rules that the proxy gets).
func translated(g *hierarchy.Graph, ref *Reference) bool {
	route := g.Node(hierarchy.Target{ID: ref.Target.ID}, hierarchy.LevelRoute)
	return slices.ContainsFunc(route.Sections, func(rule *hierarchy.Node) bool {
		return rule.Level == hierarchy.LevelRule && (ref.Target.Section == "" || rule.Target.Section == ref.Target.Section) && g.UnusableMatch(rule) == nil
	})
}

// clientsOf returns a function that finds the policy for the clients of a listener: the most specific one that is in force there. Each
// listener is asked once.
func clientsOf(policies []*Policy, ages age.Ages) func(*hierarchy.Node) *Policy {
	first := sync.OnceValue(func() map[*hierarchy.Node]*Policy {
		out := map[*hierarchy.Node]*Policy{}
		for _, p := range policies {
			if p.Kind.Target.SharedPorts == "" {
				continue
			}
			for _, ref := range p.References {
				if !ref.IsAttached() || ref.Void {
					continue
				}
				for _, n := range ref.Nodes {
					if known := out[n]; known == nil || p.Kind.Precedence(p.Object, known.Object, ages).Compare < 0 {
						out[n] = p
					}
				}
			}
		}
		return out
	})
	return func(listener *hierarchy.Node) *Policy {
		return cmp.Or(first()[listener], first()[listener.Owner], first()[hierarchy.GatewayOf(listener)])
	}
}
