package hierarchy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
)

// controllers are those of all implementations, after one that nobody knows.
var controllers = []string{"acme.io/controller", envoyGateway, istioGateway, agentGateway, kGateway, nginxGateway}

// everything is a world in which each verdict of this package occurs.
func everything(controller string) []string {
	const delegate = "{group: gateway.networking.k8s.io, kind: HTTPRoute, name: child}"
	listeners := strings.Join([]string{
		http, "{name: twin, port: 80, protocol: HTTP}", "{name: tcp, port: 80, protocol: TCP}", "{name: udp, port: 80, protocol: UDP}",
		at("alpha", 8080, "HTTP", "a.example"), at("wild", 443, "HTTPS", "'*.example'"), at("name", 443, "HTTPS", "a.example"), at("pass", 443, "TLS", "b.example"),
		"{name: own, port: 447, protocol: acme.io/own}", "{name: kinds, port: 448, protocol: HTTP, allowedRoutes: {kinds: [{kind: TCPRoute}, {kind: HTTPRoute}]}}",
		"{name: chosen, port: 449, protocol: HTTP, allowedRoutes: {namespaces: {from: Selector, selector: {matchLabels: {team: a}}}}}",
		"{name: bare, port: 450, protocol: HTTPS}", "{name: l4, port: 451, protocol: TCP}", "{name: l4b, port: 451, protocol: TCP}",
	}, ", ")
	certificates := strings.Join([]string{
		http, "{name: tcp, port: 8080, protocol: TCP}",
		"{name: partly, port: 444, protocol: HTTPS, tls: {certificateRefs: [{name: cert}, {name: gone}]}}",
		"{name: refused, port: 445, protocol: HTTPS, tls: {certificateRefs: [{name: cert, namespace: far}]}}",
		"{name: sealed, port: 446, protocol: HTTPS, tls: {certificateRefs: [{name: sealed}]}}",
	}, ", ")
	return []string{
		class("controllerName: " + controller + ", parametersRef: {group: gateway.envoyproxy.io, kind: EnvoyProxy, namespace: ns, name: proxy}"),
		"{apiVersion: gateway.envoyproxy.io/v1alpha1, kind: EnvoyProxy, metadata: {name: proxy}, spec: {mergeGateways: true}}",
		gatewayOf("defaultScope: All, allowedListeners: {namespaces: {from: Selector, selector: {matchLabels: {team: a}}}}, tls: {backend: {clientCertificateRef: {name: gone}}, frontend: {default: {" +
			validation(goneAuthority+", "+goodAuthority) + "}, perPort: [{port: 450, tls: {validation: {mode: AllowInsecureFallback, caCertificateRefs: [" + oddAuthority + "]}}}]}}, listeners: [" + listeners + "]"),
		"{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: other}, spec: {gatewayClassName: c, defaultScope: All, infrastructure: {parametersRef: {group: acme.io, kind: Parameters, name: gone}}," +
			" allowedListeners: {namespaces: {from: All}}, listeners: [" + certificates + "]}}",
		"{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: addressed}, spec: {gatewayClassName: c, addresses: [{type: acme.io/own, value: x}], listeners: [" + http + "]}}",
		"{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: stray}, spec: {gatewayClassName: gone, listeners: [" + http + "]}}",
		"{apiVersion: v1, kind: Namespace, metadata: {name: ns, labels: {team: a}}}", "{apiVersion: v1, kind: Namespace, metadata: {name: sets, labels: {team: b}}}",
		cert, farCert, plain("v1", "ConfigMap", "ns", "ca"), nearby, pay,
		"{apiVersion: bitnami.com/v1alpha1, kind: SealedSecret, metadata: {name: sealed}, spec: {}}",
		"{apiVersion: cert-manager.io/v1, kind: Certificate, metadata: {namespace: sets, name: www}, spec: {secretName: www}}",
		"{apiVersion: external-secrets.io/v1, kind: ExternalSecret, metadata: {namespace: sets, name: www}, spec: {}}",
		"{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {namespace: charts, name: one}}",
		"{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {namespace: charts, name: two}}",
		grant("shop", fromHTTP, toService), grant("far", fromSet, toSecret),
		listenerSet("ns", "one", at("a", 8080, "HTTP", "a.example")+", "+at("b", 8081, "HTTP", "b.example")),
		listenerSet("ns", "two", at("a", 8081, "HTTP", "b.example")+", "+listener("b", 8080, "TCP", "")+", "+listener("c", 8082, "TCP", "")),
		created(1, listenerSet("ns", "three", at("a", 8081, "HTTP", "b.example")+", "+at("b", 8082, "HTTPS", "c.example")+", "+at("c", 8082, "TLS", "c.example"))),
		created(1, listenerSet("ns", "four", listener("a", 8083, "HTTP", "")+", "+listener("b", 8083, "HTTP", "")+", "+https("{name: cert, namespace: far}"))),
		listenerSet("sets", "refused", listener("a", 8083, "HTTP", "")), listenerSet("unknown", "perhaps", listener("a", 8081, "HTTP", "hostname: b.example")+", "+https("{name: www}")),
		strings.Replace(listenerSet("sets", "taken", listener("a", 8080, "TCP", "")+", "+https("{name: www}")), "name: g}", "name: other}", 1),
		route("HTTPRoute", "ns", "several", "hostnames: [a.example], useDefaultGateways: All, parentRefs: [{name: g}, {name: g, sectionName: gone}, {name: other, port: 80}, {kind: ListenerSet, name: one}, {kind: ListenerSet, name: refused, namespace: sets},"+
			" {name: gone}, {name: stray}, {group: '', kind: Service, name: near}, {group: '', kind: Service, name: near, port: 80}], "+refs(near+", "+far+", {name: gone, port: 80}, {kind: NonExistent, name: x, port: 80}")),
		route("HTTPRoute", "ns", "parent", "parentRefs: [{name: g}], rules: [{backendRefs: ["+delegate+"]}]"),
		route("HTTPRoute", "ns", "child", "parentRefs: [{kind: HTTPRoute, name: parent}]"),
		route("HTTPRoute", "unknown", "foreign", "parentRefs: [{name: g, namespace: ns}], rules: [{filters: [{type: RequestMirror, requestMirror: {backendRef: {name: gone, port: 80}}}, {type: ExtensionRef, extensionRef: {group: acme.io, kind: Own, name: x}}]}]"),
		route("HTTPRoute", "ns", "extends", "parentRefs: [{name: g}], rules: [{filters: [{type: ExtensionRef, extensionRef: {group: acme.io, kind: Own, name: x}}]}]"),
		route("HTTPRoute", "ns", "mesh", "parentRefs: [{group: '', kind: Service, name: near}, {group: networking.istio.io, kind: ServiceEntry, name: gone}], "+refs(far)),
		route("GRPCRoute", "ns", "r", "parentRefs: [{name: g}], "+refs("{name: near, port: 81}, {name: near}")), route("TLSRoute", "ns", "r", "hostnames: [b.example], parentRefs: [{name: g}], "+refs(near)),
		route("TCPRoute", "ns", "r", "parentRefs: [{name: g}], rules: [{}, {}]"), route("UDPRoute", "ns", "r", "parentRefs: [{name: g}], "+refs("{name: near, port: 80, weight: 0}")),
		"{apiVersion: gateway.networking.x-k8s.io/v1alpha1, kind: XMesh, metadata: {name: a}, spec: {controllerName: acme.io/a}}",
		"{apiVersion: gateway.networking.x-k8s.io/v1alpha1, kind: XMesh, metadata: {name: b}, spec: {controllerName: acme.io/b}}",
	}
}

// Equal input gives equal verdicts: nothing depends on the order of documents, or
// on that in which a map is walked.
func TestOrderOfDocuments(t *testing.T) {
	for _, controller := range controllers {
		t.Run(controller, func(t *testing.T) {
			manifests := everything(controller)
			// The specification is asked about an open input as well as a closed one.
			options := []inventory.Options{closed()}
			if controller == controllers[0] {
				options = append(options, inventory.Options{})
			}
			for _, o := range options {
				want := written(t, graph(t, o, manifests...))
				random := rand.New(rand.NewPCG(1, 2))
				for range 20 {
					random.Shuffle(len(manifests), func(i, j int) { manifests[i], manifests[j] = manifests[j], manifests[i] })
					sameLines(t, written(t, graph(t, o, manifests...)), want)
				}
			}
		})
	}
}

// sameLines stops at the first line that differs.
func sameLines(t *testing.T, got, want []string) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("\n got %s\nwant %s", got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
}

// written is all that a graph says, one line for each thing.
func written(t testing.TB, g *hierarchy.Graph) []string {
	t.Helper()
	var out []string
	condition := func(of string, c hierarchy.Condition) {
		owner := ""
		if c.Owner != nil {
			owner = c.Owner.ID.String()
		}
		out = append(out, fmt.Sprintf("%s: %s=%s/%s %t %s %v of %s", of, c.Type, c.Status, c.Reason, c.AgeSensitive, c.Message, c.Involves, owner))
	}
	for _, n := range g.Nodes {
		out = append(out, fmt.Sprintf("%s at %d is %s, takes %v", n, n.Level, n.Presence, n.Kinds))
		for _, c := range n.Conditions {
			condition(n.String(), c)
		}
		for _, e := range n.Up {
			out = append(out, fmt.Sprintf("%s < %s: %s %s %t %v %s", n, e.Parent, e.Admitted, e.Reason, e.AgeSensitive, e.Hostnames, e.Message))
		}
		if n.Level != hierarchy.LevelRoute {
			continue
		}
		for i, p := range g.Parents(n) {
			of := fmt.Sprintf("%s parent %d %s (%s, missing %t, %v)", n, i, p.Target, p.Controller, p.Missing, p.Listeners)
			condition(of, p.Accepted)
			condition(of, p.Resolved)
		}
	}
	return out
}

// The world above would prove little if it were well: each of these occurs in
// it, whoever judges it.
func TestEverythingOccurs(t *testing.T) {
	said := map[string]bool{}
	for _, controller := range controllers {
		for _, line := range written(t, graph(t, closed(), everything(controller)...)) {
			for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '/' || r == ',' }) {
				said[word] = true
			}
		}
	}
	var unsaid []string
	for _, reason := range strings.Fields(`
		HostnameConflict ProtocolConflict OverlappingHostnames InvalidRouteKinds UnsupportedProtocol NotInInput ConfigurationChanged
		InvalidCertificateRef PartiallyInvalidCertificateRef RefNotPermitted InvalidCACertificateKind InvalidCACertificateRef NoValidCACertificate
		InvalidClientCertificateRef ListenersNotValid InvalidParameters UnsupportedAddress Pending NotAllowed ParentNotAccepted
		NoMatchingParent NotAllowedByListeners NoMatchingListenerHostname InvalidRule
		BackendNotFound InvalidKind PortNotFound PortNotSpecified UnsupportedValue InvalidDestination IncompatibleFilters InvalidFilter`) {
		if !said[reason] {
			unsaid = append(unsaid, reason)
		}
	}
	if slices.Sort(unsaid); len(unsaid) > 0 {
		t.Errorf("nothing says %v", unsaid)
	}
}
