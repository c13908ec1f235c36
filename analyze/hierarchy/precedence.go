package hierarchy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/internal/dns"
)

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
				a != "" && b != "" && a != b && !dns.Covers(a, b) && !dns.Covers(b, a) {
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
