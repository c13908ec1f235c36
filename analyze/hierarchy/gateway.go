package hierarchy

import "github.com/gwplan/gwplan/loader"

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
	default:
		stanza := gateway.Value.Get("allowedListeners", "namespaces")
		e.Admitted = g.allowedFrom(stanza, "None", parent.Namespace, o.ID.Namespace)
		switch e.Admitted {
		case False:
			e.Reason, e.Message = "NotAllowed", parent.String()+" does not allow ListenerSets from namespace "+o.ID.Namespace
		case Unknown:
			e.Reason, e.Message = "NamespaceLabelsUnknown", unknownLabels(o.ID.Namespace)
		case True:
		}
	}
	g.link(e)
	g.addListeners(set, set)
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

// missingParent is the verdict on a reference to something not in the input.
func (g *Graph) missingParent(id loader.ID) (admitted Fact, reason, message string) {
	if admitted = g.Absent(id); admitted == False {
		return False, "ParentNotFound", id.String() + " does not exist"
	}
	message = id.String() + " is not in the input"
	if p := g.Producer(id); p != "" {
		message += "; it may be rendered by " + p
	}
	return admitted, "ParentNotInInput", message
}

func unknownLabels(namespace string) string {
	return "the labels of Namespace/" + namespace + " are not in the input"
}
