// Package hierarchy builds the graph of targets that policies attach to and that traffic passes
// through:
//
//	GatewayClass > Gateway > [ListenerSet >] listener > Route > rule > backend > port
//
// and, for a mesh, Service > Route > rule > backend. Every edge has a result: admitted, rejected
// (with the reason that a controller would report) or unknown (with what is unknown). No reference
// is dropped: a parent that is not in the input becomes a placeholder.
//
// A Namespace is not a node of this graph. It is a level directly above each object in it, and
// policies find it by Node.Namespace.
package hierarchy

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// Graph is the hierarchy of one environment. Its content does not change after it is built. It
// computes some answers on first use, so only one goroutine may read it at a time.
type Graph struct {
	*controllers
	*listeners
	*references
	// parents caches the results of Parents.
	parents map[*Node][]Parent
}

// Build builds the graph of an environment.
func Build(env *loader.Environment, options inventory.Options) *Graph {
	ns := &nodes{Inventory: inventory.Of(env, options), byKey: make(map[nodeKey]*Node, 2*len(env.Objects))}
	c := &controllers{nodes: ns, configured: options.Controllers, implementations: map[*Node]*implementation.Implementation{}}
	l := &listeners{gateways: &gateways{controllers: c}, certificates: &certificates{controllers: c}, ages: options.Ages.Known(), owners: map[*Node]map[portHost][]*Node{}, protocols: map[*Node]protocolKinds{}}
	b := &builder{controllers: c, listeners: l, references: newReferences(c, l.ages)}
	b.addObjects(env.Objects)
	slices.SortFunc(ns.Nodes, (*Node).compare)
	return &Graph{controllers: c, listeners: l, references: b.references, parents: map[*Node][]Parent{}}
}

// builder adds the objects of an environment to the graph, level by level.
type builder struct {
	*controllers
	*listeners
	*references
	// delegated lists the parentRefs to other routes.
	delegated []*wantedParent
	// defaults lists the Gateways that routes without a parent may use.
	defaults []*Node
}

// addObjects adds the objects level by level from the top, so that each referenced parent exists.
func (b *builder) addObjects(objects []*loader.Object) {
	byLevel := map[Level][]*loader.Object{}
	for _, o := range objects {
		level := LevelOf(o.ID.Group, o.ID.Kind)
		byLevel[level] = append(byLevel[level], o)
	}
	for _, o := range byLevel[LevelGatewayClass] {
		b.object(o.ID, LevelGatewayClass)
	}
	for _, o := range byLevel[LevelGateway] {
		b.addGateway(o)
	}
	for _, o := range byLevel[LevelListenerSet] {
		b.addListenerSet(o)
	}
	b.judgeGateways()
	for _, o := range byLevel[LevelBackend] {
		b.object(o.ID, LevelBackend)
	}
	for _, o := range byLevel[LevelRoute] {
		b.addRoute(o)
	}
	for _, n := range b.Nodes {
		if n.Level == LevelFrontend {
			n.Waypoint = waypointOf(b.nodes, n)
		}
	}
	b.delegate()
	for _, o := range byLevel[LevelRoute] {
		for _, rule := range b.object(o.ID, LevelRoute).Sections {
			b.addBackends(rule)
		}
	}
	b.judge()
}

// judgeGateways evaluates the listeners of all Gateways, and finds the Gateways that accept routes
// without a parent.
func (b *builder) judgeGateways() {
	var gateways []*Node
	for _, n := range b.Nodes {
		if isGateway(n) {
			gateways = append(gateways, n)
		}
	}
	for _, n := range gateways {
		b.judgeListeners(n)
		if textOf(n.Value.Get("defaultScope")) == "All" {
			b.defaults = append(b.defaults, n)
		}
	}
	b.judgeMerged(gateways)
	overlapping{b.listeners}.judge(gateways)
	for _, n := range gateways {
		b.concludeListeners(n)
	}
}

// isGateway reports whether a node is a Gateway of the input, and not a parent of another kind at
// the same level.
func isGateway(n *Node) bool {
	return n.Level == LevelGateway && n.Object != nil && LevelOf(n.Target.Group, n.Target.Kind) == LevelGateway
}

// judge sets the conditions of objects that depend on their parts, from the top level down.
func (b *builder) judge() {
	for _, n := range b.Nodes {
		if n.Level == LevelGatewayClass && n.Object != nil {
			b.judgeClass(n)
		}
	}
	for _, n := range b.Nodes {
		if isGateway(n) {
			b.judgeGateway(n, b.Implementation(n))
		}
	}
	for _, n := range b.Nodes {
		if n.Level == LevelListenerSet && n.Object != nil {
			b.judgeListenerSet(n, b.Implementation(GatewayOf(n)))
		}
	}
	for _, n := range b.Nodes {
		n.Conditions.sort()
	}
}

// groupOf returns the group of a reference. An absent group is the default, an empty one is core.
func groupOf(ref *loader.Value, byDefault string) string {
	if g := ref.Get("group"); g != nil && g.Shape == loader.String {
		// A version after the group is tolerated here. Policies report it.
		name, _, _ := strings.Cut(g.Text, "/")
		return name
	}
	return byDefault
}
