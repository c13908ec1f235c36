package rule

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// crowded is a route that is accepted by a listener and gets no traffic of it, or
// not that of a hostname.
type crowded struct {
	Route, By *hierarchy.Node
	At        loader.Position
	// Hostname is the one that both serve, for routes with hostnames.
	Hostname string
	// AgeSensitive says that the cluster may have it the other way round.
	AgeSensitive bool
}

// crowdedOut are the TCPRoutes and UDPRoutes of a listener that an older one
// leaves nothing: there is nothing to tell their traffic apart by.
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

// kindsOverlap are the HTTPRoutes and GRPCRoutes of a listener that serve a
// hostname which a route of the other kind serves with precedence: equal
// hostnames, each told once.
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

// firstByHost are the edges of a listener to routes of a kind that serve a
// hostname first.
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
