package hierarchy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/implementation"
)

// judgeMerged finds conflicts among listeners of several Gateways that one data plane serves
// together (Envoy Gateway, EnvoyProxy.spec.mergeGateways). Protocols conflict as if the listeners
// were in one Gateway. Of listeners with the same port, protocol and hostname the first one wins,
// by age of the Gateway, then by name; Conflicted alone reports the others (validate.go,
// validateConflictedMergedListeners).
func (l *listeners) judgeMerged(gateways []*Node) {
	classes := map[*Node][]*Node{}
	for _, gateway := range gateways {
		if class := classOf(gateway); class != nil && l.merges(class) {
			classes[class] = append(classes[class], gateway)
		}
	}
	for _, merged := range classes {
		slices.SortStableFunc(merged, func(a, b *Node) int { return l.ages.Order(a.Object, b.Object).Compare })
		contenders := map[*Node]*contender{}
		ports := map[string][]*contender{}
		for _, gateway := range merged {
			for n, c := range l.contend(gateway, l.admittedSets(gateway), l.Implementation(gateway)) {
				c.lost, c.rivals, c.quiet = "", nil, false
				c.gateway = gateway
				contenders[n] = c
				ports[c.port] = append(ports[c.port], c)
			}
		}
		for _, on := range ports {
			slices.SortStableFunc(on, func(a, b *contender) int { return compareMerged(merged, a, b) })
			protocolConflicts(on)
			firstOfSame(on)
		}
		l.noteConflicts(contenders)
	}
}

func compareMerged(gateways []*Node, a, b *contender) int {
	if a.gateway != b.gateway {
		return slices.Index(gateways, a.gateway) - slices.Index(gateways, b.gateway)
	}
	if a.owner != b.owner {
		return a.owner.Target.Compare(b.owner.Target)
	}
	return a.node.Index - b.node.Index
}

// firstOfSame lets the first listener win among those of different Gateways with the same protocol
// and hostname.
func firstOfSame(on []*contender) {
	type identity struct{ protocol, hostname string }
	first := map[identity]*contender{}
	for _, c := range on {
		id := identity{protocol(c), c.hostname}
		switch winner := first[id]; {
		case winner == nil:
			first[id] = c
		case winner.gateway != c.gateway:
			c.lose(hostConflict, []*contender{winner}, anyone)
			c.quiet = true
		}
	}
}

// DataPlane returns the listeners of the data plane that serves a Gateway: its own, and those of all
// Gateways of its class if these are merged.
func (l *listeners) DataPlane(gateway *Node) []*Node {
	class := classOf(gateway)
	if class == nil || !l.merges(class) {
		return l.Listeners(gateway)
	}
	var out []*Node
	for _, e := range class.Down {
		if e.Child.Level == LevelGateway {
			out = append(out, l.Listeners(e.Child)...)
		}
	}
	return out
}

// classOf returns the GatewayClass of a Gateway, or nil.
func classOf(gateway *Node) *Node {
	for _, e := range gateway.Up {
		if e.Parent.Level == LevelGatewayClass {
			return e.Parent
		}
	}
	return nil
}

// merges reports whether the parameters of a class merge its Gateways.
func (g *gateways) merges(class *Node) bool {
	own := implementation.For(g.controllerOf(class))
	return own.Gateways.Merges != nil && g.parametersOf(class).Get(own.Gateways.Merges...).IsTrue()
}
