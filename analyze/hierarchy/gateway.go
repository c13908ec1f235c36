package hierarchy

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

func (g *Graph) addGateway(o *loader.Object) {
	gateway := g.object(o.ID, LevelGateway)
	if ref := o.Spec().Get("gatewayClassName"); !ref.IsEmpty() {
		// A class usually comes with its controller's chart: a missing one is
		// assumed to be there and accepted.
		class := g.object(loader.ID{Group: Group, Kind: "GatewayClass", Name: ref.Text}, LevelGatewayClass)
		g.link(&Edge{Parent: class, Child: gateway, Admitted: True, Owner: o, Ref: ref})
	}
	g.addListeners(gateway, gateway)
}

func (g *Graph) addListeners(owner, parent *Node) {
	for i, listener := range owner.Value.List("listeners") {
		name := listener.Str("name")
		n := g.section(owner, name, LevelListener)
		if n.Value != nil {
			continue // a second listener of the same name never gets past the API server
		}
		n.Value, n.Index, n.Named = listener, i, true
		g.link(&Edge{Parent: parent, Child: n, Admitted: True, Owner: owner.Object, Ref: listener})
	}
}

// Controller is the controllerName of a Gateway's class, "" if nobody knows.
func (g *Graph) Controller(gateway *Node) string {
	class := classOf(gateway)
	if class == nil {
		return ""
	}
	return g.controllerOf(class)
}

// controllerOf is the controllerName of a class: that which the caller says, the
// class's own, or that of an implementation which makes the class itself.
func (g *Graph) controllerOf(class *Node) string {
	name := class.Target.Name
	return or(g.options.Controllers[name], class.Value.Str("controllerName"), implementation.ControllerOfClass(name))
}

// Implementation is the one whose rules hold for a Gateway.
func (g *Graph) Implementation(gateway *Node) *implementation.Implementation {
	if own, ok := g.implementations[gateway]; ok {
		return own
	}
	own := implementation.For(g.Controller(gateway))
	g.implementations[gateway] = own
	return own
}

// judgeClass judges the parameters of a GatewayClass.
func (g *Graph) judgeClass(class *Node) {
	own := implementation.For(g.controllerOf(class)).Gateways
	if own.IgnoresParameters {
		class.Conditions.set(good(Accepted, Accepted))
		return
	}
	ref := class.Value.Get("parametersRef")
	if c := g.judgeParameters(class, ref, or(ref.Str("namespace"), own.ParametersNamespace)); c != nil {
		class.Conditions.set(*c)
		return
	}
	class.Conditions.set(good(Accepted, Accepted))
}

// judgeParameters follows a parametersRef; nil means that it is well. It takes no
// grant: a class may name any namespace, a Gateway its own alone (Gateway API,
// GatewayClassSpec.parametersRef, GatewayInfrastructure.parametersRef).
func (g *Graph) judgeParameters(n *Node, ref *loader.Value, namespace string) *Condition {
	if ref.IsNull() {
		return nil
	}
	id := loader.ID{Group: groupOf(ref, ""), Kind: ref.Str("kind"), Namespace: namespace, Name: ref.Str("name")}
	if g.objects[id] != nil || g.options.External[id] {
		return nil
	}
	missing, message := g.missing(id)
	if missing == Unknown {
		// Usually they come with the controller's chart.
		return nil
	}
	c := n.condition(Accepted, False, "InvalidParameters", message, ref)
	return &c
}

// judgeGateway sums up what its listeners, parameters and references say.
func (g *Graph) judgeGateway(gateway *Node, own *implementation.Implementation) {
	if g.Unclaimed(gateway) {
		gateway.Conditions.set(gateway.condition(Accepted, Unknown, pending,
			"no controller takes the Gateway: "+classOf(gateway).String()+" does not exist", gateway.Value.Get("gatewayClassName")))
		return
	}
	g.judgeGatewayTLS(gateway, own)
	written := own.Gateways.AlwaysResolved || gateway.Value.Get("tls") != nil
	if c := gateway.unresolvedListener(); c != nil && !own.Gateways.IgnoresListenerRefs && (written || c.Status == False) {
		gateway.Conditions.worsen(*c)
	}
	if gateway.Condition(ResolvedRefs) == nil && written {
		gateway.Conditions.set(good(ResolvedRefs, ResolvedRefs))
	}
	accepted := gateway.judgeAddresses(own)
	if accepted == nil {
		accepted = g.judgeParameters(gateway, gateway.Value.Get("infrastructure", "parametersRef"), gateway.Namespace())
	}
	if accepted == nil {
		c := gateway.sumUp(own)
		accepted = &c
	}
	gateway.Conditions.set(*accepted)
}

// unresolvedListener is the ResolvedRefs condition of a Gateway for a listener
// with one that is false (Gateway API, GatewayReasonListenersNotResolved), or nil.
func (n *Node) unresolvedListener() (worst *Condition) {
	for _, l := range n.Sections {
		c := l.Condition(ResolvedRefs)
		if c == nil || c.Status == True || worst != nil && worst.Status <= c.Status {
			continue
		}
		sum := *c
		sum.Message = l.String() + ": " + c.Message
		if c.Status == False {
			sum.Reason = "ListenersNotResolved"
		}
		worst = &sum
	}
	return worst
}

// Hidden says whether nothing of a Gateway is in any status but its own: no
// address of it is served.
func (g *Graph) Hidden(gateway *Node) bool {
	own := g.Implementation(gateway)
	addresses := gateway.Value.List("addresses")
	return own.Gateways.HiddenUnaddressed && len(addresses) > 0 && !slices.ContainsFunc(addresses, func(address *loader.Value) bool {
		return served(address, len(addresses), own)
	})
}

// served says whether an address is of a type that is served, given how many the
// Gateway asks for.
func served(address *loader.Value, of int, own *implementation.Implementation) bool {
	kind := or(address.Str("type"), "IPAddress")
	return own.Gateways.Addresses == nil || slices.Contains(own.Gateways.Addresses, kind) ||
		of == 1 && slices.Contains(own.Gateways.AloneAddresses, kind)
}

// Unclaimed says whether a Gateway's class is known not to exist: then no
// controller writes anything (Gateway API, GatewayStatus, the CRD's default).
func (g *Graph) Unclaimed(gateway *Node) bool {
	class := classOf(gateway)
	return class != nil && class.Object == nil && class.Presence == False && g.Controller(gateway) == ""
}

// judgeAddresses looks for an address of a type that is not served; nil means
// that there is none, or that nobody knows.
func (n *Node) judgeAddresses(own *implementation.Implementation) *Condition {
	addresses := n.Value.List("addresses")
	for _, address := range addresses {
		if served(address, len(addresses), own) {
			continue
		}
		c := n.condition(Accepted, False, "UnsupportedAddress",
			"addresses of type "+or(address.Str("type"), "IPAddress")+" are not supported here", address)
		return &c
	}
	return nil
}

// sumUp is the Accepted condition of an object with listeners: false when none
// is usable, true with another reason when some are not (Gateway API,
// GatewayReasonListenersNotValid, ListenerSetReasonListenersNotValid).
func (n *Node) sumUp(own *implementation.Implementation) Condition {
	bad, unsure, all := 0, 0, 0
	var first *Condition
	for _, l := range n.Sections {
		if l.Level != LevelListener || l.Value == nil {
			continue
		}
		all++
		flaw := l.flaw(own)
		switch {
		case flaw == nil:
			continue
		case flaw.Status == False:
			bad++
		default:
			unsure++
		}
		if first == nil || flaw.Status == False && first.Status != False {
			first = flaw
		}
	}
	if first == nil {
		return good(Accepted, Accepted)
	}
	sum := *first
	sum.Type, sum.Status, sum.Reason, sum.Message = Accepted, True, Accepted, ""
	suffices := own.Gateways.AcceptedSuffices && n.Level == LevelGateway && n.anyAccepted()
	switch {
	case bad == all && !suffices:
		sum.Status, sum.Reason, sum.Message = False, notValid, "no listener is valid: "+first.Message
	case bad+unsure == all && !suffices:
		sum.Status, sum.Reason, sum.Message = Unknown, NotInInput, first.Message
	case bad > 0:
		sum.Reason, sum.Message = notValid, fmt.Sprintf("%d of %d listeners are not valid: %s", bad, all, first.Message)
	}
	return sum
}

// anyAccepted says whether some listener of an object is accepted.
func (n *Node) anyAccepted() bool {
	return slices.ContainsFunc(n.Sections, func(l *Node) bool {
		c := l.Condition(Accepted)
		return c != nil && c.Status == True
	})
}

// flaw is the condition for which a listener does not count as valid, or nil. For
// a ListenerSet that is also a certificate without a grant (conformance test
// ListenerSetReferenceGrant), for a Gateway where its implementation says so.
func (n *Node) flaw(own *implementation.Implementation) *Condition {
	accepted, refs := n.Condition(Accepted), n.Condition(ResolvedRefs)
	switch {
	case accepted == nil: // rejected without a word
		return n.firstBad()
	case accepted.Status != True:
		return accepted
	case refs.Status == True, n.Owner.Level == LevelGateway && !own.Gateways.UnresolvedNotValid,
		refs.Reason == invalidRouteKinds, slices.Contains(own.Listeners.ValidUnresolved, refs.Reason):
		return nil
	}
	return refs
}

// firstBad is the first condition of a listener that is not well, as one that is
// false.
func (n *Node) firstBad() *Condition {
	for i := range n.Conditions {
		if c := n.Conditions[i]; c.Bad() && c.Type != OverlapsTLS {
			c.Status = False
			return &c
		}
	}
	return nil
}

// missingParent is the verdict on a reference to something not in the input.
func (g *Graph) missingParent(id loader.ID) (admitted Fact, reason, message string) {
	admitted, message = g.missing(id)
	if admitted == False {
		return False, parentNotFound, message
	}
	return admitted, "ParentNotInInput", message
}

func unknownLabels(namespace string) string {
	return "the labels of Namespace/" + namespace + " are not in the input"
}
