package hierarchy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// What status.parents says of Accepted. The route has one hostname, a.example.
func TestParents(t *testing.T) {
	const (
		kind      = "{name: kind, port: 80, protocol: HTTP, hostname: a.example, allowedRoutes: {kinds: [{kind: GRPCRoute}]}}"
		host      = "{name: host, port: 81, protocol: HTTP, hostname: b.example}"
		both      = "{name: both, port: 82, protocol: HTTP, hostname: b.example, allowedRoutes: {kinds: [{kind: GRPCRoute}]}}"
		namespace = "{name: namespace, port: 83, protocol: HTTP, hostname: b.example, allowedRoutes: {namespaces: {from: Selector, selector: {matchLabels: {team: a}}}}}"
		fine      = "{name: fine, port: 84, protocol: HTTP}"
		any       = "{name: any, port: 85, protocol: acme.io/own}"
	)
	refused := func(reason string) string { return "Gateway/ns/g []: Accepted=false/" + reason + ", ResolvedRefs" }
	taken := func(by string) string { return "Gateway/ns/g " + by + ": Accepted, ResolvedRefs" }
	const unknown = "Gateway/ns/g []: Accepted=unknown/NotInInput, ResolvedRefs"
	for _, tt := range []struct{ name, listeners, ref, want string }{
		{"all listeners", fine + ", {name: alt, port: 8080, protocol: HTTP}", "", taken("[fine alt]")},
		// conformance httproute-invalid-parentref-not-matching-section-name, -not-matching-listener-port,
		// -section-name-not-matching-port.
		{"NoMatchingParent by name", fine, ", sectionName: other", refused("NoMatchingParent")},
		{"NoMatchingParent by port", fine, ", port: 85", refused("NoMatchingParent")},
		{"NoMatchingParent by both", fine + ", " + host, ", sectionName: fine, port: 81", refused("NoMatchingParent")},
		{"one by port", fine + ", " + host, ", port: 84", taken("[fine]")},
		{"one by name and port", fine + ", " + host, ", sectionName: fine, port: 84", taken("[fine]")},
		// conformance httproute-disallowed-kind, httproute-hostname-intersection.
		{"NotAllowedByListeners", kind, "", refused("NotAllowedByListeners")},
		{"NoMatchingListenerHostname", host, "", refused("NoMatchingListenerHostname")},
		// Kind and namespace come before hostnames (Envoy Gateway internal/gatewayapi/route.go).
		{"NotAllowedByListeners before NoMatchingListenerHostname", both, "", refused("NotAllowedByListeners")},
		// A listener that gets further says why it does not take the route.
		{"of several listeners the one that gets furthest counts", kind + ", " + host, "", refused("NoMatchingListenerHostname")},
		{"of several listeners in another order", host + ", " + kind, "", refused("NoMatchingListenerHostname")},
		{"a section leaves the others out", kind + ", " + host, ", sectionName: kind", refused("NotAllowedByListeners")},
		// One listener that takes the route is enough (Gateway API, RouteConditionAccepted).
		{"one of several takes it", kind + ", " + host + ", " + fine, "", taken("[fine]")},
		{"one takes it and one may", any + ", " + fine, "", taken("[fine]")},
		{"one may take it", kind + ", " + any, "", unknown},
	} {
		rule{tt.name, closed(), []string{gateway("g", tt.listeners), route("HTTPRoute", "ns", "r", "hostnames: [a.example], parentRefs: [{name: g"+tt.ref+"}]")}, map[string]string{
			"HTTPRoute/ns/r": tt.want,
		}}.check(t)
	}
	// What refuses the route whatever the labels of its namespace are refuses it.
	rule{"a hostname decides where the namespace does not", inventory.Options{}, []string{
		gateway("g", namespace), route("HTTPRoute", "far", "r", "hostnames: [a.example], parentRefs: [{name: g, namespace: ns}]"),
	}, map[string]string{"HTTPRoute/far/r": refused("NoMatchingListenerHostname")}}.check(t)
	rule{"the labels decide where the hostname does not", inventory.Options{}, []string{
		gateway("g", namespace), route("HTTPRoute", "far", "r", "hostnames: [b.example], parentRefs: [{name: g, namespace: ns}]"),
	}, map[string]string{"HTTPRoute/far/r": unknown}}.check(t)
}

// Istio and agentgateway compare hostnames first, and kinds and namespaces of
// those that match (gateway/conversion.go, referenceAllowed): the order turns.
func TestHostnameFirst(t *testing.T) {
	const (
		kind = "{name: kind, port: 80, protocol: HTTP, hostname: a.example, allowedRoutes: {kinds: [{kind: GRPCRoute}]}}"
		host = "{name: host, port: 81, protocol: HTTP, hostname: b.example}"
		both = "{name: both, port: 82, protocol: HTTP, hostname: b.example, allowedRoutes: {kinds: [{kind: GRPCRoute}]}}"
	)
	for _, tt := range []struct{ name, listeners, specified, want string }{
		{"both are wrong", both, "NotAllowedByListeners", "NoMatchingListenerHostname"},
		{"of several listeners the one that gets furthest counts", host + ", " + kind, "NoMatchingListenerHostname", "NotAllowedByListeners"},
		{"the kind alone", kind, "NotAllowedByListeners", "NotAllowedByListeners"},
		{"the hostname alone", host, "NoMatchingListenerHostname", "NoMatchingListenerHostname"},
	} {
		for controller, reason := range map[string]string{
			"": tt.specified, "istio.io/gateway-controller": tt.want, "agentgateway.dev/agentgateway": tt.want,
		} {
			rule{tt.name + " " + controller, under(controller), []string{
				gateway("g", tt.listeners), route("HTTPRoute", "ns", "r", "hostnames: [a.example], parentRefs: [{name: g}]"),
			}, map[string]string{"HTTPRoute/ns/r": "Gateway/ns/g []: Accepted=false/" + reason + ", ResolvedRefs"}}.check(t)
		}
	}
}

// Open are the listeners that take a route's kind from its namespace.
func TestOpenListeners(t *testing.T) {
	g := claimed(t, closed(), gateway("g", "{name: fine, port: 80, protocol: HTTP}, {name: host, port: 81, protocol: HTTP, hostname: b.example}, {name: tcp, port: 82, protocol: TCP},"+
		" {name: any, port: 83, protocol: acme.io/own}, {name: kind, port: 84, protocol: HTTP, allowedRoutes: {kinds: [{kind: GRPCRoute}]}}"),
		route("HTTPRoute", "ns", "r", "hostnames: [a.example], parentRefs: [{name: g}, {name: g, sectionName: gone}]"))
	want := []string{"[Gateway/ns/g#fine Gateway/ns/g#host Gateway/ns/g#any]", "[]"}
	for i, p := range g.Parents(nodeOf(t, g, "HTTPRoute/ns/r")) {
		if got := fmt.Sprint(p.Open); got != want[i] {
			t.Errorf("reference %d: got %s, want %s", i, got, want[i])
		}
	}
}

// Each reference has its own entry (conformance
// listenerset-dual-parentref-independence, -gateway-parent-section-name-not-found,
// -route-status-scoped-to-parentref).
func TestParentsOfSeveralReferences(t *testing.T) {
	set := listenerSet("ns", "set", "{name: extra, port: 81, protocol: HTTP}")
	rule{"a Gateway and its ListenerSet", closed(), []string{open(http), set, route("HTTPRoute", "ns", "r",
		"parentRefs: [{name: g}, {kind: ListenerSet, name: set}, {name: g, sectionName: extra}, {kind: ListenerSet, name: set, sectionName: extra}]")}, map[string]string{
		"HTTPRoute/ns/r": "Gateway/ns/g [http]: Accepted, ResolvedRefs; ListenerSet/ns/set [extra]: Accepted, ResolvedRefs; " +
			"Gateway/ns/g []: Accepted=false/NoMatchingParent, ResolvedRefs; ListenerSet/ns/set [extra]: Accepted, ResolvedRefs",
	}}.check(t)
	rule{"two sections of one Gateway", closed(), []string{gateway("g", http+", {name: alt, port: 81, protocol: HTTP}"), route("HTTPRoute", "ns", "r",
		"parentRefs: [{name: g, sectionName: alt}, {name: g, sectionName: http}]")}, map[string]string{
		"HTTPRoute/ns/r": "Gateway/ns/g [alt]: Accepted, ResolvedRefs; Gateway/ns/g [http]: Accepted, ResolvedRefs",
	}}.check(t)
	rule{"the same reference twice", closed(), []string{gateway("g", http), route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}, {name: g}]")}, map[string]string{
		"HTTPRoute/ns/r": "Gateway/ns/g [http]: Accepted, ResolvedRefs; Gateway/ns/g [http]: Accepted, ResolvedRefs",
	}}.check(t)
}

// Of a parent that does not exist nobody writes anything (Gateway API,
// RouteParentStatus), and of one that may exist nobody knows.
func TestMissingParents(t *testing.T) {
	r := route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}]")
	id := loader.ID{Group: loader.GatewayGroup, Kind: "Gateway", Namespace: "ns", Name: "g"}
	const unknown = "Gateway/ns/g []: Accepted=unknown/NotInInput, ResolvedRefs"
	for _, tt := range []struct {
		name    string
		options inventory.Options
		more    string
		want    string
	}{
		{"does not exist", closed(), nearby, "Gateway/ns/g: missing"},
		{"not in the input", inventory.Options{}, nearby, unknown},
		{"known to be gone", inventory.Options{Gone: map[loader.ID]bool{id: true}}, nearby, "Gateway/ns/g: missing"},
		{"known to live elsewhere", inventory.Options{Complete: true, External: map[loader.ID]bool{id: true}}, nearby, unknown},
		{"a ListenerSet does not exist", closed(), gateway("g", http), "Gateway/ns/g [http]: Accepted, ResolvedRefs; ListenerSet/ns/gone: missing"},
	} {
		if tt.more != nearby {
			r = route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}, {kind: ListenerSet, name: gone}]")
		}
		rule{tt.name, tt.options, []string{r, tt.more}, map[string]string{"HTTPRoute/ns/r": tt.want}}.check(t)
	}
	// A Gateway of a class that does not exist is nobody's.
	t.Run("a Gateway without a controller", func(t *testing.T) {
		g := graph(t, closed(), gateway("g", http), route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}]"))
		if got := verdict(t, g, "HTTPRoute/ns/r"); got != "Gateway/ns/g: missing" {
			t.Errorf("got %s", got)
		}
	})
}

// For routes a ListenerSet that its Gateway does not take is not there:
// conformance asks for no accepted parent, and some implementations are silent
// (Envoy Gateway helpers.go, GetReferencedListeners).
func TestParentsNotAllowed(t *testing.T) {
	set := listenerSet("ns", "set", "{name: extra, port: 81, protocol: HTTP}")
	for _, ref := range []string{"", ", sectionName: extra", ", sectionName: other"} {
		r := route("HTTPRoute", "ns", "r", "parentRefs: [{kind: ListenerSet, name: set"+ref+"}]")
		for controller, want := range map[string]string{
			"": "ListenerSet/ns/set []: Accepted=false/NoMatchingParent, ResolvedRefs",
			"gateway.nginx.org/nginx-gateway-controller":    "ListenerSet/ns/set []: Accepted=false/NoMatchingParent, ResolvedRefs",
			"gateway.envoyproxy.io/gatewayclass-controller": "ListenerSet/ns/set: missing",
			"istio.io/gateway-controller":                   "ListenerSet/ns/set: missing",
			"agentgateway.dev/agentgateway":                 "ListenerSet/ns/set: missing",
		} {
			rule{controller + ref, under(controller), []string{gateway("g", http), set, r}, map[string]string{"HTTPRoute/ns/r": want}}.check(t)
		}
	}
	// Nobody knows whether it is taken, but routes attach to it if it is.
	const selected = "allowedListeners: {namespaces: {from: Selector, selector: {matchLabels: {team: a}}}}, listeners: [" + http + "]"
	rule{"an admission that is unknown", inventory.Options{}, []string{gatewayOf(selected), set, route("HTTPRoute", "ns", "r", "parentRefs: [{kind: ListenerSet, name: set}]")}, map[string]string{
		"HTTPRoute/ns/r": "ListenerSet/ns/set []: Accepted=unknown/NotInInput, ResolvedRefs",
	}}.check(t)
}

// A Service as a parent takes whatever names it (GEP-1294).
func TestMeshParents(t *testing.T) {
	const xmesh = "{apiVersion: gateway.networking.x-k8s.io/v1alpha1, kind: XMesh, metadata: {name: mesh}, spec: {controllerName: acme.io/mesh}}"
	istio := "{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: istio}, spec: {controllerName: istio.io/gateway-controller}}"
	for _, tt := range []struct {
		name, ref, more  string
		want, controller string
	}{
		{"a Service", "{group: '', kind: Service, name: near}", "", "Service/ns/near []: Accepted, ResolvedRefs", ""},
		{"a port", "{group: '', kind: Service, name: near, port: 80}", "", "Service/ns/near [web]: Accepted, ResolvedRefs", ""},
		{"a section", "{group: '', kind: Service, name: near, sectionName: web}", "", "Service/ns/near [web]: Accepted, ResolvedRefs", ""},
		{"a port that the Service does not have", "{group: '', kind: Service, name: near, port: 99}", "", "Service/ns/near []: Accepted=false/NoMatchingParent, ResolvedRefs", ""},
		{"a section that is not a port", "{group: '', kind: Service, name: near, sectionName: nope}", "", "Service/ns/near []: Accepted=false/NoMatchingParent, ResolvedRefs", ""},
		{"a section and another port", "{group: '', kind: Service, name: near, sectionName: web, port: 99}", "", "Service/ns/near []: Accepted=false/NoMatchingParent, ResolvedRefs", ""},
		{"a Service of another namespace", "{group: '', kind: Service, name: pay, namespace: shop}", pay, "Service/shop/pay []: Accepted, ResolvedRefs", ""},
		{"a Service that does not exist", "{group: '', kind: Service, name: gone}", "", "Service/ns/gone: missing", ""},
		{"another kind of its group is no XMesh", "{group: '', kind: Service, name: near}", strings.Replace(xmesh, "XMesh", "XBackend", 1), "Service/ns/near []: Accepted, ResolvedRefs", ""},
		{"another group's XMesh is none", "{group: '', kind: Service, name: near}", strings.Replace(xmesh, "gateway.networking.x-k8s.io", "acme.io", 1), "Service/ns/near []: Accepted, ResolvedRefs", ""},
		{"the controller of an XMesh", "{group: '', kind: Service, name: near}", xmesh, "Service/ns/near []: Accepted, ResolvedRefs", "acme.io/mesh"},
		// pilot/pkg/config/kube/gateway/conditions.go: the gateway's name, and a missing Service is told of.
		{"Istio", "{group: '', kind: Service, name: near}", istio, "Service/ns/near []: Accepted, ResolvedRefs", "istio.io/gateway-controller"},
		{"Istio comes before an XMesh", "{group: '', kind: Service, name: near}", istio + "\n---\n" + xmesh, "Service/ns/near []: Accepted, ResolvedRefs", "istio.io/gateway-controller"},
		{"Istio, a Service that does not exist", "{group: '', kind: Service, name: gone}", istio, "Service/ns/gone []: Accepted=false/NoMatchingParent, ResolvedRefs", "istio.io/gateway-controller"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := claimed(t, closed(), nearby, tt.more, route("HTTPRoute", "ns", "r", "hostnames: [a.example], parentRefs: ["+tt.ref+"]"))
			if got := verdict(t, g, "HTTPRoute/ns/r"); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
			if got := g.Parents(nodeOf(t, g, "HTTPRoute/ns/r"))[0].Controller; got != tt.controller {
				t.Errorf("controller %q, want %q", got, tt.controller)
			}
		})
	}
}

// Two routes of one port have one edge to it from their Service.
func TestMeshPorts(t *testing.T) {
	ref := "parentRefs: [{group: '', kind: Service, name: near, port: 80}]"
	g := claimed(t, closed(), nearby, route("HTTPRoute", "ns", "a", ref), route("HTTPRoute", "ns", "b", ref))
	wantEdges(t, g, "Service/ns/near#web", "Service/ns/near true")
	wantEdges(t, g, "HTTPRoute/ns/b", "Service/ns/near#web true")
	if !nodeOf(t, g, "Service/ns/near#web").Named {
		t.Error("no policy can name the port")
	}
}

// A route of another namespace than its Service's is for callers of its own
// namespace alone (GEP-1294, consumer routes).
func TestConsumerRoutes(t *testing.T) {
	g := claimed(t, closed(), nearby, route("HTTPRoute", "ns", "producer", "parentRefs: [{group: '', kind: Service, name: near}]"),
		route("HTTPRoute", "far", "consumer", "parentRefs: [{group: '', kind: Service, name: near, namespace: ns}]"))
	for name, want := range map[string]string{"HTTPRoute/ns/producer": "", "HTTPRoute/far/consumer": "far"} {
		if got := nodeOf(t, g, name).Up[0].Callers; got != want {
			t.Errorf("%s: callers %q, want %q", name, got, want)
		}
	}
}

// The controller of an entry is that of the Gateway's class, also below a
// ListenerSet.
func TestControllersOfParents(t *testing.T) {
	g := claimed(t, closed(), open(http), listenerSet("ns", "set", "{name: extra, port: 81, protocol: HTTP}"),
		"{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: other}, spec: {gatewayClassName: istio, listeners: ["+http+"]}}",
		route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}, {kind: ListenerSet, name: set}, {name: other}]"))
	want := []string{"acme.io/controller", "acme.io/controller", "istio.io/gateway-controller"}
	for i, p := range g.Parents(nodeOf(t, g, "HTTPRoute/ns/r")) {
		if p.Controller != want[i] {
			t.Errorf("%s: controller %q, want %q", p.Target, p.Controller, want[i])
		}
	}
}

// useDefaultGateways attaches a route to each Gateway with defaultScope, beside
// its parentRefs, as if it named the Gateway alone (GEP-3793).
func TestDefaultGateways(t *testing.T) {
	scoped := func(name, scope, listeners string) string {
		return "{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: " + name + "}, spec: {gatewayClassName: c, defaultScope: " + scope +
			", allowedListeners: {namespaces: {from: All}}, listeners: [" + listeners + "]}}"
	}
	const alt = "{name: alt, port: 81, protocol: HTTP}"
	gateways := []string{scoped("a", "All", http+", "+alt), scoped("b", "All", http), scoped("none", "None", http), gateway("g", http), listenerSet("ns", "set", alt)}
	const ofA, ofB = "Gateway/ns/a [http alt]: Accepted, ResolvedRefs", "Gateway/ns/b [http]: Accepted, ResolvedRefs"
	const refused = "Accepted=false/NotAllowedByListeners, ResolvedRefs"
	for _, tt := range []struct{ name, namespace, spec, want string }{
		{"All", "ns", "useDefaultGateways: All", ofA + "; " + ofB},
		{"None", "ns", "useDefaultGateways: None", ""},
		{"nothing said", "ns", "hostnames: [a.example]", ""},
		{"beside parentRefs", "ns", "useDefaultGateways: All, parentRefs: [{name: g}]", "Gateway/ns/g [http]: Accepted, ResolvedRefs; " + ofA + "; " + ofB},
		{"allowedRoutes holds", "far", "useDefaultGateways: All", "Gateway/ns/a []: " + refused + "; Gateway/ns/b []: " + refused},
	} {
		rule{tt.name, closed(), append(gateways, route("HTTPRoute", tt.namespace, "r", tt.spec)), map[string]string{"HTTPRoute/" + tt.namespace + "/r": tt.want}}.check(t)
	}
	rule{"no default Gateway", closed(), []string{gateway("g", http), route("HTTPRoute", "ns", "r", "useDefaultGateways: All")}, map[string]string{"HTTPRoute/ns/r": ""}}.check(t)
}
