package hierarchy

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// Crowded is a route that is accepted by a listener and gets no traffic of it, or
// not that of a hostname.
type Crowded struct {
	Route, By *Node
	At        loader.Position
	// Hostname is the one that both serve, for routes with hostnames.
	Hostname string
	// AgeSensitive says that the cluster may have it the other way round.
	AgeSensitive bool
}

// CrowdedOut are the TCPRoutes and UDPRoutes of a listener that an older one
// leaves nothing: there is nothing to tell their traffic apart by.
func (g *Graph) CrowdedOut(listener *Node) []Crowded {
	var out []Crowded
	for _, kind := range []string{"TCPRoute", "UDPRoute"} {
		var winner *Node
		for _, e := range listener.Down {
			if crowds(e, kind) && (winner == nil || g.options.Ages.Order(winner.Object, e.Child.Object).Compare > 0) {
				winner = e.Child
			}
		}
		for _, e := range listener.Down {
			if crowds(e, kind) && e.Child != winner {
				unsure := g.options.Ages.Order(winner.Object, e.Child.Object).Unsure
				out = append(out, Crowded{Route: e.Child, By: winner, At: e.Position(), AgeSensitive: unsure})
			}
		}
	}
	return out
}

func crowds(e *Edge, kind string) bool {
	return e.Admitted == True && e.Child.Object != nil && e.Child.Target.Kind == kind
}

// KindsOverlap are the HTTPRoutes and GRPCRoutes of a listener that serve a
// hostname which a route of the other kind serves with precedence: equal
// hostnames, each told once.
func (g *Graph) KindsOverlap(listener *Node) []Crowded {
	grpc := g.firstByHost(listener, "GRPCRoute")
	if len(grpc) == 0 {
		return nil
	}
	http := g.firstByHost(listener, "HTTPRoute")
	var out []Crowded
	for _, host := range slices.Sorted(maps.Keys(grpc)) {
		winner, loser := http[host], grpc[host]
		if winner == nil || opaque(host) {
			continue
		}
		order := g.options.Ages.Order(winner.Child.Object, loser.Child.Object)
		if order.Compare > 0 {
			winner, loser = loser, winner
		}
		out = append(out, Crowded{Route: loser.Child, By: winner.Child, At: loser.Position(), Hostname: host, AgeSensitive: order.Unsure})
	}
	return out
}

// firstByHost are the edges of a listener to routes of a kind that serve a
// hostname first.
func (g *Graph) firstByHost(listener *Node, kind string) map[string]*Edge {
	first := map[string]*Edge{}
	for _, e := range listener.Down {
		if e.Admitted != True || e.Child.Object == nil || e.Child.Target.Kind != kind {
			continue
		}
		for _, host := range hostsAt(e) {
			if winner := first[host]; winner == nil || g.options.Ages.Order(winner.Child.Object, e.Child.Object).Compare > 0 {
				first[host] = e
			}
		}
	}
	return first
}
