package rule

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// crowded is a route that a listener accepts but to which it sends no traffic, or none for one
// hostname.
type crowded struct {
	Route, By *hierarchy.Node
	At        loader.Position
	// Hostname is the one that both routes serve, for routes with hostnames.
	Hostname string
	// AgeSensitive is true if the order may be reversed in the cluster.
	AgeSensitive bool
}

// crowdedOut returns the TCPRoutes and UDPRoutes of a listener that get no traffic because an older
// one gets it all. Nothing distinguishes the traffic of such routes.
func crowdedOut(g *hierarchy.Graph, listener *hierarchy.Node) []crowded {
	var out []crowded
	for _, kind := range []string{"TCPRoute", "UDPRoute"} {
		var winner *hierarchy.Node
		for _, e := range listener.Down {
			if crowds(e, kind) && (winner == nil || g.Order(winner.Object, e.Child.Object).Compare > 0) {
				winner = e.Child
			}
		}
		for _, e := range listener.Down {
			if crowds(e, kind) && e.Child != winner {
				unsure := g.Order(winner.Object, e.Child.Object).Unsure
				out = append(out, crowded{Route: e.Child, By: winner, At: e.Position(), AgeSensitive: unsure})
			}
		}
	}
	return out
}

func crowds(e *hierarchy.Edge, kind string) bool {
	return e.Admitted == fact.True && e.Child.Object != nil && e.Child.Target.Kind == kind
}

// kindsOverlap returns the HTTPRoutes and GRPCRoutes of a listener that share a hostname with a
// route of the other kind that has precedence. Only equal hostnames count, each once.
func kindsOverlap(g *hierarchy.Graph, listener *hierarchy.Node) []crowded {
	grpc := firstByHost(g, listener, "GRPCRoute")
	if len(grpc) == 0 {
		return nil
	}
	http := firstByHost(g, listener, "HTTPRoute")
	var out []crowded
	for _, host := range slices.Sorted(maps.Keys(grpc)) {
		winner, loser := http[host], grpc[host]
		if winner == nil || loader.Placeholder(host) {
			continue
		}
		order := g.Order(winner.Child.Object, loser.Child.Object)
		if order.Compare > 0 {
			winner, loser = loser, winner
		}
		out = append(out, crowded{Route: loser.Child, By: winner.Child, At: loser.Position(), Hostname: host, AgeSensitive: order.Unsure})
	}
	return out
}

// firstByHost maps each hostname to the edge of the route, of one kind, that has precedence for it.
func firstByHost(g *hierarchy.Graph, listener *hierarchy.Node, kind string) map[string]*hierarchy.Edge {
	first := map[string]*hierarchy.Edge{}
	for _, e := range listener.Down {
		if e.Admitted != fact.True || e.Child.Object == nil || e.Child.Target.Kind != kind {
			continue
		}
		for _, host := range e.HostsAt() {
			if winner := first[host]; winner == nil || g.Order(winner.Child.Object, e.Child.Object).Compare > 0 {
				first[host] = e
			}
		}
	}
	return first
}
