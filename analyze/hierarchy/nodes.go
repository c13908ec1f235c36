package hierarchy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// nodes holds the nodes of a graph and the inventory from which they are built.
type nodes struct {
	*inventory.Inventory
	// Nodes are sorted by level, then by target. Routes and their rules are sorted by depth first.
	// A walk in this order visits each parent before its children.
	Nodes []*Node
	byKey map[nodeKey]*Node
}

type nodeKey struct {
	target Target
	level  Level
}

// Node returns the node with this target and level, or nil.
func (ns *nodes) Node(target Target, level Level) *Node { return ns.byKey[nodeKey{target, level}] }

// object returns the node of an object. It is a placeholder if the object is not in the input.
func (ns *nodes) object(id loader.ID, level Level) *Node {
	n := ns.node(Target{ID: id}, level)
	if n.Object == nil && n.Presence == fact.Unknown {
		if n.Object = ns.Inventory.Object(id); n.Object != nil {
			n.Presence = fact.True
			n.Value = n.Object.Spec()
		} else {
			n.Presence = ns.ExistsOutside(id)
		}
		n.Ambient = level == LevelBackend && ns.InAmbient(id.Namespace)
	}
	return n
}

// section returns the node of a part of an object.
func (ns *nodes) section(owner *Node, name string, level Level) *Node {
	n := ns.node(Target{ID: owner.Target.ID, Section: name}, level)
	if n.Owner == nil {
		n.Owner, n.Object, n.Presence, n.Ambient = owner, owner.Object, owner.Presence, owner.Ambient
		owner.Sections = append(owner.Sections, n)
	}
	return n
}

func (ns *nodes) node(target Target, level Level) *Node {
	key := nodeKey{target, level}
	if n := ns.byKey[key]; n != nil {
		return n
	}
	n := &Node{Target: target, Level: level}
	ns.byKey[key] = n
	ns.Nodes = append(ns.Nodes, n)
	return n
}

func (ns *nodes) link(e *Edge) {
	e.Parent.Down = append(e.Parent.Down, e)
	e.Child.Up = append(e.Child.Up, e)
}

// HasGateways reports whether the input has a Gateway or a GatewayClass.
func (ns *nodes) HasGateways() bool {
	return slices.ContainsFunc(ns.Nodes, func(n *Node) bool {
		return n.Object != nil && (n.Level == LevelGateway || n.Level == LevelGatewayClass)
	})
}
