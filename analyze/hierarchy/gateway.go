package hierarchy

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

func (b *builder) addGateway(o *loader.Object) {
	gateway := b.object(o.ID, LevelGateway)
	if ref := o.Spec().Get("gatewayClassName"); !ref.IsEmpty() {
		// A class usually comes with its controller's chart: a missing one is
		// assumed to be there and accepted.
		class := b.object(loader.ID{Group: loader.GatewayGroup, Kind: "GatewayClass", Name: ref.Text}, LevelGatewayClass)
		b.link(&Edge{Parent: class, Child: gateway, Admitted: fact.True, Owner: o, Ref: ref})
	}
	b.addListeners(gateway, gateway)
}

func (b *builder) addListeners(owner, parent *Node) {
	for i, listener := range owner.Value.List("listeners") {
		name := listener.Str("name")
		n := b.section(owner, name, LevelListener)
		if n.Value != nil {
			continue // a second listener of the same name never gets past the API server
		}
		n.Value, n.Index, n.Named = listener, i, true
		b.link(&Edge{Parent: parent, Child: n, Admitted: fact.True, Owner: owner.Object, Ref: listener})
	}
}

// Controller is the controllerName of a Gateway's class, "" if nobody knows.
func (c *controllers) Controller(gateway *Node) string {
	class := classOf(gateway)
	if class == nil {
		return ""
	}
	return c.controllerOf(class)
}

// controllerOf is the controllerName of a class: that which the caller says, the
// class's own, or that of an implementation which makes the class itself.
func (c *controllers) controllerOf(class *Node) string {
	name := class.Target.Name
	return cmp.Or(c.configured[name], class.Value.Str("controllerName"), implementation.ControllerOfClass(name))
}

// Implementation is the one whose rules hold for a Gateway.
func (c *controllers) Implementation(gateway *Node) *implementation.Implementation {
	if own, ok := c.implementations[gateway]; ok {
		return own
	}
	own := implementation.For(c.Controller(gateway))
	c.implementations[gateway] = own
	return own
}

// judgeClass judges the parameters of a GatewayClass.
func (b *builder) judgeClass(class *Node) {
	own := implementation.For(b.controllerOf(class)).Gateways
	if own.IgnoresParameters {
		class.Conditions.set(good(Accepted, Accepted))
		return
	}
	ref := class.Value.Get("parametersRef")
	if c := b.judgeParameters(class, ref, cmp.Or(ref.Str("namespace"), own.ParametersNamespace)); c != nil {
		class.Conditions.set(*c)
		return
	}
	class.Conditions.set(good(Accepted, Accepted))
}

// judgeParameters follows a parametersRef; nil means that it is well. It takes no
// grant: a class may name any namespace, a Gateway its own alone (Gateway API,
// GatewayClassSpec.parametersRef, GatewayInfrastructure.parametersRef).
func (b *builder) judgeParameters(n *Node, ref *loader.Value, namespace string) *Condition {
	if ref.IsNull() {
		return nil
	}
	id := loader.ID{Group: groupOf(ref, ""), Kind: ref.Str("kind"), Namespace: namespace, Name: ref.Str("name")}
	if b.Exists(id) {
		return nil
	}
	missing, message := b.Missing(id)
	if missing == fact.Unknown {
		// Usually they come with the controller's chart.
		return nil
	}
	c := n.condition(Accepted, fact.False, "InvalidParameters", message, ref)
	return &c
}

// judgeGateway sums up what its listeners, parameters and references say.
func (b *builder) judgeGateway(gateway *Node, own *implementation.Implementation) {
	if b.Unclaimed(gateway) {
		gateway.Conditions.set(gateway.condition(Accepted, fact.Unknown, pending,
			"no controller takes the Gateway: "+classOf(gateway).String()+" does not exist", gateway.Value.Get("gatewayClassName")))
		return
	}
	b.certificates.judgeGatewayTLS(gateway, own)
	written := own.Gateways.AlwaysResolved || gateway.Value.Get("tls") != nil
	if c := gateway.unresolvedListener(); c != nil && !own.Gateways.IgnoresListenerRefs && (written || c.Status == fact.False) {
		gateway.Conditions.worsen(*c)
	}
	if gateway.Condition(ResolvedRefs) == nil && written {
		gateway.Conditions.set(good(ResolvedRefs, ResolvedRefs))
	}
	accepted := gateway.judgeAddresses(own)
	if accepted == nil {
		accepted = b.judgeParameters(gateway, gateway.Value.Get("infrastructure", "parametersRef"), gateway.Namespace())
	}
	if accepted == nil {
		c := sumUp(gateway, own)
		accepted = &c
	}
	gateway.Conditions.set(*accepted)
}

// unresolvedListener is the ResolvedRefs condition of a Gateway for a listener
// with one that is false (Gateway API, GatewayReasonListenersNotResolved), or nil.
func (n *Node) unresolvedListener() (worst *Condition) {
	for _, l := range n.Sections {
		c := l.Condition(ResolvedRefs)
		if c == nil || c.Status == fact.True || worst != nil && worst.Status <= c.Status {
			continue
		}
		sum := *c
		sum.Message = l.String() + ": " + c.Message
		if c.Status == fact.False {
			sum.Reason = "ListenersNotResolved"
		}
		worst = &sum
	}
	return worst
}

// Hidden says whether nothing of a Gateway is in any status but its own: no
// address of it is served.
func (c *controllers) Hidden(gateway *Node) bool {
	own := c.Implementation(gateway)
	addresses := gateway.Value.List("addresses")
	return own.Gateways.HiddenUnaddressed && len(addresses) > 0 && !slices.ContainsFunc(addresses, func(address *loader.Value) bool {
		return served(address, len(addresses), own)
	})
}

// served says whether an address is of a type that is served, given how many the
// Gateway asks for.
func served(address *loader.Value, of int, own *implementation.Implementation) bool {
	kind := cmp.Or(address.Str("type"), "IPAddress")
	return own.Gateways.Addresses == nil || slices.Contains(own.Gateways.Addresses, kind) ||
		of == 1 && slices.Contains(own.Gateways.AloneAddresses, kind)
}

// Unclaimed says whether a Gateway's class is known not to exist: then no
// controller writes anything (Gateway API, GatewayStatus, the CRD's default).
func (c *controllers) Unclaimed(gateway *Node) bool {
	class := classOf(gateway)
	return class != nil && class.Object == nil && class.Presence == fact.False && c.Controller(gateway) == ""
}

// judgeAddresses looks for an address of a type that is not served; nil means
// that there is none, or that nobody knows.
func (n *Node) judgeAddresses(own *implementation.Implementation) *Condition {
	addresses := n.Value.List("addresses")
	for _, address := range addresses {
		if served(address, len(addresses), own) {
			continue
		}
		c := n.condition(Accepted, fact.False, "UnsupportedAddress",
			"addresses of type "+cmp.Or(address.Str("type"), "IPAddress")+" are not supported here", address)
		return &c
	}
	return nil
}

// sumUp is the Accepted condition of an object with listeners: false when none
// is usable, true with another reason when some are not (Gateway API,
// GatewayReasonListenersNotValid, ListenerSetReasonListenersNotValid).
func sumUp(n *Node, own *implementation.Implementation) Condition {
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
		case flaw.Status == fact.False:
			bad++
		default:
			unsure++
		}
		if first == nil || flaw.Status == fact.False && first.Status != fact.False {
			first = flaw
		}
	}
	if first == nil {
		return good(Accepted, Accepted)
	}
	sum := *first
	sum.Type, sum.Status, sum.Reason, sum.Message = Accepted, fact.True, Accepted, ""
	suffices := own.Gateways.AcceptedSuffices && n.Level == LevelGateway && n.anyAccepted()
	switch {
	case bad == all && !suffices:
		sum.Status, sum.Reason, sum.Message = fact.False, notValid, "no listener is valid: "+first.Message
	case bad+unsure == all && !suffices:
		sum.Status, sum.Reason, sum.Message = fact.Unknown, NotInInput, first.Message
	case bad > 0:
		sum.Reason, sum.Message = notValid, fmt.Sprintf("%d of %d listeners are not valid: %s", bad, all, first.Message)
	}
	return sum
}

// anyAccepted says whether some listener of an object is accepted.
func (n *Node) anyAccepted() bool {
	return slices.ContainsFunc(n.Sections, func(l *Node) bool {
		c := l.Condition(Accepted)
		return c != nil && c.Status == fact.True
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
	case accepted.Status != fact.True:
		return accepted
	case refs.Status == fact.True, n.Owner.Level == LevelGateway && !own.Gateways.UnresolvedNotValid,
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
			c.Status = fact.False
			return &c
		}
	}
	return nil
}

// missingParent is the verdict on a reference to something not in the input.
func (b *builder) missingParent(id loader.ID) (admitted fact.Fact, reason, message string) {
	admitted, message = b.Missing(id)
	if admitted == fact.False {
		return fact.False, parentNotFound, message
	}
	return admitted, "ParentNotInInput", message
}

func unknownLabels(namespace string) string {
	return "the labels of Namespace/" + namespace + " are not in the input"
}
