package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// Answer says what answers a request at one port.
type Answer struct {
	Port *Port
	// Table is the listener that takes the request, nil if none does, Host the hostname, nil if no
	// route has one that covers the request's.
	Table *Table
	Host  *Host
	// Way is the way that answers. It is nil if none does, or if it is not known.
	Way *Way
	// Doubts are the ways with precedence that may answer instead; it is not known whether they do.
	Doubts []Contender
	// Misdirected is true if another listener serves the host of the request than the one with which its
	// connection began.
	Misdirected bool
	// Unrouted is true if a Service has no routes for the caller, and answers itself.
	Unrouted bool
	// Why explains that no way answers.
	Why string
}

// misdirected returns the listener that serves the host of a request instead of the one with which its connection
// began, or nil (Gateway API, Listener.hostname).
func (p *Port) misdirected(began *Table, r *Request) *Table {
	if p.own.ServesMisdirected || began.Protocol != "HTTPS" || !r.HTTP() || r.serverName() == r.Host {
		return nil
	}
	for _, t := range p.Tables {
		if t.Protocol == "HTTPS" && coversHost(t.Hostname, r.Host) != fact.False {
			if t == began {
				return nil
			}
			return t
		}
	}
	return nil
}

// Contender is a way that could answer, and why it does not.
type Contender struct {
	Way *Way
	Why string
}

// protocols are the protocols of listeners for each scheme. A connection for HTTPS may also pass a listener that
// ends no TLS.
var protocols = map[string][]string{
	"http": {"HTTP"}, "grpc": {"HTTP"}, "https": {"HTTPS", "TLS"}, "grpcs": {"HTTPS", "TLS"},
	"tls": {"TLS", "HTTPS"}, "tcp": {"TCP"}, "udp": {"UDP"},
}

// At returns the ports at which a request may arrive: those with its number that have a listener of its
// protocol. If the request names no port and nothing listens at the scheme's own, it may arrive at all of
// its protocol, and elsewhere is true.
func At(ports []*Port, r *Request) (out []*Port, elsewhere bool) {
	fits := func(p *Port, number string) bool {
		if (p.Gateway.Level == hierarchy.LevelFrontend) != (r.Namespace != "") {
			return false
		}
		if p.Gateway.Level == hierarchy.LevelFrontend && !p.called(r) {
			return false
		}
		if number != "" && p.Number != "" && p.Number != number {
			return false
		}
		return slices.ContainsFunc(p.Tables, func(t *Table) bool {
			return t.Protocol == "" || slices.Contains(protocols[r.Scheme], t.Protocol)
		})
	}
	number := r.Port
	if number == "" {
		number = defaultPorts[r.Scheme]
	}
	for _, p := range ports {
		if fits(p, number) {
			out = append(out, p)
		}
	}
	if len(out) > 0 || r.Port != "" {
		return out, false
	}
	for _, p := range ports {
		if fits(p, "") {
			out = append(out, p)
		}
	}
	return out, len(out) > 0
}

// called reports whether a request inside a mesh is for the Service of a port: by its name, with its
// namespace unless it is the caller's own, and with the domain of the cluster or without.
func (p *Port) called(r *Request) bool {
	name, namespace := p.Gateway.Target.Name, p.Gateway.Target.Namespace
	// The client connects to the Service, whatever host it asks for.
	names := []string{name + "." + namespace, name + "." + namespace + ".svc", name + "." + namespace + ".svc.cluster.local"}
	if namespace == r.Namespace {
		names = append(names, name)
	}
	return slices.Contains(names, r.serverName())
}

// Answer finds what answers a request at a port.
func (p *Port) Answer(r *Request) Answer {
	a := Answer{Port: p}
	a.Table = p.table(r)
	switch {
	case a.Table == nil && r.Secure():
		a.Why = "no listener of the port has a hostname that covers " + r.serverName()
		return a
	case a.Table == nil:
		a.Why = "no listener of the port covers " + r.Host
		return a
	}
	if other := p.misdirected(a.Table, r); other != nil {
		a.Misdirected = true
		a.Why = fmt.Sprintf("the connection began with %s, and %s serves %s", r.serverName(), other.Listeners[0], r.Host)
		return a
	}
	a.Host = a.Table.find(r)
	a.Doubts = a.Table.doubtful(a.Host, r)
	if a.Host == nil {
		a.Why = fmt.Sprintf("no route at %s has the host %s", a.Table.Listeners[0], r.Host)
		return a
	}
	takers := a.Host.takers(r)
	switch {
	case p.choose(&a, takers, r):
	case len(takers) == 0 && p.Gateway.Level == hierarchy.LevelFrontend:
		a.Unrouted = true
	case len(a.Doubts) == 0:
		a.Why = "no rule for host " + a.Host.Name + " matches"
	}
	return a
}

// choose takes the first of some ways that answers a request for certain. Those before it that perhaps do, and those that tie
// with it, are doubts.
func (p *Port) choose(a *Answer, takers []*Way, r *Request) bool {
	var first *Way
	for i, way := range takers {
		if ok, _ := way.Match.acceptsPath(r.Path); ok == fact.True && first == nil {
			first = way
		}
		if way.own.PathFirst && r.HTTP() && first != nil && !first.Match.samePath(way.Match) {
			continue
		}
		ok, why := way.accepts(r)
		switch {
		case ok == fact.False:
			continue
		case ok == fact.Unknown:
			a.Doubts = append(a.Doubts, Contender{way, why})
			continue
		}
		if !way.Certain {
			a.Doubts = append(a.Doubts, Contender{way, way.doubt})
			continue
		}
		a.Way = way
		for _, other := range takers[i+1:] {
			if ok, _ := other.accepts(r); ok != fact.False && way.tied(p.graph, other, p.preserves()) {
				a.Doubts = append(a.Doubts, Contender{other, way.tie()})
			}
		}
		// Other matches of the same rule are no doubts: the answer is the same.
		a.Doubts = slices.DeleteFunc(a.Doubts, func(c Contender) bool { return c.Way.Rule == way.Rule && c.Way.Listener == way.Listener })
		return true
	}
	return false
}

// table returns the listener for a request: the one with the most specific hostname that covers the
// request's, among those that end TLS and those that let it pass.
func (p *Port) table(r *Request) *Table {
	for _, t := range p.Tables {
		if t.Protocol != "" && !slices.Contains(protocols[r.Scheme], t.Protocol) {
			continue
		}
		name := r.Host
		if t.Protocol != "HTTP" && r.Secure() {
			name = r.serverName()
		}
		if t.Protocol == "TCP" || t.Protocol == "UDP" || p.Gateway.Level == hierarchy.LevelFrontend || coversHost(t.Hostname, name) != fact.False {
			return t
		}
	}
	return nil
}

// Instead returns the listeners that take the requests for a hostname of others, because theirs is more specific; nil if
// none do.
func (p *Port) Instead(of *Table, host string) *Table {
	if of.Protocol == "TCP" || of.Protocol == "UDP" || p.Gateway.Level == hierarchy.LevelFrontend || strings.HasPrefix(host, "*") {
		return nil
	}
	for _, t := range p.Tables {
		switch {
		case t == of:
			return nil
		case family(t.Protocol) == family(of.Protocol) && coversHost(t.Hostname, host) == fact.True:
			return t
		}
	}
	return nil
}

// doubtful returns the ways of hostnames before one with a variable that is not resolved.
func (t *Table) doubtful(found *Host, r *Request) []Contender {
	var out []Contender
	for _, h := range t.Hosts() {
		if found != nil && h.Name == found.Name {
			break
		}
		for _, way := range h.Ways {
			if ok, _ := way.accepts(r); ok != fact.False && coversHost(h.Name, r.Host) == fact.Unknown {
				out = append(out, Contender{way, "its hostname holds a variable that is not resolved"})
			}
		}
	}
	return out
}

// find returns the hostname for a request: the most specific one that covers the request's.
func (t *Table) find(r *Request) *Host {
	name := r.Host
	if t.Protocol == "TLS" {
		name = r.serverName()
	}
	if !r.HTTP() && t.Protocol != "TLS" || r.Namespace != "" {
		name = "*" // a connection and a call inside a mesh have no hostname to compare
	}
	return t.answering(name)
}

// takers returns the ways that a request may take. In a mesh, those for its namespace alone replace the
// others (GEP-1294, consumer routes).
func (h *Host) takers(r *Request) []*Way { return h.takersFrom(r.Namespace) }

// takersFrom is takers for the requests of a namespace, "" for those of namespaces without ways of their own.
func (h *Host) takersFrom(namespace string) []*Way {
	if !slices.ContainsFunc(h.Ways, func(w *Way) bool { return w.Callers != "" }) {
		return h.Ways
	}
	var own, all []*Way
	for _, way := range h.Ways {
		switch way.Callers {
		case "":
			all = append(all, way)
		case namespace:
			own = append(own, way)
		}
	}
	if len(own) > 0 {
		return own
	}
	return all
}

// accepts reports whether a way takes a request. A connection has nothing that could be matched.
func (w *Way) accepts(r *Request) (fact.Fact, string) {
	if !r.HTTP() || w.Route.Target.Kind == "TLSRoute" || w.Route.Target.Kind == "TCPRoute" || w.Route.Target.Kind == "UDPRoute" {
		return fact.True, ""
	}
	return w.Match.Accepts(r)
}

// Others explains why other ways at the port do not answer a request, in the order in which they are
// tried.
func (a *Answer) Others(r *Request) []Contender {
	var out []Contender
	for _, t := range a.Port.Tables {
		for _, h := range t.Hosts() {
			for _, way := range h.Ways {
				if way == a.Way || slices.ContainsFunc(a.Doubts, func(c Contender) bool { return c.Way == way }) {
					continue
				}
				out = append(out, Contender{way, a.whyNot(t, h, way, r)})
			}
		}
	}
	return out
}

func (a *Answer) whyNot(t *Table, h *Host, way *Way, r *Request) string {
	switch {
	case t != a.Table && coversHost(t.Hostname, r.Host) == fact.False:
		return "its listener's hostname " + t.Hostname + " does not cover " + r.Host
	case t != a.Table && a.Table != nil:
		return fmt.Sprintf("listener %s has the more specific hostname %s", a.Table.Listeners[0], a.Table.Hostname)
	case coversHost(h.Name, r.Host) == fact.False:
		return "its host is " + h.Name
	case a.Host != nil && h.Name != a.Host.Name && (a.Way == nil || a.Way.Host != h.Name):
		return "host " + a.Host.Name + " is more specific than " + h.Name
	case way.Callers != "" && way.Callers != r.Namespace:
		return "it is for callers in namespace " + way.Callers
	}
	if ok, why := way.accepts(r); ok != fact.True {
		return why
	}
	if a.Way == nil {
		return "another path has precedence, and none of its matches takes the request"
	}
	return "it matches, but " + a.Way.precedes(way)
}

// precedes says by what a way has precedence over another one that matches, too.
func (w *Way) precedes(other *Way) string {
	if w == nil {
		return "another one has precedence"
	}
	m, o := precedence{w.Match, w.own}, precedence{other.Match, w.own}
	for _, rule := range []struct {
		differs bool
		text    string
	}{
		{w.specific(other) != 0, "the hostname of its route is more specific: " + cmp.Or(w.written, "*")},
		{m.rank() != o.rank(), "the answering path is " + formWords[m.Form]},
		{m.length() != o.length(), "the answering path is longer"},
		{m.methods() != o.methods(), "the answering match has a method"},
		{m.headers() != o.headers(), "the answering match has more headers"},
		{len(m.Params) != len(o.Params), "the answering match has more query parameters"},
		{w.Route != other.Route, "the answering route is older, or first by name"},
	} {
		if rule.differs {
			return rule.text
		}
	}
	return "the answering rule comes first"
}

var formWords = map[string]string{exact: "exact", prefix: "a prefix", regex: "a regular expression"}

// WouldAnswer reports whether a route would take a request if it were admitted by the parent of an edge.
func WouldAnswer(e *hierarchy.Edge, r *Request) bool {
	hosts := e.Child.Value.List("hostnames")
	covered := len(hosts) == 0 || slices.ContainsFunc(hosts, func(host *loader.Value) bool { return coversHost(folded(host.Text), r.Host) == fact.True })
	if !covered {
		return false
	}
	for _, rule := range e.Child.Sections {
		for _, m := range matchesOf(rule) {
			if ok, _ := m.Accepts(r); ok == fact.True || !r.HTTP() {
				return true
			}
		}
	}
	return false
}

// HostsFor returns the hostnames of a table that answer requests for a name, or for a wildcard: the most
// specific one that covers it, and those that it covers.
func (t *Table) HostsFor(name string) []*Host {
	name = folded(name)
	var out []*Host
	for _, h := range t.Hosts() {
		if h == widest(name, t.named) || h.Name != name && coversHost(name, h.Name) == fact.True {
			out = append(out, h)
		}
	}
	return out
}
