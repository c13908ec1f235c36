package policy

import (
	"fmt"
	"iter"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// place is where requests arrive: one path of one hostname at a port of a Gateway.
type place struct {
	gateway          *hierarchy.Node
	host, port, path string
}

// arrival is a route that serves a place, and whether that is certain.
type arrival struct {
	route   *hierarchy.Node
	certain bool
}

// refuseShared rejects the policies of kinds with target.sharedPaths whose routes share a path
// with a route that they do not target. Only the value of a path counts, not its type or other
// parts of the match (NGINX Gateway Fabric internal/controller/state/graph/policies.go,
// checkForRouteOverlap). If it is unknown whether one of the routes is attached, the rejection
// is unknown, too.
func refuseShared(g *hierarchy.Graph, policies []*Policy) {
	var routes map[place][]arrival
	for _, p := range policies {
		if p.Kind.Target.SharedPaths == "" {
			continue
		}
		if routes == nil {
			routes = routesByPlace(g)
		}
		own, other, certain := p.sharer(routes)
		if other == nil {
			continue
		}
		for _, ref := range p.References {
			if certain {
				ref.refuse(p.Kind.Target.SharedPaths, fmt.Sprintf(
					"%s, which the policy does not target, shares a path of %s at one hostname and port of a Gateway", other.Spoken(), own.Spoken()))
			} else if ref.Accepted == fact.True {
				ref.Accepted, ref.Reason, ref.Message = fact.Unknown, NotInInput, fmt.Sprintf(
					"%s, which the policy does not target, may share a path of %s: it is unknown which Gateway one of them is attached to", other.Spoken(), own.Spoken())
			}
		}
	}
}

// sharer finds a targeted route and one that is not targeted and shares a path with it. It
// prefers a pair for which that is certain.
func (p *Policy) sharer(routes map[place][]arrival) (own, other *hierarchy.Node, certain bool) {
	// Controllers compare only the names of routes, whatever their kinds.
	targeted := map[[2]string]bool{}
	var order []arrival
	for _, ref := range p.References {
		for _, n := range ref.Nodes {
			if n.Level == hierarchy.LevelRoute && ref.Accepted != fact.False {
				targeted[nameOf(n)] = true
				order = append(order, arrival{n, ref.Accepted == fact.True})
			}
		}
	}
	for _, mine := range order {
		for at, sure := range placesOf(mine.route) {
			for _, theirs := range routes[at] {
				if targeted[nameOf(theirs.route)] {
					continue
				}
				if mine.certain && sure && theirs.certain {
					return mine.route, theirs.route, true
				}
				if other == nil {
					own, other = mine.route, theirs.route
				}
			}
		}
	}
	return own, other, false
}

func nameOf(n *hierarchy.Node) [2]string { return [2]string{n.Target.Namespace, n.Target.Name} }

func routesByPlace(g *hierarchy.Graph) map[place][]arrival {
	out := map[place][]arrival{}
	for _, n := range g.Nodes {
		if n.Level != hierarchy.LevelRoute || n.Object == nil {
			continue
		}
		for at, certain := range placesOf(n) {
			known := out[at]
			if last := len(known) - 1; last >= 0 && known[last].route == n {
				known[last].certain = known[last].certain || certain
				continue
			}
			out[at] = append(known, arrival{n, certain})
		}
	}
	return out
}

// placesOf are the places where a route receives requests, and whether that is certain.
func placesOf(route *hierarchy.Node) iter.Seq2[place, bool] {
	return func(yield func(place, bool) bool) {
		if route.Target.Kind != "HTTPRoute" && route.Target.Kind != "GRPCRoute" {
			return
		}
		paths := pathsOf(route)
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
					if !yield(place{hierarchy.GatewayOf(e.Parent), host, port, path}, e.Admitted == fact.True) {
						return
					}
				}
			}
		}
	}
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
