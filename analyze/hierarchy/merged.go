package hierarchy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
)

// judgeMerged finds conflicts among listeners of several Gateways that one data plane serves
// together (Envoy Gateway, EnvoyProxy.spec.mergeGateways). Gateways that are not translated have no part in it. Protocols conflict as
// if the listeners were in one Gateway, and everything else in each. Of listeners with the same port, protocol and hostname the first
// one wins, by age of the Gateway, then by name; Conflicted alone reports the others (validate.go,
// validateConflictedMergedListeners).
func (l *listeners) judgeMerged(gateways []*Node) {
	classes := map[*Node][]*Node{}
	for _, gateway := range gateways {
		if class := classOf(gateway); class != nil && l.merges(class) && l.Translated(gateway) {
			classes[class] = append(classes[class], gateway)
		}
	}
	for _, merged := range classes {
		slices.SortStableFunc(merged, func(a, b *Node) int { return l.ages.Order(a.Object, b.Object).Compare })
		contenders := map[*Node]*contender{}
		ports := map[string][]*contender{}
		for _, gateway := range merged {
			for n, c := range l.contend(gateway, l.admittedSets(gateway), l.Implementation(gateway)) {
				if c.lost == protoConflict && !c.quiet { // protocols are compared for all Gateways together
					c.lost, c.rivals = "", nil
				}
				c.gateway = gateway
				contenders[n] = c
				ports[c.port] = append(ports[c.port], c)
			}
		}
		for _, on := range ports {
			slices.SortStableFunc(on, func(a, b *contender) int { return compareMerged(merged, a, b) })
			protocolConflicts(on, l.Implementation(merged[0]))
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

// firstOfSame lets the first listener win among those with the same protocol and hostname. A listener that lost
// inside its Gateway keeps that reason in Accepted.
func firstOfSame(on []*contender) {
	type identity struct{ protocol, hostname string }
	first := map[identity]*contender{}
	for _, c := range on {
		id := identity{protocol(c), c.hostname}
		switch winner := first[id]; {
		case winner == nil:
			first[id] = c
		default:
			quiet := c.quiet || c.lost == ""
			c.rejected, c.rivals = c.lost, nil
			c.lose(hostConflict, []*contender{winner}, anyone)
			c.quiet = quiet
		}
	}
}

// DataPlane returns the listeners of the data plane that serves a Gateway: its own, and those of all
// Gateways of its class that are translated if these are merged.
func (l *listeners) DataPlane(gateway *Node) []*Node {
	class := classOf(gateway)
	if class == nil || !l.merges(class) {
		return l.Listeners(gateway)
	}
	var out []*Node
	for _, e := range class.Down {
		if e.Child.Level == LevelGateway && l.Translated(e.Child) {
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

// MergesGateways reports whether one data plane serves all Gateways of a class. It is unknown where the parameters of the class
// are not in the input.
func (g *gateways) MergesGateways(class *Node) fact.Fact {
	switch ref := class.Value.Get("parametersRef"); {
	case class.Object == nil:
		return fact.Unknown
	case !ref.IsNull() && parametersOf(g, class) == nil && !g.lacksParameters(class):
		return fact.Unknown
	}
	own := implementation.For(g.controllerOf(class))
	if merges := parametersOf(g, class).Get(own.Gateways.Merges...); merges != nil && opaque(merges.Text) {
		return fact.Unknown
	}
	return fact.Of(g.merges(class))
}

// ClassOf returns the GatewayClass of a Gateway, or nil.
func (g *gateways) ClassOf(gateway *Node) *Node { return classOf(gateway) }

// merges reports whether the parameters of a class merge its Gateways.
func (g *gateways) merges(class *Node) bool {
	own := implementation.For(g.controllerOf(class))
	return own.Gateways.Merges != nil && parametersOf(g, class).Get(own.Gateways.Merges...).IsTrue()
}
