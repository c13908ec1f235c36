package policy

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// place is where requests come in: one path of one hostname at a port of a
// Gateway.
type place struct {
	gateway          *hierarchy.Node
	host, port, path string
}

// refuseShared rejects the policies of kinds with target.sharedPaths whose routes
// share a path with a route that they do not target. Only the value of a path
// counts, not its type, and nothing else of a match (NGINX Gateway Fabric
// internal/controller/state/graph/policies.go, checkForRouteOverlap).
func refuseShared(g *hierarchy.Graph, policies []*Policy) {
	var routes map[place][]*hierarchy.Node
	for _, p := range policies {
		if p.Kind.Target.SharedPaths == "" {
			continue
		}
		if routes == nil {
			routes = routesByPlace(g)
		}
		if own, other := p.sharer(routes); other != nil {
			for _, ref := range p.References {
				ref.refuse(p.Kind.Target.SharedPaths, fmt.Sprintf(
					"%s, which the policy does not target, shares a path of %s at one hostname and port of a Gateway", other, own))
			}
		}
	}
}

// sharer finds a targeted route and one that is not targeted and shares a path
// with it.
func (p *Policy) sharer(routes map[place][]*hierarchy.Node) (own, other *hierarchy.Node) {
	// Names alone tell what is targeted, whatever the kind of route.
	targeted := map[[2]string]bool{}
	var order []*hierarchy.Node
	for _, ref := range p.References {
		for _, n := range ref.Nodes {
			if n.Level == hierarchy.LevelRoute && ref.Accepted != hierarchy.False {
				targeted[nameOf(n)] = true
				order = append(order, n)
			}
		}
	}
	for _, n := range order {
		for _, at := range placesOf(n) {
			i := slices.IndexFunc(routes[at], func(r *hierarchy.Node) bool { return !targeted[nameOf(r)] })
			if i >= 0 {
				return n, routes[at][i]
			}
		}
	}
	return nil, nil
}

func nameOf(n *hierarchy.Node) [2]string { return [2]string{n.Target.Namespace, n.Target.Name} }

func routesByPlace(g *hierarchy.Graph) map[place][]*hierarchy.Node {
	out := map[place][]*hierarchy.Node{}
	for _, n := range g.Nodes {
		if n.Level != hierarchy.LevelRoute || n.Object == nil {
			continue
		}
		for _, at := range placesOf(n) {
			if known := out[at]; len(known) == 0 || known[len(known)-1] != n {
				out[at] = append(known, n)
			}
		}
	}
	return out
}

// placesOf are the places where requests for a route come in.
func placesOf(route *hierarchy.Node) []place {
	if route.Target.Kind != "HTTPRoute" && route.Target.Kind != "GRPCRoute" {
		return nil
	}
	paths := pathsOf(route)
	var out []place
	for _, e := range route.Up {
		if e.Parent.Level != hierarchy.LevelListener || !e.Open() {
			continue
		}
		hosts := e.Hostnames
		if len(hosts) == 0 {
			hosts = []string{""}
		}
		port := ""
		if v := e.Parent.Value.Get("port"); v != nil {
			port = v.Text
		}
		for _, host := range hosts {
			for _, path := range paths {
				out = append(out, place{hierarchy.GatewayOf(e.Parent), host, port, path})
			}
		}
	}
	return out
}

// pathsOf are the path values of a route's matches, with the API's default.
func pathsOf(route *hierarchy.Node) []string {
	var out []string
	for _, rule := range route.Value.List("rules") {
		matches := rule.List("matches")
		if len(matches) == 0 {
			out = append(out, "/")
		}
		for _, match := range matches {
			out = append(out, pathOf(match))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func pathOf(match *loader.Value) string {
	if method := match.Get("method"); method != nil && method.Shape == loader.Map {
		if service, name := method.Str("service"), method.Str("method"); service != "" && name != "" {
			return "/" + service + "/" + name
		}
	}
	if path := match.Str("path", "value"); path != "" {
		return path
	}
	return "/"
}
