// Package answer finds which rule answers a request, before and after a change. The names and
// places of objects do not matter: a client reaches the rule that matches its hostname, path and
// method at a port of a Gateway.
//
// The package does not enumerate requests. Each way to a rule that a change touches (listener,
// hostname, match) yields one request that represents all requests which the way matches. For each
// revision, the package computes which rule answers this request, by the precedence of Gateway API
// (HTTPRouteRule.matches, and hostnames before it).
package answer

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// Way is one way by which requests reach a rule.
type Way struct {
	// Listener is a Service for routes of a mesh.
	Listener, Route, Rule *hierarchy.Node
	Host                  string
	// Certain is true if the route is known to be admitted; doubt says why it is not.
	Certain bool
	doubt   string
	// Callers is the only namespace whose requests the way takes, in a mesh.
	Callers string

	// Match is the match of the rule.
	Match *Match
	entry entry
	// own is how the implementation matches requests.
	own *implementation.Matching
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

// entry is where requests arrive: the joined Gateway or Service, and the port. Routes of different
// families do not compete.
type entry struct {
	gateway *effective.Joint
	port    string
	family  string
}

// Passage is a request that another rule, or another listener, answers after a change.
type Passage struct {
	// Request is the way that represents the request, of base if base has it.
	Request *Way
	// Before and After are nil if no rule answers.
	Before, After *Way
}

// maxSteps limits how often a request is compared with a way for one change.
const maxSteps = 20_000_000

// Passages returns the requests to rules that a change touches and that are answered differently
// afterwards. It returns none if one side is missing. left are the requests that were not compared,
// because there are too many.
func Passages(j *effective.Join) (passages []Passage, left []*Way) {
	return passagesWithin(j, maxSteps)
}

func passagesWithin(j *effective.Join, steps int) (passages []Passage, left []*Way) {
	if j == nil || j.Runs[effective.Base] == nil || j.Runs[effective.Head] == nil {
		return nil, nil
	}
	c := &comparison{join: j}
	c.touched()
	if len(c.requests) == 0 {
		return nil, nil
	}
	for side := range c.tables {
		c.tables[side] = newTable(j, effective.Side(side), c.entries)
	}
	for i, request := range c.requests {
		if c.tables[effective.Base].steps+c.tables[effective.Head].steps > steps {
			return passages, c.requests[i:]
		}
		before, after := c.tables[effective.Base].answer(request), c.tables[effective.Head].answer(request)
		if !c.same(before, after) {
			passages = append(passages, Passage{request, before, after})
		}
	}
	return passages, nil
}

// Ways returns all ways of a side.
func Ways(j *effective.Join, side effective.Side) []*Way {
	var out []*Way
	for _, at := range j.Routes() {
		if n := at.Nodes[side]; n != nil && n.Object != nil {
			out = append(out, ways(j, side, n)...)
		}
	}
	return out
}

type comparison struct {
	join     *effective.Join
	requests []*Way
	entries  map[entry]bool
	tables   [2]*table
}

// same reports whether the same rule answers at the same listener on both sides.
func (c *comparison) same(before, after *Way) bool {
	if before == nil || after == nil {
		return before == after
	}
	return c.join.Of(effective.Base, before.Rule) == c.join.Of(effective.Head, after.Rule) &&
		c.join.Of(effective.Base, before.Listener) == c.join.Of(effective.Head, after.Listener)
}

// touched collects the ways of the routes that differ, each request once.
func (c *comparison) touched() {
	c.entries = map[entry]bool{}
	type request struct {
		entry       entry
		host, match string
	}
	seen := map[request]bool{}
	for _, at := range c.join.Routes() {
		var own [2][]*Way
		for side, n := range at.Nodes {
			if n != nil && n.Object != nil {
				own[side] = ways(c.join, effective.Side(side), n)
			}
		}
		if c.alike(at, own) {
			continue
		}
		for _, w := range slices.Concat(own[0], own[1]) {
			key := request{w.entry, w.Host, w.Match.key()}
			if !seen[key] {
				seen[key] = true
				c.entries[w.entry] = true
				c.requests = append(c.requests, w)
			}
		}
	}
}

// alike reports whether a route is unchanged and has the same ways on both sides.
func (c *comparison) alike(at *effective.Joint, own [2][]*Way) bool {
	b, a := at.Nodes[effective.Base], at.Nodes[effective.Head]
	if b == nil || a == nil || b.Object == nil || a.Object == nil || !sameRequests(b, a) {
		return false
	}
	return slices.EqualFunc(own[0], own[1], func(x, y *Way) bool {
		return x.entry == y.entry && x.Host == y.Host &&
			c.join.Of(effective.Base, x.Listener) == c.join.Of(effective.Head, y.Listener)
	})
}

// sameRequests reports whether a route asks for the same requests on both sides, whatever its labels
// and other metadata are. Its name counts, because it decides between equal matches.
func sameRequests(b, a *hierarchy.Node) bool {
	return b.Object.Digest == a.Object.Digest || b.Object.ID == a.Object.ID && loader.Equal(b.Object.Spec(), a.Object.Spec())
}

// ways returns the ways of a route that is attached to listeners or, in a mesh, to Services.
func ways(j *effective.Join, side effective.Side, route *hierarchy.Node) []*Way {
	var out []*Way
	for _, e := range route.Up {
		if !e.Open() || e.Parent.Level >= hierarchy.LevelRoute {
			continue
		}
		at := entryOf(j, side, e.Parent, route)
		if at.gateway == nil {
			continue
		}
		own := &j.Runs[side].Graph.Implementation(hierarchy.GatewayOf(e.Parent)).Matching
		for _, host := range e.HostsAt() {
			if loader.Placeholder(host) {
				continue // its value is not known
			}
			for _, rule := range route.Sections {
				for _, m := range MatchesOf(rule) {
					if !loader.Placeholder(m.Path) {
						out = append(out, &Way{
							Listener: e.Parent, Route: route, Rule: rule, Host: strings.ToLower(host),
							Certain: e.Admitted == fact.True, Match: &m, entry: at, own: own,
						})
					}
				}
			}
		}
	}
	return out
}

func entryOf(j *effective.Join, side effective.Side, listener, route *hierarchy.Node) entry {
	out := entry{family: route.Target.Kind}
	if out.family == "GRPCRoute" {
		out.family = "HTTPRoute"
	}
	gateway := listener
	for gateway != nil && gateway.Level != hierarchy.LevelGateway && gateway.Level != hierarchy.LevelFrontend {
		switch {
		case gateway.Owner != nil:
			gateway = gateway.Owner
		case len(gateway.Up) > 0:
			gateway = gateway.Up[0].Parent
		default:
			gateway = nil
		}
	}
	if gateway == nil {
		return out
	}
	out.gateway = j.Of(side, gateway)
	if port := listener.Value.Get("port"); port != nil {
		out.port = port.Text
	} else {
		out.port = listener.Target.Section
	}
	return out
}

// table holds the ways of a side by entry, hostname and path.
type table struct {
	graph *hierarchy.Graph
	ways  map[entry]map[string]map[pathKey][]*Way
	// steps counts the comparisons so far.
	steps int
}

// pathKey is the condition of a match for the path.
type pathKey struct{ form, path string }

func newTable(j *effective.Join, side effective.Side, entries map[entry]bool) *table {
	t := &table{graph: j.Runs[side].Graph, ways: map[entry]map[string]map[pathKey][]*Way{}}
	for _, w := range Ways(j, side) {
		if !entries[w.entry] {
			continue
		}
		hosts := t.ways[w.entry]
		if hosts == nil {
			hosts = map[string]map[pathKey][]*Way{}
			t.ways[w.entry] = hosts
		}
		if hosts[w.Host] == nil {
			hosts[w.Host] = map[pathKey][]*Way{}
		}
		key := pathKey{w.Match.Form, w.Match.Path}
		hosts[w.Host][key] = append(hosts[w.Host][key], w)
	}
	return t
}

// answer returns the way that answers a request: the one with precedence among those of the most
// specific hostname that covers the request's hostname.
func (t *table) answer(request *Way) *Way {
	hosts := t.ways[request.entry]
	for host := request.Host; ; host = wider(host) {
		if known := hosts[host]; len(known) > 0 {
			return t.best(known, request.Match)
		}
		if host == "*" {
			return nil
		}
	}
}

// wider returns the next wildcard that covers a hostname: *.b.c for a.b.c, *.c for *.b.c, and
// finally "*".
func wider(host string) string {
	_, rest, found := strings.Cut(strings.TrimPrefix(host, "*."), ".")
	if !found {
		return "*"
	}
	return "*." + rest
}

// best returns the way with precedence among those that match a request.
func (t *table) best(ways map[pathKey][]*Way, request *Match) *Way {
	var best *Way
	for _, key := range request.takers() {
		t.steps += 1 + len(ways[key])
		for _, w := range ways[key] {
			if w.Match.takes(request) && (best == nil || t.before(w, best) < 0) {
				best = w
			}
		}
	}
	return best
}

// before orders ways of one hostname that match the same request.
func (t *table) before(a, b *Way) int { return before(t.graph, a, b) }
