package hierarchy

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// addRoute attaches a route to the listeners that its parentRefs select, and attaches its rules to
// the route.
func (b *builder) addRoute(o *loader.Object) {
	route := b.object(o.ID, LevelRoute)
	k := lookup(o.ID.Group, o.ID.Kind)
	a := attachment{builder: b, route: route, kind: k, hosts: inventory.Strings(o.Spec().List("hostnames"))}
	for _, ref := range o.Spec().List("parentRefs") {
		a.ref = ref
		b.addParent(a)
	}
	b.addDefaultParents(a)
	for i, rule := range o.Spec().List("rules") {
		name := rule.Str("name")
		section := cmp.Or(name, fmt.Sprintf("%s%d]", rulePrefix, i))
		n := b.section(route, section, LevelRule)
		if n.Value != nil {
			continue // the API requires unique rule names (GEP-995)
		}
		n.Value, n.Index, n.Named = rule, i, name != ""
		b.link(&Edge{Parent: route, Child: n, Admitted: fact.True, Owner: o, Ref: rule})
	}
}

// attachment is one parentRef of a route while it is resolved to listeners.
type attachment struct {
	builder *builder
	route   *Node
	kind    *kind
	ref     *loader.Value
	hosts   []string
	// own is the implementation that decides: the one of the parent.
	own *implementation.Implementation
}

// addParent resolves one parentRef. Group, kind and namespace have the API's defaults: a Gateway in
// the route's own namespace.
func (b *builder) addParent(a attachment) {
	id := ParentID(a.ref, a.route.Namespace())
	mesh, _ := b.mesh()
	switch level := LevelOf(id.Group, id.Kind); {
	case level == LevelBackend, slices.Contains(mesh.Routes.Frontends, implementation.Kind{Group: id.Group, Name: id.Kind}):
		b.addFrontend(a, id)
	case level == LevelRoute && b.Dominant().Routes.Delegates:
		b.addDelegate(a, id)
	case level == LevelListenerSet:
		a.toListeners(b.object(id, LevelListenerSet))
	default:
		// A parent of a kind outside the table has the level of a Gateway.
		a.toListeners(b.object(id, LevelGateway))
	}
}

// ParentID returns the object that a parentRef references, with the API's defaults: a Gateway in the namespace of the
// route.
func ParentID(ref *loader.Value, namespace string) loader.ID {
	return loader.ID{
		Group: groupOf(ref, loader.GatewayGroup), Kind: cmp.Or(ref.Str("kind"), "Gateway"),
		Namespace: cmp.Or(ref.Str("namespace"), namespace), Name: ref.Str("name"),
	}
}

// addDefaultParents attaches a route with useDefaultGateways to each default Gateway of the input,
// as if a parentRef without a section referenced the Gateway (GEP-3793). The listeners of
// ListenerSets are not included.
func (b *builder) addDefaultParents(a attachment) {
	if a.ref = a.route.Value.Get("useDefaultGateways"); textOf(a.ref) != "All" {
		return
	}
	for _, gateway := range b.defaults {
		a.toListeners(gateway)
	}
}

// toListeners evaluates each listener of a parent. It checks the reasons in this order:
// NoMatchingParent, NotAllowedByListeners, NoMatchingListenerHostname (Envoy Gateway
// internal/gatewayapi/route.go; consistent with the conformance tests).
func (a attachment) toListeners(parent *Node) {
	section := a.ref.Str("sectionName")
	if parent.Object == nil {
		a.toPlaceholder(parent, section)
		return
	}
	if parent.Level == LevelGateway && !isGateway(parent) {
		a.link(parent, Edge{Admitted: fact.Unknown, Reason: "ParentKindUnknown", Message: "whether " + kindText(parent.Target.Group, parent.Target.Kind) + " takes routes is its implementation's own"})
		return
	}
	a.own = a.builder.Implementation(GatewayOf(parent))
	if message := unbound(a.route, a.own); message != "" {
		a.link(parent, Edge{Admitted: fact.False, Reason: notBound, Message: message})
		return
	}
	if whole := a.builder.WhyNoListeners(GatewayOf(parent)); whole != nil {
		a.link(parent, Edge{Admitted: fact.False, Reason: NoMatchingParent, Message: GatewayOf(parent).Spoken() + " is not translated: " + whole.Message})
		return
	}
	if off, _ := settingOf(a.builder.gateways, GatewayOf(parent), a.own.Routes.NoHTTP2); a.route.Target.Kind == "GRPCRoute" && off.IsTrue() {
		a.link(parent, Edge{Admitted: fact.False, Reason: a.own.Routes.NoHTTP2Reason, Message: "the parameters of " + GatewayOf(parent).Spoken() + " disable HTTP/2"})
		return
	}
	above := setEdge(parent)
	if above != nil && above.Admitted == fact.False {
		reason := parentNotAllowed
		if above.Reason == parentNotFound {
			reason = parentNotFound
		}
		a.link(parent, Edge{Admitted: fact.False, Reason: reason, Message: above.Message})
		return
	}
	if a.own.Routes.InvalidSet != "" && parent.Level == LevelListenerSet && noneValid(parent, a.own) {
		a.link(parent, Edge{Admitted: fact.False, Reason: a.own.Routes.InvalidSet, Message: "no listener of " + parent.Spoken() + " is valid"})
		return
	}
	selected, serving, lost := 0, 0, 0
	internal := a.own.Listeners.Internal[a.builder.Controller(GatewayOf(parent))]
	for _, listener := range parent.Sections {
		if listener.Level != LevelListener || a.own.Routes.NeedsListener && !listener.serves(a.own) {
			continue
		}
		if c := listener.Condition(ConflictedIs); c != nil && c.Status == fact.True && c.Reason != "" && c.Reason == a.own.Listeners.ModeConflict {
			lost++
			continue // it is not even looked at
		}
		if internal != "" && textOf(listener.Value.Get("port")) == internal {
			continue
		}
		serving++
		selects := a.selects(listener, section)
		if selects == fact.False {
			continue
		}
		selected++
		if listener.aloof {
			a.link(listener, Edge{Admitted: fact.False, Reason: a.own.Routes.InvalidListener, Message: listener.Spoken() + " is not valid: " + listener.Conditions.firstBad().Message})
			continue
		}
		e := a.decide(listener)
		if above != nil && above.Admitted == fact.Unknown {
			e.doubt(above.Reason, above.Message)
		}
		if selects == fact.Unknown {
			e.doubt("SectionUnknown", "a section or port holds a variable that is not resolved")
		}
		a.link(listener, e)
	}
	switch {
	case selected > 0:
	case serving == 0 && (a.own.Routes.NeedsListener || lost > 0):
		a.link(parent, Edge{Admitted: fact.False, Reason: parentNotAllowed, Message: "no listener of " + parent.Spoken() + " is valid"})
	default:
		a.link(parent, Edge{
			Admitted: fact.False, Reason: NoMatchingParent,
			Message: fmt.Sprintf("no listener of %s has %s", parent.Spoken(), a.wanted(section)) + spelling.Among(section, listenerNames(parent)),
		})
	}
}

// noneValid reports whether an object has listeners, and none that is valid.
func noneValid(parent *Node, own *implementation.Implementation) bool {
	found := false
	for _, n := range parent.Sections {
		if n.Level != LevelListener || n.Value == nil {
			continue
		}
		if found = true; n.flaw(own) == nil {
			return false
		}
	}
	return found
}

func listenerNames(parent *Node) []string {
	var out []string
	for _, n := range parent.Sections {
		if n.Level == LevelListener {
			out = append(out, n.Target.Section)
		}
	}
	return out
}

// setEdge returns the edge from a Gateway to a parent that is a ListenerSet, or nil. For routes, a
// ListenerSet that its Gateway does not allow does not exist.
func setEdge(parent *Node) *Edge {
	if parent.Level != LevelListenerSet || len(parent.Up) == 0 {
		return nil
	}
	return parent.Up[0]
}

// doubt changes an admitted edge to unknown.
func (e *Edge) doubt(reason, message string) {
	if e.Admitted == fact.True {
		e.Admitted, e.Reason, e.Message = fact.Unknown, reason, message
	}
}

// GatewayOf returns the Gateway above a parent of routes, or the parent itself.
func GatewayOf(parent *Node) *Node {
	if parent.Owner != nil {
		parent = parent.Owner
	}
	for _, e := range parent.Up {
		if e.Parent.Level == LevelGateway {
			return e.Parent
		}
	}
	return parent
}

// serves reports whether a listener is valid, for implementations that require this for routes.
func (n *Node) serves(own *implementation.Implementation) bool {
	c := n.Condition(ConflictedIs)
	if c != nil && c.Status == fact.True || HasTLS(n) && n.Value.Get("tls") == nil {
		return false
	}
	if n.Owner.Level != LevelListenerSet {
		return true
	}
	flaw := n.flaw(own)
	return flaw == nil || flaw.Status != fact.False
}

// toPlaceholder attaches a route to a parent that is not in the input. The route is attached to a
// placeholder listener with the section name of the parentRef, unless the parent is known not to
// exist.
func (a attachment) toPlaceholder(parent *Node, section string) {
	admitted, reason, message := a.builder.missingParent(parent.Target.ID)
	if admitted == fact.False {
		a.link(parent, Edge{Admitted: fact.False, Reason: reason, Message: message})
		return
	}
	listener := a.builder.section(parent, cmp.Or(section, AnySection), LevelListener)
	if len(listener.Up) == 0 {
		a.builder.link(&Edge{Parent: parent, Child: listener, Admitted: fact.True})
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
	return "a name" // the parent has no listeners
}

// selects reports whether sectionName and port of the parentRef both match a listener.
func (a attachment) selects(listener *Node, section string) fact.Fact {
	selected := fact.True
	if section != "" {
		selected = same(listener.Target.Section, section)
	}
	if port := a.ref.Get("port"); !port.IsNull() {
		selected = selected.And(same(port.Text, textOf(listener.Value.Get("port"))))
	}
	return selected
}

// same compares two texts. Either of them may contain a variable.
func same(a, b string) fact.Fact {
	if a != b && (opaque(a) || opaque(b)) {
		return fact.Unknown
	}
	return fact.Of(a == b)
}

// InvalidRule is the reason for a route that does not have exactly one rule although its kind must.
const InvalidRule = "InvalidRule"

// wrongRules says why a route does not have as many rules as its kind must, or is empty.
func wrongRules(route *Node, own *implementation.Implementation) string {
	kind := route.Target.Kind
	if rules := len(route.Value.List("rules")); rules != 1 && slices.Contains(own.Routes.OneRule, kind) {
		return fmt.Sprintf("a %s has one rule, and this one has %d", kind, rules)
	}
	return ""
}

// notBound is the reason of the edges of a route that no listener takes, although its parents accept it.
const notBound = "NotBound"

// unbound says why a route of a kind that must have one rule with one backend is bound to nothing, or is empty.
func unbound(route *Node, own *implementation.Implementation) string {
	rules := route.Value.List("rules")
	if !slices.Contains(own.Routes.LoneBackend, route.Target.Kind) || len(rules) == 1 && len(rules[0].List("backendRefs")) == 1 {
		return ""
	}
	return "a " + route.Target.Kind + " of this implementation has one rule with one backend"
}

func (a attachment) decide(listener *Node) Edge {
	if message := wrongRules(a.route, a.own); message != "" {
		return Edge{Admitted: fact.False, Reason: InvalidRule, Message: message}
	}
	e := a.allowed(listener)
	if !a.kind.hostnames || e.Admitted == fact.False && !a.own.Routes.HostnameFirst {
		return e
	}
	hosts, match := intersect(listener.Value.Str("hostname"), a.hosts)
	if match == fact.False {
		return Edge{
			Admitted: fact.False, Reason: noMatchingHostname,
			Message: fmt.Sprintf("no hostname of the route matches %q of %s", listener.Value.Str("hostname"), listener.Spoken()) +
				spelling.Meant(meantHostname(a.route, listener.Value.Str("hostname"))),
		}
	}
	if a.own.Routes.Isolates && len(a.hosts) > 0 {
		if hosts = a.isolate(listener, hosts); len(hosts) == 0 {
			return Edge{
				Admitted: fact.False, Reason: noMatchingHostname,
				Message: fmt.Sprintf("every hostname that the route shares with %s is the hostname of another listener on the same port", listener.Spoken()),
			}
		}
	}
	if e.Admitted == fact.False {
		return e
	}
	e.Hostnames = hosts
	if match == fact.Unknown {
		if e.Admitted == fact.True {
			e.Reason, e.Message = "HostnameUnknown", "a hostname holds a variable that is not resolved"
		}
		e.Admitted = fact.Unknown
	}
	return e
}

// isolate removes the hostnames that another listener of the same port has (Envoy Gateway
// helpers.go, computeHosts).
func (a attachment) isolate(listener *Node, hosts []string) []string {
	gateway := GatewayOf(listener.Owner)
	owners := a.builder.hostOwners(gateway)
	port := textOf(listener.Value.Get("port"))
	return slices.DeleteFunc(hosts, func(host string) bool {
		return slices.ContainsFunc(owners[portHost{port, host}], func(other *Node) bool { return other != listener })
	})
}

type portHost struct{ port, host string }

// hostOwners returns the listeners of a Gateway and its ListenerSets by port and hostname. Those that
// lost a hostname to another one do not have it (Envoy Gateway, validate.go,
// validateConflictedHostnameListeners).
func (l *listeners) hostOwners(gateway *Node) map[portHost][]*Node {
	if owners, ok := l.owners[gateway]; ok {
		return owners
	}
	owners := map[portHost][]*Node{}
	for _, owner := range append([]*Node{gateway}, l.admittedSets(gateway)...) {
		for _, n := range owner.Sections {
			if n.Level == LevelListener && n.Value != nil {
				at := portHost{textOf(n.Value.Get("port")), n.Value.Str("hostname")}
				owners[at] = append(owners[at], n)
			}
		}
	}
	for at, rivals := range owners {
		if slices.ContainsFunc(rivals, func(n *Node) bool { return !n.Conditions.lostHostname() }) {
			owners[at] = slices.DeleteFunc(rivals, func(n *Node) bool { return n.Conditions.lostHostname() })
		}
	}
	l.owners[gateway] = owners
	return owners
}

// allowed checks route kind and namespace.
func (a attachment) allowed(listener *Node) Edge {
	rules := listener.Value.Get("allowedRoutes")
	kinds := a.kindAllowed(listener, rules.List("kinds"))
	namespaces := a.builder.AllowedFrom(rules.Get("namespaces"), "Same", listener.Namespace(), a.route.Namespace())
	if a.own.Listeners.SelectorOptional && selectorless(rules.Get("namespaces")) {
		namespaces = fact.True
	}
	admitted := kinds.And(namespaces)
	switch {
	case kinds == fact.False:
		return Edge{
			Admitted: fact.False, Reason: NotAllowedByListeners,
			Message: fmt.Sprintf("%s does not allow %s", listener.Spoken(), a.kind.name),
		}
	case namespaces == fact.False:
		return Edge{
			Admitted: fact.False, Reason: NotAllowedByListeners,
			Message: fmt.Sprintf("%s does not allow routes from namespace %s", listener.Spoken(), a.route.Namespace()),
		}
	case admitted == fact.True:
		return Edge{Admitted: fact.True}
	case namespaces == fact.Unknown:
		return Edge{Admitted: fact.Unknown, Reason: "NamespaceLabelsUnknown", Message: unknownLabels(a.route.Namespace())}
	}
	return Edge{
		Admitted: fact.Unknown, Reason: "ProtocolUnknown",
		Message: fmt.Sprintf("it depends on the implementation which routes the protocol of %s supports", listener.Spoken()),
	}
}

func (a attachment) kindAllowed(listener *Node, listed []*loader.Value) fact.Fact {
	one := RouteKind{a.kind.group, a.kind.name}
	byProtocol := fact.False
	switch p := kindsByProtocol(a.builder.listeners, listener, a.own); {
	case p.supported == fact.Unknown:
		byProtocol = fact.Unknown
	case slices.Contains(p.kinds, one):
		byProtocol = fact.True
	case couldTake(listener.Value, one, a.own):
		// Only some implementations attach the route to a TLS listener that terminates TLS. A
		// listener that lists the kind has one that does.
		byProtocol = fact.Of(len(listed) > 0).Or(fact.Unknown)
	}
	if len(listed) == 0 {
		return byProtocol
	}
	listing := fact.False
	for _, k := range listed {
		listing = listing.Or(same(k.Str("kind"), a.kind.name).And(same(groupOf(k, loader.GatewayGroup), a.kind.group)))
	}
	return listing.And(byProtocol)
}

// protocolKinds are the route kinds that the protocol of a listener supports, and whether the
// protocol is supported.
type protocolKinds struct {
	kinds     []RouteKind
	supported fact.Fact
}

// kindsByProtocol returns the result of routeKinds, which is asked for each route and listener.
func kindsByProtocol(l *listeners, listener *Node, own *implementation.Implementation) protocolKinds {
	known, ok := l.protocols[listener]
	if !ok {
		known.kinds, known.supported = routeKinds(listener.Value, own)
		l.protocols[listener] = known
	}
	return known
}

func knownProtocol(protocol string) bool { return slices.Contains(knownProtocols(), protocol) }

// knownProtocols returns the protocols of the specification (apis/v1/gateway_types.go,
// ProtocolType).
func knownProtocols() []string { return []string{"HTTP", "HTTPS", "TLS", "TCP", "UDP"} }

func (a attachment) link(parent *Node, e Edge) {
	e.Parent, e.Child, e.Owner, e.Ref = parent, a.route, a.route.Object, a.ref
	a.builder.link(&e)
}

func textOf(v *loader.Value) string {
	if v == nil {
		return ""
	}
	return v.Text
}
