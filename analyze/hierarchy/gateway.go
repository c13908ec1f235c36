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
	return or(g.options.Controllers[class.Target.Name], class.Value.Str("controllerName"), implementation.ControllerOfClass(class.Target.Name))
}

func (g *Graph) controllerImplementation(class *Node) *implementation.Implementation {
	return implementation.For(or(g.options.Controllers[class.Target.Name], class.Value.Str("controllerName")))
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
	if g.controllerImplementation(class).Gateways.IgnoresParameters {
		class.Conditions.set(good(Accepted, Accepted))
		return
	}
	if c := g.judgeParameters(class, class.Value.Get("parametersRef"), ""); c != nil {
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
	id := loader.ID{Group: groupOf(ref, ""), Kind: ref.Str("kind"), Namespace: or(namespace, ref.Str("namespace")), Name: ref.Str("name")}
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
		gateway.Conditions.set(gateway.condition(Accepted, Unknown, "Pending",
			"no controller takes the Gateway: "+classOf(gateway).String()+" does not exist", gateway.Value.Get("gatewayClassName")))
		return
	}
	g.judgeGatewayTLS(gateway, own)
	if gateway.Condition(ResolvedRefs) == nil && (own.Gateways.AlwaysResolved || gateway.Value.Get("tls") != nil) {
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
		kind := or(address.Str("type"), "IPAddress")
		if own.Gateways.Addresses == nil || slices.Contains(own.Gateways.Addresses, kind) ||
			len(addresses) == 1 && slices.Contains(own.Gateways.AloneAddresses, kind) {
			continue
		}
		c := n.condition(Accepted, False, "UnsupportedAddress", "addresses of type "+kind+" are not supported here", address)
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
		switch worst := l.usable(own); {
		case worst == nil:
		case worst.Status == False:
			bad++
			if first == nil {
				first = worst
			}
		case worst.Status == Unknown:
			unsure++
			if first == nil {
				first = worst
			}
		}
	}
	suffices := own.Gateways.AcceptedSuffices && n.Level == LevelGateway && n.anyAccepted()
	switch {
	case all > 0 && bad == all && !suffices:
		return Condition{
			Type: Accepted, Status: False, Reason: notValid, Message: "no listener is valid: " + first.Message,
			Owner: first.Owner, Ref: first.Ref,
		}
	case all > 0 && bad+unsure == all && !suffices:
		return Condition{Type: Accepted, Status: Unknown, Reason: NotInInput, Message: first.Message, Owner: first.Owner, Ref: first.Ref}
	case bad > 0:
		return Condition{
			Type: Accepted, Status: True, Reason: notValid, Message: fmt.Sprintf("%d of %d listeners are not valid: %s", bad, all, first.Message),
			Owner: first.Owner, Ref: first.Ref,
		}
	}
	return good(Accepted, Accepted)
}

// anyAccepted says whether some listener of an object is accepted.
func (n *Node) anyAccepted() bool {
	return slices.ContainsFunc(n.Sections, func(l *Node) bool {
		c := l.Condition(Accepted)
		return c != nil && c.Status == True
	})
}

// usable is the condition for which a listener does not count as valid, or nil.
func (n *Node) usable(own *implementation.Implementation) *Condition {
	worst := n.Condition(Accepted)
	if worst == nil || worst.Status == True {
		if refs := n.Condition(ResolvedRefs); refs.Reason != invalidRouteKinds && !slices.Contains(own.Listeners.ValidUnresolved, refs.Reason) {
			worst = refs
		}
	}
	for i := range n.Conditions {
		if c := &n.Conditions[i]; worst == nil && c.Status == False && c.Type == Programmed || c.Type == ConflictedIs && c.Status == True && worst == nil {
			invalid := *c
			invalid.Status = False
			return &invalid
		}
	}
	if worst == nil || worst.Status == True {
		return nil
	}
	return worst
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
