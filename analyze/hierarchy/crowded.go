package hierarchy

import "github.com/gwplan/gwplan/loader"

// Crowded is a TCPRoute or UDPRoute that is accepted by a listener and gets no
// traffic of it.
type Crowded struct {
	Route, By *Node
	At        loader.Position
	// AgeSensitive says that the cluster may have it the other way round.
	AgeSensitive bool
}

// CrowdedOut are the TCPRoutes and UDPRoutes of a listener that an older one
// leaves nothing: there is nothing to tell their traffic apart by.
func (g *Graph) CrowdedOut(listener *Node) []Crowded {
	var out []Crowded
	first := map[string]*Edge{}
	for _, e := range listener.Down {
		kind := e.Child.Target.Kind
		if e.Admitted != True || e.Child.Object == nil || kind != "TCPRoute" && kind != "UDPRoute" {
			continue
		}
		winner := first[kind]
		if winner == nil {
			first[kind] = e
			continue
		}
		if winner.Child == e.Child {
			continue
		}
		order := g.options.Ages.Order(winner.Child.Object, e.Child.Object)
		loser := e
		if order.Compare > 0 {
			first[kind], loser = e, winner
		}
		out = append(out, Crowded{Route: loser.Child, By: first[kind].Child, At: loser.Position(), AgeSensitive: order.Unsure})
	}
	return out
}
