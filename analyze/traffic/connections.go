package traffic

import (
	"cmp"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/loader"
)

// Connecting is what is asked about a connection.
type Connecting struct{ From, To End }

// End is one end of a connection: an object, the other pods of a namespace, an address, a domain name,
// or everything outside the cluster.
type End struct {
	text    string
	object  selection.Selection
	address netip.Addr
	name    string
	outside bool
	// port is the one of the destination, as a number or a name.
	port     string
	protocol network.Protocol
}

// outside is the word for everything outside the cluster.
const outside = "outside"

// withPort matches an end with its port: deployment/shop/cart:8080/TCP.
var withPort = regexp.MustCompile(`^(.+?):([A-Za-z0-9-]+)(?:/([A-Za-z]+))?$`)

// ParseEnd reads an end: KIND/NS/NAME, an address, a domain name, or outside. The destination has a port
// behind it, :8080 or :8080/UDP or :NAME.
func ParseEnd(text string, destination bool) (End, error) {
	e := End{text: text}
	rest := text
	if m := withPort.FindStringSubmatch(text); m != nil && (!strings.Contains(m[1], ":") || strings.HasSuffix(m[1], "]")) {
		protocol, known := network.ParseProtocol(cmp.Or(m[3], "TCP"))
		switch {
		case !destination:
			return e, fmt.Errorf("%q has a port, which only the destination has", text)
		case !known:
			return e, fmt.Errorf("%q is not a protocol; write TCP, UDP or SCTP", m[3])
		}
		rest, e.port, e.protocol = m[1], m[2], protocol
	}
	e.text = rest
	rest = strings.TrimSuffix(strings.TrimPrefix(rest, "["), "]")
	if a, err := netip.ParseAddr(rest); err == nil {
		e.address = a.Unmap().WithZone("")
		return e, nil
	}
	switch {
	case rest == outside:
		e.outside = true
	case strings.Contains(rest, "/"):
		var err error
		if e.object, err = selection.Parse(rest); err != nil {
			return e, err
		}
	case strings.Contains(rest, "."):
		e.name = rest
	default:
		return e, fmt.Errorf("%q is not an end of a connection; write KIND/NAMESPACE/NAME, namespace/NAME, an address, a domain name or %s", text, outside)
	}
	return e, nil
}

// Connect says what network policies say of a connection in one run. exceeded is true if there was too much to decide.
func Connect(r *effective.Run, ask Connecting) (out []plan.TracedConnection, exceeded bool) {
	c := newConnector(r, ask)
	for _, one := range c.connections() {
		out = append(out, plan.TracedConnection{From: one.from, To: one.to, Port: one.port, Head: &one.decision})
	}
	return out, c.exceeded()
}

// Absent names the end of a connection that none of the runs has, "" if each end is in some run.
func Absent(runs []*effective.Run, ask Connecting) string {
	from, to, port := false, false, false
	for _, r := range runs {
		if r == nil {
			continue
		}
		c := newConnector(r, ask)
		from = from || len(c.locate(ask.From)) > 0
		for _, at := range c.locate(ask.To) {
			to, port = true, port || len(at.ports) > 0
		}
	}
	switch {
	case !from:
		return ask.From.absent()
	case !to:
		return ask.To.absent()
	case !port && ask.To.port != "":
		return ask.To.text + " has no port " + ask.To.port
	case !port:
		return ask.To.text + " declares no ports; write one behind it, such as :8080"
	}
	return ""
}

func (e End) absent() string {
	if e.object.MatchesKind(loader.GatewayGroup, "Gateway") {
		return e.text + " is not in the input, or its controller does not say which pods it has"
	}
	return e.text + " is not in the input"
}

// ConnectBoth says what network policies say of a connection in two runs. exceeded names the runs, base or head, in which
// there was too much to decide.
func ConnectBoth(before, after *effective.Run, ask Connecting) (out []plan.TracedConnection, exceeded []string) {
	base, head := newConnector(before, ask), newConnector(after, ask)
	out = sideBySide(base.connections(), head.connections())
	if base.exceeded() {
		exceeded = append(exceeded, plan.InBase)
	}
	if head.exceeded() {
		exceeded = append(exceeded, plan.InHead)
	}
	return out, exceeded
}

// sideBySide pairs the connections of two revisions. Those that only base has come last.
func sideBySide(before, after []connected) []plan.TracedConnection {
	out := []plan.TracedConnection{}
	paired := map[int]bool{}
	for _, a := range after {
		one := plan.TracedConnection{From: a.from, To: a.to, Port: a.port, Head: &a.decision, Result: plan.UnknownAnswer}
		if i := slices.IndexFunc(before, func(b connected) bool { return b.from == a.from && b.to == a.to && b.port == a.port }); i >= 0 {
			one.Base, paired[i] = &before[i].decision, true
			switch {
			case one.Base.Allowed != a.decision.Allowed:
				one.Result = plan.DifferentAnswer
			case a.decision.Allowed != "unknown":
				one.Result = plan.SameAnswer
			}
		}
		out = append(out, one)
	}
	for i, b := range before {
		if !paired[i] {
			out = append(out, plan.TracedConnection{From: b.from, To: b.to, Port: b.port, Base: &b.decision, Result: plan.UnknownAnswer})
		}
	}
	return out
}

// connector finds the ends of a connection in one environment.
type connector struct {
	run   *effective.Run
	ask   Connecting
	world *network.World
	side  network.Side
}

func newConnector(r *effective.Run, ask Connecting) *connector {
	c := &connector{run: r, ask: ask}
	if r == nil {
		return c
	}
	c.side = network.Of(r.Environment, r.Graph)
	for _, e := range []End{ask.From, ask.To} {
		if e.name != "" {
			c.side.Names = append(c.side.Names, e.name)
		}
		for _, n := range c.gateways(e) {
			for _, p := range r.Graph.Proxies(n) {
				c.side.Proxies = append(c.side.Proxies, network.Proxy{Gateway: n.String(), Namespace: p.Namespace, Labels: p.Labels, Entity: p.Entity})
			}
		}
	}
	c.world = network.New(c.side)
	return c
}

func (c *connector) exceeded() bool { return c.world != nil && c.world.Exceeded() }

func (c *connector) gateways(e End) []*hierarchy.Node {
	var out []*hierarchy.Node
	for _, n := range c.run.Graph.Nodes {
		if e.object.Kind() != "" && n.Level == hierarchy.LevelGateway && e.object.Matches(n.Target) {
			out = append(out, n)
		}
	}
	return out
}

// connected is one connection with what becomes of it.
type connected struct {
	from, to, port string
	decision       plan.ConnectionDecision
}

// located is one end: endpoints that are asked about together, and the ports of a destination.
type located struct {
	name      string
	endpoints []int
	ports     []network.Range
}

// connections decides about each connection that is asked about. Endpoints outside the cluster for which
// the policies say the same are one connection.
func (c *connector) connections() []connected {
	if c.run == nil {
		return nil
	}
	var out []connected
	for _, from := range c.locate(c.ask.From) {
		for _, to := range c.locate(c.ask.To) {
			for _, port := range to.ports {
				out = append(out, c.connect(from, to, port)...)
			}
		}
	}
	return out
}

func (c *connector) connect(from, to located, port network.Range) []connected {
	var out []connected
	at := map[string]int{}
	ends := [2]map[int][]int{{}, {}}
	for _, i := range from.endpoints {
		for _, j := range to.endpoints {
			d := c.decision(c.world.Connect(i, j, port), i, j)
			key := fmt.Sprint(d)
			n, known := at[key]
			if !known {
				n = len(out)
				at[key] = n
				out = append(out, connected{from: from.name, to: to.name, port: port.String(), decision: d})
			}
			ends[0][n], ends[1][n] = append(ends[0][n], i), append(ends[1][n], j)
		}
	}
	if len(out) > 1 {
		for n := range out {
			if len(from.endpoints) > 1 {
				out[n].from = c.world.Words(ends[0][n])
			}
			if len(to.endpoints) > 1 {
				out[n].to = c.world.Words(ends[1][n])
			}
		}
	}
	return out
}

// locate finds the endpoints that an end names.
func (c *connector) locate(e End) []located {
	port := c.ports(e)
	one := func(i int, ok bool) []located {
		if !ok {
			return nil
		}
		return []located{{name: c.world.Endpoint(i).String(), endpoints: []int{i}, ports: port(i)}}
	}
	switch {
	case e.outside:
		all := c.world.AllAddresses()
		return []located{{name: "every address outside the cluster", endpoints: all, ports: port(all[0])}}
	case e.address.IsValid():
		i, ok := c.world.Address(e.address)
		if !ok {
			return nil
		}
		return []located{{name: e.text, endpoints: []int{i}, ports: port(i)}}
	case e.name != "":
		return one(c.world.Outside(e.name))
	case e.object.Kind() == "namespace":
		return one(c.world.Others(e.object.Name()))
	case e.object.MatchesKind("", "Service"):
		return c.service(e)
	}
	var out []located
	for _, o := range c.side.Objects {
		if network.Workload(o.ID.Group, o.ID.Kind) && e.object.Matches(hierarchy.Target{ID: o.ID}) {
			i, ok := c.world.Workload(o.ID)
			out = append(out, one(i, ok)...)
		}
	}
	for _, n := range c.gateways(e) {
		for _, p := range c.side.Proxies {
			if p.Gateway == n.String() {
				out = append(out, one(c.world.Proxy(p))...)
			}
		}
	}
	return out
}

// ports returns the ports of a destination: the one that is asked about, else those that its pods declare.
func (c *connector) ports(e End) func(i int) []network.Range {
	return func(i int) []network.Range {
		if e.port == "" {
			return c.world.Ports(i)
		}
		if r, ok := network.ParsePort(e.port, e.protocol); ok {
			return []network.Range{r}
		}
		if r, ok := c.world.Named(i, e.port, e.protocol); ok {
			return []network.Range{r}
		}
		return nil
	}
}

// service finds the workloads behind a Service. Its port becomes the targetPort, which is what policies
// see.
func (c *connector) service(e End) []located {
	var out []located
	for _, o := range c.run.Environment.Objects {
		if o.ID.Group != "" || o.ID.Kind != "Service" || !e.object.Matches(hierarchy.Target{ID: o.ID}) {
			continue
		}
		for _, i := range c.world.Serving(o) {
			l := located{name: c.world.Endpoint(i).String(), endpoints: []int{i}}
			for _, p := range network.TargetPorts(o) {
				if e.port == "" || e.port == p.Number || e.port == p.Name {
					l.ports = append(l.ports, c.world.TargetPort(i, p)...)
				}
			}
			out = append(out, l)
		}
	}
	return out
}

func (c *connector) decision(d network.Connection, from, to int) plan.ConnectionDecision {
	return plan.ConnectionDecision{
		Allowed: d.Allowed.String(),
		Egress:  sideOf(d.Egress, c.world.Selected(from, network.Egress)), Ingress: sideOf(d.Ingress, c.world.Selected(to, network.Ingress)),
	}
}

func sideOf(d network.Decision, selected bool) plan.ConnectionSide {
	out := plan.ConnectionSide{Allowed: d.Allowed.String(), Selected: selected, Steps: []plan.ConnectionStep{}}
	for _, s := range d.Steps {
		at := s.Policy.Position()
		step := plan.ConnectionStep{Policy: s.Policy.Object.ID.String(), Tier: s.Policy.Tier.Name, Action: s.Action().String(), Certain: s.Sure, File: at.File, Line: at.Line}
		if s.Rule != nil {
			at := s.Policy.Object.Position(s.Rule.At)
			step.Rule, step.Only, step.Doubt, step.File, step.Line = s.Rule.Name, network.Unmarked(s.Rule.Only), network.Unmarked(s.Rule.Doubt), at.File, at.Line
		}
		out.Steps = append(out.Steps, step)
	}
	return out
}
