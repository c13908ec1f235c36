// Package answer finds which rule answers a request. The names and places of objects do not matter: a
// client reaches the rule that matches its hostname, path, method, headers and query parameters at a port
// of a Gateway.
//
// Ports gives what a data plane tries for a request, in order: the most specific listener, in it the most
// specific hostname, in it the matches by precedence (Gateway API, HTTPRouteRule.matches; controllers
// depart from it as package implementation says). Port.Answer finds the rule for one request, OutcomeOf says
// what it does. Passages compares two revisions for all requests, and Shadowed finds matches that no request
// reaches.
package answer

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
)

// Way is one way by which requests reach a rule.
type Way struct {
	// Listener is a Service for routes of a mesh.
	Listener, Route, Rule *hierarchy.Node
	Host                  string
	// written is the hostname of the route that gives Host where it meets that of the listener, "" if the
	// route has none.
	written string
	// Certain is true if the route is known to be admitted; doubt says why it is not.
	Certain bool
	doubt   string
	// via are the routes and rules that pass requests on to the route, the first one first.
	via []*hierarchy.Node
	// Hollow is true for a rule that passes requests on to routes of which none is in the input.
	Hollow bool
	// deadEnd is true for the requests of such a rule that none of these routes takes, where the controller answers an error.
	deadEnd bool
	// unfollowed is true for a rule that passes requests on in more ways than are followed.
	unfollowed bool
	// Callers is the only namespace whose requests the way takes, in a mesh.
	Callers string

	// Match is the match of the rule.
	Match *Match
	// own is how the implementation matches requests, graph finds what filters refer to.
	own   *implementation.Matching
	graph *hierarchy.Graph
}

// Context returns the nodes of the way, from the root down.
func (w *Way) Context() []*hierarchy.Node {
	return append(append(Above(w.Listener), w.via...), w.Route, w.Rule)
}

// Above returns a listener, or a Service of a mesh, with the nodes above it, such as a waypoint, from the root down.
func Above(listener *hierarchy.Node) []*hierarchy.Node {
	var above []*hierarchy.Node
	for n := listener; n != nil; {
		above = append(above, n)
		switch {
		case n.Owner != nil:
			n = n.Owner
		case n.Waypoint != nil:
			n = n.Waypoint
		case len(n.Up) > 0:
			n = n.Up[0].Parent
		default:
			n = nil
		}
	}
	slices.Reverse(above)
	return above
}

// Contexts returns the nodes of the way, and then those with each backend of its rule.
func (w *Way) Contexts() [][]*hierarchy.Node {
	out := [][]*hierarchy.Node{w.Context()}
	for _, e := range w.backends() {
		out = append(out, w.through(e))
	}
	return out
}

// through returns the nodes of the way and those of a backend.
func (w *Way) through(e *hierarchy.Edge) []*hierarchy.Node {
	out := w.Context()
	if e.Via != nil {
		out = append(out, e.Via)
	}
	return append(out, e.Child)
}

// Shared returns the nodes of two ways with each backend that both revisions have.
func Shared(j *effective.Join, before, after *Way) (contexts [][2][]*hierarchy.Node) {
	old := map[*effective.Joint]*hierarchy.Edge{}
	for _, e := range before.Rule.Down {
		if e.Open() && e.Child.Level >= hierarchy.LevelBackend {
			old[j.Of(effective.Base, e.Child)] = e
		}
	}
	for _, e := range after.Rule.Down {
		if was := old[j.Of(effective.Head, e.Child)]; was != nil && e.Open() {
			contexts = append(contexts, [2][]*hierarchy.Node{before.through(was), after.through(e)})
		}
	}
	return contexts
}

// Gateway returns the Gateway where the way begins, or the Service of a mesh.
func (w *Way) Gateway() *hierarchy.Node {
	above := Above(w.Listener)
	for _, level := range []hierarchy.Level{hierarchy.LevelFrontend, hierarchy.LevelGateway} {
		if i := slices.IndexFunc(above, func(n *hierarchy.Node) bool { return n.Level == level }); i >= 0 {
			return above[i]
		}
	}
	return w.Listener
}

// Connections reports whether the way takes whole connections, or datagrams, in which nothing is matched.
func (w *Way) Connections() bool {
	return w.Route.Target.Kind == "TCPRoute" || w.Route.Target.Kind == "UDPRoute"
}

// String describes what the way matches: "a.example.com/api/*", "TCP port 22".
func (w *Way) String() string {
	if w.Connections() && w.Listener.Level != hierarchy.LevelFrontend && w.Listener.Level != hierarchy.LevelFrontendPort {
		return strings.TrimSuffix(w.Route.Target.Kind, "Route") + " port " + w.Port()
	}
	host := w.Host
	if host == "*" {
		host = "any host"
	}
	if w.Match.Method != "" {
		return w.Match.Method + " " + host + w.Match.path()
	}
	return host + w.Match.path()
}

// Described is the way with all conditions of its match: "POST a.example.com/api/* with x-canary=1", and in a mesh with the
// namespace of the callers if it is for them alone.
func (w *Way) Described() string {
	out := w.String()
	if conditions := w.Match.words(); len(conditions) > 0 {
		out += " with " + strings.Join(conditions, ", ")
	}
	if w.Callers != "" {
		out += " from namespace " + w.Callers
	}
	return out
}

// Ways returns all ways of a side.
func Ways(j *effective.Join, side effective.Side) []*Way {
	var out []*Way
	for _, p := range Ports(j.Runs[side].Graph) {
		for _, t := range p.Tables {
			for _, h := range t.Hosts() {
				out = append(out, h.Ways...)
			}
		}
	}
	return out
}
