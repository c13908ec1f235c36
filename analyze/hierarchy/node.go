package hierarchy

import (
	"cmp"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// Level is a level of the hierarchy, from the least specific to the most specific. Edges lead to a
// greater level, so no path contains a cycle: a Service that is both a mesh parent and a backend
// has a node at two levels. The one exception is a rule that delegates requests to a route: that
// route has a greater depth.
type Level uint8

// The levels. LevelFrontend is a Service (LevelFrontendPort: its port) as the parent of a mesh
// route. LevelOutside is an object outside the hierarchy that a policy targets.
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

// Target identifies an object or, with a Section, a part of it: a listener, a route rule or a
// Service port.
type Target struct {
	loader.ID
	Section string
}

// String formats the target: KIND[.GROUP]/NAMESPACE/NAME[#SECTION].
func (t Target) String() string {
	if t.Section == "" {
		return t.ID.String()
	}
	return t.ID.String() + "#" + t.Section
}

// Spoken names the target in sentences: "Gateway infra/public#https".
func (t Target) Spoken() string {
	if t.Section == "" {
		return t.ID.Spoken()
	}
	return t.ID.Spoken() + "#" + t.Section
}

// Compare orders targets by object, then by section.
func (t Target) Compare(u Target) int {
	return cmp.Or(t.ID.Compare(u.ID), cmp.Compare(t.Section, u.Section))
}

// Node is one target in the hierarchy of an environment.
type Node struct {
	Target Target
	Level  Level
	// Object is nil for a placeholder: an object that is referenced but not in the input. Presence
	// says whether it is known to exist.
	Object   *loader.Object
	Presence fact.Fact
	// Value is the part of the object that the node represents: the whole spec, a listener, a rule
	// or a port. It is nil for placeholders.
	Value *loader.Value
	// Depth is the number of routes that delegate requests one after the other before they reach this
	// route. It is 0 for a route that is attached to listeners.
	Depth int
	// Index is the position of a rule or listener among its siblings. It is for display.
	Index int
	// Reserved means that the listener is rejected because its class of Gateway has other listeners,
	// but counts as valid.
	Reserved bool
	// bare means that a listener fails by what is written in it, and that nothing else of it is judged; aloof that no route can
	// attach to it for that.
	bare, aloof bool
	// failure says why the certificates or authorities of a listener cannot be used, also where its status
	// says something else.
	failure *Condition
	// partial means that only some of its authorities fail.
	partial bool
	// clientless means that it reports that the client certificate of its Gateway cannot be used.
	clientless bool
	// Ambient means that ztunnel takes the connections to the pods of a backend.
	Ambient bool
	// Waypoint is the Gateway that takes the requests of a mesh to a Service, if it is known.
	Waypoint *Node
	// Named reports whether the sectionName of a policy can match this section.
	Named bool
	// Owner is, for a section, the node of its object. It is nil for an object.
	Owner *Node
	// Sections are the nodes of an object's sections, in document order.
	Sections []*Node
	Up, Down []*Edge
	// Conditions holds the conditions of a GatewayClass, Gateway, ListenerSet or listener.
	Conditions conditions
	// Kinds lists the route kinds that a listener supports.
	Kinds []RouteKind
}

// Rank orders levels and depths so that each edge leads to a greater rank.
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

// String returns the node's name for all output.
func (n *Node) String() string { return n.Target.String() }

// Spoken names the node in sentences.
func (n *Node) Spoken() string { return n.Target.Spoken() }

// Namespace is the namespace of the node, or empty for cluster-scoped kinds.
func (n *Node) Namespace() string { return n.Target.Namespace }

// Position returns where the node is declared, or nothing for a placeholder.
func (n *Node) Position() loader.Position {
	if n.Object == nil {
		return loader.Position{}
	}
	return n.Object.Position(n.Value)
}

// TerminatesTLS reports whether a listener is valid and ends TLS connections.
func (n *Node) TerminatesTLS(own *implementation.Implementation) bool {
	protocol := n.Value.Str("protocol")
	return (protocol == "HTTPS" || protocol == "TLS" && n.Value.Str("tls", "mode") != "Passthrough") && !n.IsInvalid(own)
}

// Edge connects a parent node to a child node. A rejected edge stays in the graph with its reason,
// but walks do not follow it.
type Edge struct {
	Parent, Child *Node
	// Via is an intermediate node: the Service of a port.
	Via      *Node
	Admitted fact.Fact
	// Reason is the condition reason of a rejection (NoMatchingParent, ...), or a keyword for what
	// is unknown. Message explains it in a sentence.
	Reason, Message string
	// AgeSensitive means that a creation time which is not in the input could change the result.
	AgeSensitive bool
	// Owner and Ref locate the reference that creates the edge.
	Owner *loader.Object
	Ref   *loader.Value
	// Callers is set if a route is attached to a Service of another namespace (a consumer route,
	// GEP-1294). Only callers from the namespace Callers use that route.
	Callers string
	// Hostnames is the intersection of the hostnames of listener and route, for routes with
	// hostnames. Empty means all.
	Hostnames []string
}

// Open reports whether a context may pass through the edge.
func (e *Edge) Open() bool { return e.Admitted != fact.False }

// Unweighted reports whether the edge is a backendRef of weight 0, to which no requests are sent.
func (e *Edge) Unweighted() bool { return unweighted(e.Ref) }

// Position returns where the edge's reference is written.
func (e *Edge) Position() loader.Position {
	if e.Owner == nil {
		return loader.Position{}
	}
	return e.Owner.Position(e.Ref)
}

// Section names for parts that have no name.
const (
	// AnySection represents the listeners of a parent that is not in the input.
	AnySection = "?"
	rulePrefix = "rule["
)
