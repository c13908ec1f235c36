package hierarchy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

func (b *builder) addGateway(o *loader.Object) {
	gateway := b.object(o.ID, LevelGateway)
	if ref := o.Spec().Get("gatewayClassName"); !ref.IsEmpty() {
		// A class is usually part of the controller's chart, so a missing class is assumed to exist
		// and to be accepted.
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
			continue // the API server rejects a second listener of the same name
		}
		n.Value, n.Index, n.Named = listener, i, true
		b.link(&Edge{Parent: parent, Child: n, Admitted: fact.True, Owner: owner.Object, Ref: listener})
	}
}

// Controller returns the controllerName of a Gateway's class, or "" if it is unknown.
func (c *controllers) Controller(gateway *Node) string {
	class := classOf(gateway)
	if class == nil {
		return ""
	}
	return c.controllerOf(class)
}

// controllerOf returns the controllerName of a class: the one that the caller configures, the one
// in the class, or the one of an implementation that creates the class itself.
func (c *controllers) controllerOf(class *Node) string {
	name := class.Target.Name
	return cmp.Or(c.configured[name], class.Value.Str("controllerName"), implementation.ControllerOfClass(name))
}

// Implementation returns the implementation whose rules apply to a Gateway.
func (c *controllers) Implementation(gateway *Node) *implementation.Implementation {
	if own, ok := c.implementations[gateway]; ok {
		return own
	}
	own := implementation.For(c.Controller(gateway))
	c.implementations[gateway] = own
	return own
}

// judgeClass evaluates the parameters of a GatewayClass.
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

// judgeParameters evaluates a parametersRef and returns nil if there is no problem. No
// ReferenceGrant is needed: a class may reference any namespace, a Gateway only its own (Gateway
// API, GatewayClassSpec.parametersRef, GatewayInfrastructure.parametersRef).
func (c *controllers) judgeParameters(n *Node, ref *loader.Value, namespace string) *Condition {
	if ref.IsNull() {
		return nil
	}
	id := loader.ID{Group: groupOf(ref, ""), Kind: ref.Str("kind"), Namespace: namespace, Name: ref.Str("name")}
	if c.Exists(id) {
		return nil
	}
	exists, message := c.ExistsOutsideWhy(id)
	if exists == fact.Unknown {
		// Parameters are usually part of the controller's chart.
		return nil
	}
	invalid := n.condition(Accepted, fact.False, invalidParameters, message, ref)
	return &invalid
}

// Translated reports whether the controller translates the Gateway of a node at all.
func (c *controllers) Translated(n *Node) bool { return c.judgeWhole(GatewayOf(n)) == nil }

// judgeWhole returns why a Gateway is not translated at all, for implementations that do so: the
// parameters come before the addresses (Envoy Gateway, internal/provider/kubernetes/controller.go,
// processGatewayParamsRef; internal/gatewayapi/translator.go, GetRelevantGateways).
func (c *controllers) judgeWhole(gateway *Node) *Condition {
	own := c.Implementation(gateway)
	if !own.Gateways.FailsWhole {
		return nil
	}
	ref := gateway.Value.Get("infrastructure", "parametersRef")
	class := classOf(gateway)
	kind := implementation.Kind{Group: groupOf(ref, ""), Name: ref.Str("kind")}
	switch {
	case ref.IsNull():
	case class != nil && c.merges(class):
		invalid := gateway.condition(Accepted, fact.False, invalidParameters, class.String()+" merges its Gateways, which then have no parameters of their own", ref)
		return &invalid
	case !slices.Contains(own.Gateways.Parameters, kind):
		invalid := gateway.condition(Accepted, fact.False, invalidParameters, "kind "+kind.Name+" is not supported as parameters", ref)
		return &invalid
	}
	if invalid := c.judgeParameters(gateway, ref, gateway.Namespace()); invalid != nil {
		return invalid
	}
	return gateway.judgeAddresses(own)
}

// judgeGateway sets the conditions of a Gateway from its listeners, parameters and references.
func (b *builder) judgeGateway(gateway *Node, own *implementation.Implementation) {
	if b.Unclaimed(gateway) {
		gateway.Conditions.set(gateway.condition(Accepted, fact.Unknown, pending,
			"no controller manages the Gateway: "+classOf(gateway).String()+" does not exist", gateway.Value.Get("gatewayClassName")))
		return
	}
	if whole := b.judgeWhole(gateway); whole != nil {
		gateway.Conditions.set(*whole)
		return
	}
	if b.Unlisted(gateway) {
		gateway.Conditions.set(good(Accepted, Accepted))
		return
	}
	b.certificates.judgeGatewayTLS(gateway, own)
	written := own.Gateways.AlwaysResolved || gateway.Value.Get("tls") != nil
	if c := gateway.unresolvedListener(); c != nil && !own.Gateways.IgnoresListenerRefs && (written || c.Status == fact.False) {
		gateway.Conditions.worsen(*c)
	}
	if own.Gateways.ResolvedWithBackend {
		written = gateway.Value.Get("tls", "backend") != nil
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

// unresolvedListener returns the worst ResolvedRefs condition of the listeners for their Gateway,
// or nil if all are true. If it is false, the reason is ListenersNotResolved (Gateway API,
// GatewayReasonListenersNotResolved).
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

// Hidden reports whether a Gateway appears in no status except its own, because it is not
// translated at all, or because none of its addresses is served.
func (c *controllers) Hidden(gateway *Node) bool {
	if c.judgeWhole(gateway) != nil {
		return true
	}
	own := c.Implementation(gateway)
	addresses := gateway.Value.List("addresses")
	return own.Gateways.HiddenUnaddressed && len(addresses) > 0 && !slices.ContainsFunc(addresses, func(address *loader.Value) bool {
		return served(address, len(addresses), own)
	})
}

// Unlisted reports whether a Gateway has no listeners in its status.
func (c *controllers) Unlisted(gateway *Node) bool {
	return slices.Contains(c.Implementation(gateway).Gateways.Unlisted, c.Controller(gateway))
}

// Blank reports whether a Gateway is not translated because of its addresses, and its listeners show
// no problem.
func (c *controllers) Blank(gateway *Node) bool {
	own := c.Implementation(gateway)
	return own.Gateways.BlankUnaddressed && gateway.judgeAddresses(own) != nil
}

// served reports whether an address is of a supported type. `of` is the number of addresses in the
// Gateway.
func served(address *loader.Value, of int, own *implementation.Implementation) bool {
	kind := cmp.Or(address.Str("type"), "IPAddress")
	return own.Gateways.Addresses == nil && !strings.Contains(kind, "/") || slices.Contains(own.Gateways.Addresses, kind) ||
		of == 1 && slices.Contains(own.Gateways.AloneAddresses, kind)
}

// Unclaimed reports whether a Gateway's class is known not to exist. In that case no controller
// writes a status (Gateway API, GatewayStatus, the CRD's default).
func (c *controllers) Unclaimed(gateway *Node) bool {
	class := classOf(gateway)
	return class != nil && class.Object == nil && class.Presence == fact.False && c.Controller(gateway) == ""
}

// judgeAddresses returns a condition for the first address of an unsupported type. It returns nil
// if there is none, or if the supported types are unknown.
func (n *Node) judgeAddresses(own *implementation.Implementation) *Condition {
	addresses := n.Value.List("addresses")
	for _, address := range addresses {
		if served(address, len(addresses), own) {
			continue
		}
		if own.Gateways.Addresses == nil {
			c := n.condition(Accepted, fact.Unknown, NotInInput,
				"it depends on the implementation whether addresses of type "+address.Str("type")+" are supported", address)
			return &c
		}
		c := n.condition(Accepted, fact.False, "UnsupportedAddress",
			"the controller does not support addresses of type "+cmp.Or(address.Str("type"), "IPAddress"), address)
		return &c
	}
	hostname := func(address *loader.Value) bool { return address.Str("type") == "Hostname" }
	if own.Gateways.BlankUnaddressed && len(addresses) > 1 && !slices.ContainsFunc(addresses, hostname) {
		c := n.condition(Accepted, fact.False, "Invalid", "of several addresses, one must be of type Hostname", n.Value.Get("addresses"))
		return &c
	}
	return nil
}

// sumUp returns the Accepted condition of an object with listeners: false if no listener is valid,
// and true with another reason if only some are valid (Gateway API, GatewayReasonListenersNotValid,
// ListenerSetReasonListenersNotValid).
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

// anyAccepted reports whether any listener of an object is accepted.
func (n *Node) anyAccepted() bool {
	return slices.ContainsFunc(n.Sections, func(l *Node) bool {
		c := l.Condition(Accepted)
		return c != nil && c.Status == fact.True
	})
}

// flaw returns the condition that makes a listener invalid, or nil. For a ListenerSet this includes
// an unresolved certificate, such as one without a grant (conformance test
// ListenerSetReferenceGrant). For a Gateway it does if the implementation says so.
func (n *Node) flaw(own *implementation.Implementation) *Condition {
	accepted, refs := n.Condition(Accepted), n.Condition(ResolvedRefs)
	switch {
	case n.Reserved && accepted != nil && accepted.Reason == "UnsupportedProtocol":
		return nil
	case accepted == nil: // rejected without an Accepted condition
		return n.firstBad()
	case accepted.Status != fact.True:
		return accepted
	case refs.Status == fact.True, n.Owner.Level == LevelGateway && !own.Gateways.UnresolvedNotValid,
		refs.Reason == invalidRouteKinds, slices.Contains(own.Listeners.ValidUnresolved, refs.Reason):
		return nil
	}
	return refs
}

// firstBad returns the first condition of a listener that shows a problem, with its status set to
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

// missingParent returns the result for a parent reference to an object that is not in the input.
func (b *builder) missingParent(id loader.ID) (admitted fact.Fact, reason, message string) {
	admitted, message = b.ExistsOutsideWhy(id)
	if admitted == fact.False {
		return fact.False, parentNotFound, message
	}
	return admitted, "ParentNotInInput", message
}

func unknownLabels(namespace string) string {
	return "the labels of Namespace/" + namespace + " are not in the input"
}
