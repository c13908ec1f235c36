// Package hierarchy builds the graph of targets that policies attach to and
// traffic runs through:
//
//	GatewayClass > Gateway > [ListenerSet >] listener > Route > rule > backend > port
//
// and, for a mesh, Service > Route > rule > backend. Every edge carries a
// verdict: admitted, refused (with the reason that a controller would give) or
// unknown (with what is not known). Nothing is dropped: a parent that is not
// in the input becomes a placeholder.
//
// A Namespace is no node of this graph: it is a level right above each object
// in it, and policies find it by Node.Namespace.
package hierarchy

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// Graph is the hierarchy of one environment. What it says does not change once it
// is built; some answers are made when they are first asked for, so it is for one
// reader at a time.
type Graph struct {
	*controllers
	*listeners
	*references
	// parents remembers what Parents returned.
	parents map[*Node][]Parent
}

// Build makes the graph of an environment.
func Build(env *loader.Environment, options inventory.Options) *Graph {
	ns := &nodes{Inventory: inventory.Of(env, options), byKey: make(map[nodeKey]*Node, 2*len(env.Objects))}
	c := &controllers{nodes: ns, configured: options.Controllers, implementations: map[*Node]*implementation.Implementation{}}
	l := &listeners{controllers: c, certificates: &certificates{controllers: c}, ages: options.Ages, owners: map[*Node]map[portHost][]*Node{}}
	b := &builder{controllers: c, listeners: l, references: &references{controllers: c}}
	b.addObjects(env.Objects)
	slices.SortFunc(ns.Nodes, (*Node).compare)
	return &Graph{controllers: c, listeners: l, references: b.references, parents: map[*Node][]Parent{}}
}

// builder adds the objects of an environment to the graph, level by level.
type builder struct {
	*controllers
	*listeners
	*references
	// delegated are the parentRefs to other routes.
	delegated []*wantedParent
	// defaults are the Gateways that routes without a parent may ask for.
	defaults []*Node
}

// addObjects goes down the levels, so that each reference finds what it names.
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
	b.delegate()
	for _, o := range byLevel[LevelRoute] {
		for _, rule := range b.object(o.ID, LevelRoute).Sections {
			b.addBackends(rule)
		}
	}
	b.judge()
}

// judgeGateways judges the listeners of all Gateways, and which of these are
// there for routes without a parent.
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
	for _, n := range gateways {
		b.concludeListeners(n)
	}
}

// isGateway says whether a node is a Gateway of the input, and not a parent of
// another kind, which stands at its level.
func isGateway(n *Node) bool {
	return n.Level == LevelGateway && n.Object != nil && LevelOf(n.Target.Group, n.Target.Kind) == LevelGateway
}

// judge says of each object what follows from its parts, from the top down.
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

// group reads a reference's group: absent is the default, empty is core.
func groupOf(ref *loader.Value, byDefault string) string {
	if g := ref.Get("group"); g != nil && g.Shape == loader.String {
		// A version behind the group is read kindly; policies note it.
		name, _, _ := strings.Cut(g.Text, "/")
		return name
	}
	return byDefault
}
