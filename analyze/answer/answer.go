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
	var above []*hierarchy.Node
	for n := w.Listener; n != nil; {
		above = append(above, n)
		switch {
		case n.Owner != nil:
			n = n.Owner
		case len(n.Up) > 0:
			n = n.Up[0].Parent
		default:
			n = nil
		}
	}
	slices.Reverse(above)
	return append(above, w.Route, w.Rule)
}

// Gateway returns the Gateway where the way begins, or the Service of a mesh.
func (w *Way) Gateway() *hierarchy.Node {
	for _, n := range w.Context() {
		if n.Level == hierarchy.LevelGateway || n.Level == hierarchy.LevelFrontend {
			return n
		}
	}
	return w.Listener
}

// String describes what the way matches: "a.example.com/api/*".
func (w *Way) String() string {
	host := w.Host
	if host == "*" {
		host = "any host"
	}
	if w.Match.Method != "" {
		return w.Match.Method + " " + host + w.Match.path()
	}
	return host + w.Match.path()
}

// Described is the way with all conditions of its match: "POST a.example.com/api/* with x-canary=1".
func (w *Way) Described() string {
	conditions := w.Match.words()
	if len(conditions) == 0 {
		return w.String()
	}
	return w.String() + " with " + strings.Join(conditions, ", ")
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
