package hierarchy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// addFrontend attaches a mesh route to the Service that its parentRef references (GEP-1294).
// allowedRoutes and ReferenceGrants do not apply there.
func (b *builder) addFrontend(a attachment, id loader.ID) {
	service := b.object(id, LevelFrontend)
	parent := service
	section, port := a.ref.Str("sectionName"), a.ref.Get("port")
	if section != "" || !port.IsNull() {
		name := cmp.Or(section, portName(service, textOf(port)))
		parent = b.section(service, name, LevelFrontendPort)
		if len(parent.Up) == 0 {
			parent.Named = true
			b.link(&Edge{Parent: service, Child: parent, Admitted: fact.True})
		}
	}
	e := Edge{Admitted: fact.True}
	if own := a.route.Namespace(); own != id.Namespace {
		e.Callers = own
	}
	if own, _ := b.mesh(); service.Object != nil && !own.Routes.AnyFrontendPort && !a.meansPort(service) {
		e.Admitted, e.Reason, e.Message = fact.False, NoMatchingParent, fmt.Sprintf("no port of %s has %s", service.Spoken(), a.wanted(section))
	}
	if service.Object == nil {
		e.Admitted, e.Reason, e.Message = b.missingParent(id)
		if own, _ := b.mesh(); e.Admitted == fact.False && own.Routes.MissingFrontend != "" {
			e.Reason = own.Routes.MissingFrontend
		}
	}
	a.link(parent, e)
}

// meansPort reports whether sectionName and port of a parentRef match the name and the number of
// the same port of a Service (GEP-1294).
func (a attachment) meansPort(service *Node) bool {
	section, number := a.ref.Str("sectionName"), a.ref.Get("port")
	if section == "" && number.IsNull() {
		return true
	}
	return slices.ContainsFunc(service.Value.List("ports"), func(port *loader.Value) bool {
		named := section == "" || same(port.Str("name"), section) != fact.False
		return named && (number.IsNull() || same(textOf(port.Get("port")), number.Text) != fact.False)
	})
}

// addBackends attaches the backends of a rule to the rule. The edge to a port records its Service
// (Via), so that a context never combines a rule with a port that only another rule references. Of several references to one backend
// the edge is that of the first with a weight: one of weight 0 gets no requests.
func (b *builder) addBackends(rule *Node) {
	type pair struct{ backend, port string }
	seen := map[pair]*Edge{}
	link := func(key pair, e *Edge) {
		switch known := seen[key]; {
		case known == nil:
			seen[key] = e
			b.link(e)
		case known.Unweighted() && !e.Unweighted(), known.Admitted == fact.False && e.Admitted != fact.False && !e.Unweighted():
			known.Ref, known.Admitted, known.Reason, known.Message = e.Ref, e.Admitted, e.Reason, e.Message
		}
	}
	references := b.of(rule.Owner)
	for _, ref := range rule.Value.List("backendRefs") {
		if delegatesTo(references.own, BackendID(ref, rule.Namespace())) {
			continue // handled as a delegation
		}
		backend := b.object(named(BackendID(ref, rule.Namespace()), references.own), LevelBackend)
		e := Edge{Parent: rule, Child: backend, Owner: rule.Object, Ref: ref}
		if e.Admitted, e.Reason, e.Message = references.judgeBackend(ref); e.Reason == NotInInput {
			// Nothing rejects it. The backend itself is reported as missing.
			e.Admitted, e.Reason, e.Message = fact.True, "", ""
		}
		if alone := resolvesAlone(references, rule.Value); alone != nil {
			if e.Admitted != fact.False {
				e.Reason, e.Message = BesideResolver, alone.Message
			}
			e.Admitted = alone.Status
		}
		id := backend.String()
		number := textOf(ref.Get("port"))
		link(pair{id, ""}, &e)
		if number != "" {
			through := e
			through.Child, through.Via = b.port(backend, number), backend
			link(pair{id, number}, &through)
		}
	}
}

// BackendID returns the object that a backendRef references, with the API's defaults: a core
// Service in the namespace of the route.
func BackendID(ref *loader.Value, namespace string) loader.ID {
	return loader.ID{
		Group: groupOf(ref, ""), Kind: cmp.Or(ref.Str("kind"), "Service"),
		Namespace: cmp.Or(ref.Str("namespace"), namespace), Name: ref.Str("name"),
	}
}

// Ungranted reports whether an edge leads to a backend of another namespace that no ReferenceGrant in the input permits, where it
// is not known whether there is another one although the input has objects of that namespace.
func (g *Graph) Ungranted(e *Edge) bool {
	return e.Admitted == fact.Unknown && e.Reason == NotPermitted && e.Via == nil && g.Inhabited(e.Child.Target.Namespace)
}

// judgeBackend evaluates one backendRef of the route. "In most mesh implementations" a route whose
// only parents are Services needs no grant (GEP-1294).
func (r *referring) judgeBackend(ref *loader.Value) (admitted fact.Fact, reason, message string) {
	written := BackendID(ref, r.route.Namespace())
	id := named(written, r.own)
	if means, other := r.own.Routes.Means[implementation.Kind{Group: id.Group, Name: id.Kind}]; other {
		id.Group, id.Kind = means.Group, means.Name
	}
	from := r.route.Target.ID
	from.Name = ""
	if delegatesTo(r.own, id) {
		return fact.True, "", ""
	}
	kind := r.backendKind(id)
	if kind == fact.False && !r.own.Routes.GrantFirst {
		return fact.False, InvalidKind, kindText(id.Group, id.Kind) + " is not a supported kind of backend"
	}
	to := r.ResolveAs(from, id, written)
	if id.Namespace != from.Namespace && slices.Contains(r.own.Routes.Ungrantable, implementation.Kind{Group: written.Group, Name: written.Kind}) {
		to.Permitted, to.Message = fact.False, "no ReferenceGrant lets routes of another namespace refer to "+id.String()
	}
	switch {
	case r.mesh && to.Permitted != fact.True:
		to.Resolved, to.Message = r.Present(id)
	case to.Permitted == fact.False:
		return fact.False, NotPermitted, to.Message
	}
	core := id.Group == "" && id.Kind == "Service"
	names := r.own.Routes.NamesHosts(id.Group, id.Kind)
	switch {
	case (core || r.own.Routes.DottedPools && id.Kind == "InferencePool") && r.own.Routes.DottedName != "" && strings.Contains(id.Name, "."):
		return fact.False, r.own.Routes.DottedName, "a " + id.Kind + " has no dot in its name; " + id.Name + " is a hostname"
	case names && r.own.Routes.NamespacedHost != "" && ref.Get("namespace") != nil:
		return fact.False, r.own.Routes.NamespacedHost, "a host has no namespace"
	case (core || names && r.own.Routes.KnownHosts || slices.Contains(r.own.Routes.Ported, implementation.Kind{Group: id.Group, Name: id.Kind})) && r.own.Routes.NoPort != "" && ref.Get("port").IsNull() && kind == fact.True:
		return fact.False, r.own.Routes.NoPort, "the reference to " + id.Spoken() + " has no port"
	}
	hosts := names || r.own.Routes.Extensible && r.Unread(id.Group, id.Kind)
	switch {
	case kind == fact.False:
		return fact.False, InvalidKind, kindText(id.Group, id.Kind) + " is not a supported kind of backend"
	case to.Permitted == fact.Unknown && !r.mesh:
		return fact.Unknown, NotPermitted, to.Message
	case names && r.own.Routes.KnownHosts && r.Whole() && !r.registered(id.Name, r.route.Namespace()):
		return fact.False, BackendNotFound, "no ServiceEntry or Service of namespace " + r.route.Namespace() + " has the host " + id.Name
	case hosts:
		return fact.True, "", ""
	case kind == fact.Unknown && to.Resolved == fact.False:
		return fact.Unknown, NotInInput, "it depends on the implementation whether " + id.Kind + " is supported as a backend"
	case to.Resolved == fact.False:
		return fact.False, BackendNotFound, to.Message
	case to.Resolved == fact.Unknown:
		return fact.Unknown, NotInInput, to.Message
	}
	if id.Group == loader.ExperimentalGroup && id.Kind == "XBackend" && r.own.Routes.ExternalBackends {
		return judgeExternal(id, r.Object(id).Spec(), ref)
	}
	if reason, message := refusedBackend(r.references, r.own, id); reason != "" {
		return fact.False, reason, message
	}
	return r.judgePort(id, ref)
}

// judgeExternal evaluates a reference to an XBackend by its spec, which must name an external host that is registered
// (Istio, gateway/conversion.go, buildDestination).
func judgeExternal(id loader.ID, spec, ref *loader.Value) (fact.Fact, string, string) {
	port, own := ref.Get("port"), spec.Get("port", "port")
	switch {
	case spec.Str("type") != "ExternalHostname" || spec.Get("externalHostname").IsNull():
		return fact.False, InvalidKind, id.Spoken() + " is not of type ExternalHostname"
	case !port.IsNull() && !own.IsNull() && same(port.Text, own.Text) == fact.False:
		return fact.False, BackendNotFound, fmt.Sprintf("%s has port %s, not %s", id.Spoken(), own.Text, port.Text)
	case registers(spec) == "":
		return fact.False, BackendNotFound, "the hostname of " + id.Spoken() + " is one of the cluster's own, which it cannot register"
	}
	return fact.True, "", ""
}

// registers returns the host that the spec of an XBackend registers, or "" (Istio,
// serviceregistry/serviceentry/gateway.go, backendToServiceEntry).
func registers(spec *loader.Value) string {
	host := spec.Str("externalHostname", "hostname")
	if spec.Str("type") != "ExternalHostname" || strings.HasSuffix(host, ".svc.cluster.local") || strings.HasSuffix(host, ".svc.clusterset.local") {
		return ""
	}
	return host
}

// registered reports whether a ServiceEntry, a Service or an XBackend of a namespace has a host (Istio,
// gatewaycommon/context.go, GetService).
func (r *references) registered(host, namespace string) bool {
	for _, entry := range r.ObjectsOf("networking.istio.io", "ServiceEntry", namespace) {
		if slices.Contains(inventory.Strings(entry.Spec().List("hosts")), host) {
			return true
		}
	}
	for _, backend := range r.ObjectsOf(loader.ExperimentalGroup, "XBackend", namespace) {
		if r.Dominant().Routes.ExternalBackends && registers(backend.Spec()) == host {
			return true
		}
	}
	for _, service := range r.ObjectsOf("", "Service", namespace) {
		if host == service.ID.Name+"."+namespace+".svc.cluster.local" {
			return true
		}
	}
	return false
}

// Named returns the id of a backend which an object other than a route references, with the group
// that its kind alone implies.
func (c *controllers) Named(id loader.ID) loader.ID { return named(id, c.Dominant()) }

// named returns the id of a backend with the group that the one in the reference means, or that its kind alone implies if the
// implementation does not compare groups.
func named(id loader.ID, own *implementation.Implementation) loader.ID {
	if slices.Contains(own.Routes.CoreGroups, id.Group) {
		id.Group = ""
	}
	if own.Routes.KindAlone {
		for _, k := range own.Routes.Backends {
			if k.Name == id.Kind && slices.ContainsFunc(own.Routes.Backends, func(b implementation.Kind) bool { return b.Group == id.Group }) {
				id.Group = k.Group
			}
		}
	}
	return id
}

// judgePort looks up the port of a Service, or of another kind whose ports the implementation compares. The specification
// defines no reason for a port that does not exist.
func (r *referring) judgePort(id loader.ID, ref *loader.Value) (fact.Fact, string, string) {
	if slices.Contains(r.own.Routes.Portless, implementation.Kind{Group: id.Group, Name: id.Kind}) && !ref.Get("port").IsNull() {
		return fact.False, r.own.Routes.PortNotFound, "the reference to " + id.Spoken() + " must not name a port"
	}
	if (id.Group != "" || id.Kind != "Service") && !slices.Contains(r.own.Routes.Ported, implementation.Kind{Group: id.Group, Name: id.Kind}) {
		return fact.True, "", ""
	}
	port := ref.Get("port")
	service := r.Object(id)
	switch {
	case port.IsNull() && r.own.Routes.NoPort != "":
		return fact.False, r.own.Routes.NoPort, "the reference to " + id.Spoken() + " has no port"
	case r.own.Routes.ExternalName != "" && service.Spec().Str("type") == "ExternalName":
		if resolves, why := resolvesNames(r); resolves != fact.True {
			return resolves, r.own.Routes.ExternalName, id.Spoken() + " is of type ExternalName and " + why
		}
	}
	if service == nil || port.IsNull() || r.own.Routes.PortNotFound == "" {
		return fact.True, "", ""
	}
	unknown := opaque(port.Text)
	for _, p := range service.Spec().List("ports") {
		number := textOf(p.Get("port"))
		if number == port.Text && (!r.own.Routes.PortProtocols || carries(p, r.route)) {
			if of := r.own.Routes.Protocols[p.Str("appProtocol")]; of != nil && !slices.Contains(of, r.route.Target.Kind) {
				return fact.False, r.own.Routes.ProtocolReason, fmt.Sprintf("port %s of %s is of appProtocol %s, which a %s cannot use", number, id.Spoken(), p.Str("appProtocol"), r.route.Target.Kind)
			}
			return fact.True, "", ""
		}
		unknown = unknown || opaque(number)
	}
	if unknown {
		return fact.Unknown, NotInInput, fmt.Sprintf("it is unknown whether %s has port %s until variables are substituted", id.Spoken(), port.Text)
	}
	what := "port"
	if r.own.Routes.PortProtocols && r.route.Target.Kind == "UDPRoute" {
		what = "UDP port"
	}
	return fact.False, r.own.Routes.PortNotFound, fmt.Sprintf("%s has no %s %s", id.Spoken(), what, port.Text)
}

// carries reports whether a port of a Service has the protocol of a route: UDP for UDPRoutes, TCP
// for all others.
func carries(port *loader.Value, route *Node) bool {
	protocol := cmp.Or(port.Str("protocol"), "TCP")
	return opaque(protocol) || (protocol == "UDP") == (route.Target.Kind == "UDPRoute") && protocol != "SCTP"
}

// backendKind reports whether a kind can be a backend.
func (r *referring) backendKind(id loader.ID) fact.Fact {
	if slices.Contains(r.own.Matching.Built, implementation.Kind{Group: id.Group, Name: id.Kind}) {
		return fact.True
	}
	if r.own.Routes.Extensible && r.extends(id.Group, id.Kind) {
		return fact.True
	}
	if of := r.own.Routes.BackendsOf[implementation.Kind{Group: id.Group, Name: id.Kind}]; of != nil && !slices.Contains(of, r.route.Target.Kind) {
		return fact.False
	}
	if r.own.Routes.Backends != nil {
		return fact.Of(slices.Contains(r.own.Routes.Backends, implementation.Kind{Group: id.Group, Name: id.Kind}))
	}
	return referable(r.references, id.Group, id.Kind)
}

func (ns *nodes) port(backend *Node, number string) *Node {
	name := portName(backend, number)
	n := ns.section(backend, name, LevelPort)
	n.Named = name != number || n.Named || numbersAreSections(backend.Target.ID)
	if n.Value == nil {
		n.Value = servicePort(backend, number)
	}
	return n
}

// numbersAreSections reports whether the number of a port in a reference to a backend is the section that policies name: it is for
// what has no ports of its own (Envoy Gateway internal/gatewayapi/route.go, getTargetBackendReference).
func numbersAreSections(backend loader.ID) bool {
	return backend.Kind != "Service" && backend.Kind != "ServiceImport"
}

// portName returns the name of a Service port, or its number if it has no name.
func portName(service *Node, number string) string {
	return cmp.Or(servicePort(service, number).Str("name"), number)
}

// PortName returns the name of a Service port, or its number if it has no name.
func (r *references) PortName(service loader.ID, number string) string {
	return portName(&Node{Value: r.Object(service).Spec()}, number)
}

func servicePort(service *Node, number string) *loader.Value {
	for _, port := range service.Value.List("ports") {
		if textOf(port.Get("port")) == number {
			return port
		}
	}
	return nil
}
