package hierarchy_test

import (
	"fmt"
	"testing"

	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// What a listener is told that nothing else in the input could change. The
// lists of kinds are those of status.listeners[].supportedKinds.
func TestListenerByItself(t *testing.T) {
	const (
		unknownProtocol = "Accepted=unknown/NotInInput, NoConflicts, ResolvedRefs"
		partly          = "Accepted, NoConflicts, ResolvedRefs=false/InvalidRouteKinds"
		wrong           = badReference + "InvalidRouteKinds"
		unsupported     = "Accepted=false/UnsupportedProtocol, NoConflicts, Programmed=false/Invalid, ResolvedRefs"
	)
	kinds := func(protocol, more string) string {
		if more != "" {
			more = ", " + more
		}
		return fmt.Sprintf("{name: l, port: 80, protocol: %s%s}", protocol, more)
	}
	listed := func(protocol, list string) string { return kinds(protocol, "allowedRoutes: {kinds: ["+list+"]}") }
	for _, tt := range []struct {
		name, controller, listener, want, kinds string
	}{
		// Gateway API, ListenerStatus.supportedKinds; conformance tcproute-*, udproute-*.
		{"HTTP takes HTTPRoute and GRPCRoute", "", kinds("HTTP", ""), well, "[HTTPRoute GRPCRoute]"},
		{"TLS takes TLSRoute", "", kinds("TLS", "tls: {mode: Passthrough}"), well, "[TLSRoute]"},
		{"TCP takes TCPRoute", "", kinds("TCP", ""), well, "[TCPRoute]"},
		{"UDP takes UDPRoute", "", kinds("UDP", ""), well, "[UDPRoute]"},

		// Gateway API, ProtocolType: names with a domain prefix are an implementation's own.
		{"a protocol with a domain is the implementation's own", "", kinds("acme.io/quic", ""), unknownProtocol, "[]"},
		{"which kinds it takes is, too", "", listed("acme.io/quic", "{kind: HTTPRoute}, {group: acme.io, kind: Own}"), unknownProtocol, "[HTTPRoute Own]"},
		{"not all write the domain", "stunner.l7mp.io/gateway-operator", kinds("TURN-UDP", ""), unknownProtocol, "[]"},
		{"what is written almost like a protocol is a mistake", "", kinds("HTTPs", ""), unsupported, "[]"},
		// conformance gateway-invalid-listeners-unsupported-protocol, where all protocols are known.
		{"UnsupportedProtocol", "gateway.envoyproxy.io/gatewayclass-controller", kinds("acme.io/quic", ""), unsupported, "[]"},
		{"UnsupportedProtocol lists no kinds", "istio.io/gateway-controller", listed("UDP", "{kind: UDPRoute}"), "Accepted=false/UnsupportedProtocol, NoConflicts, Programmed=false/Invalid, ResolvedRefs=false/InvalidRouteKinds", "[]"},

		// conformance gateway-invalid-route-kind.
		{"InvalidRouteKinds, one is left", "", listed("HTTP", "{kind: InvalidRoute}, {kind: HTTPRoute}"), partly, "[HTTPRoute]"},
		{"InvalidRouteKinds, none is left", "", listed("HTTP", "{kind: InvalidRoute}"), wrong, "[]"},
		{"InvalidRouteKinds, a kind of another protocol", "", listed("HTTP", "{kind: TCPRoute}"), wrong, "[]"},
		{"InvalidRouteKinds, a kind of another group", "", listed("HTTP", "{group: acme.io, kind: HTTPRoute}"), wrong, "[]"},
		{"InvalidRouteKinds, the core group", "", listed("HTTP", "{group: '', kind: HTTPRoute}"), wrong, "[]"},
		{"kinds are listed as written", "", listed("HTTP", "{kind: GRPCRoute}, {group: gateway.networking.k8s.io, kind: HTTPRoute}"), well, "[GRPCRoute HTTPRoute]"},
		// conformance tlsroute-listener-passthrough-supported-kinds, listenerset-allowed-routes-supported-kinds.
		{"InvalidRouteKinds, TCPRoute where TLS passes through", "", "{name: l, port: 80, protocol: TLS, tls: {mode: Passthrough}, allowedRoutes: {kinds: [{kind: TCPRoute}, {kind: TLSRoute}]}}", partly, "[TLSRoute]"},
		{"InvalidRouteKinds, HTTPRoute where TLS passes through", "", "{name: l, port: 80, protocol: TLS, tls: {mode: Passthrough}, allowedRoutes: {kinds: [{kind: HTTPRoute}]}}", wrong, "[]"},
		// Gateway API, a comment in TLSRouteSpec allows TCPRoute where TLS ends, its table does not list it.
		{"TCPRoute where TLS ends is not refused", "", "{name: l, port: 80, protocol: TLS, tls: {mode: Terminate, options: {a/b: c}}, allowedRoutes: {kinds: [{kind: TCPRoute}]}}", well, "[TCPRoute]"},

		// Gateway API, RouteNamespaces.selector: required for Selector, which no schema checks.
		{"a selector is missing", "", kinds("HTTP", "allowedRoutes: {namespaces: {from: Selector}}"), unusable, "[HTTPRoute GRPCRoute]"},
		{"an empty selector is one", "", kinds("HTTP", "allowedRoutes: {namespaces: {from: Selector, selector: {}}}"), well, "[HTTPRoute GRPCRoute]"},

		// Gateway API, Listener.tls: required for HTTPS and TLS, unless certificates are elsewhere, and invalid for the others.
		{"HTTPS needs tls", "", kinds("HTTPS", ""), noTLS, "[HTTPRoute GRPCRoute]"},
		{"TLS needs tls", "", kinds("TLS", ""), unusable, "[TLSRoute]"},
		{"HTTPS needs tls where nothing is elsewhere", nginxGateway, kinds("HTTPS", ""), "Accepted=false/UnsupportedValue, Programmed=false/Invalid", "[HTTPRoute GRPCRoute]"},
		{"HTTP has no tls", "", kinds("HTTP", "tls: {certificateRefs: [{name: cert}]}"), unusable, "[HTTPRoute GRPCRoute]"},
		{"TCP has no tls", "", kinds("TCP", "tls: {certificateRefs: [{name: cert}]}"), unusable, "[TCPRoute]"},
		{"UDP has no tls", "", kinds("UDP", "tls: {certificateRefs: [{name: cert}]}"), unusable, "[UDPRoute]"},
		// Gateway API, ListenerTLSConfig: certificateRefs or options must be there to terminate.
		{"HTTPS needs certificates", "", kinds("HTTPS", "tls: {mode: Terminate}"), unusable, "[HTTPRoute GRPCRoute]"},
		{"options may stand for certificates", "", kinds("HTTPS", "tls: {options: {acme.io/certificate: own}}"), well, "[HTTPRoute GRPCRoute]"},
		{"what passes through needs none", "", kinds("TLS", "tls: {mode: Passthrough}"), well, "[TLSRoute]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := claimed(t, under(tt.controller), gateway("g", tt.listener))
			if got := verdict(t, g, "Gateway/ns/g#l"); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
			if got := kindsOf(t, g, "Gateway/ns/g#l"); got != tt.kinds {
				t.Errorf("supportedKinds: got %s, want %s", got, tt.kinds)
			}
		})
	}
}

func kindsOf(t testing.TB, g *hierarchy.Graph, name string) string {
	t.Helper()
	names := []string{}
	for _, k := range nodeOf(t, g, name).Kinds {
		names = append(names, k.Kind)
	}
	return fmt.Sprint(names)
}

// A listener of a ListenerSet is judged like a Gateway's, and what is wrong
// points at its own line.
func TestListenerOfListenerSet(t *testing.T) {
	g := claimed(t, closed(), open(http),
		listenerSet("ns", "set", "{name: kinds, port: 81, protocol: HTTP, allowedRoutes: {kinds: [{kind: TCPRoute},\n {kind: UDPRoute}]}},\n"+
			" {name: tls, port: 444, protocol: HTTPS}, {name: well, port: 82, protocol: HTTP}"))
	for node, want := range map[string]string{
		"ListenerSet/ns/set#kinds": badReference + "InvalidRouteKinds",
		"ListenerSet/ns/set#tls":   noTLS,
		"ListenerSet/ns/set#well":  well,
	} {
		if got := verdict(t, g, node); got != want {
			t.Errorf("%s:\n got %s\nwant %s", node, got, want)
		}
	}
	kinds, tls := conditionOf(t, g, "ListenerSet/ns/set#kinds", hierarchy.ResolvedRefs), conditionOf(t, g, "ListenerSet/ns/set#tls", hierarchy.Programmed)
	// The first kind that is wrong is two lines above the other listener.
	if kinds.Position().Line+2 != tls.Position().Line {
		t.Errorf("they point at lines %d and %d, want two lines apart", kinds.Position().Line, tls.Position().Line)
	}
}

// Of two listeners of one name the API server takes none; here the first stands,
// and a policy may name it.
func TestListenerNames(t *testing.T) {
	g := claimed(t, closed(), gateway("g", "{name: l, port: 80, protocol: HTTP}, {name: l, port: 81, protocol: TCP}"))
	if got := kindsOf(t, g, "Gateway/ns/g#l"); got != "[HTTPRoute GRPCRoute]" {
		t.Errorf("takes %s", got)
	}
	if n := nodeOf(t, g, "Gateway/ns/g#l"); !n.Named || n.Index != 0 {
		t.Errorf("named %t, index %d", n.Named, n.Index)
	}
	wantEdges(t, g, "Gateway/ns/g#l", "Gateway/ns/g true")
}

// OverlappingTLSConfig: HTTPS and TLS listeners of one port whose hostnames
// overlap, on all of them and without a loser (Gateway API,
// ListenerConditionOverlappingTLSConfig).
func TestOverlappingTLS(t *testing.T) {
	const overlapping = "Accepted, NoConflicts, OverlappingTLSConfig=true/OverlappingHostnames, ResolvedRefs"
	secure := func(name string, port int, host string) string {
		more := "tls: {certificateRefs: [{name: cert}]}"
		if host != "" {
			more = fmt.Sprintf("hostname: %q, ", host) + more
		}
		return listener(name, port, "HTTPS", more)
	}
	cert := plain("v1", "Secret", "ns", "cert")
	for _, tt := range []struct {
		name, a, b, want string
	}{
		{"a wildcard over a name", secure("a", 443, "*.example.com"), secure("b", 443, "foo.example.com"), overlapping},
		{"a wildcard over several labels", secure("a", 443, "*.com"), secure("b", 443, "foo.example.com"), overlapping},
		{"a wildcard over a wildcard", secure("a", 443, "*.example.com"), secure("b", 443, "*.foo.example.com"), overlapping},
		{"none over a name", secure("a", 443, ""), secure("b", 443, "foo.example.com"), overlapping},
		{"none over a wildcard", secure("a", 443, ""), secure("b", 443, "*.example.com"), overlapping},
		{"HTTPS over TLS", secure("a", 443, "*.example.com"), listener("b", 443, "TLS", "hostname: foo.example.com, tls: {mode: Passthrough}"), overlapping},
		{"a wildcard does not cover its own domain", secure("a", 443, "*.example.com"), secure("b", 443, "example.com"), well},
		{"two names", secure("a", 443, "foo.example.com"), secure("b", 443, "bar.example.com"), well},
		{"two ports", secure("a", 443, "*.example.com"), secure("b", 444, "foo.example.com"), well},
		{"HTTP has no TLS", listener("a", 80, "HTTP", "hostname: '*.example.com'"), listener("b", 80, "HTTP", "hostname: foo.example.com"), well},
	} {
		rule{tt.name, closed(), []string{gateway("g", tt.a+", "+tt.b), cert}, map[string]string{"Gateway/ns/g#a": tt.want, "Gateway/ns/g#b": tt.want}}.check(t)
		// ListenerSets are on the same ports.
		rule{tt.name + ", of a ListenerSet", closed(), []string{open(tt.a), listenerSet("ns", "set", tt.b), cert}, map[string]string{
			"Gateway/ns/g#a": tt.want, "ListenerSet/ns/set#b": tt.want,
		}}.check(t)
	}
}
