package hierarchy_test

import (
	"testing"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// conformance gateway-invalid-listeners-unsupported-protocol: ListenersNotValid
// is true while some listener is left, and false without.
func TestGatewayListenersNotValid(t *testing.T) {
	const (
		twin    = "{name: twin, port: 80, protocol: HTTP}"
		kinds   = "{name: kinds, port: 8082, protocol: HTTP, allowedRoutes: {kinds: [{kind: TCPRoute}]}}"
		foreign = "{name: foreign, port: 8445, protocol: acme.io/own}"
		fine    = "{name: fine, port: 8080, protocol: HTTP}"
	)
	authority := "tls: {frontend: {default: {" + validation(goneAuthority) + "}}}, "
	for _, tt := range []struct{ name, spec, want string }{
		{"Accepted", "listeners: [" + http + "]", accepted},
		// Gateway API, GatewaySpec.listeners: at least one distinct listener must be there.
		{"a conflict of all", "listeners: [" + http + ", " + twin + "]", noneValid},
		{"a conflict of some", "listeners: [" + http + ", " + twin + ", " + fine + "]", someValid},
		{"NoValidCACertificate of all", authority + "listeners: [" + https("{name: cert}") + "]", noneValid},
		{"NoValidCACertificate of some", authority + "listeners: [" + https("{name: cert}") + ", " + fine + "]", someValid},
		{"InvalidRouteKinds leaves a listener valid", "listeners: [" + kinds + "]", accepted},
		{"a protocol that nobody knows", "listeners: [" + foreign + "]", "Accepted=unknown/NotInInput"},
		{"a protocol that nobody knows beside a fine one", "listeners: [" + foreign + ", " + fine + "]", accepted},
		{"a protocol that nobody knows beside a conflict", "listeners: [" + foreign + ", " + http + ", " + twin + "]", "Accepted=unknown/NotInInput"},
		// Those of its ListenerSets do not count: they have a status of their own.
		{"the listeners of a ListenerSet do not count", "allowedListeners: {namespaces: {from: All}}, listeners: [" + http + "]", accepted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := claimed(t, closed(), gatewayOf(tt.spec), cert, listenerSet("ns", "set", twin))
			if got := conditionsOf(t, []hierarchy.Condition{conditionOf(t, g, "Gateway/ns/g", hierarchy.Accepted)}); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// Where one accepted listener suffices, none is still too few (agentgateway
// reports/status.go).
func TestNoListenerAccepted(t *testing.T) {
	quic := gateway("g", "{name: quic, port: 443, protocol: acme.io/quic}")
	rule{"agentgateway", under(agentGateway), []string{quic}, map[string]string{"Gateway/ns/g": noneValid}}.check(t)
}

// conformance gateway-invalid-parameters-ref; Gateway API,
// GatewayReasonInvalidParameters, GatewayClassReasonInvalidParameters.
func TestInvalidParameters(t *testing.T) {
	const invalid = "Accepted=false/InvalidParameters"
	const classRef = "parametersRef: {group: acme.io, kind: Parameters, namespace: infra, name: p}"
	infrastructure := gatewayOf("infrastructure: {parametersRef: {group: acme.io, kind: Parameters, name: p}}, listeners: [" + http + "]")
	external := inventory.Options{Complete: true, External: map[loader.ID]bool{{Group: "acme.io", Kind: "Parameters", Namespace: "infra", Name: "p"}: true}}
	there := func(namespace string) string { return plain("acme.io/v1", "Parameters", namespace, "p") }
	for _, tt := range []struct {
		name    string
		options inventory.Options
		more    string
		class   string
		gateway string
	}{
		{"both are missing", closed(), cert, invalid, invalid},
		{"that of the class is there", closed(), there("infra"), accepted, invalid},
		// GatewayInfrastructure.parametersRef is local.
		{"that of the Gateway is there", closed(), there("ns"), invalid, accepted},
		{"that of the class lives elsewhere", external, cert, accepted, invalid},
		// They usually come with the controller's chart.
		{"neither is in the input", inventory.Options{}, cert, accepted, accepted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := graph(t, tt.options, class("controllerName: acme.io/controller, "+classRef), infrastructure, tt.more)
			if got := verdict(t, g, "GatewayClass/c"); got != tt.class {
				t.Errorf("class: got %s, want %s", got, tt.class)
			}
			if got := verdict(t, g, "Gateway/ns/g"); got != tt.gateway {
				t.Errorf("Gateway: got %s, want %s", got, tt.gateway)
			}
		})
	}
	// Envoy Gateway takes one kind, also for a class (internal/provider/kubernetes/controller.go, processGatewayClassParamsRef).
	for kind, want := range map[string]string{"EnvoyProxy": accepted, "EnvoyProxyX": invalid} {
		g := graph(t, inventory.Options{}, class("controllerName: gateway.envoyproxy.io/gatewayclass-controller, parametersRef: {group: gateway.envoyproxy.io, kind: "+kind+", namespace: infra, name: p}"))
		if got := verdict(t, g, "GatewayClass/c"); got != want {
			t.Errorf("class with a %s: got %s, want %s", kind, got, want)
		}
	}
	bad := gatewayOf("infrastructure: {parametersRef: {group: acme.io, kind: Parameters, name: p}}, listeners: [" + http + ", {name: twin, port: 80, protocol: HTTP}]")
	rule{"InvalidParameters comes before ListenersNotValid", closed(), []string{bad}, map[string]string{"Gateway/ns/g": invalid, "Gateway/ns/g#http": lostHost}}.check(t)
}

// UnsupportedAddress is about types that the implementation does not serve; the
// specification leaves to it which these are (Gateway API,
// GatewayReasonUnsupportedAddress).
func TestUnsupportedAddress(t *testing.T) {
	const istio, nginx = "istio.io/gateway-controller", "gateway.nginx.org/nginx-gateway-controller"
	const unsupported = "Accepted=false/UnsupportedAddress"
	for _, tt := range []struct{ name, controller, addresses, want string }{
		{"a type that nobody knows", "", "{type: acme.io/own, value: x}", "Accepted=unknown/NotInInput"},
		// pilot/pkg/config/kube/gatewaycommon/gateway_utils.go.
		{"Istio, one IP", istio, "{value: 192.0.2.1}", "Accepted, ResolvedRefs"},
		{"Istio, one of another type", istio, "{type: acme.io/own, value: x}", unsupported + ", ResolvedRefs"},
		{"Istio, hostnames", istio, "{type: Hostname, value: a.example}, {type: Hostname, value: b.example}", "Accepted, ResolvedRefs"},
		{"Istio, two IPs", istio, "{value: 192.0.2.1}, {value: 192.0.2.2}", unsupported + ", ResolvedRefs"},
		// internal/controller/state/graph/gateway.go.
		{"NGINX Gateway Fabric, IPs", nginx, "{value: 192.0.2.1}, {type: IPAddress, value: 192.0.2.2}", accepted},
		{"NGINX Gateway Fabric, a hostname", nginx, "{value: 192.0.2.1}, {type: Hostname, value: a.example}", unsupported},
	} {
		rule{tt.name, under(tt.controller), []string{gatewayOf("addresses: [" + tt.addresses + "], listeners: [" + http + "]")}, map[string]string{
			"Gateway/ns/g": tt.want,
		}}.check(t)
	}
	// gateway/conversion.go, reportGatewayStatus: parameters are looked at last.
	both := "addresses: [{type: acme.io/own, value: x}], infrastructure: {parametersRef: {group: '', kind: ConfigMap, name: gone}}, listeners: [" + http + "]"
	rule{"UnsupportedAddress comes before InvalidParameters", under(istio), []string{gatewayOf(both)}, map[string]string{
		"Gateway/ns/g": unsupported + ", ResolvedRefs",
	}}.check(t)
}

// Nothing but the default of the CRD is in the status of a Gateway of a class
// that does not exist (Gateway API, GatewayStatus.conditions).
func TestGatewayWithoutClass(t *testing.T) {
	const pending = "Accepted=unknown/Pending"
	for _, tt := range []struct {
		name    string
		options inventory.Options
		class   string
		want    string
	}{
		{"the class does not exist", closed(), "acme", pending},
		{"the class is not in the input", inventory.Options{}, "acme", accepted},
		{"the controller is told", inventory.Options{Complete: true, Controllers: map[string]string{"acme": "acme.io/controller"}}, "acme", accepted},
		// gatewaycommon/classinfo.go: Istio makes its classes itself.
		{"the controller makes the class itself", closed(), "istio", "Accepted, ResolvedRefs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := graph(t, tt.options, "{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {gatewayClassName: "+tt.class+", listeners: ["+http+"]}}")
			if got := verdict(t, g, "Gateway/ns/g"); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}
