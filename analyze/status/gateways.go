package status

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// gateways finds the Gateways that a target belongs to, for controllers that write an ancestor or a
// parent for each of them.
type gateways struct {
	graph    *hierarchy.Graph
	policies []*policy.Policy
	// users are what leads to a backend, by its ID without the group. The map is nil until its first
	// use.
	users map[loader.ID]*backendUsers
}

// ofTarget are the Gateways that a declared target belongs to, none if it does not exist
// (agentgateway, plugins/reference_indexes.go, LookupGatewaysForTarget).
func (g *gateways) ofTarget(ref *policy.Reference) []*hierarchy.Node {
	if ref.Reason == policy.TargetNotFound {
		return nil
	}
	var out []*hierarchy.Node
	for _, n := range ref.Nodes {
		switch n.Level {
		case hierarchy.LevelGateway, hierarchy.LevelListenerSet, hierarchy.LevelListener:
			gateway := hierarchy.GatewayOf(n)
			if n == gateway || n.Owner == gateway || g.takesSet(n, gateway) {
				out = append(out, gateway)
			}
		case hierarchy.LevelRoute:
			out = append(out, g.ofRoute(n)...)
		case hierarchy.LevelRule:
			out = append(out, g.ofRoute(n.Owner)...)
		default:
			out = append(out, g.ofBackend(n.Target.ID, map[loader.ID]bool{})...)
		}
	}
	return out
}

// takesSet reports whether a Gateway of the controller has a usable listener of the ListenerSet of
// a node. Conflicts do not matter.
func (g *gateways) takesSet(n, gateway *hierarchy.Node) bool {
	return gateway.Object != nil && g.graph.Implementation(gateway) == g.graph.Dominant() &&
		slices.ContainsFunc(g.graph.Listeners(gateway), func(l *hierarchy.Node) bool {
			accepted, conflicted := l.Condition(hierarchy.Accepted), l.Condition(hierarchy.ConflictedIs)
			return (l.Owner == n || l.Owner == n.Owner) &&
				(accepted == nil || accepted.Status != fact.False || conflicted != nil && conflicted.Status == fact.True)
		})
}

// ofRoute are the Gateways that take a route, and those that take the routes which pass requests on to it (agentgateway,
// translator/route_collections.go, delegatedGatewayRouteAttachmentCountCollection and delegatedHTTPAncestors).
func (g *gateways) ofRoute(route *hierarchy.Node) []*hierarchy.Node {
	return g.above(route, map[*hierarchy.Node]bool{})
}

func (g *gateways) above(route *hierarchy.Node, met map[*hierarchy.Node]bool) []*hierarchy.Node {
	if met[route] {
		return nil
	}
	met[route] = true
	var out []*hierarchy.Node
	for _, p := range g.graph.Parents(route) {
		if p.Missing || p.Target.Level == hierarchy.LevelRoute || p.Target.Level == hierarchy.LevelRule {
			continue
		}
		gateway := hierarchy.GatewayOf(p.Target)
		if p.Accepted.Status == fact.True && g.graph.Implementation(gateway) == g.graph.Dominant() {
			out = append(out, gateway)
		}
	}
	for _, e := range route.Up {
		if e.Parent.Level == hierarchy.LevelRule && e.Open() {
			out = append(out, g.above(e.Parent.Owner, met)...)
		}
	}
	return out
}

// ofBackend are the Gateways of the routes that send requests to a backend, and of the
// policies that refer to it. Groups, ports and grants are not compared (agentgateway,
// plugins/reference_indexes.go, lookupGatewaysForBackend).
func (g *gateways) ofBackend(backend loader.ID, met map[loader.ID]bool) []*hierarchy.Node {
	backend.Group = ""
	if met[backend] {
		return nil
	}
	met[backend] = true
	var out []*hierarchy.Node
	users := g.usersOf(backend)
	for _, n := range users.nodes {
		for _, e := range n.Up {
			if e.Parent.Level == hierarchy.LevelRule {
				out = append(out, g.ofRoute(e.Parent.Owner)...)
			}
		}
	}
	for _, p := range users.policies {
		for _, ref := range p.References {
			for _, n := range ref.Nodes {
				if n.Level == hierarchy.LevelBackend || n.Level == hierarchy.LevelPort || n.Level == hierarchy.LevelOutside {
					out = append(out, g.ofBackend(n.Target.ID, met)...)
					continue
				}
				out = append(out, g.ofTarget(&policy.Reference{Policy: p, Ref: ref.Ref, Target: ref.Target, Reason: ref.Reason, Nodes: []*hierarchy.Node{n}})...)
			}
		}
	}
	return out
}

// backendUsers are the nodes of a backend, and the policies that refer to it.
type backendUsers struct {
	nodes    []*hierarchy.Node
	policies []*policy.Policy
}

// usersOf returns what leads to a backend, whose ID has no group.
func (g *gateways) usersOf(backend loader.ID) *backendUsers {
	if g.users == nil {
		g.users = map[loader.ID]*backendUsers{}
		at := func(id loader.ID) *backendUsers {
			id.Group = ""
			if g.users[id] == nil {
				g.users[id] = &backendUsers{}
			}
			return g.users[id]
		}
		for _, n := range g.graph.Nodes {
			if n.Level == hierarchy.LevelBackend {
				u := at(n.Target.ID)
				u.nodes = append(u.nodes, n)
			}
		}
		for _, p := range g.policies {
			for _, b := range p.Backends() {
				if u := at(b.ID); !slices.Contains(u.policies, p) {
					u.policies = append(u.policies, p)
				}
			}
		}
	}
	if u := g.users[backend]; u != nil {
		return u
	}
	return &backendUsers{}
}
