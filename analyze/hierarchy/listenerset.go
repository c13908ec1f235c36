package hierarchy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// addListenerSet hangs a ListenerSet below its Gateway if the Gateway allows
// it; by default it does not (GEP-1713, Gateway.spec.allowedListeners).
func (g *Graph) addListenerSet(o *loader.Object) {
	set := g.object(o.ID, LevelListenerSet)
	ref := o.Spec().Get("parentRef")
	parent := loader.ID{
		Group: groupOf(ref, Group), Kind: or(ref.Str("kind"), "Gateway"),
		Namespace: or(ref.Str("namespace"), o.ID.Namespace), Name: ref.Str("name"),
	}
	gateway := g.object(parent, LevelGateway)
	e := &Edge{Parent: gateway, Child: set, Admitted: True, Owner: o, Ref: ref}
	switch {
	case gateway.Object == nil:
		e.Admitted, e.Reason, e.Message = g.missingParent(parent)
	case !g.takesSets(gateway):
		e.Admitted, e.Reason, e.Message = False, notAllowed, parent.String()+" takes no ListenerSets"
	default:
		stanza := gateway.Value.Get("allowedListeners", "namespaces")
		e.Admitted = g.allowedFrom(stanza, "None", parent.Namespace, o.ID.Namespace)
		switch e.Admitted {
		case False:
			e.Reason, e.Message = notAllowed, parent.String()+" does not allow ListenerSets from namespace "+o.ID.Namespace
		case Unknown:
			e.Reason, e.Message = "NamespaceLabelsUnknown", unknownLabels(o.ID.Namespace)
		case True:
		}
	}
	g.link(e)
	g.addListeners(set, set)
}

// takesSets says whether the controller of a Gateway knows ListenerSets.
func (g *Graph) takesSets(gateway *Node) bool {
	controllers := g.Implementation(gateway).Sets.Controllers
	return controllers == nil || slices.Contains(controllers, g.Controller(gateway))
}

// judgeListenerSet says whether its Gateway takes a ListenerSet; that comes
// before its listeners.
func (g *Graph) judgeListenerSet(set *Node, own *implementation.Implementation) {
	for _, e := range set.Up {
		if c := g.judgeAdmission(e, own); c != nil {
			if c.Status == False {
				set.reject(*c)
			} else {
				set.Conditions.set(*c)
			}
			return
		}
	}
	accepted := set.sumUp(own)
	if accepted.Reason == notValid && accepted.Status == True {
		accepted.Reason = or(own.Sets.PartlyReason, notValid)
	}
	set.Conditions.set(accepted)
	if accepted.Status == False {
		set.reject(accepted)
	}
}

// judgeAdmission is the condition of a ListenerSet that its Gateway does not
// take, or of which that is not known; nil if it does.
func (g *Graph) judgeAdmission(e *Edge, own *implementation.Implementation) *Condition {
	c := Condition{Type: Accepted, Status: False, Message: e.Message, Owner: e.Owner, Ref: e.Ref}
	parent := e.Parent.Condition(Accepted)
	switch {
	case g.Unclaimed(e.Parent):
		c.Status, c.Reason, c.Message = Unknown, pending, "no controller takes "+e.Parent.String()
	case e.Admitted == False && e.Reason == notAllowed:
		c.Reason = notAllowed
	case e.Admitted == False: // there is nobody to say anything
		c.Status, c.Reason = Unknown, pending
	case e.Admitted == Unknown:
		c.Status, c.Reason = Unknown, NotInInput
	case parent == nil || parent.Status != False || parent.Reason == notValid:
		return nil
	case own.Sets.ParentReasons == nil:
		c.Reason, c.Message = "ParentNotAccepted", e.Parent.String()+" is not accepted: "+parent.Message
	case slices.Contains(own.Sets.ParentReasons, parent.Reason):
		c.Reason, c.Message = parent.Reason, e.Parent.String()+" is not accepted: "+parent.Message
	default:
		return nil
	}
	return &c
}

// reject sets Accepted and Programmed to false for one reason.
func (n *Node) reject(c Condition) {
	for _, kind := range []string{Accepted, Programmed} {
		c.Type, c.Status = kind, False
		n.Conditions.set(c)
	}
}
