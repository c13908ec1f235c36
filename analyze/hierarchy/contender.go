package hierarchy

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
)

// contender is a listener that shares a Gateway with other listeners.
type contender struct {
	node  *Node
	owner *Node
	// gateway is set if listeners of several Gateways compete.
	gateway *Node
	port    string
	// family names the protocols that can share a port if their hostnames differ.
	family   string
	hostname string
	// scopes are the namespaces that it allows routes from, if these distinguish listeners.
	scopes []string
	// silent means that a lost conflict is not reported.
	silent bool
	// lost is the reason of a lost conflict, or empty if there is none.
	lost   string
	rivals []*Node
	// rank is the position in the order of precedence on its port.
	rank int
	// internal is the mode of its port, where an annotation gives one.
	internal bool
	// unsure means that the listener may not have lost the conflict.
	unsure bool
	// quiet means that Accepted does not repeat a lost conflict. rejected is the reason that Accepted has instead of lost, where a
	// conflict inside the Gateway came before one among merged Gateways.
	quiet    bool
	rejected string
}

// layer4 reports whether listeners of the protocol differ by port only.
func (c *contender) layer4() bool { return c.family == "TCP" || c.family == "UDP" }

// maxRivals limits how many rivals of a loser are listed: thousands may share a port.
const maxRivals = 8

// lose records a lost conflict, with the first rivals for which meant returns true.
func (c *contender) lose(reason string, others []*contender, meant func(*contender) bool) {
	c.lost, c.quiet = reason, false
	for _, rival := range others {
		if len(c.rivals) == maxRivals {
			return
		}
		if rival != c && meant(rival) {
			c.rivals = append(c.rivals, rival.node)
		}
	}
}

// webLike reports whether listeners of the protocol differ by hostname.
func (c *contender) webLike() bool { return c.family == "HTTP" || c.family == "HTTPS/TLS" }

func anyone(*contender) bool { return true }

// familyOf returns the group of protocols that can share one port if their hostnames differ
// (Gateway API, GatewaySpec.listeners; Envoy Gateway validate.go).
func familyOf(protocol string) string {
	if needsTLS(protocol) {
		return "HTTPS/TLS"
	}
	return protocol
}

// contend resolves the conflicts among the listeners of a Gateway and of some ListenerSets.
func (l *listeners) contend(gateway *Node, sets []*Node, own *implementation.Implementation) map[*Node]*contender {
	out := map[*Node]*contender{}
	ports := map[string][]*contender{}
	var order []string
	for _, owner := range append([]*Node{gateway}, sets...) {
		for _, n := range owner.Sections {
			if n.Level != LevelListener || n.Value == nil || n.bare || own.Listeners.InvalidAside && invalid(n, own) {
				continue
			}
			if _, supported := routeKinds(n.Value, own); supported == fact.Unknown || opaque(n.Value.Str("hostname")) || opaque(textOf(n.Value.Get("port"))) {
				continue // what an unknown protocol or a variable conflicts with is not known
			}
			c := &contender{
				node: n, owner: owner, port: textOf(n.Value.Get("port")), family: familyOf(n.Value.Str("protocol")),
				hostname: n.Value.Str("hostname"),
			}
			if c.layer4() {
				c.hostname = ""
			}
			if own.Listeners.HostnamesByNamespace {
				c.scopes = l.routeScopes(n)
			}
			c.silent = own.Listeners.InvalidUnreported && invalid(n, own)
			if own.Listeners.ProgramsInvalid {
				accepted := n.Condition(Accepted)
				c.silent = n.failure != nil || accepted != nil && accepted.Reason == "UnsupportedProtocol"
			}
			c.internal = internalPort(owner, c.port, own)
			out[n] = c
			if ports[c.port] == nil {
				order = append(order, c.port)
			}
			ports[c.port] = append(ports[c.port], c)
		}
	}
	for _, port := range order {
		on := ports[port]
		if slices.Contains(own.Listeners.ReservedPorts, port) {
			for _, c := range on {
				if !invalid(c.node, own) {
					c.lose(reservedPort, nil, anyone)
				}
			}
			continue
		}
		if len(on) > 1 {
			if own.Listeners.Pairwise {
				pairConflicts(on)
				continue
			}
			if own.Listeners.FirstWins != "" {
				firstWins(on, own)
				continue
			}
			protocolConflicts(on, own)
			hostnameConflicts(on, own)
			overlapConflicts(on, own)
			layer4Conflicts(on, own)
		}
	}
	return out
}

// invalid reports whether a listener is rejected irrespective of conflicts.
func invalid(n *Node, own *implementation.Implementation) bool {
	return slices.ContainsFunc(n.Conditions, func(c Condition) bool {
		return c.Status == fact.False && c.Type != ConflictedIs && (own.Listeners.PartialCertificates == "" || c.Reason != own.Listeners.PartialCertificates)
	})
}

// internalPort reports whether an annotation of a listener's object gives its port another mode. An annotation
// with a mistake counts for nothing (agentgateway, api/annotations, ParseInternalPorts).
func internalPort(owner *Node, port string, own *implementation.Implementation) bool {
	ports, wrong := annotatedPorts(owner, own)
	return wrong == "" && slices.Contains(ports, port)
}

// annotatedPorts returns the ports that an annotation of an object gives another mode, and what is wrong with it.
func annotatedPorts(owner *Node, own *implementation.Implementation) (ports []string, wrong string) {
	if own.Listeners.Modes == "" || owner.Object == nil {
		return nil, ""
	}
	for item := range strings.SplitSeq(owner.Object.Annotations()[own.Listeners.Modes], ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		number, err := strconv.Atoi(item)
		has := slices.ContainsFunc(owner.Sections, func(n *Node) bool {
			return n.Level == LevelListener && textOf(n.Value.Get("port")) == strconv.Itoa(number)
		})
		if err != nil || number < 1 || number > 65535 || !has {
			return nil, fmt.Sprintf("%s names %q, which is not a port of a listener", own.Listeners.Modes, item)
		}
		ports = append(ports, strconv.Itoa(number))
	}
	return ports, ""
}

// hosts returns what another listener of the port must not have: the hostname, together with each
// namespace if these distinguish listeners.
func (c *contender) hosts() []string {
	if c.scopes == nil {
		return []string{hostOrAll(c)}
	}
	var out []string
	for _, scope := range c.scopes {
		out = append(out, scope+"/"+hostOrAll(c))
	}
	return out
}

// routeScopes returns the namespaces that a listener allows routes from: * for all of them, ~ for a
// selector that selects none (agentgateway, translator/conversion.go, buildHostnameMatch).
func (l *listeners) routeScopes(n *Node) []string {
	stanza := n.Value.Get("allowedRoutes", "namespaces")
	switch stanza.Str("from") {
	case "All":
		return []string{"*"}
	case "Selector":
		var out []string
		for _, o := range l.AllOf("", "Namespace") {
			if l.Selects(stanza, o.ID.Name) == fact.True {
				out = append(out, o.ID.Name)
			}
		}
		if out == nil {
			return []string{"~"}
		}
		return out
	default:
		return []string{n.Namespace()}
	}
}

// fixedTo returns the protocol or family that a port is fixed to.
func (c *contender) fixedTo(own *implementation.Implementation) string {
	if own.Listeners.FirstWins == implementation.ByFamily {
		return c.family
	}
	return protocol(c)
}

func earliest(a, b *contender) *contender {
	if a == nil || b != nil && b.rank < a.rank {
		return b
	}
	return a
}

func protocol(c *contender) string { return c.node.Value.Str("protocol") }

func hostOrAll(c *contender) string { return cmp.Or(c.hostname, "*") }
