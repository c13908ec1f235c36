package hierarchy

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
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
	if protocol == "HTTPS" || protocol == "TLS" {
		return "HTTPS/TLS"
	}
	return protocol
}

// judgeConflicts finds the listeners of a Gateway that are not distinct. A result that depends on a
// ListenerSet which may or may not be allowed is unknown. A result that depends on the age of a
// ListenerSet is marked.
func (l *listeners) judgeConflicts(gateway *Node, own *implementation.Implementation) {
	var with map[*Node]*contender
	for i, sets := range l.completions(gateway) {
		if outcome := l.contend(gateway, sets, own); i == 0 {
			with = outcome
		} else {
			hedge(with, outcome)
		}
	}
	l.noteConflicts(with)
}

// manyNamespaces is the largest number of undecided namespaces for which completions tries all
// combinations.
const manyNamespaces = 6

// completions returns lists of participating ListenerSets in order of precedence, one list for each
// possible outcome. An undecided namespace is one that may or may not be allowed. The first list
// allows them all, the others each smaller combination. With too many namespaces, the others hold
// one ListenerSet each: a listener that loses to the Gateway or inside its own ListenerSet loses in
// each list, and every other loss is reported as unknown.
func (l *listeners) completions(gateway *Node) [][]*Node {
	var unknown []string
	sets := slices.DeleteFunc(l.setsOf(gateway), func(set *Node) bool { return admission(set, gateway) == fact.False })
	for _, set := range sets {
		if admission(set, gateway) == fact.Unknown && !slices.Contains(unknown, set.Namespace()) {
			unknown = append(unknown, set.Namespace())
		}
	}
	out := [][]*Node{sets}
	if len(unknown) > manyNamespaces {
		for _, set := range sets {
			out = append(out, []*Node{set})
		}
		return out
	}
	for ways := range 1<<len(unknown) - 1 {
		out = append(out, slices.DeleteFunc(slices.Clone(sets), func(set *Node) bool {
			i := slices.Index(unknown, set.Namespace())
			return admission(set, gateway) == fact.Unknown && ways>>i&1 == 0
		}))
	}
	return out
}

// admittedSets returns the ListenerSets that a Gateway allows.
func (l *listeners) admittedSets(gateway *Node) []*Node {
	return slices.DeleteFunc(l.setsOf(gateway), func(set *Node) bool { return admission(set, gateway) != fact.True })
}

// hedge marks the contenders that have a different result in another completion.
func hedge(with, other map[*Node]*contender) {
	for n, c := range other {
		known := with[n]
		if (known.lost != "") == (c.lost != "") {
			continue
		}
		known.unsure = true
		if known.lost == "" {
			known.lost, known.rivals = c.lost, c.rivals
		}
	}
}

// noteConflicts writes the lost conflicts into the conditions of listeners, and updates the edges
// to these listeners.
func (l *listeners) noteConflicts(contenders map[*Node]*contender) {
	for n, c := range contenders {
		if c.lost == "" || c.silent {
			continue
		}
		status, reason := fact.True, c.lost
		if c.unsure {
			status, reason = fact.Unknown, NotInInput
		}
		condition := n.condition(ConflictedIs, status, reason, conflictMessage(c), conflictPlace(n.Value, c))
		condition.AgeSensitive = l.agesDecide(c)
		condition.quiet, condition.rejected = c.quiet && !c.unsure, c.rejected
		for _, rival := range c.rivals {
			condition.Involves = append(condition.Involves, rival.Target.ID)
		}
		n.Conditions.set(condition)
	}
	l.closeConflicted(contenders)
}

// closeConflicted sets the edges to listeners that lost to not admitted, or to unknown: nothing is
// reached through these listeners.
func (l *listeners) closeConflicted(contenders map[*Node]*contender) {
	for n := range contenders {
		c := n.Condition(ConflictedIs)
		if c == nil || c.Status == fact.False {
			continue
		}
		for _, e := range n.Up {
			if admitted := c.Status.Not(); admitted < e.Admitted {
				e.Admitted, e.Reason, e.Message, e.AgeSensitive = admitted, c.Reason, c.Message, c.AgeSensitive
			}
		}
	}
}

// agesDecide reports whether another age of a ListenerSet, or of a Gateway that is merged with
// others, could change the result of a conflict.
func (l *listeners) agesDecide(c *contender) bool {
	if slices.ContainsFunc(c.rivals, func(r *Node) bool { return r.Owner.Level < c.owner.Level }) {
		return false // a Gateway has precedence over its ListenerSets at any age
	}
	if l.Implementation(GatewayOf(c.owner)).Sets.ByName {
		return false
	}
	return slices.ContainsFunc(c.rivals, func(r *Node) bool {
		return r.Owner != c.owner && r.Owner.Level == c.owner.Level && l.ages.Order(c.owner.Object, r.Owner.Object).Unsure
	})
}

func conflictMessage(c *contender) string {
	if c.lost == reservedPort {
		return "port " + c.port + " is reserved for the proxy itself"
	}
	names := make([]string, 0, len(c.rivals))
	for _, r := range c.rivals {
		names = append(names, r.Spoken())
	}
	slices.Sort(names)
	if len(names) == maxRivals {
		names[maxRivals-1] = "others"
	}
	what := fmt.Sprintf("port %s", c.port)
	if c.lost == hostConflict {
		what += " and " + hostText(c.hostname)
	}
	return fmt.Sprintf("shares %s with %s", what, strings.Join(slices.Compact(names), ", "))
}

// hostText describes the hostname of a listener.
func hostText(hostname string) string {
	if hostname == "" {
		return "every hostname"
	}
	return fmt.Sprintf("hostname %q", hostname)
}

func conflictPlace(listener *loader.Value, c *contender) *loader.Value {
	if c.lost == hostConflict && listener.Get("hostname") != nil {
		return listener.Get("hostname")
	}
	return orValue(listener.Get("port"), listener)
}

// admission returns whether a Gateway admits a ListenerSet.
func admission(set, gateway *Node) fact.Fact {
	for _, e := range set.Up {
		if e.Parent == gateway {
			return e.Admitted
		}
	}
	return fact.False
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

// protocolConflicts resolves the protocol conflicts on one port. UDP does not conflict with
// TCP-based protocols. Inside one Gateway no listener wins. The protocol of a Gateway wins over
// those of ListenerSets, and the first ListenerSet wins over later ones, unless it uses several
// protocols on the port itself (Gateway API, GatewaySpec.listeners; GEP-1713).
func protocolConflicts(on []*contender, its *implementation.Implementation) {
	family := func(c *contender) string {
		if its.Listeners.DistinctProtocols && c.layer4() {
			return "TCP/UDP"
		}
		return c.family
	}
	var all []*contender
	own := map[*Node][]string{}
	var gateways []string
	for _, c := range on {
		if c.family == "UDP" && !its.Listeners.DistinctProtocols {
			continue
		}
		all = append(all, c)
		if !slices.Contains(own[c.owner], family(c)) {
			own[c.owner] = append(own[c.owner], family(c))
		}
		if c.owner.Level == LevelGateway {
			gateways = append(gateways, family(c))
		}
	}
	if !slices.ContainsFunc(all, func(c *contender) bool { return family(c) != family(all[0]) }) {
		return
	}
	gateways = slices.Compact(slices.Sorted(slices.Values(gateways)))
	winner := ""
	if len(gateways) == 1 {
		winner = gateways[0]
	}
	for _, c := range all {
		switch {
		case len(gateways) > 1, len(gateways) == 0 && len(own[c.owner]) > 1:
			c.lose(protoConflict, all, func(other *contender) bool { return family(other) != family(c) })
		case winner == "":
			winner = family(c)
		case family(c) != winner:
			c.lose(protoConflict, all, func(other *contender) bool { return family(other) != family(c) })
		}
	}
}

// maxOverlapping limits the listeners of a port that are compared by their hostnames.
const maxOverlapping = 256

// overlapConflicts resolves the conflicts among HTTPS and TLS listeners of one port whose hostnames overlap: neither of two of a
// Gateway wins, and of others the first one (NGINX Gateway Fabric, internal/controller/state/graph/gateway_listener.go,
// resolveSameProtocolGroupConflict).
func overlapConflicts(on []*contender, own *implementation.Implementation) {
	if !own.Listeners.DistinctProtocols || len(on) > maxOverlapping {
		return
	}
	for i, c := range on {
		for _, prior := range on[:i] {
			a, b := prior.hostname, c.hostname
			if c.family != "HTTPS/TLS" || prior.family != c.family || protocol(c) == protocol(prior) || prior.lost == protoConflict || c.lost == protoConflict ||
				a != "" && b != "" && a != b && !covers(a, b) && !covers(b, a) {
				continue
			}
			if c.owner.Level == LevelGateway {
				prior.lose(hostConflict, []*contender{c}, anyone)
			}
			c.lose(hostConflict, []*contender{prior}, anyone)
		}
	}
}

// hostnameConflicts resolves the conflicts among listeners with the same port and hostname.
func hostnameConflicts(on []*contender, own *implementation.Implementation) {
	groups := map[string][]*contender{}
	for _, c := range on {
		if !c.layer4() && c.lost == "" {
			groups[c.hostname] = append(groups[c.hostname], c)
		}
	}
	for _, group := range groups {
		winner := winnerOf(group, own.Listeners.SetSpoilsHost)
		for _, c := range group {
			if c != winner && len(group) > 1 {
				c.lose(hostConflict, group, anyone)
			}
		}
	}
}

// winnerOf returns the first contender of a group, in order of precedence, whose owner has no other
// in it. It returns nil if a Gateway has several. With setSpoils, only the listener of a Gateway can win where a ListenerSet has several.
func winnerOf(group []*contender, setSpoils bool) *contender {
	count, spoiled := map[*Node]int{}, false
	for _, c := range group {
		count[c.owner]++
		spoiled = spoiled || setSpoils && count[c.owner] > 1
	}
	for _, c := range group {
		switch {
		case count[c.owner] == 1 && (!spoiled || c.owner.Level == LevelGateway):
			return c
		case c.owner.Level == LevelGateway:
			return nil
		}
	}
	return nil
}

// layer4Conflicts resolves the conflicts among TCP, and among UDP, listeners of one port. Envoy Gateway
// reports these in Conflicted alone, also of a ListenerSet (validate.go, validateConflictedLayer4Listeners).
func layer4Conflicts(on []*contender, own *implementation.Implementation) {
	for _, family := range []string{"TCP", "UDP"} {
		var group []*contender
		for _, c := range on {
			if c.family == family && (c.lost == "" || own.Listeners.LayerFourFirstWins) {
				group = append(group, c)
			}
		}
		if len(group) < 2 {
			continue
		}
		winner := winnerOf(group, false)
		if own.Listeners.LayerFourFirstWins {
			winner = group[0]
		}
		for _, c := range group {
			if c != winner && c.lost == "" {
				c.lose(protoConflict, group, anyone)
				c.quiet = own.Listeners.SilentlyRejects
			}
		}
	}
}

// firstWins resolves conflicts by order of precedence, also inside one object. A listener that lost
// does not block later ones (Istio gatewaycommon/listener_conflict.go). With ByHostname, HTTP, HTTPS
// and TLS listeners conflict if they have the same hostname, and those of a protocol that the
// specification does not have with others of their protocol only. Otherwise the first listener of a port
// also fixes its protocol (kgateway, agentgateway). TCP and UDP listeners conflict with all others.
func firstWins(on []*contender, own *implementation.Implementation) {
	// The first accepted listeners, by what a later listener can conflict with.
	var any, layer4 *contender
	hosts, protocols := map[string]*contender{}, map[string]*contender{}
	modes := map[bool]*contender{}
	for i, c := range on {
		c.rank = i
		var prior *contender
		switch {
		case own.Listeners.FirstWins != implementation.ByHostname:
			prior = otherProtocol(protocols, c.fixedTo(own))
			for _, key := range c.hosts() {
				prior = earliest(hosts[key], prior)
			}
		case c.layer4():
			prior = any
		case c.webLike():
			prior = earliest(layer4, hosts[hostOrAll(c)])
		default:
			prior = protocols[protocol(c)]
		}
		other := modes[!c.internal]
		if prior != nil && other == nil && own.Listeners.OwnConflictsAside && c.owner.Level == LevelGateway {
			continue // it is not reported, and leaves its place
		}
		if other != nil || prior != nil {
			reason := hostConflict
			switch {
			case other != nil:
				prior, reason = other, own.Listeners.ModeConflict
			case c.layer4() && c.scopes == nil || protocol(c) != protocol(prior):
				reason = protoConflict
			}
			c.lose(reason, []*contender{prior}, anyone)
			continue
		}
		if c.layer4() || c.webLike() {
			any = earliest(any, c)
		}
		if c.layer4() {
			layer4 = earliest(layer4, c)
		}
		if own.Listeners.FirstWins != implementation.ByHostname || c.webLike() {
			for _, key := range c.hosts() {
				hosts[key] = earliest(hosts[key], c)
			}
		}
		modes[c.internal] = earliest(modes[c.internal], c)
		protocols[c.fixedTo(own)] = earliest(protocols[c.fixedTo(own)], c)
	}
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

// otherProtocol returns the first accepted listener that has another protocol.
func otherProtocol(taken map[string]*contender, own string) *contender {
	var first *contender
	for name, c := range taken {
		if name != own {
			first = earliest(first, c)
		}
	}
	return first
}

func protocol(c *contender) string { return c.node.Value.Str("protocol") }

func hostOrAll(c *contender) string { return cmp.Or(c.hostname, "*") }
