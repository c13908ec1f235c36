package hierarchy

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// addFrontend hangs a mesh route below the Service that it names as parent
// (GEP-1294). allowedRoutes and grants do not apply there.
func (g *Graph) addFrontend(a attachment, id loader.ID) {
	service := g.object(id, LevelFrontend)
	parent := service
	section, port := a.ref.Str("sectionName"), a.ref.Get("port")
	if section != "" || !port.IsNull() {
		name := or(section, portName(service, textOf(port)))
		parent = g.section(service, name, LevelFrontendPort)
		if len(parent.Up) == 0 {
			parent.Named = true
			g.link(&Edge{Parent: service, Child: parent, Admitted: True})
		}
	}
	e := Edge{Admitted: True}
	if own := a.route.Namespace(); own != id.Namespace {
		e.Callers = own
	}
	if own, _ := g.mesh(); service.Object != nil && !own.Routes.AnyFrontendPort && !a.meansPort(service) {
		e.Admitted, e.Reason, e.Message = False, noMatchingParent, fmt.Sprintf("no port of %s has %s", service, a.wanted(section))
	}
	if service.Object == nil {
		e.Admitted, e.Reason, e.Message = g.missingParent(id)
		if own, _ := g.mesh(); e.Admitted == False && own.Routes.MissingFrontend != "" {
			e.Reason = own.Routes.MissingFrontend
		}
	}
	a.link(parent, e)
}

// meansPort says whether sectionName and port of a parentRef both mean a port of a
// Service (GEP-1294): its name, and its number.
func (a attachment) meansPort(service *Node) bool {
	section, number := a.ref.Str("sectionName"), a.ref.Get("port")
	if section == "" && number.IsNull() {
		return true
	}
	return slices.ContainsFunc(service.Value.List("ports"), func(port *loader.Value) bool {
		named := section == "" || same(port.Str("name"), section) != False
		return named && (number.IsNull() || same(textOf(port.Get("port")), number.Text) != False)
	})
}

// addBackends hangs the backends of a rule below it. A port is reached through
// its Service: the edge to the port passes it, so that a context never pairs a
// rule with the port of another rule.
func (g *Graph) addBackends(rule *Node) {
	type pair struct{ backend, port string }
	seen := map[pair]bool{}
	own, mesh := g.deciderOf(rule.Owner)
	for _, ref := range rule.Value.List("backendRefs") {
		if delegates(own, BackendID(ref, rule.Namespace())) {
			continue // see delegation
		}
		backend := g.object(named(BackendID(ref, rule.Namespace()), own), LevelBackend)
		e := Edge{Parent: rule, Child: backend, Owner: rule.Object, Ref: ref}
		if e.Admitted, e.Reason, e.Message = g.judgeBackend(rule.Owner, ref, own, mesh); e.Reason == NotInInput {
			// Nothing refuses it; that it is missing is said of the backend.
			e.Admitted, e.Reason, e.Message = True, "", ""
		}
		id := backend.String()
		number := textOf(ref.Get("port"))
		if key := (pair{id, ""}); !seen[key] {
			seen[key] = true
			g.link(&e)
		}
		if key := (pair{id, number}); number != "" && !seen[key] {
			seen[key] = true
			through := e
			through.Child, through.Via = g.port(backend, number), backend
			g.link(&through)
		}
	}
}

// deciderOf is the implementation whose rules hold for the references of a
// route, and whether all its parents are of a mesh: that of its first parent.
func (g *Graph) deciderOf(route *Node) (own *implementation.Implementation, mesh bool) {
	own, mesh = implementation.Specification(), len(route.Up) > 0
	for i := len(route.Up) - 1; i >= 0; i-- {
		parent := route.Up[i].Parent
		if parent.Owner != nil {
			parent = parent.Owner
		}
		if parent.Level == LevelFrontend {
			continue
		}
		mesh = false
		if LevelOf(parent.Target.Group, parent.Target.Kind) == LevelRoute {
			own = g.Dominant() // asking for the Gateway would go through all that is above
			continue
		}
		own = g.Implementation(GatewayOf(parent))
	}
	if mesh {
		own, _ = g.mesh()
	}
	return own, mesh
}

// BackendID is the object that a backendRef names, with the API's defaults:
// a core Service in the route's own namespace.
func BackendID(ref *loader.Value, namespace string) loader.ID {
	return loader.ID{
		Group: groupOf(ref, ""), Kind: or(ref.Str("kind"), "Service"),
		Namespace: or(ref.Str("namespace"), namespace), Name: ref.Str("name"),
	}
}

// judgeBackend decides on one reference of a route to a backend. "In most mesh
// implementations" a route bound to a Service alone needs no grant (GEP-1294).
func (g *Graph) judgeBackend(
	route *Node, ref *loader.Value, own *implementation.Implementation, mesh bool,
) (admitted Fact, reason, message string) {
	id := named(BackendID(ref, route.Namespace()), own)
	from := route.Target.ID
	from.Name = ""
	if delegates(own, id) {
		return True, "", ""
	}
	kind := g.backendKind(id, own)
	if kind == False && !own.Routes.GrantFirst {
		return False, invalidKind, kindText(id.Group, id.Kind) + " is no kind of backend"
	}
	r := g.Resolve(from, id)
	switch {
	case mesh && r.Permitted != True:
		r.Resolved, r.Message = g.present(id)
	case r.Permitted == False:
		return False, notPermitted, r.Message
	}
	hosts := own.Routes.NamesHosts(id.Group, id.Kind) || own.Routes.Extensible && g.unread(id.Group, id.Kind)
	switch {
	case kind == False:
		return False, invalidKind, kindText(id.Group, id.Kind) + " is no kind of backend"
	case r.Permitted == Unknown && !mesh:
		return Unknown, notPermitted, r.Message
	case hosts:
		return True, "", ""
	case kind == Unknown && r.Resolved == False:
		return Unknown, NotInInput, "whether " + id.Kind + " is a kind of backend is the implementation's own"
	case r.Resolved == False:
		return False, backendNotFound, r.Message
	case r.Resolved == Unknown:
		return Unknown, NotInInput, r.Message
	}
	return g.judgePort(id, ref, own)
}

// Named gives a backend that something other than a route refers to the group
// that its kind alone means.
func (g *Graph) Named(id loader.ID) loader.ID { return named(id, g.Dominant()) }

// named gives a backend the group that its kind alone means, where the
// implementation does not compare groups.
func named(id loader.ID, own *implementation.Implementation) loader.ID {
	if own.Routes.KindAlone {
		for _, k := range own.Routes.Backends {
			if k.Name == id.Kind && slices.ContainsFunc(own.Routes.Backends, func(b implementation.Kind) bool { return b.Group == id.Group }) {
				id.Group = k.Group
			}
		}
	}
	return id
}

// present says what is known of an object, whoever refers to it.
func (g *Graph) present(id loader.ID) (Fact, string) {
	if g.objects[id] != nil || g.options.External[id] {
		return True, ""
	}
	return g.missing(id)
}

// judgePort looks for the port of a Service. The specification has no reason
// for one that does not exist.
func (g *Graph) judgePort(id loader.ID, ref *loader.Value, own *implementation.Implementation) (Fact, string, string) {
	if id.Group != "" || id.Kind != "Service" {
		return True, "", ""
	}
	port := ref.Get("port")
	service := g.objects[id]
	switch {
	case port.IsNull() && own.Routes.NoPort != "":
		return False, own.Routes.NoPort, "the reference to " + id.String() + " has no port"
	case own.Routes.ExternalName != "" && service.Spec().Str("type") == "ExternalName":
		return False, own.Routes.ExternalName, id.String() + " is a name outside the cluster (ExternalName)"
	case service == nil || port.IsNull() || own.Routes.PortNotFound == "":
		return True, "", ""
	}
	unknown := opaque(port.Text)
	for _, p := range service.Spec().List("ports") {
		number := textOf(p.Get("port"))
		if number == port.Text {
			return True, "", ""
		}
		unknown = unknown || opaque(number)
	}
	if unknown {
		return Unknown, NotInInput, fmt.Sprintf("whether %s has port %s is not known before variables are filled in", id, port.Text)
	}
	return False, own.Routes.PortNotFound, fmt.Sprintf("%s has no port %s", id, port.Text)
}

// backendKind says whether a kind can be a backend.
func (g *Graph) backendKind(id loader.ID, own *implementation.Implementation) Fact {
	if own.Routes.Extensible && g.extends(id.Group, id.Kind) {
		return True
	}
	if own.Routes.Backends != nil {
		return FactOf(slices.Contains(own.Routes.Backends, implementation.Kind{Group: id.Group, Name: id.Kind}))
	}
	return g.referable(id.Group, id.Kind)
}

func (g *Graph) port(backend *Node, number string) *Node {
	name := portName(backend, number)
	n := g.section(backend, name, LevelPort)
	n.Named = name != number || n.Named
	if n.Value == nil {
		n.Value = servicePort(backend, number)
	}
	return n
}

// portName is the name of a Service port, else its number.
func portName(service *Node, number string) string {
	return or(servicePort(service, number).Str("name"), number)
}

// PortName is the name of a port of a Service, else its number.
func (g *Graph) PortName(service loader.ID, number string) string {
	return portName(&Node{Value: g.objects[service].Spec()}, number)
}

func servicePort(service *Node, number string) *loader.Value {
	for _, port := range service.Value.List("ports") {
		if textOf(port.Get("port")) == number {
			return port
		}
	}
	return nil
}
