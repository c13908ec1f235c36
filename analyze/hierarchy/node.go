package hierarchy

import (
	"cmp"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// Level is a place in the hierarchy, from the least specific to the most
// specific. Edges lead to a greater level, so no path runs in a circle: a Service
// that is both a mesh parent and a backend stands at two levels. The one
// exception is a rule that passes requests on to a route, which is deeper.
type Level uint8

// The levels. Frontend is a Service (or its port) as the parent of a mesh
// route, Apart an object outside the hierarchy that a policy targets.
const (
	LevelGatewayClass Level = iota
	LevelGateway
	LevelFrontend
	LevelFrontendPort
	LevelListenerSet
	LevelListener
	LevelRoute
	LevelRule
	LevelBackend
	LevelPort
	LevelNamespace
	LevelOutside
)

// Target names an object or, with a Section, a part of it: a listener, a route
// rule, a Service port.
type Target struct {
	loader.ID
	Section string
}

// String writes the node: KIND[.GROUP]/NAMESPACE/NAME[#SECTION].
func (t Target) String() string {
	if t.Section == "" {
		return t.ID.String()
	}
	return t.ID.String() + "#" + t.Section
}

// Compare orders by object, then section.
func (t Target) Compare(u Target) int {
	return cmp.Or(t.ID.Compare(u.ID), cmp.Compare(t.Section, u.Section))
}

// Node is one target in the hierarchy of an environment.
type Node struct {
	Target Target
	Level  Level
	// Object is nil for a placeholder: something that is referred to and not in
	// the input. Presence says what is known of it.
	Object   *loader.Object
	Presence fact.Fact
	// Value is the node's own part of the object: the whole spec, a listener, a
	// rule, a port. Nil for placeholders.
	Value *loader.Value
	// Depth is how many routes pass requests on to a route, one after the other,
	// before they reach it; 0 for one that hangs below listeners.
	Depth int
	// Index is the place of a rule or listener among its siblings, for reading.
	Index int
	// Named says whether a policy's sectionName can mean this section.
	Named bool
	// Owner is the object's node for a section, nil for an object.
	Owner *Node
	// Sections are the nodes of an object's sections, in document order.
	Sections []*Node
	Up, Down []*Edge
	// Conditions are those of a GatewayClass, Gateway, ListenerSet or listener.
	Conditions conditions
	// Kinds are the kinds of route that a listener takes.
	Kinds []RouteKind
}

// Rank orders levels and depths so that every edge leads to a greater one.
func (l Level) Rank(depth int) int {
	const perLevel, routes = 2, 1 << 16
	switch {
	case l < LevelRoute:
		return int(l)
	case l <= LevelRule:
		return int(LevelRoute) + min(depth, routes)*perLevel + int(l-LevelRoute)
	}
	return int(l) + routes*perLevel
}

func (n *Node) compare(m *Node) int {
	return cmp.Or(cmp.Compare(n.Level.Rank(n.Depth), m.Level.Rank(m.Depth)), n.Target.Compare(m.Target))
}

// String is the node's name in every output.
func (n *Node) String() string { return n.Target.String() }

// Namespace is the namespace that the node lies in, empty for cluster-scoped
// kinds.
func (n *Node) Namespace() string { return n.Target.Namespace }

// Position is where the node is declared, or nothing for a placeholder.
func (n *Node) Position() loader.Position {
	if n.Object == nil {
		return loader.Position{}
	}
	return n.Object.Position(n.Value)
}

// Edge is one step from a higher node to a lower one. A refused edge stays in
// the graph with its reason; walks pass only edges that are not refused.
type Edge struct {
	Parent, Child *Node
	// Via is a node passed on the way: the Service of a port.
	Via      *Node
	Admitted fact.Fact
	// Reason is the condition reason of a refusal (NoMatchingParent, ...), or a
	// word for what is unknown; Message says it in prose.
	Reason, Message string
	// AgeSensitive says that a time that is not in the input could turn it.
	AgeSensitive bool
	// Owner and Ref are the place of the reference that makes the edge.
	Owner *loader.Object
	Ref   *loader.Value
	// Callers is the namespace whose callers alone meet a route that hangs below the
	// Service of another one: a consumer route (GEP-1294).
	Callers string
	// Hostnames is the intersection of listener and route, for routes with
	// hostnames; empty means all.
	Hostnames []string
}

// Open says whether a context may pass the edge.
func (e *Edge) Open() bool { return e.Admitted != fact.False }

// Position is where the edge's reference is written.
func (e *Edge) Position() loader.Position {
	if e.Owner == nil {
		return loader.Position{}
	}
	return e.Owner.Position(e.Ref)
}

// Section names of things that have none.
const (
	// AnySection stands for the listeners of a parent that is not in the input.
	AnySection = "?"
	rulePrefix = "rule["
)

// IsUnnamedRule says whether a section is an index given for reading to a rule
// without a name.
func IsUnnamedRule(section string) bool { return strings.HasPrefix(section, rulePrefix) }
