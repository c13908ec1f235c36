package hierarchy

import (
	"fmt"

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
	if service.Object == nil {
		e.Admitted, e.Reason, e.Message = g.missingParent(id)
	}
	a.link(parent, e)
}

// addBackends hangs the backends of a rule below it. A port is reached through
// its Service: the edge to the port passes it, so that a context never pairs a
// rule with the port of another rule.
func (g *Graph) addBackends(rule *Node) {
	type pair struct{ backend, port string }
	seen := map[pair]bool{}
	for _, ref := range rule.Value.List("backendRefs") {
		id := BackendID(ref, rule.Namespace())
		backend := g.object(id, LevelBackend)
		e := g.backendEdge(rule, ref, backend)
		number := textOf(ref.Get("port"))
		if key := (pair{id.String(), ""}); !seen[key] {
			seen[key] = true
			g.link(&e)
		}
		if key := (pair{id.String(), number}); number != "" && !seen[key] {
			seen[key] = true
			through := e
			through.Child, through.Via = g.port(backend, number), backend
			g.link(&through)
		}
	}
}

// BackendID is the object that a backendRef names, with the API's defaults:
// a core Service in the route's own namespace.
func BackendID(ref *loader.Value, namespace string) loader.ID {
	return loader.ID{
		Group: groupOf(ref, ""), Kind: or(ref.Str("kind"), "Service"),
		Namespace: or(ref.Str("namespace"), namespace), Name: ref.Str("name"),
	}
}

func (g *Graph) backendEdge(rule *Node, ref *loader.Value, backend *Node) Edge {
	e := Edge{Parent: rule, Child: backend, Admitted: True, Owner: rule.Object, Ref: ref}
	from := rule.Target.ID
	from.Name = ""
	// "in most mesh implementations" a route bound to a Service alone needs no
	// grant (GEP-1294).
	if permitted := g.Permits(from, backend.Target.ID); permitted != True && !onlyMesh(rule.Owner) {
		e.Admitted, e.Reason = permitted, "RefNotPermitted"
		e.Message = fmt.Sprintf("no ReferenceGrant in namespace %s lets %s of namespace %s refer to %s",
			backend.Namespace(), from.Kind, from.Namespace, backend)
		return e
	}
	if backend.Object == nil && backend.Presence == False {
		e.Admitted, e.Reason, e.Message = False, "BackendNotFound", backend.String()+" does not exist"
	}
	return e
}

func onlyMesh(route *Node) bool {
	for _, e := range route.Up {
		if e.Parent.Level != LevelFrontend && e.Parent.Level != LevelFrontendPort {
			return false
		}
	}
	return len(route.Up) > 0
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

func servicePort(service *Node, number string) *loader.Value {
	for _, port := range service.Value.List("ports") {
		if textOf(port.Get("port")) == number {
			return port
		}
	}
	return nil
}
