package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/internal/dns"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// Port is where requests arrive: a port of a data plane, or of a Service in a mesh.
type Port struct {
	// Gateway is the first Gateway of the data plane, or the Service.
	Gateway *hierarchy.Node
	// Number is the port, "" if it is not known.
	Number string
	// Tables are what answers there, those of the most specific hostname first.
	Tables []*Table
	// Idle are the listeners that serve nothing, with the reason.
	Idle []Idle

	graph   *hierarchy.Graph
	own     *implementation.Matching
	matches *matchTable
}

// Idle is a listener that serves nothing.
type Idle struct {
	Listener *hierarchy.Node
	Why      string
}

// Table answers the requests of a listener, or of all HTTP listeners of a port that share their
// hostnames.
type Table struct {
	Protocol  string
	Listeners []*hierarchy.Node
	// Hostname is what requests must have, "*" for any.
	Hostname string

	port *Port
	// edges attach its routes. hosts and byName are made of them when they are first needed.
	edges  []*hierarchy.Edge
	hosts  []*Host
	byName map[string]*Host
	// fallen are the hostnames that answer a name together, for implementations that fall through.
	fallen map[string]*Host
}

// Host is a hostname with the ways of its requests in order of precedence.
type Host struct {
	Name string
	Ways []*Way
	// routes are nil until first used.
	routes []*hierarchy.Node
	// exceeded is true if requests are passed on in more ways than are followed.
	exceeded bool
}

// Routes returns the routes of a hostname, each once.
func (h *Host) Routes() []*hierarchy.Node {
	if h.routes == nil {
		seen := map[*hierarchy.Node]bool{}
		for _, w := range h.Ways {
			if !seen[w.Route] {
				seen[w.Route], h.routes = true, append(h.routes, w.Route)
			}
		}
	}
	return h.routes
}

// Ports returns the ports of the Gateways of an environment, and those of the Services of its mesh.
func Ports(g *hierarchy.Graph) []*Port {
	var out []*Port
	seen, matches := map[*hierarchy.Node]bool{}, &matchTable{known: map[*hierarchy.Node][]*Match{}, passedOn: map[[2]*Match]*Match{}}
	for _, n := range g.Nodes {
		if n.Level == hierarchy.LevelGateway {
			out = append(out, portsOf(g, n, seen, matches)...)
		} else if n.Level == hierarchy.LevelFrontend {
			out = append(out, frontend(g, n, matches)...)
		}
	}
	return out
}

// portsOf returns the ports of the data plane of a Gateway, unless they are in seen.
func portsOf(g *hierarchy.Graph, gateway *hierarchy.Node, seen map[*hierarchy.Node]bool, matches *matchTable) []*Port {
	listeners := g.DataPlane(gateway)
	if gateway.Object == nil {
		listeners = gateway.Sections
	}
	own := g.Implementation(gateway)
	var out []*Port
	ports := map[string]*Port{}
	for _, listener := range listeners {
		if seen[listener] {
			continue
		}
		seen[listener] = true
		number := ""
		if port := listener.Value.Get("port"); port != nil {
			number = port.Text
		}
		port := ports[number]
		if port == nil {
			port = &Port{Gateway: gateway, Number: number, graph: g, own: &own.Matching, matches: matches}
			ports[number], out = port, append(out, port)
		}
		why := WhyIdle(g, listener)
		if class, meant := g.Misclassed(gateway); why == "" && class != nil {
			why = class.Spoken() + " is not in the input" + spelling.Meant(meant)
		}
		if why != "" {
			port.Idle = append(port.Idle, Idle{listener, why})
			continue
		}
		port.serve(listener)
	}
	for _, port := range out {
		slices.SortStableFunc(port.Tables, func(a, b *Table) int { return moreSpecific(a.Hostname, b.Hostname) })
	}
	return out
}

// WhyIdle says why a listener serves nothing, or is empty.
func WhyIdle(g *hierarchy.Graph, listener *hierarchy.Node) string {
	if gateway := hierarchy.GatewayOf(listener); gateway != nil && gateway.Object != nil && !g.Translated(gateway) {
		if c := gateway.Condition(hierarchy.Accepted); c != nil {
			return gateway.Spoken() + " is not translated: " + c.Reason + ": " + c.Message
		}
	}
	for _, kind := range []string{hierarchy.Accepted, hierarchy.ConflictedIs, hierarchy.Programmed} {
		if c := listener.Condition(kind); c != nil && c.Bad() && c.Status != fact.Unknown {
			return c.Reason + ": " + c.Message
		}
	}
	return ""
}

// serve adds the routes of a listener.
func (p *Port) serve(listener *hierarchy.Node) {
	t := &Table{Protocol: listener.Value.Str("protocol"), Listeners: []*hierarchy.Node{listener}, Hostname: folded(cmp.Or(listener.Value.Str("hostname"), "*"))}
	if p.own.SharesHosts && t.Protocol == "HTTP" || p.own.SharesSecure && t.Protocol == "HTTPS" {
		if i := slices.IndexFunc(p.Tables, func(other *Table) bool { return other.Protocol == t.Protocol }); i >= 0 {
			t = p.Tables[i]
			t.Listeners = append(t.Listeners, listener)
		} else {
			t.Hostname = "*"
			p.Tables = append(p.Tables, t)
		}
	} else {
		p.Tables = append(p.Tables, t)
	}
	t.port, t.edges = p, append(t.edges, routesOf(listener)...)
}

// routesOf returns the edges from a parent to the routes that it may admit.
func routesOf(parent *hierarchy.Node) []*hierarchy.Edge {
	var out []*hierarchy.Edge
	for _, e := range parent.Down {
		if e.Open() && e.Child.Level == hierarchy.LevelRoute {
			out = append(out, e)
		}
	}
	return out
}

// Hosts returns the hostnames of the table's routes, the most specific one first.
func (t *Table) Hosts() []*Host {
	if t.byName != nil {
		return t.hosts
	}
	t.byName = map[string]*Host{}
	for _, e := range t.edges {
		for _, name := range e.HostsAt() {
			if name = folded(name); !t.isolated(e.Parent, name) {
				t.host(name).add(t.port, e)
			}
		}
	}
	slices.SortStableFunc(t.hosts, func(a, b *Host) int { return moreSpecific(a.Name, b.Name) })
	preserved := t.port.preserves()
	for _, h := range t.hosts {
		slices.SortStableFunc(h.Ways, func(a, b *Way) int {
			if preserved {
				return asWritten(t.port.graph, a, b)
			}
			return before(t.port.graph, a, b)
		})
	}
	return t.hosts
}

// folded is a hostname in lower case, unless it holds a variable.
func folded(name string) string {
	if loader.Placeholder(name) {
		return name
	}
	return strings.ToLower(name)
}

// isolated reports whether a listener leaves a hostname of a route to a more specific listener that covers
// it.
func (t *Table) isolated(listener *hierarchy.Node, name string) bool {
	if !t.port.own.IsolatesHosts || name == "*" {
		return false
	}
	own := folded(listener.Value.Str("hostname"))
	return slices.ContainsFunc(t.Listeners, func(other *hierarchy.Node) bool {
		host := folded(other.Value.Str("hostname"))
		return other != listener && len(host) > len(own) && (host == name || dns.Covers(host, name))
	})
}

// answering returns what answers requests for a name, or for a wildcard: the most specific hostname that
// covers it, with those that its requests fall through to.
func (t *Table) answering(name string) *Host {
	best := widest(name, t.named)
	if best == nil || !t.port.own.FallsThrough || best.Name == "*" {
		return best
	}
	if h := t.fallen[best.Name]; h != nil {
		return h
	}
	out := &Host{Name: best.Name, Ways: slices.Clone(best.Ways), exceeded: best.exceeded}
	for next := best; next != nil && next.Name != "*"; {
		if next = widest(wider(next.Name), t.named); next != nil {
			out.Ways, out.exceeded = append(out.Ways, next.Ways...), out.exceeded || next.exceeded
		}
	}
	if t.port.own.Scores || t.port.own.HTTPAlways {
		slices.SortStableFunc(out.Ways, t.port.across)
	}
	if t.fallen == nil {
		t.fallen = map[string]*Host{}
	}
	t.fallen[best.Name] = out
	return out
}

// across orders ways of several hostnames that answer a request together, for implementations that do not go by
// the hostname first.
func (p *Port) across(a, b *Way) int {
	if p.own.Scores {
		return cmp.Compare(b.score(), a.score())
	}
	return strings.Compare(b.Route.Target.Kind, a.Route.Target.Kind) // HTTPRoute before GRPCRoute
}

// named returns a hostname of the table, or nil.
func (t *Table) named(name string) *Host {
	t.Hosts()
	return t.byName[name]
}

func (t *Table) host(name string) *Host {
	if h := t.byName[name]; h != nil {
		return h
	}
	h := &Host{Name: name}
	t.hosts, t.byName[name] = append(t.hosts, h), h
	return h
}

// add adds the ways of a route that is attached by an edge.
func (h *Host) add(p *Port, e *hierarchy.Edge) {
	h.follow(p, Way{
		Listener: e.Parent, Route: e.Child, Host: h.Name, written: h.written(e.Child), Certain: e.Admitted == fact.True,
		Callers: e.Callers, own: p.own, graph: p.graph, doubt: e.Message,
	})
}

// written is the most specific hostname of a route that covers this one.
func (h *Host) written(route *hierarchy.Node) string {
	best := ""
	for _, v := range route.Value.List("hostnames") {
		if name := folded(v.Text); (name == h.Name || dns.Covers(name, h.Name)) && (best == "" || moreSpecific(name, best) < 0) {
			best = name
		}
	}
	return best
}

// matchTable keeps the matches of rules, which may be at many listeners; a rule that its controller leaves out has none.
type matchTable struct {
	known map[*hierarchy.Node][]*Match
	// passedOn are the matches of rules below others, by both: they are the same for all hostnames.
	passedOn map[[2]*Match]*Match
	// followed counts the ways on which requests are passed on.
	followed int
}

func (t *matchTable) of(rule *hierarchy.Node, p *Port) []*Match {
	if found, known := t.known[rule]; known {
		return found
	}
	if p.graph.LeftOut(rule) {
		t.known[rule] = nil
		return nil
	}
	list := p.extended(rule, matchesOf(rule))
	for i := range list {
		list[i].opened(p.own)
	}
	out := make([]*Match, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	t.known[rule] = out
	return out
}

// frontend returns the ports of a Service to which routes of a mesh are attached.
func frontend(g *hierarchy.Graph, service *hierarchy.Node, matches *matchTable) []*Port {
	whole := routesOf(service)
	var out []*Port
	add := func(number string, edges []*hierarchy.Edge) {
		own := g.Implementation(service)
		p := &Port{Gateway: service, Number: number, graph: g, own: &own.Matching, matches: matches}
		p.Tables = []*Table{{Protocol: "HTTP", Listeners: []*hierarchy.Node{service}, Hostname: "*", port: p, edges: edges}}
		out = append(out, p)
	}
	known := map[string]bool{}
	for _, section := range service.Sections {
		if section.Level != hierarchy.LevelFrontendPort {
			continue
		}
		number := section.Target.Section
		for _, port := range service.Value.List("ports") {
			if port.Str("name") == number && port.Get("port") != nil {
				number = port.Get("port").Text
			}
		}
		known[number] = true
		add(number, slices.Concat(routesOf(section), whole))
	}
	if len(whole) > 0 {
		for _, port := range service.Value.List("ports") {
			if number := port.Get("port"); number != nil && !known[number.Text] {
				add(number.Text, whole)
			}
		}
		if service.Object == nil {
			add("", whole)
		}
	}
	return out
}

func (p *Port) preserves() bool {
	return p.own.Preserves != nil && p.graph.Parameter(p.Gateway, p.own.Preserves...).IsTrue()
}

// moreSpecific orders hostnames: names before wildcards, longer ones first.
func moreSpecific(a, b string) int {
	wild := func(host string) int {
		if strings.HasPrefix(host, "*") {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(wild(a), wild(b)), cmp.Compare(len(b), len(a)), strings.Compare(a, b))
}

// coversHost reports whether a hostname of a listener or route covers that of a request.
func coversHost(host, name string) fact.Fact {
	switch {
	case host == "*" || host == name || dns.Covers(host, name):
		return fact.True
	case loader.Placeholder(host):
		end := hierarchy.VariableEnd(host)
		if end == "" || end != hierarchy.VariableEnd(name) {
			return fact.Unknown
		}
		const any = "example.com" // two names that end alike differ in what comes before, whatever the variable is
		return coversHost(strings.TrimSuffix(host, end)+any, strings.TrimSuffix(name, end)+any)
	}
	return fact.False
}

// Has reports whether a parent of routes is at the port: a Gateway or a listener of it, or a Service.
func (p *Port) Has(parent *hierarchy.Node) bool {
	if hierarchy.GatewayOf(parent) != p.Gateway && parent != p.Gateway {
		return false
	}
	port := parent.Value.Get("port")
	return port == nil || p.Number == "" || port.Text == p.Number
}

// Only returns a port with the listeners of a name, or with all if the name is empty.
func (p *Port) Only(listener string) *Port {
	if listener == "" {
		return p
	}
	out := *p
	out.Tables = slices.DeleteFunc(slices.Clone(p.Tables), func(t *Table) bool {
		return !slices.ContainsFunc(t.Listeners, func(n *hierarchy.Node) bool { return n.Target.Section == listener })
	})
	return &out
}
