package hierarchy

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// addListenerSet attaches a ListenerSet to its Gateway if the Gateway allows it. By default a
// Gateway does not (GEP-1713, Gateway.spec.allowedListeners).
func (b *builder) addListenerSet(o *loader.Object) {
	set := b.object(o.ID, LevelListenerSet)
	ref := o.Spec().Get("parentRef")
	parent := loader.ID{
		Group: groupOf(ref, loader.GatewayGroup), Kind: cmp.Or(ref.Str("kind"), "Gateway"),
		Namespace: cmp.Or(ref.Str("namespace"), o.ID.Namespace), Name: ref.Str("name"),
	}
	gateway := b.object(parent, LevelGateway)
	e := &Edge{Parent: gateway, Child: set, Admitted: fact.True, Owner: o, Ref: ref}
	switch {
	case gateway.Object == nil:
		e.Admitted, e.Reason, e.Message = b.missingParent(parent)
	case !takesSets(b.gateways, gateway):
		e.Admitted, e.Reason, e.Message = fact.False, notAllowed, parent.Spoken()+" does not support ListenerSets"
	default:
		stanza := gateway.Value.Get("allowedListeners", "namespaces")
		e.Admitted = b.AllowedFrom(stanza, "None", parent.Namespace, o.ID.Namespace)
		switch e.Admitted {
		case fact.False:
			e.Reason, e.Message = notAllowed, parent.Spoken()+" does not allow ListenerSets from namespace "+o.ID.Namespace
		case fact.Unknown:
			e.Reason, e.Message = "NamespaceLabelsUnknown", unknownLabels(o.ID.Namespace)
		case fact.True:
		}
	}
	b.link(e)
	b.addListeners(set, set)
}

// takesSets reports whether the controller of a Gateway supports ListenerSets.
func takesSets(g *gateways, gateway *Node) bool {
	controllers := g.Implementation(gateway).Sets.Controllers
	return controllers == nil || slices.Contains(controllers, g.Controller(gateway))
}

// judgeListenerSet sets the conditions of a ListenerSet. Whether its Gateway allows it takes
// precedence over its listeners.
func (b *builder) judgeListenerSet(set *Node, own *implementation.Implementation) {
	for _, e := range set.Up {
		if e.Parent.Object != nil && own.Gateways.FailsWhole && b.judgeWhole(e.Parent) != nil {
			set.Conditions.set(good(Accepted, Accepted)) // it is not looked at
			return
		}
		if c := b.judgeAdmission(e, own); c != nil {
			if c.Status == fact.False {
				reject(set, *c)
			} else {
				set.Conditions.set(*c)
			}
			return
		}
	}
	accepted := sumUp(set, own)
	if accepted.Reason == notValid && b.NoUsableAddress(GatewayOf(set)) {
		accepted.Status = fact.False // one listener is enough then
	}
	if accepted.Reason == notValid && accepted.Status == fact.True {
		accepted.Reason = cmp.Or(own.Sets.PartlyReason, notValid)
	}
	set.Conditions.set(accepted)
	if accepted.Status == fact.False {
		reject(set, accepted)
	}
}

// judgeAdmission returns the condition of a ListenerSet that its Gateway does not allow, or for
// which this is unknown. It returns nil if the Gateway allows it.
func (b *builder) judgeAdmission(e *Edge, own *implementation.Implementation) *Condition {
	c := Condition{Type: Accepted, Status: fact.False, Message: e.Message, Owner: e.Owner, Ref: e.Ref}
	parent := e.Parent.Condition(Accepted)
	switch {
	case b.WithoutController(e.Parent):
		c.Status, c.Reason, c.Message = fact.Unknown, pending, "no controller manages "+e.Parent.String()
	case own.Gateways.KeepsParameters && parent != nil && parent.Reason == UnsupportedAddress: // it counts before what the Gateway allows
		c.Status, c.Reason, c.Message = fact.False, "ParentNotAccepted", e.Parent.Spoken()+" is not accepted: "+parent.Message
	case e.Admitted == fact.False && e.Reason == notAllowed:
		c.Reason = notAllowed
	case e.Admitted == fact.False: // no controller writes a status
		c.Status, c.Reason = fact.Unknown, pending
	case e.Admitted == fact.Unknown:
		c.Status, c.Reason = fact.Unknown, NotInInput
	case parent == nil || parent.Status != fact.False || parent.Reason == notValid,
		own.Gateways.KeepsParameters && parent.Reason == invalidParameters:
		return nil
	case own.Sets.ParentReasons == nil:
		c.Reason, c.Message = "ParentNotAccepted", e.Parent.Spoken()+" is not accepted: "+parent.Message
	case slices.Contains(own.Sets.ParentReasons, parent.Reason):
		c.Reason, c.Message = parent.Reason, e.Parent.Spoken()+" is not accepted: "+parent.Message
	default:
		return nil
	}
	return &c
}

// reject sets Accepted and Programmed to false for the same reason.
func reject(n *Node, c Condition) {
	for _, kind := range []string{Accepted, Programmed} {
		c.Type, c.Status = kind, fact.False
		n.Conditions.set(c)
	}
}
