package hierarchy

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// addRoute hangs a route below the listeners that its parentRefs select, and
// its rules and backends below it.
func (g *Graph) addRoute(o *loader.Object) {
	route := g.object(o.ID, LevelRoute)
	k := lookup(o.ID.Group, o.ID.Kind)
	for _, ref := range o.Spec().List("parentRefs") {
		g.addParent(attachment{graph: g, route: route, kind: k, ref: ref, hosts: Strings(o.Spec().List("hostnames"))})
	}
	for i, rule := range o.Spec().List("rules") {
		name := rule.Str("name")
		section := or(name, fmt.Sprintf("%s%d]", rulePrefix, i))
		n := g.section(route, section, LevelRule)
		if n.Value != nil {
			continue // rule names are unique by the API's own rules (GEP-995)
		}
		n.Value, n.Index, n.Named = rule, i, name != ""
		g.link(&Edge{Parent: route, Child: n, Admitted: True, Owner: o, Ref: rule})
		g.addBackends(n)
	}
}

// attachment is one parentRef of a route on its way to listeners.
type attachment struct {
	graph *Graph
	route *Node
	kind  *kind
	ref   *loader.Value
	hosts []string
}

// addParent follows one parentRef. Group, kind and namespace have the API's
// defaults: Gateway, in the route's own namespace.
func (g *Graph) addParent(a attachment) {
	id := loader.ID{
		Group: groupOf(a.ref, Group), Kind: or(a.ref.Str("kind"), "Gateway"),
		Namespace: or(a.ref.Str("namespace"), a.route.Namespace()), Name: a.ref.Str("name"),
	}
	switch LevelOf(id.Group, id.Kind) {
	case LevelBackend:
		g.addFrontend(a, id)
	case LevelListenerSet:
		a.toListeners(g.object(id, LevelListenerSet))
	default:
		// A parent of a kind outside the table stands where a Gateway does.
		a.toListeners(g.object(id, LevelGateway))
	}
}

// toListeners decides for each listener of a parent, in the order in which
// reasons are decided: NoMatchingParent, NotAllowedByListeners,
// NoMatchingListenerHostname (Envoy Gateway internal/gatewayapi/route.go;
// consistent with the conformance tests).
func (a attachment) toListeners(parent *Node) {
	section := a.ref.Str("sectionName")
	if parent.Object == nil {
		a.toPlaceholder(parent, section)
		return
	}
	selected := 0
	for _, listener := range parent.Sections {
		if listener.Level != LevelListener || !a.selects(listener, section) {
			continue
		}
		selected++
		a.link(listener, a.decide(listener))
	}
	if selected == 0 {
		a.link(parent, Edge{
			Admitted: False, Reason: "NoMatchingParent",
			Message: fmt.Sprintf("no listener of %s has %s", parent, a.wanted(section)),
		})
	}
}

// toPlaceholder hangs a route below a parent that is not in the input: it stays
// in sight, with a listener of the name it asks for, unless the parent is known
// not to exist.
func (a attachment) toPlaceholder(parent *Node, section string) {
	admitted, reason, message := a.graph.missingParent(parent.Target.ID)
	if admitted == False {
		a.link(parent, Edge{Admitted: False, Reason: reason, Message: message})
		return
	}
	listener := a.graph.section(parent, or(section, AnySection), LevelListener)
	if len(listener.Up) == 0 {
		a.graph.link(&Edge{Parent: parent, Child: listener, Admitted: True})
	}
	a.link(listener, Edge{Admitted: admitted, Reason: reason, Message: message, Hostnames: a.hosts})
}

func (a attachment) wanted(section string) string {
	port := a.ref.Get("port")
	switch {
	case section != "" && port != nil:
		return fmt.Sprintf("name %q and port %s", section, port.Text)
	case port != nil:
		return "port " + port.Text
	case section != "":
		return fmt.Sprintf("name %q", section)
	}
	return "a name" // the parent has no listeners at all
}

// selects says whether sectionName and port both mean a listener.
func (a attachment) selects(listener *Node, section string) bool {
	if section != "" && listener.Target.Section != section {
		return false
	}
	port := a.ref.Get("port")
	return port.IsNull() || port.Text == textOf(listener.Value.Get("port"))
}

func (a attachment) decide(listener *Node) Edge {
	e := a.allowed(listener)
	if e.Admitted == False || !a.kind.hostnames {
		return e
	}
	hosts, fact := intersect(listener.Value.Str("hostname"), a.hosts)
	e.Hostnames = hosts
	switch fact {
	case False:
		return Edge{
			Admitted: False, Reason: "NoMatchingListenerHostname",
			Message: fmt.Sprintf("no hostname of the route matches %q of %s", listener.Value.Str("hostname"), listener),
		}
	case Unknown:
		if e.Admitted == True {
			e.Reason, e.Message = "HostnameUnknown", "a hostname holds a variable that is not resolved"
		}
		e.Admitted = e.Admitted.And(Unknown)
	case True:
	}
	return e
}

// allowed judges kind and namespace.
func (a attachment) allowed(listener *Node) Edge {
	rules := listener.Value.Get("allowedRoutes")
	kinds := a.kindAllowed(listener, rules.List("kinds"))
	namespaces := a.graph.allowedFrom(rules.Get("namespaces"), "Same", listener.Namespace(), a.route.Namespace())
	admitted := kinds.And(namespaces)
	switch {
	case kinds == False:
		return Edge{
			Admitted: False, Reason: "NotAllowedByListeners",
			Message: fmt.Sprintf("%s takes no %s", listener, a.kind.name),
		}
	case namespaces == False:
		return Edge{
			Admitted: False, Reason: "NotAllowedByListeners",
			Message: fmt.Sprintf("%s takes no routes from namespace %s", listener, a.route.Namespace()),
		}
	case admitted == True:
		return Edge{Admitted: True}
	case namespaces == Unknown:
		return Edge{Admitted: Unknown, Reason: "NamespaceLabelsUnknown", Message: unknownLabels(a.route.Namespace())}
	}
	return Edge{
		Admitted: Unknown, Reason: "ProtocolUnknown",
		Message: fmt.Sprintf("which routes the protocol of %s takes is its implementation's own", listener),
	}
}

func (a attachment) kindAllowed(listener *Node, listed []*loader.Value) Fact {
	protocol := listener.Value.Str("protocol")
	byProtocol := FactOf(slices.Contains(a.kind.protocols, protocol))
	if byProtocol == False && a.kind.terminated && protocol == "TLS" && listener.Value.Str("tls", "mode") != "Passthrough" {
		// Whether a TLS listener that terminates takes the route is its
		// implementation's own; one that lists the kind says so.
		byProtocol = FactOf(len(listed) > 0).Or(Unknown)
	}
	if byProtocol == False && !knownProtocol(protocol) {
		byProtocol = Unknown
	}
	if len(listed) == 0 {
		return byProtocol
	}
	for _, k := range listed {
		if k.Str("kind") == a.kind.name && groupOf(k, Group) == a.kind.group {
			return byProtocol
		}
	}
	return False
}

func knownProtocol(protocol string) bool {
	return slices.Contains([]string{"HTTP", "HTTPS", "TLS", "TCP", "UDP"}, protocol)
}

func (a attachment) link(parent *Node, e Edge) {
	e.Parent, e.Child, e.Owner, e.Ref = parent, a.route, a.route.Object, a.ref
	a.graph.link(&e)
}

func textOf(v *loader.Value) string {
	if v == nil {
		return ""
	}
	return v.Text
}
