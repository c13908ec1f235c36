package hierarchy_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

const (
	envoyGateway = "gateway.envoyproxy.io/gatewayclass-controller"
	istioGateway = "istio.io/gateway-controller"
	agentGateway = "agentgateway.dev/agentgateway"
	kGateway     = "kgateway.dev/kgateway"
	ciliumed     = "io.cilium/gateway-controller"
	glooGateway  = "solo.io/gloo-gateway"
	nginxGateway = "gateway.nginx.org/nginx-gateway-controller"
	traefikProxy = "traefik.io/gateway-controller"
)

const (
	farGrant        = "{apiVersion: gateway.networking.k8s.io/v1, kind: ReferenceGrant, metadata: {name: all, namespace: far}, spec: {from: [{group: gateway.networking.k8s.io, kind: Gateway, namespace: ns}], to: [{group: '', kind: Secret}]}}"
	silentReference = "NoConflicts, Programmed=false/Invalid, ResolvedRefs=false/"
)

// departure is one way in which an implementation differs: what the
// specification says of a node, and what the implementation says.
type departure struct {
	controller  string
	knobs, name string
	manifests   []string
	node        string
	specified   string
	own         string
}

// departures has a case for every knob of every implementation, each read in
// the file that is named above it.
func departures() []departure {
	const (
		l, a, b      = "Gateway/ns/g#l", "Gateway/ns/g#a", "Gateway/ns/g#b"
		setL         = "ListenerSet/ns/set#l"
		set          = "ListenerSet/ns/set"
		g            = "Gateway/ns/g"
		r            = "HTTPRoute/ns/r"
		other        = "{apiVersion: v1, kind: Secret, metadata: {name: other}}"
		third        = "{apiVersion: v1, kind: Secret, metadata: {name: third}}"
		gone         = "{name: gone, port: 80}"
		ca           = "{apiVersion: v1, kind: ConfigMap, metadata: {name: ca}}"
		secretCA     = "{group: '', kind: Secret, name: cert}"
		crd          = "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: owns.acme.io}, spec: {group: acme.io, names: {kind: Own}}}"
		noUDP        = "Accepted=false/UnsupportedProtocol, NoConflicts, Programmed=false/Invalid, ResolvedRefs"
		silent       = "NoConflicts, Programmed=false/Invalid, ResolvedRefs"
		shared       = "Gateway/ns/g "
		notResolved  = "Accepted, ResolvedRefs=false/ListenersNotResolved"
		selectorless = "{name: l, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: Selector}}}"
		nowhere      = shared + "[]: Accepted=false/"
		otherB       = "Gateway/ns/other#b"
		overlapping  = "Accepted, NoConflicts, OverlappingTLSConfig=true/OverlappingHostnames, ResolvedRefs"
	)
	one := func(listeners ...string) []string { return []string{gateway("g", strings.Join(listeners, ", ")), cert} }
	httpRoute := func(spec string) string { return route("HTTPRoute", "ns", "r", spec) }
	to := func(list string, more ...string) []string {
		return append([]string{gateway("g", http), nearby, httpRoute("parentRefs: [{name: g}], " + refs(list))}, more...)
	}
	filtered := func(filter string, more ...string) []string {
		return append([]string{gateway("g", http), nearby, httpRoute("parentRefs: [{name: g}], rules: [{filters: [" + filter + "]}]")}, more...)
	}
	unmatched := []string{gateway("g", http), nearby, httpRoute("parentRefs: [{name: g}], rules: [{matches: [{path: {type: RegularExpression, value: '/a('}}], backendRefs: [" + gone + "]}]")}
	inSet := func(listeners string) []string {
		return []string{open(http), listenerSet("ns", "set", listeners), cert}
	}
	plainHTTP := func(name string) string { return listener(name, 80, "HTTP", "") }
	withCA := func(refs, listeners string) []string {
		return []string{gatewayOf("tls: {frontend: {default: {" + validation(refs) + "}}}, listeners: [" + listeners + "]"), cert, ca}
	}
	options := func(options, more string) string {
		return listener("l", 443, "HTTPS", "tls: {options: {"+options+"}"+more+"}")
	}
	parameters := "allowedListeners: {namespaces: {from: All}}, infrastructure: {parametersRef: {group: acme.io, kind: Parameters, name: gone}}, listeners: [" + http + "]"
	proxyless := "infrastructure: {parametersRef: {group: gateway.envoyproxy.io, kind: EnvoyProxy, name: gone}}, listeners: [" + http + "]"
	insecure := func(ref string) []string {
		return []string{gatewayOf("tls: {frontend: {default: {" + strings.Replace(validation(ref), "validation: {", "validation: {mode: AllowInsecureFallback, ", 1) + "}}}, listeners: [" + http + "]"), ca}
	}
	httpsOf := func(name, hostname, refs string) string {
		return listener(name, 443, "HTTPS", "hostname: "+hostname+", tls: {certificateRefs: ["+refs+"]}")
	}
	addressed := func(addresses string) []string {
		return []string{gatewayOf("addresses: [" + addresses + "], listeners: [" + http + "]"), httpRoute("parentRefs: [{name: g}]")}
	}
	notTaken := []string{gateway("g", http), listenerSet("ns", "set", plainHTTP("l")), httpRoute("parentRefs: [{kind: ListenerSet, name: set}]")}
	partly := inSet(plainHTTP("l") + ", {name: fine, port: 81, protocol: HTTP}")
	extension := func(group, kind string) string {
		return "{type: ExtensionRef, extensionRef: {group: " + group + ", kind: " + kind + ", name: gone}}"
	}
	basic := extension("gateway.nginx.org", "AuthenticationFilter")
	outside := to("{name: outside, port: 80}", "{apiVersion: v1, kind: Service, metadata: {name: outside}, spec: {type: ExternalName, externalName: a.example, ports: [{port: 80}]}}")
	badClass := []string{class("controllerName: acme.io/controller, parametersRef: {group: acme.io, kind: Parameters, namespace: ns, name: gone}"), gateway("g", http)}
	clientCertificate := []string{gatewayOf("tls: {backend: {clientCertificateRef: {name: cert, namespace: far}}}, listeners: [" + http + "]")}
	foreign := route("HTTPRoute", "far", "r", "parentRefs: [{name: g, namespace: ns}]")
	merged := func(mine, theirs string) []string {
		return []string{
			class("controllerName: acme.io/controller, parametersRef: {group: gateway.envoyproxy.io, kind: EnvoyProxy, namespace: ns, name: proxy}"),
			"{apiVersion: gateway.envoyproxy.io/v1alpha1, kind: EnvoyProxy, metadata: {name: proxy}, spec: {mergeGateways: true}}",
			created(1, gateway("g", mine)), created(2, gateway("other", theirs)),
		}
	}
	xBackend := func(host string) string {
		return "{apiVersion: gateway.networking.x-k8s.io/v1alpha1, kind: XBackend, metadata: {name: x}, spec: {type: ExternalHostname, externalHostname: {hostname: " + host + "}, port: {port: 443}}}"
	}
	const spiffe, dynamic = "agentgateway.dev/tls-certificate-source: SPIFFE", "agentgateway.dev/tls-certificate-source: DYNAMIC_CA"
	return []departure{
		// internal/gatewayapi/listener.go, allowedRouteKindsForProtocol.
		{envoyGateway, "Listeners.RouteKinds", "TLS that ends takes TCPRoute", []string{
			gateway("g", "{name: l, port: 443, protocol: TLS, tls: {mode: Terminate, certificateRefs: [{name: cert}]}}"), cert, route("TCPRoute", "ns", "r", "parentRefs: [{name: g}], rules: [{}]"),
		}, "TCPRoute/ns/r", shared + "[]: Accepted=unknown/NotInInput, ResolvedRefs", shared + "[l]: Accepted, ResolvedRefs"},
		// internal/gatewayapi/validate.go, checkOverlappingL4Listeners: the first of TCP and of UDP wins.
		{envoyGateway, "Listeners.CertificateType", "a Secret of another type", append(one(https("{name: opaque}")), "{apiVersion: v1, kind: Secret, metadata: {name: opaque}, type: Opaque}"), l, "Accepted, NoConflicts, ResolvedRefs", "Accepted, NoConflicts, Programmed=false/Invalid, ResolvedRefs=false/InvalidCertificateRef"},
		{envoyGateway, "Listeners.LayerFourFirstWins", "the first TCP wins", one(listener("a", 80, "TCP", ""), listener("b", 80, "TCP", "")), a, lostProtocol, well},
		{envoyGateway, "Listeners.LayerFourFirstWins", "the first UDP wins", one(listener("a", 80, "UDP", ""), listener("b", 80, "UDP", "")), a, lostProtocol, well},
		// validate.go, validateConflictedHostnameListeners.
		{envoyGateway, "Listeners.SetSpoilsHost", "another ListenerSet has two of a hostname", []string{
			gatewayOf("allowedListeners: {namespaces: {from: All}}, listeners: [" + plainHTTP("other") + "]"), cert,
			listenerSet("ns", "set", httpsOf("l", "a.example", "{name: cert}")),
			listenerSet("ns", "two", httpsOf("x", "a.example", "{name: cert}")+", "+listener("y", 443, "TLS", "hostname: a.example, tls: {mode: Passthrough}")),
		}, set + "#l", well, "Accepted=false/HostnameConflict(by age), Conflicted=true/HostnameConflict(by age), Programmed=false/HostnameConflict(by age), ResolvedRefs"},
		// validate.go, isSpecValidForConflictChecks.
		{envoyGateway, "Listeners.KnownKindsOnly", "kinds of a protocol that is not supported", one(listener("l", 80, "example.com/own", "allowedRoutes: {kinds: [{kind: TLSRoute}]}")), l, "Accepted=unknown/NotInInput, NoConflicts, ResolvedRefs", "Accepted=false/UnsupportedProtocol, NoConflicts, Programmed=false/Invalid, ResolvedRefs"},
		{envoyGateway, "Listeners.InvalidAside", "who is invalid is nobody's rival", one(listener("a", 80, "HTTP", "tls: {certificateRefs: [{name: cert}]}"), plainHTTP("b")), b, lostHost, well},
		// validate.go, validateTerminateModeAndGetTLSSecrets.
		{envoyGateway, "Listeners.InvalidBeforeGrant", "a missing certificate beside one without a grant", append(one(https("{name: cert, namespace: far}, {name: gone}")), farCert), l, badReference + "RefNotPermitted", badReference + "InvalidCertificateRef"},
		// internal/provider/kubernetes/controller.go, processSecretRef.
		{envoyGateway, "Listeners.GrantsWithSecrets", "the grant for a certificate that does not exist", append(one(https("{name: gone, namespace: far}")), farGrant), l, badReference + "InvalidCertificateRef", silentReference + "RefNotPermitted"},
		{envoyGateway, "Listeners.PartialCertificates", "some certificates serve, whatever kinds of routes are listed", one(listener("l", 443, "HTTPS", "allowedRoutes: {kinds: [{kind: TCPRoute}]}, tls: {certificateRefs: [{name: cert}, {name: gone}]}")), l, badReference + "InvalidCertificateRef", "Accepted, NoConflicts, ResolvedRefs=false/PartiallyInvalidCertificateRef"},
		// validate.go, validateTLSConfiguration.
		{envoyGateway, "Listeners.PartialCertificates", "some certificates serve", one(https("{name: cert}, {name: gone}")), l, badReference + "InvalidCertificateRef", "Accepted, NoConflicts, ResolvedRefs=false/PartiallyInvalidCertificateRef"},
		// backendtlspolicy.go, getCaCertsFromCARefs: the first failure ends it.
		{envoyGateway, "Listeners.OneAuthorityFails", "one bad authority", withCA(goneAuthority+", "+goodAuthority, https("{name: cert}")), l, badReference + "InvalidCACertificateRef", rejected + "InvalidCACertificateRef"},
		// listenerset.go, ProcessListenerSetStatus counts listeners with Accepted=True.
		{envoyGateway, "Listeners.ValidUnresolved", "a missing certificate leaves a listener valid", inSet(https("{name: gone}")), set, fmt.Sprintf(setRejected, "ListenersNotValid"), accepted},
		{envoyGateway, "Listeners.ValidUnresolved", "so do some certificates", inSet(https("{name: cert}, {name: gone}")), set, fmt.Sprintf(setRejected, "ListenersNotValid"), accepted},
		// validate.go, validateListenerConditions: only some errors say Accepted.
		{envoyGateway, "Listeners.SilentlyRejects", "Accepted is not written", one(listener("l", 80, "HTTP", "tls: {certificateRefs: [{name: cert}]}")), l, unusable, silent},
		{envoyGateway, "Listeners.SilentlyRejects", "nor for a conflict of a Gateway's own", one(plainHTTP("a"), plainHTTP("b")), a, lostHost, "Conflicted=true/HostnameConflict, ResolvedRefs"},
		// status/gateway.go, UpdateGatewayStatusAccepted counts Accepted=True.
		{envoyGateway, "Listeners.SilentlyRejects", "who is silent is not valid", one(listener("l", 80, "HTTP", "tls: {certificateRefs: [{name: cert}]}")), g, accepted, noneValid},
		{envoyGateway, "Listeners.SilentlyRejects", "who is silent is not valid beside another", one(http, listener("l", 81, "HTTP", "allowedRoutes: {kinds: [{kind: TCPRoute}]}")), g, notResolved, someValid},
		// status/gateway.go writes ResolvedRefs for tls alone.
		{envoyGateway, "Gateways.IgnoresListenerRefs", "references of listeners", one(https("{name: gone}")), g, notResolved, accepted},
		// listenerset.go, processListenerSet.
		{envoyGateway, "Sets.ParentReasons", "that the Gateway is not translated does not matter", []string{
			gatewayOf("allowedListeners: {namespaces: {from: All}}, " + proxyless), listenerSet("ns", "set", "{name: l, port: 81, protocol: HTTP}"),
		}, set, fmt.Sprintf(setRejected, "ParentNotAccepted"), accepted},
		// translator.go, GetRelevantGateways: such a Gateway is not translated.
		{envoyGateway, "Gateways.Addresses", "an address of another type", addressed("{type: acme.io/own, value: x}"), g, "Accepted=unknown/NotInInput", "Accepted=false/UnsupportedAddress"},
		// listener.go, processProxyObservability.
		{envoyGateway, "Gateways.ReadsTelemetry", "metrics for a Service that is not there", []string{
			gatewayOf("infrastructure: {parametersRef: {group: gateway.envoyproxy.io, kind: EnvoyProxy, name: proxy}}, listeners: [" + http + "]"),
			"{apiVersion: gateway.envoyproxy.io/v1alpha1, kind: EnvoyProxy, metadata: {name: proxy, namespace: ns}, spec: {telemetry: {metrics: {sinks: [{openTelemetry: {backendRefs: [{name: gone, port: 4317}]}}]}}}}",
		}, g, accepted, "Accepted=false/InvalidParameters"},
		{envoyGateway, "Gateways.FailsWhole", "an address of another type hides its routes", addressed("{type: acme.io/own, value: x}, {value: 192.0.2.1}"), r, ours + resolved, "Gateway/ns/g: missing"},
		{envoyGateway, "Gateways.FailsWhole", "so do parameters of another kind", append([]string{gatewayOf(parameters)}, httpRoute("parentRefs: [{name: g}]")), r, ours + resolved, "Gateway/ns/g: missing"},
		{envoyGateway, "Gateways.FailsWhole", "and parameters that do not exist", []string{gatewayOf(proxyless), httpRoute("parentRefs: [{name: g}]")}, r, ours + resolved, "Gateway/ns/g: missing"},
		// listener.go, ProcessGatewayTLS.
		{envoyGateway, "Gateways.SumsAuthorities", "an authority of no listener", []string{gatewayOf("tls: {frontend: {perPort: [{port: 99, tls: {" + validation(goneAuthority) + "}}]}}, listeners: [" + http + "]")}, g, "Accepted, ResolvedRefs", "Accepted, ResolvedRefs=false/InvalidParameters"},
		{envoyGateway, "Gateways.SumsAuthorities", "clients without a certificate, where the authority does not resolve", insecure(goneAuthority), g, "Accepted, InsecureFrontendValidationMode=true/ConfigurationChanged, ResolvedRefs", "Accepted, ResolvedRefs=false/InvalidParameters"},
		// backendtlspolicy.go, getCaCertsFromCARefs.
		{envoyGateway, "Gateways.SumsAuthorities", "an unknown kind in another namespace, without a grant", withCA("{group: '', kind: Service, name: ca, namespace: far}", https("{name: cert}")), l, rejected + "InvalidCACertificateKind", rejected + "RefNotPermitted"},
		{envoyGateway, "Gateways.SumsAuthorities", "an unknown kind beside a good one", withCA("{group: '', kind: Service, name: ca}, "+goodAuthority, https("{name: cert}")), l, badReference + "InvalidCACertificateKind", well},
		// listener.go, checkOverlappingHostnames.
		{envoyGateway, "Listeners.OverlapsValid", "TLS overlaps with nothing", one(at("a", 443, "HTTPS", "a.example"), listener("b", 443, "TLS", "tls: {mode: Passthrough}")), b, overlapping, well},
		{envoyGateway, "Listeners.OverlapsValid", "nor does a listener without certificates", one(httpsOf("a", "a.example", "{name: cert}"), httpsOf("b", "'*.example'", "{name: gone}")), a, overlapping, well},
		{envoyGateway, "Listeners.OverlapsValid", "a wildcard covers one label", one(httpsOf("a", "x.a.example", "{name: cert}"), httpsOf("b", "'*.example'", "{name: cert}")), a, overlapping, well},
		{envoyGateway, "Listeners.OverlapsValid", "what overlaps already is not compared again", one(httpsOf("a", "a.example", "{name: cert}"), httpsOf("b", "'*.example'", "{name: cert}"), httpsOf("c", "c.example", "{name: cert}")), "Gateway/ns/g#c", overlapping, well},
		{envoyGateway, "Gateways.AuthorityKinds", "Secrets hold authorities", withCA(secretCA, https("{name: cert}")), l, rejected + "InvalidCACertificateKind", well},
		// helpers.go, computeHosts.
		{envoyGateway, "Routes.Isolates", "a hostname of another listener", []string{
			gateway("g", plainHTTP("a")+", "+at("b", 80, "HTTP", "a.example")), httpRoute("hostnames: [a.example], parentRefs: [{name: g, sectionName: a}]"),
		}, r, shared + "[a]: Accepted, ResolvedRefs", nowhere + "NoMatchingListenerHostname, ResolvedRefs"},
		// route.go, processTCPRouteParentRefs and processUDPRouteParentRefs.
		{envoyGateway, "Routes.OneRule", "TCPRoute has one rule", []string{gateway("g", listener("tcp", 80, "TCP", "")), route("TCPRoute", "ns", "r", "parentRefs: [{name: g}], rules: [{}, {}]")}, "TCPRoute/ns/r", shared + "[tcp]: Accepted, ResolvedRefs", nowhere + "InvalidRule, ResolvedRefs"},
		{envoyGateway, "Routes.OneRule", "UDPRoute has one rule", []string{gateway("g", listener("udp", 80, "UDP", "")), route("UDPRoute", "ns", "r", "parentRefs: [{name: g}], rules: [{}, {}]")}, "UDPRoute/ns/r", shared + "[udp]: Accepted, ResolvedRefs", nowhere + "InvalidRule, ResolvedRefs"},
		// helpers.go, GetReferencedListeners.
		{envoyGateway, "Routes.Silent", "nothing is said below a ListenerSet that is not taken", notTaken, r, "ListenerSet/ns/set []: Accepted=false/NoMatchingParent, ResolvedRefs", "ListenerSet/ns/set: missing"},
		// validate.go, validateBackendRef: group and kind are looked at apart, and the kind is looked up.
		// backendtlspolicy.go, getCaCertsFromCARefs.
		{envoyGateway, "Policies.AuthoritiesByKind", "an authority of another group", withCA("{group: acme.io, kind: ConfigMap, name: ca}", https("{name: cert}")), l, rejected + "InvalidCACertificateKind", well},
		{envoyGateway, "Routes.KindAlone", "the kind decides", to("{kind: Backend, name: x}", plain("gateway.envoyproxy.io/v1alpha1", "Backend", "ns", "x")), r, ours + unresolved + "InvalidKind", ours + resolved},
		// status/error.go, MultiStatusError.Reason.
		{envoyGateway, "Routes.JoinsReasons", "all reasons are told", to(far + ", " + gone + ", " + gone), r, ours + unresolved + "RefNotPermitted", ours + unresolved + "BackendNotFound,RefNotPermitted"},
		// validate.go, validateBackendRefGroup and -Kind.
		{envoyGateway, "Routes.Backends", "a kind that it does not have", to("{group: gateway.networking.x-k8s.io, kind: XBackend, name: x}"), r, ours + unresolved + "BackendNotFound", ours + unresolved + "InvalidKind"},
		{envoyGateway, "Routes.Backends", "a kind that only it has", to("{group: gateway.envoyproxy.io, kind: Backend, name: x}"), r, ours + unresolved + "InvalidKind", ours + unresolved + "BackendNotFound"},
		// filters.go, processExtensionRefHTTPFilter: an unknown kind is told in Accepted, a missing object here.
		{envoyGateway, "Routes.FiltersTogether", "no filter is looked at after one that fails", filtered(extension("gateway.envoyproxy.io", "HTTPRouteFilter") + ", {type: RequestMirror, requestMirror: {backendRef: " + gone + "}}"), r, ours + unresolved + "BackendNotFound", ours + unresolved + "UnsupportedValue"},
		{envoyGateway, "Routes.Matches", "the backends of a rule that is left out", unmatched, r, ours + unresolved + "BackendNotFound", ours + resolved},
		{envoyGateway, "Routes.Filters Routes.FilterReason Routes.FilterDropsRule", "a filter that it does not have is no matter of references", filtered("{type: ExternalAuth, externalAuth: {protocol: HTTP, backendRef: " + gone + "}}"), r, ours + unresolved + "BackendNotFound", ours + resolved},
		// httproute.go, loadHTTPRoute.
		{traefikProxy, "Routes.SilentFilters", "a filter that is not there", filtered(extension("acme.io", "Own"), crd), r, ours + unresolved + "BackendNotFound", ours + resolved},
		{envoyGateway, "Routes.BackendFilters Routes.BackendFilterReason", "a filter at a backend", to("{name: near, port: 80, filters: [{type: CORS, cors: {}}]}"), r, ours + resolved, ours + unresolved + "UnsupportedRefValue"},
		{envoyGateway, "Routes.BackendFilters Routes.BackendFilterReason", "before the backend itself", to("{name: gone, port: 80, filters: [{type: CORS, cors: {}}]}"), r, ours + unresolved + "BackendNotFound", ours + unresolved + "UnsupportedRefValue"},
		{envoyGateway, "Routes.Extensions", "a filter that it does not have", filtered(extension("acme.io", "Own"), crd), r, ours + unresolved + "BackendNotFound", ours + resolved},
		{envoyGateway, "Routes.ExtensionNotFound", "a filter that is not there", filtered(extension("gateway.envoyproxy.io", "HTTPRouteFilter")), r, ours + unresolved + "BackendNotFound", ours + unresolved + "UnsupportedValue"},
		// validate.go, validateBackendPort and validateBackendService.
		{envoyGateway, "Routes.NoPort", "no port", to("{name: near}"), r, ours + resolved, ours + unresolved + "PortNotSpecified"},
		{envoyGateway, "Routes.PortNotFound", "a port that the Service does not have", to("{name: near, port: 81}"), r, ours + resolved, ours + unresolved + "PortNotFound"},
		{envoyGateway, "Routes.Ported", "a port that a ServiceImport does not have", to("{group: multicluster.x-k8s.io, kind: ServiceImport, name: x, port: 81}", "{apiVersion: multicluster.x-k8s.io/v1alpha1, kind: ServiceImport, metadata: {name: x, namespace: ns}, spec: {ports: [{port: 80}]}}"), r, ours + resolved, ours + unresolved + "PortNotFound"},
		{envoyGateway, "Routes.BackendHostAlone", "a path at a backend", to("{name: near, port: 80, filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplaceFullPath, replaceFullPath: /x}}}]}"), r, ours + resolved, ours + unresolved + "UnsupportedRefValue"},
		// validate.go, validateBackendRefService.
		{envoyGateway, "Routes.PortProtocols", "a TCP port for UDP", []string{
			gateway("g", listener("udp", 80, "UDP", "")), nearby, route("UDPRoute", "ns", "r", "parentRefs: [{name: g}], "+refs("{name: near, port: 80}")),
		}, "UDPRoute/ns/r", shared + "[udp]: Accepted, ResolvedRefs", shared + "[udp]: Accepted, ResolvedRefs=false/PortNotFound"},

		{envoyGateway, "Routes.ExternalName", "a Service that is a name outside", outside, r, ours + resolved, ours + unresolved + "UnsupportedValue"},
		// provider/kubernetes/controller.go: a parametersRef without a namespace.
		{envoyGateway, "Gateways.ParametersNamespace", "parameters without a namespace", []string{
			class("controllerName: acme.io/controller, parametersRef: {group: gateway.envoyproxy.io, kind: EnvoyProxy, name: proxy}"), plain("gateway.envoyproxy.io/v1alpha1", "EnvoyProxy", "default", "proxy"), gateway("g", http),
		}, "GatewayClass/c", "Accepted=false/InvalidParameters", accepted},
		// validate.go, CheckConflictedMergedListeners: the listeners of all Gateways are on one data plane.
		{envoyGateway, "Gateways.Merges", "the first Gateway wins a hostname", merged(plainHTTP("a"), plainHTTP("b")), otherB, well, "Conflicted=true/HostnameConflict, ResolvedRefs"},
		{envoyGateway, "Gateways.Merges", "nobody wins a port of two protocols", merged(plainHTTP("a"), listener("b", 80, "TCP", "")), a, well, "Conflicted=true/ProtocolConflict, ResolvedRefs"},

		// gatewaycommon/conversion.go, generateSupportedKinds; gateway/conversion.go, buildListener.
		{istioGateway, "Listeners.RouteKinds", "no UDP", one(listener("l", 80, "UDP", "")), l, well, noUDP},
		// gateway/conversion.go, generateNamespaceSelector.
		{istioGateway, "Listeners.SelectorOptional", "a selector that is missing", one(selectorless), l, unusable, well},
		{istioGateway, "Listeners.SelectorOptional", "a selector that is missing takes all", append(one(selectorless), foreign), "HTTPRoute/far/r", nowhere + "NotAllowedByListeners, ResolvedRefs", shared + "[l]: Accepted, ResolvedRefs"},
		// gatewaycommon/listener_conflict.go.
		{istioGateway, "Listeners.FirstWins", "the first wins inside a Gateway", one(plainHTTP("a"), plainHTTP("b")), a, lostHost, well},
		{istioGateway, "Listeners.FirstWins", "hostnames part protocols", one(at("a", 443, "HTTP", "a.example"), at("b", 443, "HTTPS", "b.example")), b, lostProtocol, well},
		{istioGateway, "Listeners.FirstWins", "nothing parts TCP and UDP", one(listener("a", 80, "TCP", ""), listener("b", 80, "UDP", "")), b, well, "Accepted=false/ProtocolConflict, Conflicted=true/ProtocolConflict, Programmed=false/ProtocolConflict"},
		// gateway/conversion.go, buildTLS.
		{istioGateway, "Listeners.MaxCertificates", "two certificates at most", append(one(https("{name: cert}, {name: other}, {name: third}")), other, third), l, well, badReference + "InvalidCertificateRef"},
		{istioGateway, "Listeners.OneCertificateSuffices", "one good certificate suffices", one(https("{name: gone}, {name: cert}")), l, badReference + "InvalidCertificateRef", well},
		{istioGateway, "Listeners.CertificateOptions", "its own certificates", one(options("gateway.istio.io/tls-terminate-mode: ISTIO_MUTUAL", ", certificateRefs: [{name: gone}]")), l, badReference + "InvalidCertificateRef", well},
		{istioGateway, "Listeners.CertificateOptions", "its own certificates, simple", one(options("gateway.istio.io/tls-terminate-mode: ISTIO_SIMPLE", ", certificateRefs: [{name: gone}]")), l, badReference + "InvalidCertificateRef", well},
		{istioGateway, "Listeners.NotPermittedRejects", "a certificate without a grant rejects", append(one(https("{name: cert, namespace: far}")), farCert), l, badReference + "RefNotPermitted", rejected + "RefNotPermitted"},
		// gateway/gateway_collection.go, ListenerSetCollection.
		{"istio.io/mesh-controller", "Sets.Controllers", "a waypoint does not support ListenerSets", inSet("{name: l, port: 81, protocol: HTTP}"), set, accepted, fmt.Sprintf(setRejected, "NotAllowed")},
		{istioGateway, "Sets.PartlyReason", "some listeners are valid", partly, set, someValid, accepted},
		{istioGateway, "Sets.WithoutTLS", "HTTPS without tls", inSet(listener("l", 443, "HTTPS", "")), setL, noTLS, noUDP},
		{istioGateway, "Sets.ParentReasons", "parameters of the Gateway do not matter", []string{gatewayOf(parameters), listenerSet("ns", "set", "{name: l, port: 81, protocol: HTTP}")}, set, fmt.Sprintf(setRejected, "ParentNotAccepted"), accepted},
		{istioGateway, "Sets.ParentReasons", "addresses of the Gateway do", []string{
			gatewayOf("addresses: [{type: acme.io/own, value: x}], allowedListeners: {namespaces: {from: All}}, listeners: [" + http + "]"), listenerSet("ns", "set", "{name: l, port: 81, protocol: HTTP}"),
		}, set, accepted, fmt.Sprintf(setRejected, "UnsupportedAddress")},
		{istioGateway, "Gateways.AuthorityKinds", "Secrets hold authorities", withCA(secretCA, https("{name: cert}")), l, rejected + "InvalidCACertificateKind", well},
		// gateway/conversion.go, reportGatewayStatus.
		{istioGateway, "Gateways.AlwaysResolved", "ResolvedRefs without tls", one(http), g, accepted, "Accepted, ResolvedRefs"},
		{istioGateway, "Gateways.UnresolvedNotValid Gateways.IgnoresListenerRefs", "a missing certificate", one(https("{name: gone}")), g, notResolved, noneValid + ", ResolvedRefs"},
		// gatewaycommon/gatewayclass_collection.go.
		{istioGateway, "Gateways.IgnoresParameters", "parameters of a class", badClass, "GatewayClass/c", "Accepted=false/InvalidParameters", accepted},
		// gatewaycommon/gateway_utils.go, IsManaged.
		{istioGateway, "Gateways.Addresses", "an address of another type", addressed("{type: acme.io/own, value: x}"), g, "Accepted=unknown/NotInInput", "Accepted=false/UnsupportedAddress, ResolvedRefs"},
		{istioGateway, "Gateways.Addresses", "two IPs", addressed("{value: 192.0.2.1}, {value: 192.0.2.2}"), g, accepted, "Accepted=false/UnsupportedAddress, ResolvedRefs"},
		// gateway/gateway_collection.go, GatewayCollection.
		{istioGateway, "Gateways.HiddenUnaddressed", "its routes", addressed("{type: acme.io/own, value: x}"), r, ours + resolved, "Gateway/ns/g: missing"},
		{istioGateway, "Gateways.SecretBeforeGrant", "the client's Secret before its grant", clientCertificate, g, "Accepted, ResolvedRefs=false/RefNotPermitted", "Accepted, ResolvedRefs=false/InvalidClientCertificateRef"},
		{istioGateway, "Gateways.AloneAddresses", "one IP is served", addressed("{value: 192.0.2.1}"), g, accepted, "Accepted, ResolvedRefs"},
		// gateway/conversion.go, referenceAllowed.
		{istioGateway, "Routes.HostnameFirst", "hostname and kind are wrong", []string{
			gateway("g", listener("a", 80, "HTTP", "hostname: b.example, allowedRoutes: {kinds: [{kind: GRPCRoute}]}")), httpRoute("hostnames: [a.example], parentRefs: [{name: g}]"),
		}, r, nowhere + "NotAllowedByListeners, ResolvedRefs", nowhere + "NoMatchingListenerHostname, ResolvedRefs"},
		// gateway/gateway_collection.go: only listeners without a conflict are parents.
		{istioGateway, "Routes.NeedsListener", "no route attaches to who lost", append(one(plainHTTP("a"), plainHTTP("b")), httpRoute("parentRefs: [{name: g, sectionName: b}]")), r, shared + "[b]: Accepted, ResolvedRefs", nowhere + "NoMatchingParent, ResolvedRefs"},
		{istioGateway, "Routes.Silent", "nothing is said below a ListenerSet that is not taken", notTaken, r, "ListenerSet/ns/set []: Accepted=false/NoMatchingParent, ResolvedRefs", "ListenerSet/ns/set: missing"},
		// gateway/conversion.go, toInternalParentReference, and gateway/conditions.go.
		// pilot/pkg/config/kube/gateway/conversion.go: the port of a Service as a parent is not looked at.
		{istioGateway, "Routes.AnyFrontendPort", "a port that the Service does not have", []string{nearby, httpRoute("parentRefs: [{group: '', kind: Service, name: near, port: 99}]")}, r, "Service/ns/near []: Accepted=false/NoMatchingParent, ResolvedRefs", "Service/ns/near [99]: Accepted, ResolvedRefs"},
		// waypointManagedByAnotherController.
		{istioGateway, "Routes.Waypoints", "a Service whose waypoint is another controller's", []string{
			gateway("g", http),
			"{apiVersion: v1, kind: Service, metadata: {name: near, labels: {istio.io/use-waypoint: theirs, istio.io/use-waypoint-namespace: far}}, spec: {ports: [{port: 80}]}}",
			"{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: theirs}, spec: {controllerName: acme.io/waypoint}}",
			"{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: theirs, namespace: far}, spec: {gatewayClassName: theirs, listeners: [{name: mesh, port: 15008, protocol: HBONE}]}}",
			httpRoute("parentRefs: [{group: '', kind: Service, name: near}]"),
		}, r, "Service/ns/near []: Accepted, ResolvedRefs", "Service/ns/near: missing"},
		{istioGateway, "Routes.MissingFrontend", "a Service that is not there", []string{httpRoute("parentRefs: [{group: '', kind: Service, name: gone}]")}, r, "Service/ns/gone: missing", "Service/ns/gone []: Accepted=false/NoMatchingParent, ResolvedRefs"},
		// gateway/conversion.go, buildDestination.
		{istioGateway, "Routes.Backends", "a kind that it does not have", to("{group: acme.io, kind: Own, name: x}", plain("acme.io/v1", "Own", "ns", "x")), r, ours + resolved, ours + unresolved + "InvalidKind"},
		// pilot/pkg/config/kube/gateway/conversion.go, unexpectedWaypointListener and unexpectedEastWestWaypointListener.
		{"istio.io/mesh-controller", "Listeners.Reserved", "a waypoint has one listener", one(plainHTTP("l")), l, well, noUDP},
		{"istio.io/mesh-controller", "Listeners.Reserved", "yet it counts as valid", one(plainHTTP("l")), g, accepted, accepted + ", ResolvedRefs"},
		{"istio.io/eastwest-controller", "Listeners.Reserved", "no other protocol on its own port", one(listener("l", 15008, "TLS", "tls: {mode: Passthrough}")), l, well, noUDP},
		{"istio.io/eastwest-controller", "Listeners.Reserved", "passthrough on other ports", one(plainHTTP("l")), l, well, noUDP},
		// conversion.go, listenerProtocolToIstio.
		{
			istioGateway, "Listeners.Exclusive", "HBONE is for waypoints", one(listener("l", 15008, "HBONE", "")), l,
			"Accepted=unknown/NotInInput, NoConflicts, ResolvedRefs", noUDP,
		},
		// gatewaycommon/conversion.go, GenerateGatewaySupportedKinds.
		{istioGateway, "Listeners.StrictKinds", "a kind twice", one(listener("l", 80, "HTTP", "allowedRoutes: {kinds: [{kind: HTTPRoute}, {kind: HTTPRoute}]}")), l, well, "Accepted, NoConflicts, ResolvedRefs=false/InvalidRouteKinds"},
		// gatewaycommon/conversion.go, ReportListenerCondition.
		{istioGateway, "Listeners.RouteKindsFirst", "kinds of routes hide certificates", one(listener("l", 443, "HTTPS", "allowedRoutes: {kinds: [{kind: TCPRoute}]}, tls: {certificateRefs: [{name: gone}]}")), l, badReference + "InvalidCertificateRef", badReference + "InvalidRouteKinds"},
		// conversion.go, buildTLS.
		{istioGateway, "Listeners.CertificatesFirst", "certificate and authority are missing", withCA(goneAuthority, https("{name: gone}")), l, rejected + "InvalidCACertificateRef", badReference + "InvalidCertificateRef"},
		{istioGateway, "Listeners.MaxAuthorities", "two authorities", withCA(goodAuthority+", "+goodAuthority, https("{name: cert}")), l, well, rejected + "InvalidCACertificateRef"},
		{istioGateway, "Listeners.AuthoritiesForTLS", "TLS that ends", withCA(goneAuthority, listener("l", 443, "TLS", "tls: {mode: Terminate, certificateRefs: [{name: cert}]}")), l, well, rejected + "InvalidCACertificateRef"},
		{istioGateway, "Listeners.OptionsReplaceAuthorities", "Istio's certificates", withCA(goneAuthority, options("gateway.istio.io/tls-terminate-mode: ISTIO_MUTUAL", "")), l, rejected + "InvalidCACertificateRef", well},
		{istioGateway, "Listeners.AuthoritiesBySet", "the namespace of the ListenerSet", []string{
			gatewayOf("allowedListeners: {namespaces: {from: All}}, tls: {frontend: {default: {" + validation(goodAuthority) + "}}}, listeners: [" + http + "]"), ca,
			listenerSet("far", "set", https("{name: cert}")), farCert,
		}, "ListenerSet/far/set#l", well, rejected + "InvalidCACertificateRef"},
		// gateway_collection.go, GatewayCollection (DisableRouteGeneration).
		{"istio.io/unmanaged-gateway", "Gateways.Unlisted", "only Accepted", one(https("{name: gone}")), g, notResolved, accepted},
		{"istio.io/mesh-controller", "Routes.Unrouted", "no status for routes", []string{gateway("g", listener("l", 15008, "HBONE", "")), httpRoute("parentRefs: [{name: g}]")}, r, shared + "[]: Accepted=unknown/NotInInput, ResolvedRefs", shared[:len(shared)-1] + ": missing"},
		{istioGateway, "Routes.Unreported", "no status for a UDPRoute", []string{gateway("g", listener("l", 80, "UDP", "")), route("UDPRoute", "ns", "r", "parentRefs: [{name: g}]")}, "UDPRoute/ns/r", shared + "[l]: Accepted, ResolvedRefs", shared[:len(shared)-1] + ": missing"},
		// conversion.go, buildDestination.
		{istioGateway, "Routes.HardReasons", "a hard error ends the route", to("{name: near}, " + gone), r, ours + unresolved + "BackendNotFound", ours + unresolved + "InvalidDestination"},
		{istioGateway, "Routes.Means", "a ServiceImport is a Service", to("{group: multicluster.x-k8s.io, kind: ServiceImport, name: near, port: 80}"), r, ours + unresolved + "BackendNotFound", ours + resolved},
		{istioGateway, "Routes.Ungrantable", "no grant for a ServiceImport", to("{group: multicluster.x-k8s.io, kind: ServiceImport, name: x, namespace: far, port: 80}",
			plain("multicluster.x-k8s.io/v1alpha1", "ServiceImport", "far", "x"), plain("v1", "Service", "far", "x"), grant("far", fromHTTP, "{group: multicluster.x-k8s.io, kind: ServiceImport}")), r, ours + resolved, ours + unresolved + "RefNotPermitted"},
		{istioGateway, "Routes.DottedName", "a hostname as the name of a Service", to("{name: near.ns, port: 80}"), r, ours + unresolved + "BackendNotFound", ours + unresolved + "InvalidDestination"},
		{istioGateway, "Routes.DottedPools", "a hostname as the name of an InferencePool", to("{group: inference.networking.k8s.io, kind: InferencePool, name: near.ns}"), r, ours + unresolved + "BackendNotFound", ours + unresolved + "InvalidDestination"},
		{istioGateway, "Routes.NamespacedHost", "a host has no namespace", to("{group: networking.istio.io, kind: Hostname, name: a.example, namespace: ns, port: 80}"), r, ours + unresolved + "InvalidKind", ours + unresolved + "InvalidDestination"},
		{istioGateway, "Routes.KnownHosts", "a host that the mesh does not know", to("{group: networking.istio.io, kind: Hostname, name: b.example, port: 80}"), r, ours + unresolved + "InvalidKind", ours + unresolved + "BackendNotFound"},
		{istioGateway, "Routes.Hosts", "a hostname is a backend", to("{group: networking.istio.io, kind: Hostname, name: a.example, port: 443}",
			"{apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: {name: a}, spec: {hosts: [a.example]}}"), r, ours + unresolved + "InvalidKind", ours + resolved},
		// gateway/conversion.go, convertHTTPRoute and convertGRPCRoute.
		{istioGateway, "Routes.Filters Routes.FilterReason", "a filter that it does not have", filtered("{type: ExternalAuth, externalAuth: {protocol: HTTP, backendRef: " + near + "}}"), r, ours + resolved, ours + unresolved + "InvalidFilter"},
		{istioGateway, "Routes.Filters Routes.FilterReason", "fewer for GRPCRoute", []string{gateway("g", http), route("GRPCRoute", "ns", "r", "parentRefs: [{name: g}], rules: [{filters: [{type: CORS, cors: {}}]}]")}, "GRPCRoute/ns/r", ours + resolved, ours + unresolved + "InvalidFilter"},
		{istioGateway, "Routes.GrantFirst", "the grant before the kind", to("{kind: NonExistent, name: x, namespace: shop, port: 80}"), r, ours + unresolved + "InvalidKind", ours + unresolved + "RefNotPermitted"},
		{istioGateway, "Routes.SkipsUnweighted", "weight 0 is not looked at", to("{name: gone, port: 80, weight: 0}, " + near), r, ours + unresolved + "BackendNotFound", ours + resolved},
		{istioGateway, "Routes.LastWins", "the last of two", to(gone + ", " + far), r, ours + unresolved + "BackendNotFound", ours + unresolved + "RefNotPermitted"},
		// gateway has no code that writes OverlappingTLSConfig.
		{istioGateway, "Listeners.NoOverlaps", "hostnames that overlap", one(httpsOf("a", "x.a.example", "{name: cert}"), httpsOf("b", "'*.example'", "{name: cert}")), a, overlapping, well},
		// gatewaycommon/conversion.go, ReportListenerConflict.
		{istioGateway, "Listeners.ConflictsAlone", "only the conflict is said", one(plainHTTP("a"), plainHTTP("b")), b, lostHost, strings.TrimSuffix(lostHost, ", ResolvedRefs")},
		// gateway/gateway_collection.go, GatewayListenerConflictCollection.
		{"istio.io/eastwest-controller", "Listeners.Unconflicted", "no conflicts", one(listener("a", 443, "TLS", "tls: {mode: Passthrough}"), listener("b", 443, "TLS", "tls: {mode: Passthrough}")), b, lostHost, well},
		// gateway_collection.go, GatewayCollection.
		{"istio.io/eastwest-controller", "Listeners.Internal", "the port of HBONE", append(one(plainHTTP("a"), listener("b", 15008, "HTTP", "")), httpRoute("parentRefs: [{name: g, sectionName: b}]")), r, shared + "[b]: Accepted, ResolvedRefs", nowhere + "NoMatchingParent, ResolvedRefs"},
		// gateway/conversion.go, buildHTTPDestination.
		{istioGateway, "Routes.BackendFilters", "a filter at a backend", to("{name: near, port: 80, filters: [{type: CORS, cors: {}}]}"), r, ours + resolved, ours + unresolved + "InvalidFilter"},
		// buildDestination.
		{istioGateway, "Routes.ExternalBackends", "another type of XBackend", to("{group: gateway.networking.x-k8s.io, kind: XBackend, name: x, port: 80}", "{apiVersion: gateway.networking.x-k8s.io/v1alpha1, kind: XBackend, metadata: {name: x}, spec: {type: Endpoints}}"), r, ours + resolved, ours + unresolved + "InvalidKind"},
		{istioGateway, "Routes.ExternalBackends", "another port than the XBackend's", to("{group: gateway.networking.x-k8s.io, kind: XBackend, name: x, port: 80}", xBackend("a.example")), r, ours + resolved, ours + unresolved + "BackendNotFound"},
		{istioGateway, "Routes.ExternalBackends", "a hostname of the cluster", to("{group: gateway.networking.x-k8s.io, kind: XBackend, name: x}", xBackend("a.shop.svc.cluster.local")), r, ours + resolved, ours + unresolved + "BackendNotFound"},
		{istioGateway, "Routes.ExternalBackends", "a hostname that an XBackend registers", to("{group: networking.istio.io, kind: Hostname, name: a.example, port: 443}", xBackend("a.example")), r, ours + unresolved + "InvalidKind", ours + resolved},
		{istioGateway, "Routes.NoPort", "no port", to("{name: near}"), r, ours + resolved, ours + unresolved + "InvalidDestination"},

		// controller/pkg/agentgateway/translator/conditions.go, generateSupportedKinds.
		{agentGateway, "Listeners.RouteKinds", "no UDP", one(listener("l", 80, "UDP", "")), l, well, "Accepted=false/UnsupportedProtocol, NoConflicts, ResolvedRefs"},
		{agentGateway, "Listeners.SelectorOptional", "a selector that is missing", one(selectorless), l, unusable, well},
		{agentGateway, "Listeners.SelectorOptional", "a selector that is missing takes all", append(one(selectorless), foreign), "HTTPRoute/far/r", nowhere + "NotAllowedByListeners, ResolvedRefs", shared + "[l]: Accepted, ResolvedRefs"},
		// translator/gateway_collection.go.
		{agentGateway, "Listeners.FirstWins", "the first wins inside a ListenerSet", inSet(listener("l", 81, "HTTP", "") + ", " + listener("twin", 81, "HTTP", "")), setL, lostHost, well},
		{agentGateway, "Listeners.FirstWins", "the first of a port fixes its protocol", inSet(at("first", 443, "HTTPS", "a.example") + ", " + at("l", 443, "TLS", "b.example")), setL, well, lostProtocol},
		{agentGateway, "Listeners.OwnConflictsAside", "a Gateway's own conflicts", one(plainHTTP("a"), plainHTTP("b")), b, lostHost, well},
		// translator/conversion.go, buildTLS.
		// translator/conversion.go, buildHostnameMatch: hostnames are compared with the namespaces of routes.
		{agentGateway, "Listeners.HostnamesByNamespace", "other namespaces are no conflict", []string{
			gatewayOf("allowedListeners: {namespaces: {from: All}}, listeners: [{name: x, port: 81, protocol: HTTP}]"),
			listenerSet("ns", "set", "{name: l, port: 81, protocol: HTTP, allowedRoutes: {namespaces: {from: All}}}"),
		}, setL, lostHost, well},
		{agentGateway, "Listeners.HostnamesByNamespace", "TCP twice is a conflict of hostnames", inSet(listener("a", 81, "TCP", "") + ", " + listener("l", 81, "TCP", "")), setL, lostProtocol, lostHost},
		// pkg/syncer/syncer.go, buildFinalListenerSetStatus.
		{
			agentGateway, "Listeners.InvalidUnreported", "an invalid listener reports no conflict",
			[]string{open(plainHTTP("x")), listenerSet("ns", "set", listener("a", 443, "TLS", "tls: {mode: Passthrough}")+", "+https("{name: gone}"))},
			setL,
			"Accepted=false/HostnameConflict, Conflicted=true/HostnameConflict, Programmed=false/HostnameConflict, ResolvedRefs=false/InvalidCertificateRef",
			"Accepted=false/ListenersNotValid, NoConflicts, Programmed=false/Invalid, ResolvedRefs=false/InvalidCertificateRef",
		},
		{agentGateway, "Listeners.NoOverlaps", "hostnames that overlap", one(httpsOf("a", "x.a.example", "{name: cert}"), httpsOf("b", "'*.example'", "{name: cert}")), a, overlapping, well},
		// translator/conversion.go, BuildListener: the certificate's error hides that of the authority.
		{agentGateway, "Listeners.CertificatesFirst", "certificate and authority are missing", withCA(goneAuthority, https("{name: gone}")), l, rejected + "InvalidCACertificateRef", badReference + "InvalidCertificateRef"},
		// translator/conditions.go, reportListenerCondition.
		{agentGateway, "Listeners.RouteKindsFirst", "kinds of routes hide certificates", one(listener("l", 443, "HTTPS", "allowedRoutes: {kinds: [{kind: TCPRoute}]}, tls: {certificateRefs: [{name: gone}]}")), l, badReference + "InvalidCertificateRef", badReference + "InvalidRouteKinds"},
		// translator/conversion.go, buildSecretReference.
		{agentGateway, "Listeners.CertificateKeys", "a Secret without a key", append(one(https("{name: half}")), "{apiVersion: v1, kind: Secret, metadata: {name: half}, data: {tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=}}"), l, well, badReference + "InvalidCertificateRef"},
		// translator/gateway_collection.go, GatewayTransformationFunc.
		{agentGateway, "Sets.ByName", "the name decides, not the age", []string{
			open(plainHTTP("x")), created(1, listenerSet("ns", "set", listener("l", 81, "HTTP", ""))), created(9, listenerSet("ns", "before", listener("l", 81, "HTTP", ""))),
		}, setL, well, lostHost},
		// reports/status.go, BuildGWStatus.
		{agentGateway, "Gateways.ResolvedWithBackend", "only tls.frontend", withCA(goodAuthority, https("{name: cert}")), g, accepted + ", ResolvedRefs", accepted},
		// translator/conversion.go, ExtractGatewayServices.
		{agentGateway, "Gateways.BlankUnaddressed", "several addresses without a hostname", addressed("{type: IPAddress, value: 10.0.0.1}, {type: IPAddress, value: 10.0.0.2}"), g, accepted, "Accepted=false/Invalid"},
		{agentGateway, "Gateways.BlankUnaddressed", "no status for its routes", addressed("{type: acme.io/own, value: x}"), r, shared + "[http]: Accepted, ResolvedRefs", shared[:len(shared)-1] + ": missing"},
		// plugins/reference_indexes.go, KnownToReferences.
		{agentGateway, "Routes.Ungrantable", "no grant for a pool", to("{group: inference.networking.k8s.io, kind: InferencePool, name: x, namespace: far}",
			plain("inference.networking.k8s.io/v1", "InferencePool", "far", "x"), grant("far", fromHTTP, "{group: inference.networking.k8s.io, kind: InferencePool}")), r, ours + resolved, ours + unresolved + "RefNotPermitted"},
		// translator/route_collections.go, computeRoute.
		{agentGateway, "Routes.FiltersFirst", "a filter before a backend", []string{gateway("g", http), nearby, httpRoute("parentRefs: [{name: g}], rules: [{backendRefs: [" + gone + "]}, {filters: [" +
			"{type: RequestMirror, requestMirror: {backendRef: {name: near, namespace: shop, port: 80}}}]}, {backendRefs: [" + gone + "]}]")}, r, ours + unresolved + "BackendNotFound", ours + unresolved + "RefNotPermitted"},
		{agentGateway, "Listeners.MaxCertificates", "one certificate at most", append(one(https("{name: cert}, {name: other}")), other), l, well, badReference + "InvalidCertificateRef"},
		{agentGateway, "Listeners.SecretBeforeGrant", "the Secret before its grant", one(https("{name: cert, namespace: far}")), l, badReference + "RefNotPermitted", badReference + "InvalidCertificateRef"},
		{agentGateway, "Listeners.CertificateOptions", "Istio's certificates", one(options("gateway.istio.io/tls-terminate-mode: ISTIO_MUTUAL", ", certificateRefs: [{name: gone}]")), l, badReference + "InvalidCertificateRef", well},
		{agentGateway, "Listeners.Refusals", "SPIFFE and Istio's certificates", one(options(spiffe+", gateway.istio.io/tls-terminate-mode: ISTIO_MUTUAL", "")), l, well, badReference + "InvalidCertificateRef"},
		{agentGateway, "Listeners.Refusals", "SPIFFE and authorities", withCA(goodAuthority, options(spiffe, "")), l, well, rejected + "InvalidCACertificateRef"},
		{agentGateway, "Listeners.Refusals", "SPIFFE and certificates", one(options(spiffe, ", certificateRefs: [{name: cert}]")), l, well, badReference + "InvalidCertificateRef"},
		{agentGateway, "Listeners.Refusals", "certificates on demand and authorities", withCA(goodAuthority, options(dynamic, ", certificateRefs: [{name: cert}]")), l, well, rejected + "InvalidCACertificateRef"},
		// translator/conditions.go, reportListenerCondition.
		{agentGateway, "Sets.UnresolvedReason", "a missing certificate", inSet(https("{name: gone}")), setL, badReference + "InvalidCertificateRef", "Accepted=false/ListenersNotValid, NoConflicts, Programmed=false/Invalid, ResolvedRefs=false/InvalidCertificateRef"},
		{agentGateway, "Sets.ParentReasons", "the Gateway's own status does not matter", []string{gatewayOf(parameters), listenerSet("ns", "set", "{name: l, port: 81, protocol: HTTP}")}, set, fmt.Sprintf(setRejected, "ParentNotAccepted"), accepted},
		{agentGateway, "Gateways.AuthorityKinds", "Secrets hold authorities", withCA(secretCA, https("{name: cert}")), l, rejected + "InvalidCACertificateKind", well},
		// reports/status.go.
		{agentGateway, "Gateways.UnresolvedNotValid Gateways.AcceptedSuffices Gateways.IgnoresListenerRefs", "a missing certificate", one(https("{name: gone}")), g, notResolved, someValid},
		{agentGateway, "Gateways.Addresses", "an address of another type", addressed("{type: acme.io/own, value: x}"), g, "Accepted=unknown/NotInInput", "Accepted=false/UnsupportedAddress"},
		// translator/conversion.go, referenceAllowed.
		{agentGateway, "Routes.HostnameFirst", "hostname and kind are wrong", []string{
			gateway("g", listener("a", 80, "HTTP", "hostname: b.example, allowedRoutes: {kinds: [{kind: GRPCRoute}]}")), httpRoute("hostnames: [a.example], parentRefs: [{name: g}]"),
		}, r, nowhere + "NotAllowedByListeners, ResolvedRefs", nowhere + "NoMatchingListenerHostname, ResolvedRefs"},
		{agentGateway, "Routes.Silent", "nothing is said below a ListenerSet that is not taken", notTaken, r, "ListenerSet/ns/set []: Accepted=false/NoMatchingParent, ResolvedRefs", "ListenerSet/ns/set: missing"},
		{agentGateway, "Routes.Delegates", "a route is a backend", to("{group: gateway.networking.k8s.io, kind: HTTPRoute, name: gone}"), r, ours + unresolved + "InvalidKind", ours + resolved},
		// plugins/reference_indexes.go.
		{agentGateway, "Routes.Backends", "a kind that it does not have", to("{group: acme.io, kind: Own, name: x}", plain("acme.io/v1", "Own", "ns", "x")), r, ours + resolved, ours + unresolved + "InvalidKind"},
		{agentGateway, "Routes.Hosts", "a model is a backend", to("{group: agentgateway.dev, kind: AgentgatewayModel, name: '*'}"), r, ours + unresolved + "InvalidKind", ours + resolved},
		{agentGateway, "Routes.Filters Routes.FilterReason", "no extensions", filtered("{type: ExtensionRef, extensionRef: {group: acme.io, kind: Own, name: x}}", plain("acme.io/v1", "Own", "ns", "x")), r, ours + resolved, ours + unresolved + "IncompatibleFilters"},
		{agentGateway, "Routes.GrantFirst", "the grant before the kind", to("{kind: NonExistent, name: x, namespace: shop, port: 80}"), r, ours + unresolved + "InvalidKind", ours + unresolved + "RefNotPermitted"},
		{agentGateway, "Routes.HardReasons", "a hard error ends the route", []string{gateway("g", http), route("GRPCRoute", "ns", "r", "parentRefs: [{name: g}], "+refs("{name: near.ns, port: 80}, "+gone))}, "GRPCRoute/ns/r", ours + unresolved + "BackendNotFound", ours + unresolved + "UnsupportedValue"},
		{agentGateway, "Routes.LastWins", "the last of two", to(gone + ", " + far), r, ours + unresolved + "BackendNotFound", ours + unresolved + "RefNotPermitted"},
		{agentGateway, "Routes.NoPort", "no port", []string{gateway("g", listener("tcp", 80, "TCP", "")), nearby, route("TCPRoute", "ns", "r", "parentRefs: [{name: g}], "+refs("{name: near}"))}, "TCPRoute/ns/r", shared + "[tcp]: Accepted, ResolvedRefs", shared + "[tcp]: Accepted, " + unresolved + "UnsupportedValue"},

		// translator/listener/validation.go.
		{kGateway, "Listeners.RouteKinds", "no UDP", one(listener("l", 80, "UDP", "")), l, well, noUDP},
		// operator/pkg/gateway-api, listenerPairConflict.
		{ciliumed, "Listeners.Pairwise", "HTTPS beside a passthrough for one of its names", one(at("a", 443, "HTTPS", "'*.example'"), at("b", 443, "TLS", "b.example")), a, overlapping, strings.Replace(lostProtocol, "Programmed", "OverlappingTLSConfig=true/OverlappingHostnames, Programmed", 1)},
		{ciliumed, "Listeners.Pairwise", "the passthrough loses, too", one(at("a", 443, "HTTPS", "'*.example'"), at("b", 443, "TLS", "b.example")), b, overlapping, strings.Replace(lostProtocol, "Programmed", "OverlappingTLSConfig=true/OverlappingHostnames, Programmed", 1)},
		{ciliumed, "Listeners.Pairwise", "HTTP beside HTTPS", one(at("a", 443, "HTTP", "a.example"), at("b", 443, "HTTPS", "b.example")), b, lostProtocol, well},
		{kGateway, "Listeners.FirstWins", "the first hostname wins", one(plainHTTP("a"), plainHTTP("b")), a, lostHost, well},
		{kGateway, "Listeners.FirstWins", "the first protocol wins", one(plainHTTP("a"), listener("b", 80, "TCP", "")), a, lostProtocol, well},
		{kGateway, "Gateways.AlwaysResolved", "ResolvedRefs without tls", one(http), g, accepted, "Accepted, ResolvedRefs"},
		{kGateway, "Gateways.UnresolvedNotValid Gateways.AcceptedSuffices", "a missing certificate", one(https("{name: gone}")), g, notResolved, someValid + ", ResolvedRefs=false/ListenersNotResolved"},
		{kGateway, "Routes.Delegates Routes.InfersParents", "a route is a backend", to("{group: gateway.networking.k8s.io, kind: HTTPRoute, name: gone}"), r, ours + unresolved + "InvalidKind", ours + unresolved + "BackendNotFound"},
		{kGateway, "Routes.SilentFilters", "a filter that is not there", filtered(extension("gateway.kgateway.dev", "TrafficPolicy")), r, ours + unresolved + "BackendNotFound", ours + resolved},
		{kGateway, "Listeners.UnresolvedRejects Listeners.UnresolvedReason", "a missing certificate", one(https("{name: gone}")), l, badReference + "InvalidCertificateRef", "Accepted=false/Invalid, NoConflicts, Programmed=false/Invalid, ResolvedRefs=false/InvalidCertificateRef"},
		// translator/sslutils/ssl_utils.go, ApplyTLSExtensionOptions and validateTLSVersions; listener/gateway_listener_translator.go, translateTLSConfig.
		{kGateway, "Listeners.Options", "an option that is not known", withOption("example.com/x: y"), l, well, "Accepted=false/Invalid, NoConflicts, Programmed=false/Invalid, ResolvedRefs"},
		{kGateway, "Listeners.Options", "no version", withOption("kgateway.dev/min-tls-version: '2'"), l, well, "Accepted=false/Invalid, NoConflicts, Programmed=false/Invalid, ResolvedRefs"},
		{kGateway, "Listeners.LeastVersion Listeners.MostVersion", "no version is left", withOption("kgateway.dev/min-tls-version: '1.3', kgateway.dev/max-tls-version: '1.2'"), l, well, "Accepted=false/Invalid, NoConflicts, Programmed=false/Invalid, ResolvedRefs"},
		{kGateway, "Listeners.ClientNames", "names without authorities", withOption("kgateway.dev/verify-subject-alt-names: a"), l, well, "Accepted=false/Invalid, NoConflicts, Programmed=false/Invalid, ResolvedRefs"},
		{kGateway, "Listeners.PartialCertificates", "one of two", one(https("{name: gone}, {name: cert}")), l, badReference + "InvalidCertificateRef", "Accepted=true/Invalid, NoConflicts, ResolvedRefs=false/InvalidCertificateRef"},
		{kGateway, "Listeners.ReservedPorts", "a port of the proxy", one(listener("l", 9091, "HTTP", "")), l, well, "Accepted=false/Invalid, Conflicted=true/Invalid, Programmed=false/Invalid, ResolvedRefs"},
		{kGateway, "Gateways.AuthorityKinds", "Secrets hold authorities", withCA(secretCA, https("{name: cert}")), l, rejected + "InvalidCACertificateKind", well},
		{glooGateway, "Routes.Delegates", "a route is a backend", to("{group: gateway.networking.k8s.io, kind: HTTPRoute, name: gone}"), r, ours + unresolved + "InvalidKind", ours + resolved},
		// krtcollections/policy.go, GetBackendFromRef.
		{kGateway, "Routes.Backends", "a kind that it does not have", to("{group: acme.io, kind: Own, name: x}", plain("acme.io/v1", "Own", "ns", "x")), r, ours + resolved, ours + unresolved + "InvalidKind"},
		{kGateway, "Routes.Extensions", "a filter that it does not have", filtered(extension("acme.io", "Own"), crd), r, ours + unresolved + "BackendNotFound", ours + resolved},
		{kGateway, "Routes.GrantFirst", "the grant before the kind", to("{kind: NonExistent, name: x, namespace: shop, port: 80}"), r, ours + unresolved + "InvalidKind", ours + unresolved + "RefNotPermitted"},
		{kGateway, "Listeners.NoOverlaps", "hostnames that overlap", one(httpsOf("a", "x.a.example", "{name: cert}"), httpsOf("b", "'*.example'", "{name: cert}")), a, overlapping, well},
		{kGateway, "Listeners.CertificateKeys", "a Secret without a key", append(one(https("{name: half}")), "{apiVersion: v1, kind: Secret, metadata: {name: half}, data: {tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=}}"), l, well, "Accepted=false/Invalid, NoConflicts, Programmed=false/Invalid, ResolvedRefs=false/InvalidCertificateRef"},
		{kGateway, "Routes.Portless", "a port of a Backend", to("{group: gateway.kgateway.dev, kind: Backend, name: x, port: 80}", "{apiVersion: gateway.kgateway.dev/v1alpha1, kind: Backend, metadata: {name: x, namespace: ns}, spec: {type: Static}}"), r, ours + resolved, ours + unresolved + "BackendNotFound"},
		{kGateway, "Routes.PortNotFound", "a port that the Service does not have", to("{name: near, port: 81}"), r, ours + resolved, ours + unresolved + "BackendNotFound"},

		// internal/controller/state/graph/gateway_listener.go.
		{nginxGateway, "Listeners.RouteKinds", "TLS that ends takes TLSRoute alone", []string{
			gateway("g", "{name: l, port: 443, protocol: TLS, tls: {mode: Terminate, certificateRefs: [{name: cert}]}}"), cert, route("TCPRoute", "ns", "r", "parentRefs: [{name: g}], rules: [{}]"),
		}, "TCPRoute/ns/r", shared + "[]: Accepted=unknown/NotInInput, ResolvedRefs", nowhere + "NotAllowedByListeners, ResolvedRefs"},
		{nginxGateway, "Listeners.Alone", "who is invalid is nobody's rival", one(listener("a", 80, "HTTP", "tls: {certificateRefs: [{name: cert}]}"), plainHTTP("b")), b, lostHost, well},
		// graph/gateway_listener.go, applyCertRefErrors.
		{nginxGateway, "Listeners.UnresolvedRejects", "a certificate that is not there", one(https("{name: gone}")), l, badReference + "InvalidCertificateRef", "Accepted=false/InvalidCertificateRef, NoConflicts, Programmed=false/Invalid, ResolvedRefs=false/InvalidCertificateRef"},
		{nginxGateway, "Listeners.PartialCertificates", "a certificate that is there beside one that is not", one(https("{name: cert}, {name: gone}")), l, badReference + "InvalidCertificateRef", "Accepted, NoConflicts, ResolvedRefs=false/InvalidCertificateRef"},
		{nginxGateway, "Listeners.InvalidBeforeGrant", "a missing certificate beside one without a grant", append(one(https("{name: cert, namespace: far}, {name: gone}")), farCert), l, badReference + "RefNotPermitted", "Accepted=false/InvalidCertificateRef, NoConflicts, Programmed=false/Invalid, ResolvedRefs=false/InvalidCertificateRef"},
		{nginxGateway, "Listeners.PartialAuthorities", "one of two authorities", withCA(goodAuthority+", "+goneAuthority, https("{name: cert}")), g, notResolved, accepted},
		// validateObjectRefKindAndGroup and validateBackendRef.
		{nginxGateway, "Routes.CoreGroups", "an authority of the group core", withCA("{group: core, kind: ConfigMap, name: ca}", https("{name: cert}")), l, rejected + "InvalidCACertificateKind", well},
		{nginxGateway, "Routes.CoreGroups", "a Service of the group core", to("{group: core, kind: Service, name: near, port: 80}"), r, ours + unresolved + "InvalidKind", ours + resolved},
		{nginxGateway, "Gateways.AuthorityKeys", "a ConfigMap without ca.crt", append(withCA(goodAuthority, https("{name: cert}"))[:2], "{apiVersion: v1, kind: ConfigMap, metadata: {name: ca}, data: {other: x}}"), l, well, rejected + "InvalidCACertificateRef"},
		{nginxGateway, "Gateways.AuthorityIsPEM", "ca.crt that is no certificate", append(withCA(goodAuthority, https("{name: cert}"))[:2], "{apiVersion: v1, kind: ConfigMap, metadata: {name: ca}, data: {ca.crt: x}}"), l, well, rejected + "InvalidCACertificateRef"},
		// graph/extension_ref_filter.go, and route_common.go, bindL7RouteToListeners.
		{nginxGateway, "Routes.ExtensionNotFound", "a filter that is not there", filtered(extension("gateway.nginx.org", "SnippetsFilter")), r, ours + unresolved + "BackendNotFound", ours + unresolved + "InvalidFilter"},
		{nginxGateway, "Routes.InvalidListener", "the listener is not valid", []string{gateway("g", "{name: b, port: 443, protocol: HTTPS, tls: {certificateRefs: [{name: gone}]}}"), nearby, route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}], "+refs("{name: near, port: 80}"))}, r, "Gateway/ns/g [b]: Accepted, ResolvedRefs", "Gateway/ns/g [b]: Accepted=false/InvalidListener, ResolvedRefs"},
		{nginxGateway, "Routes.InvalidListener", "its other parents repeat it", []string{
			gateway("g", "{name: b, port: 443, protocol: HTTPS, tls: {certificateRefs: [{name: gone}]}}, {name: c, port: 80, protocol: HTTP}"), httpRoute("parentRefs: [{name: g, sectionName: b}, {name: g, sectionName: c}]"),
		}, r, "Gateway/ns/g [b]: Accepted, ResolvedRefs; Gateway/ns/g [c]: Accepted, ResolvedRefs", "Gateway/ns/g [b]: Accepted=false/InvalidListener, ResolvedRefs; Gateway/ns/g [c]: Accepted=false/InvalidListener, ResolvedRefs"},
		{nginxGateway, "Routes.InvalidListener Routes.FirstTells", "the first listener cannot have routes", []string{
			gateway("g", "{name: a, port: 80, protocol: HTTP, allowedRoutes: {kinds: [{kind: TLSRoute}]}}, {name: b, port: 81, protocol: HTTP, allowedRoutes: {kinds: [{kind: GRPCRoute}]}}"), httpRoute("parentRefs: [{name: g}]"),
		}, r, "Gateway/ns/g []: Accepted=false/NotAllowedByListeners, ResolvedRefs", "Gateway/ns/g []: Accepted=false/InvalidListener, ResolvedRefs"},
		{nginxGateway, "Routes.InvalidSet", "no listener of a ListenerSet is valid", append(inSet("{name: l, port: 443, protocol: HTTPS, tls: {certificateRefs: [{name: gone}]}}"), httpRoute("parentRefs: [{kind: ListenerSet, name: set}]")), r, "ListenerSet/ns/set [l]: Accepted, ResolvedRefs", "ListenerSet/ns/set []: Accepted=false/InvalidListenerSet, ResolvedRefs"},
		{nginxGateway, "Routes.NoHTTP2 Routes.NoHTTP2Reason", "no GRPCRoute without HTTP/2", []string{
			class("controllerName: acme.io/controller, parametersRef: {group: gateway.nginx.org, kind: NginxProxy, namespace: ns, name: proxy}"), gateway("g", http),
			"{apiVersion: gateway.nginx.org/v1alpha2, kind: NginxProxy, metadata: {name: proxy}, spec: {disableHTTP2: true}}", route("GRPCRoute", "ns", "r", "parentRefs: [{name: g}]"),
		}, "GRPCRoute/ns/r", "Gateway/ns/g [http]: Accepted, ResolvedRefs", "Gateway/ns/g []: Accepted=false/UnsupportedConfiguration, ResolvedRefs"},
		// graph/gateway_listener.go, validateListenerAllowedRouteKind and configure.
		{nginxGateway, "Listeners.Alone Listeners.KnownKindsOnly", "a wrong kind of route hides the certificate", one("{name: l, port: 443, protocol: HTTPS, allowedRoutes: {kinds: [{kind: TLSRoute}]}, tls: {certificateRefs: [{name: gone}]}}"), l, "Accepted, NoConflicts, Programmed=false/Invalid, ResolvedRefs=false/InvalidCertificateRef", "Programmed=false/Invalid, ResolvedRefs=false/InvalidRouteKinds"},
		{nginxGateway, "Listeners.KnownKindsOnly", "kinds of a protocol that is not supported", one(listener("l", 80, "example.com/own", "allowedRoutes: {kinds: [{kind: TLSRoute}]}")), l, "Accepted=unknown/NotInInput, NoConflicts, ResolvedRefs", "Accepted=false/UnsupportedProtocol, Programmed=false/Invalid"},
		{nginxGateway, "Listeners.Alone", "no selector", one(selectorless), l, "Accepted, NoConflicts, Programmed=false/Invalid, ResolvedRefs", "Accepted=false/UnsupportedValue, Programmed=false/Invalid"},
		{nginxGateway, "Listeners.Alone", "the port of the metrics", one(listener("l", 9113, "HTTP", "")), l, "Accepted, NoConflicts, ResolvedRefs", "Accepted=false/UnsupportedValue, Programmed=false/Invalid"},
		{nginxGateway, "Listeners.Alone", "an option that it does not have", one(options("acme.io/x: y", ", certificateRefs: [{name: cert}]")), l, "Accepted, NoConflicts, ResolvedRefs", "Accepted=false/UnsupportedValue, Programmed=false/Invalid"},
		{nginxGateway, "Listeners.Alone", "a value that an option does not take", one(options("nginx.org/ssl-protocols: TLSv9", ", certificateRefs: [{name: cert}]")), l, "Accepted, NoConflicts, ResolvedRefs", "Accepted=false/UnsupportedValue, Programmed=false/Invalid"},
		{nginxGateway, "Listeners.Alone", "a certificate of another kind", one(https("{name: cert}, {kind: ConfigMap, name: cert}")), l, "Accepted, NoConflicts, Programmed=false/Invalid, ResolvedRefs=false/InvalidCertificateRef", "Accepted=false/InvalidCertificateRef, Programmed=false/Invalid, ResolvedRefs=false/InvalidCertificateRef"},
		{nginxGateway, "Listeners.Alone", "no certificate, whatever the options", one(options("nginx.org/ssl-protocols: TLSv1.2", "")), l, "Accepted, NoConflicts, ResolvedRefs", "Accepted=false/InvalidCertificateRef, Programmed=false/Invalid, ResolvedRefs=false/InvalidCertificateRef"},
		{nginxGateway, "Listeners.CertificateType", "a Secret of another type", append(one(https("{name: opaque}")), "{apiVersion: v1, kind: Secret, metadata: {name: opaque}, type: Opaque}"), l, "Accepted, NoConflicts, ResolvedRefs", "Accepted=false/InvalidCertificateRef, NoConflicts, Programmed=false/Invalid, ResolvedRefs=false/InvalidCertificateRef"},
		// graph/gateway_listener.go, createPortConflictResolver.
		{nginxGateway, "Listeners.DistinctProtocols", "UDP beside HTTP", one(plainHTTP("a"), listener("b", 80, "UDP", "")), b, "Accepted, NoConflicts, ResolvedRefs", "Accepted=false/ProtocolConflict, Conflicted=true/ProtocolConflict, Programmed=false/ProtocolConflict"},
		{nginxGateway, "Listeners.DistinctProtocols", "HTTPS and TLS of one hostname", one(httpsOf("a", "'*.example'", "{name: cert}"), listener("b", 443, "TLS", "hostname: a.example, tls: {mode: Passthrough}")), b, "Accepted, NoConflicts, OverlappingTLSConfig=true/OverlappingHostnames, ResolvedRefs", "Accepted=false/HostnameConflict, Conflicted=true/HostnameConflict, OverlappingTLSConfig=true/OverlappingHostnames, Programmed=false/HostnameConflict"},
		// graph/httproute.go, checkForUnsupportedHTTPFields, and route_common.go, validateSessionPersistenceConfig.
		{nginxGateway, "Routes.Ignored Routes.IgnoredReason", "a field that is ignored", []string{gateway("g", http), httpRoute("parentRefs: [{name: g}], rules: [{timeouts: {request: 1s}}]")}, r, "Gateway/ns/g [http]: Accepted, ResolvedRefs", "Gateway/ns/g [http]: Accepted=true/UnsupportedField, ResolvedRefs"},
		{nginxGateway, "Routes.Ignored Routes.IgnoredReason", "a session by header", []string{gateway("g", http), httpRoute("parentRefs: [{name: g}], rules: [{sessionPersistence: {type: Header}}]")}, r, "Gateway/ns/g [http]: Accepted, ResolvedRefs", "Gateway/ns/g [http]: Accepted=true/UnsupportedField, ResolvedRefs"},
		// graph/backend_refs.go, validateBackendRef.
		{nginxGateway, "Routes.BackendsOf", "a pool behind a GRPCRoute", []string{gateway("g", http), plain("inference.networking.k8s.io/v1", "InferencePool", "ns", "pool"), route("GRPCRoute", "ns", "r", "parentRefs: [{name: g}], "+refs("{group: inference.networking.k8s.io, kind: InferencePool, name: pool}"))}, "GRPCRoute/ns/r", "Gateway/ns/g [http]: Accepted, ResolvedRefs", "Gateway/ns/g [http]: Accepted, ResolvedRefs=false/InvalidKind"},
		{nginxGateway, "Routes.Protocols Routes.ProtocolReason", "WebSockets behind a GRPCRoute", []string{
			gateway("g", http), "{apiVersion: v1, kind: Service, metadata: {name: ws}, spec: {ports: [{port: 80, appProtocol: kubernetes.io/ws}]}}",
			route("GRPCRoute", "ns", "r", "parentRefs: [{name: g}], "+refs("{name: ws, port: 80}")),
		}, "GRPCRoute/ns/r", "Gateway/ns/g [http]: Accepted, ResolvedRefs", "Gateway/ns/g [http]: Accepted, ResolvedRefs=false/UnsupportedProtocol"},
		{nginxGateway, "Routes.BackendFilters Routes.BackendFilterReason", "a filter at a backend", to("{name: near, port: 80, filters: [{type: RequestHeaderModifier, requestHeaderModifier: {remove: [x]}}]}"), r, "Gateway/ns/g [http]: Accepted, ResolvedRefs", "Gateway/ns/g [http]: Accepted, ResolvedRefs=false/UnsupportedValue"},
		// graph/backend_refs.go, invalidateRuleIfExternalAuthBackendUnresolved; common_filter.go, validateFilterExternalAuth.
		{nginxGateway, "Routes.AuthReason", "the backend of an ExternalAuth filter", filtered("{type: ExternalAuth, externalAuth: {protocol: HTTP, backendRef: " + gone + "}}"), r, "Gateway/ns/g [http]: Accepted, ResolvedRefs=false/BackendNotFound", "Gateway/ns/g [http]: Accepted, ResolvedRefs=false/InvalidFilter"},
		{nginxGateway, "Routes.HTTPAuthAlone", "no ExternalAuth of gRPC, whose rule is left out", filtered("{type: ExternalAuth, externalAuth: {protocol: GRPC, backendRef: " + gone + "}}"), r, "Gateway/ns/g [http]: Accepted, ResolvedRefs=false/BackendNotFound", "Gateway/ns/g [http]: Accepted, ResolvedRefs"},
		// graph/tlsroute.go, buildTLSRoute.
		{nginxGateway, "Routes.LoneBackend", "a TLSRoute with two backends", []string{
			gateway("g", listener("l", 443, "TLS", "tls: {mode: Passthrough}")), nearby, route("TLSRoute", "ns", "r", "parentRefs: [{name: g}], "+refs("{name: near, port: 80}, {name: near, port: 80}")),
		}, "TLSRoute/ns/r", "Gateway/ns/g [l]: Accepted, ResolvedRefs", "Gateway/ns/g []: Accepted, ResolvedRefs=false/UnsupportedValue"},
		// graph/gatewayclass.go, processGatewayClasses and validateGatewayClass.
		{nginxGateway, "Gateways.ServedClass", "the class of another installation", append(one(http), class("controllerName: acme.io/controller"), "{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: nginx}, spec: {controllerName: "+nginxGateway+"}}"), "GatewayClass/c", "Accepted", "Accepted=false/GatewayClassConflict"},
		{nginxGateway, "Gateways.KeepsParameters", "parameters of a Gateway", []string{gatewayOf("infrastructure: {parametersRef: {group: gateway.nginx.org, kind: NginxProxy, name: gone}}, listeners: [" + http + "]")}, g, "Accepted=false/InvalidParameters", "Accepted=false/InvalidParameters, ResolvedRefs=false/ParametersRefInvalid"},
		{nginxGateway, "Gateways.KeepsParameters", "parameters with an address that is none", []string{
			gatewayOf("infrastructure: {parametersRef: {group: gateway.nginx.org, kind: NginxProxy, name: proxy}}, listeners: [" + http + "]"),
			"{apiVersion: gateway.nginx.org/v1alpha2, kind: NginxProxy, metadata: {name: proxy}, spec: {dnsResolver: {addresses: [{type: IPAddress, value: x}]}}}",
		}, g, "Accepted", "Accepted=false/InvalidParameters, ResolvedRefs=false/ParametersRefInvalid"},
		{nginxGateway, "Gateways.InsecureInUse", "no HTTPS listener", insecure(goodAuthority), g, "Accepted, InsecureFrontendValidationMode=true/ConfigurationChanged, ResolvedRefs", "Accepted"},
		// internal/controller/status/prepare_requests.go.
		{nginxGateway, "Sets.PartlyReason", "some listeners are valid", partly, set, someValid, accepted},
		{nginxGateway, "Gateways.AuthorityKinds", "Secrets hold authorities", withCA(secretCA, https("{name: cert}")), l, rejected + "InvalidCACertificateKind", well},
		{nginxGateway, "Gateways.UnresolvedNotValid Gateways.IgnoresListenerRefs", "a missing certificate", one(https("{name: gone}")), g, notResolved, noneValid},
		// graph/gateway.go, validateGatewayBackendTLS.
		{nginxGateway, "Gateways.SecretBeforeGrant", "the client's Secret before its grant", clientCertificate, g, "Accepted, ResolvedRefs=false/RefNotPermitted", "Accepted, ResolvedRefs=false/InvalidClientCertificateRef"},
		// conditions/conditions.go, NewGatewayClassInvalidParameters.
		{nginxGateway, "Gateways.KeepsParameters", "parameters of a class", badClass, "GatewayClass/c", "Accepted=false/InvalidParameters", "Accepted=true/InvalidParameters, ResolvedRefs=false/ParametersRefInvalid"},
		// graph/gateway.go, validateGateway.
		{nginxGateway, "Gateways.Addresses", "a hostname is not an address", addressed("{type: Hostname, value: a.example}"), g, accepted, "Accepted=false/UnsupportedAddress"},
		// graph/gateway.go, buildGateways: no listener is built, so that route_common.go, buildSectionNameRefs, finds no parent
		// for a reference without a section, and findAttachableListeners no listener; listenerset.go, validateListenerSet.
		{nginxGateway, "Gateways.FailsByAddress", "its routes have no parent", addressed("{type: Hostname, value: a.example}"), r, ours + resolved, "Gateway/ns/g: missing"},
		{nginxGateway, "Gateways.FailsByAddress", "nor one that names a listener", append(addressed("{type: Hostname, value: a.example}")[:1], httpRoute("parentRefs: [{name: g, sectionName: http}]")), r, ours + resolved, nowhere + "NoMatchingParent, ResolvedRefs"},
		{nginxGateway, "Gateways.FailsByAddress", "nor one that names a port", append(addressed("{type: Hostname, value: a.example}")[:1], httpRoute("parentRefs: [{name: g, port: 80}]")), r, ours + resolved, nowhere + "NoMatchingParent, ResolvedRefs"},
		{nginxGateway, "Gateways.FailsByAddress", "its ListenerSets are refused", []string{
			gatewayOf("addresses: [{type: Hostname, value: a.example}], allowedListeners: {namespaces: {from: All}}, listeners: [" + http + "]"), listenerSet("ns", "set", "{name: l, port: 81, protocol: HTTP}"),
		}, set, accepted, fmt.Sprintf(setRejected, "ParentNotAccepted")},
		// graph/backend_refs.go, validateBackendRef.
		{nginxGateway, "Routes.Backends", "a kind that it does not have", to("{group: acme.io, kind: Own, name: x}", plain("acme.io/v1", "Own", "ns", "x")), r, ours + resolved, ours + unresolved + "InvalidKind"},
		{nginxGateway, "Routes.Extensions", "a filter that it does not have", filtered(extension("acme.io", "Own"), crd), r, ours + unresolved + "BackendNotFound", ours + resolved},
		{nginxGateway, "Routes.LastWins", "the last of two", to(gone + ", " + far), r, ours + unresolved + "BackendNotFound", ours + unresolved + "RefNotPermitted"},
		{nginxGateway, "Routes.Matches", "the backends of a rule that is left out", unmatched, r, ours + unresolved + "BackendNotFound", ours + resolved},
		// graph/common_filter.go, validateFilterHeaderModifierFields; more in TestRefusedFilters.
		{nginxGateway, "Routes.Headers", "the backends of a rule with a header that no filter changes", []string{
			gateway("g", http), httpRoute("parentRefs: [{name: g}], rules: [{filters: [{type: RequestHeaderModifier, requestHeaderModifier: {remove: [a_b]}}], backendRefs: [" + gone + "]}]"),
		}, r, ours + unresolved + "BackendNotFound", ours + resolved},
		{nginxGateway, "Routes.SingleFilters", "the backends of a rule with two filters of a kind", []string{
			gateway("g", http), plain("gateway.nginx.org/v1alpha1", "AuthenticationFilter", "ns", "gone"),
			httpRoute("parentRefs: [{name: g}], rules: [{filters: [" + basic + ", " + basic + "], backendRefs: [" + gone + "]}]"),
		}, r, ours + unresolved + "BackendNotFound", ours + resolved},
		{nginxGateway, "Routes.NoPort", "no port", to("{name: near}"), r, ours + resolved, ours + unresolved + "UnsupportedValue"},
		{nginxGateway, "Routes.PortNotFound", "a port that the Service does not have", to("{name: near, port: 81}"), r, ours + resolved, ours + unresolved + "BackendNotFound"},
		// pilot/pkg/credentials/kube/secrets.go, ExtractRoot.
		// buildTLS.
		{istioGateway, "Listeners.GrantBeforeKind", "another kind, without a grant", one(https("{kind: ConfigMap, name: x, namespace: far}")), l, badReference + "InvalidCertificateRef", rejected + "RefNotPermitted"},
		{istioGateway, "Gateways.GrantSuffix", "a grant for the name of an authority", []string{
			gatewayOf("tls: {frontend: {default: {" + validation("{group: '', kind: ConfigMap, name: ca, namespace: far}") + "}}}, listeners: [" + https("{name: cert}") + "]"), cert,
			"{apiVersion: v1, kind: ConfigMap, metadata: {name: ca, namespace: far}}",
			"{apiVersion: gateway.networking.k8s.io/v1, kind: ReferenceGrant, metadata: {name: one, namespace: far}, spec: {from: [{group: gateway.networking.k8s.io, kind: Gateway, namespace: ns}], to: [{group: '', kind: ConfigMap, name: ca}]}}",
		}, l, well, rejected + "RefNotPermitted"},
		{istioGateway, "Listeners.AuthoritiesWithCertificates", "no certificate, no authority", withCA(goneAuthority, options("a: b", "")), l, rejected + "InvalidCACertificateRef", well},
		// pilot/pkg/credentials/kube/secrets.go, ExtractCertInfo.
		{istioGateway, "Listeners.CertificatePairs", "a certificate at another key", []string{gateway("g", https("{name: own}")), "{apiVersion: v1, kind: Secret, metadata: {name: own}, data: {cert: eA==, key: eA==}}"}, l, badReference + "InvalidCertificateRef", well},
		{istioGateway, "Listeners.CertificatePairs", "a certificate without its key", []string{gateway("g", https("{name: own}")), "{apiVersion: v1, kind: Secret, metadata: {name: own}, data: {tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=}}"}, l, well, badReference + "InvalidCertificateRef"},
		// buildCaCertificateReference.
		{istioGateway, "Gateways.AuthorityIsPEM", "ca.crt that is no certificate", append(withCA(goodAuthority, https("{name: cert}"))[:2], "{apiVersion: v1, kind: ConfigMap, metadata: {name: ca}, data: {ca.crt: x}}"), l, well, rejected + "InvalidCACertificateRef"},
		{istioGateway, "Gateways.AuthorityIsPEM", "ca.crt that is a key", append(withCA(goodAuthority, https("{name: cert}"))[:2], `{apiVersion: v1, kind: ConfigMap, metadata: {name: ca}, data: {ca.crt: "-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----\n"}}`), l, well, rejected + "InvalidCACertificateRef"},
		{istioGateway, "Gateways.AuthorityKeys", "a ConfigMap without ca.crt", append(withCA(goodAuthority, https("{name: cert}"))[:2], "{apiVersion: v1, kind: ConfigMap, metadata: {name: ca}, data: {other: x}}"), l, well, rejected + "InvalidCACertificateRef"},
		// controller/pkg/agentgateway/translator/conditions.go, GenerateSupportedKinds.
		{agentGateway, "Listeners.OwnKinds", "a kind of its own", append(one(listener("l", 80, "HTTP", "allowedRoutes: {kinds: [{group: agentgateway.dev, kind: AgentgatewayModel}]}")), plain("agentgateway.dev/v1alpha1", "AgentgatewayModel", "ns", "x")), l, badReference + "InvalidRouteKinds", well},
		{agentGateway, "Listeners.KindsOnce", "a kind twice", one(listener("l", 80, "HTTP", "allowedRoutes: {kinds: [{kind: HTTPRoute}, {kind: HTTPRoute}]}")), l, well, "Accepted, NoConflicts, ResolvedRefs=false/InvalidRouteKinds"},
		// translator/conversion.go, BuildListener.
		{agentGateway, "Listeners.ProgramsInvalid", "kinds that are wrong", one(listener("l", 80, "HTTP", "allowedRoutes: {kinds: [{kind: TCPRoute}]}")), l, badReference + "InvalidRouteKinds", "Accepted, NoConflicts, ResolvedRefs=false/InvalidRouteKinds"},
		// buildTLS.
		{agentGateway, "Listeners.NeedsCertificate", "options in place of certificates", one(options("a: b", "")), l, well, badReference + "InvalidCertificateRef"},
		// resolveGatewayBackendTLS.
		{agentGateway, "Listeners.ClientCertificate Gateways.SecretBeforeGrant", "a client certificate that is not there", clientCertificate, "Gateway/ns/g#http", well, "Accepted, NoConflicts, ResolvedRefs=false/InvalidClientCertificateRef"},
		// bundleCaCertificates.
		{agentGateway, "Listeners.PartialAuthorities", "one of two authorities", withCA(goodAuthority+", "+goneAuthority, https("{name: cert}")), g, notResolved, accepted},
		{agentGateway, "Listeners.AuthoritiesForTLS", "TLS that ends", withCA(goneAuthority, listener("l", 443, "TLS", "tls: {mode: Terminate, certificateRefs: [{name: cert}]}")), l, well, rejected + "InvalidCACertificateRef"},
		{agentGateway, "Listeners.OptionsReplaceAuthorities", "certificates of its own", withCA(goneAuthority, options("gateway.istio.io/tls-terminate-mode: ISTIO_MUTUAL", "")), l, rejected + "InvalidCACertificateRef", well},
		{agentGateway, "Listeners.AuthoritiesBySet", "the authorities of a ListenerSet", []string{
			gatewayOf("allowedListeners: {namespaces: {from: All}}, tls: {frontend: {default: {" + validation(goneAuthority) + "}}}, listeners: [" + http + "]"),
			listenerSet("ns", "set", https("{name: cert}")), cert,
		}, setL, rejected + "InvalidCACertificateRef", "Accepted=false/ListenersNotValid, NoConflicts, Programmed=false/Invalid, ResolvedRefs=false/InvalidCACertificateRef"},
		{agentGateway, "Gateways.AuthorityKeys", "a ConfigMap without ca.crt", append(withCA(goodAuthority, https("{name: cert}"))[:2], "{apiVersion: v1, kind: ConfigMap, metadata: {name: ca}, data: {other: x}}"), l, well, rejected + "InvalidCACertificateRef"},
		{agentGateway, "Gateways.AuthorityIsPEM", "ca.crt that is no certificate", append(withCA(goodAuthority, https("{name: cert}"))[:2], "{apiVersion: v1, kind: ConfigMap, metadata: {name: ca}, data: {ca.crt: x}}"), l, well, rejected + "InvalidCACertificateRef"},
		// translator/gateway_collection.go, validateListenerConflicts; api/annotations, ParseInternalPorts.
		{agentGateway, "Listeners.Modes Listeners.ModeConflict", "the other mode of a port", []string{
			open(plainHTTP("l")), "{apiVersion: gateway.networking.k8s.io/v1, kind: ListenerSet, metadata: {name: set, annotations: {agentgateway.dev/internal-ports: '80'}}, spec: {parentRef: {name: g}, listeners: [" + at("l", 80, "HTTP", "a.example") + "]}}",
		}, setL, well, "Accepted=false/BindModeConflict, Conflicted=true/BindModeConflict, Programmed=false/BindModeConflict, ResolvedRefs"},
		{agentGateway, "Listeners.Modes", "an annotation with a mistake", []string{
			"{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g, annotations: {agentgateway.dev/internal-ports: '80,81'}}, spec: {gatewayClassName: c, listeners: [" + plainHTTP("l") + "]}}",
		}, g, accepted, "Accepted=false/Invalid"},
		// BuildAgwBackendPolicyFilters.
		{agentGateway, "Routes.BackendFilters Routes.BackendError", "a filter at a backend", to("{name: near, port: 80, filters: [{type: CORS, cors: {}}]}"), r, ours + resolved, ours + unresolved + "BackendError"},
		{agentGateway, "Routes.BackendError", "it counts before any other", to(far + ", {name: gone, port: 80, filters: [{type: RequestMirror, requestMirror: {backendRef: " + gone + "}}]}"), r, ours + unresolved + "RefNotPermitted", ours + unresolved + "BackendError"},
		// plugins/reference_indexes.go, DefaultRouteBackend.
		{agentGateway, "Routes.DottedName", "a hostname as the name of a Service", []string{gateway("g", http), route("GRPCRoute", "ns", "r", "parentRefs: [{name: g}], "+refs("{name: near.ns, port: 80}"))}, "GRPCRoute/ns/r", ours + unresolved + "BackendNotFound", ours + unresolved + "UnsupportedValue"},
		{agentGateway, "Routes.DottedName", "a hostname in a mirror", filtered("{type: RequestMirror, requestMirror: {backendRef: {name: near.ns, port: 80}}}"), r, ours + unresolved + "BackendNotFound", ours + unresolved + "UnsupportedValue"},
		{agentGateway, "Routes.DottedPools", "a hostname as the name of an InferencePool", to("{group: inference.networking.k8s.io, kind: InferencePool, name: near.ns}"), r, ours + unresolved + "BackendNotFound", ours + unresolved + "BackendError"},
		// translator/route_collections.go.
		{agentGateway, "Routes.Unreported", "no status for a UDPRoute", []string{gateway("g", listener("l", 80, "UDP", "")), route("UDPRoute", "ns", "r", "parentRefs: [{name: g}]")}, "UDPRoute/ns/r", shared + "[l]: Accepted, ResolvedRefs", shared[:len(shared)-1] + ": missing"},
		{agentGateway, "Routes.NoMesh", "a Service is no parent", []string{gateway("g", http), nearby, httpRoute("parentRefs: [{group: '', kind: Service, name: near}]")}, r, "Service/ns/near []: Accepted, ResolvedRefs", "Service/ns/near: missing"},
		{
			agentGateway, "Routes.SharesVerdict", "one good section suffices",
			[]string{gateway("g", http), httpRoute("parentRefs: [{name: g, sectionName: gone}, {name: g}]")},
			r,
			shared + "[]: Accepted=false/NoMatchingParent, ResolvedRefs; " + shared + "[http]: Accepted, ResolvedRefs", shared + "[]: Accepted, ResolvedRefs; " + shared + "[http]: Accepted, ResolvedRefs",
		},
		{
			agentGateway, "Routes.SharesVerdict", "of several rejections the last by text is told of all",
			[]string{gateway("g", "{name: a, port: 80, protocol: HTTP, hostname: b.example}"), httpRoute("hostnames: [a.example], parentRefs: [{name: g, sectionName: gone}, {name: g, sectionName: a}]")},
			r,
			shared + "[]: Accepted=false/NoMatchingParent, ResolvedRefs; " + shared + "[]: Accepted=false/NoMatchingListenerHostname, ResolvedRefs",
			shared + "[]: Accepted=false/NoMatchingParent, ResolvedRefs; " + shared + "[]: Accepted=false/NoMatchingParent, ResolvedRefs",
		},
		{nginxGateway, "Routes.ExternalName Routes.NameResolver", "a Service that is a name outside", outside, r, ours + resolved, ours + unresolved + "UnsupportedValue"},
	}
}

// withOption is a Gateway with a listener that has TLS options.
func withOption(options string) []string {
	return []string{gateway("g", listener("l", 443, "HTTPS", "tls: {certificateRefs: [{name: cert}], options: {"+options+"}}")), cert}
}

func TestDepartures(t *testing.T) {
	for _, d := range departures() {
		t.Run(implementation.For(d.controller).Name+"/"+d.knobs+"/"+d.name, func(t *testing.T) {
			if d.specified == d.own {
				t.Fatal("that is no departure")
			}
			for controller, want := range map[string]string{"": d.specified, d.controller: d.own} {
				if got := verdict(t, claimed(t, under(controller), d.manifests...), d.node); got != want {
					t.Errorf("%s of %q:\n got %s\nwant %s", d.node, controller, got, want)
				}
			}
		})
	}
}

// A grant that another listener's certificate uses is read (Envoy Gateway, processSecretRef).
func TestGrantThatAnotherUses(t *testing.T) {
	manifests := []string{
		gateway("g", https("{name: gone, namespace: far}")+", "+strings.Replace(strings.Replace(https("{name: cert, namespace: far}"), "name: l", "name: other", 1), "443", "444", 1)),
		farGrant, farCert,
	}
	const want = badReference + "InvalidCertificateRef"
	if got := verdict(t, claimed(t, under(envoyGateway), manifests...), "Gateway/ns/g#l"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// Each knob that an implementation turns has a case above, or is not decided in
// this package.
func TestEveryKnobHasCase(t *testing.T) {
	elsewhere := []string{
		"Listeners.CountsReferences", // analyze/status counts
		"Listeners.CountsMirrors",    // so does it
		"Gateways.Parameters",        // says which kinds are read
		"Routes.Extensible",          // TestExtensibleBackends
		"Routes.BackendTLS",          // analyze/status joins it to the reasons
		"Routes.Controller",          // analyze/status writes it
		"Routes.Frontends",           // TestEvidentMesh
		"Routes.MirrorsEnd",          // TestMirrorsEnd
		"Routes.UnreadMirrors",       // TestUnreadMirrors
		"Routes.BackendReaders",      // TestUnreadMirrors
		"Routes.DroppedTells",        // analyze/status writes it over the parents
		"Routes.DroppedFirst",        // so does it
		"Routes.Replaced",            // and that, which TestEnvoyRoutes finds
		"Routes.LoneRule",            // TestTranslateTCPFilterChain
		// TestDelegationByImplementation
		"Routes.LabelDelegation", "Routes.PlainDelegates", "Routes.GrantedDelegates", "Routes.TakenDelegates",
	}
	covered := map[string]bool{}
	for _, d := range departures() {
		for _, knob := range strings.Fields(d.knobs) {
			covered[implementation.For(d.controller).Name+" "+knob] = true
		}
	}
	for _, i := range implementation.All() {
		if i.Name == "OpenShift" { // Istio by another name
			continue
		}
		for part, value := range map[string]any{"Listeners": i.Listeners, "Sets": i.Sets, "Gateways": i.Gateways, "Routes": i.Routes} {
			v := reflect.ValueOf(value)
			for f := range v.NumField() {
				knob := part + "." + v.Type().Field(f).Name
				name := i.Name + " " + knob
				if turned := !v.Field(f).IsZero(); turned != covered[name] && !slices.Contains(elsewhere, knob) {
					t.Errorf("%s: turned %t, covered %t", name, turned, covered[name])
				}
			}
		}
	}
}

// ListenerSets are on the merged data plane with their Gateways, if these take
// them; UDP is apart there, too, and nothing is merged unless the parameters say
// so (Envoy Gateway validate.go, CheckConflictedMergedListeners).
func TestMergedGateways(t *testing.T) {
	const (
		lostThere   = "Conflicted=true/HostnameConflict, ResolvedRefs"
		overlapping = "Accepted, NoConflicts, OverlappingTLSConfig=true/OverlappingHostnames, ResolvedRefs"
	)
	parameters := class("controllerName: " + envoyGateway + ", parametersRef: {group: gateway.envoyproxy.io, kind: EnvoyProxy, name: proxy, namespace: ns}")
	proxy := func(merge string) string {
		return "{apiVersion: gateway.envoyproxy.io/v1alpha1, kind: EnvoyProxy, metadata: {name: proxy}, spec: {mergeGateways: " + merge + "}}"
	}
	other := func(listeners string) string { return created(9, gateway("other", listeners)) }
	plainB := listener("b", 80, "HTTP", "")
	first := created(1, open(listener("a", 81, "HTTP", "")))
	set := created(2, listenerSet("ns", "set", listener("a", 80, "HTTP", "")))
	for _, r := range []rule{
		{"a ListenerSet of an older Gateway", closed(), []string{parameters, proxy("true"), first, set, other(plainB)}, map[string]string{"ListenerSet/ns/set#a": well, "Gateway/ns/other#b": lostThere}},
		{"one that is not taken", closed(), []string{parameters, proxy("true"), created(1, gateway("g", listener("a", 81, "HTTP", ""))), set, other(plainB)}, map[string]string{"Gateway/ns/other#b": well}},
		{"a ListenerSet of a younger Gateway", closed(), []string{parameters, proxy("true"), created(9, open(listener("a", 81, "HTTP", ""))), set, created(1, gateway("other", plainB))}, map[string]string{
			"Gateway/ns/other#b": well, "ListenerSet/ns/set#a": lostThere,
		}},
		{"TCP of a ListenerSet", closed(), []string{
			parameters, proxy("false"), created(1, open(listener("a", 80, "TCP", ""))), created(2, listenerSet("ns", "set", listener("a", 80, "TCP", ""))),
		}, map[string]string{"ListenerSet/ns/set#a": "Conflicted=true/ProtocolConflict, ResolvedRefs"}},
		{"another hostname", closed(), []string{parameters, proxy("true"), created(1, gateway("g", plainB)), other(at("b", 80, "HTTP", "b.example"))}, map[string]string{"Gateway/ns/g#b": well, "Gateway/ns/other#b": well}},
		{"another port", closed(), []string{parameters, proxy("true"), first, other(plainB)}, map[string]string{"Gateway/ns/g#a": well, "Gateway/ns/other#b": well}},
		{"UDP apart", closed(), []string{parameters, proxy("true"), created(1, gateway("g", plainB)), other(listener("b", 80, "UDP", ""))}, map[string]string{"Gateway/ns/g#b": well, "Gateway/ns/other#b": well}},
		{"UDP twice", closed(), []string{parameters, proxy("true"), created(1, gateway("g", listener("b", 80, "UDP", ""))), other(listener("b", 80, "UDP", ""))}, map[string]string{"Gateway/ns/g#b": well, "Gateway/ns/other#b": lostThere}},
		{"TCP twice in one Gateway", closed(), []string{parameters, proxy("true"), created(1, gateway("g", listener("a", 80, "TCP", "")+", "+listener("b", 80, "TCP", "")))}, map[string]string{"Gateway/ns/g#a": well, "Gateway/ns/g#b": lostThere}},
		{"what lost to another protocol before", closed(), []string{
			parameters, proxy("true"), created(1, open(listener("a", 80, "HTTP", ""))), created(2, listenerSet("ns", "set", listener("x", 80, "TCP", ""))), created(3, listenerSet("ns", "two", listener("x", 80, "TCP", ""))),
		}, map[string]string{
			"ListenerSet/ns/set#x": "Accepted=false/ProtocolConflict, Conflicted=true/ProtocolConflict, Programmed=false/ProtocolConflict, ResolvedRefs",
			"ListenerSet/ns/two#x": "Accepted=false/ProtocolConflict, Conflicted=true/HostnameConflict, Programmed=false/ProtocolConflict, ResolvedRefs",
		}},
		{"not merged", closed(), []string{parameters, proxy("false"), created(1, gateway("g", plainB)), other(plainB)}, map[string]string{"Gateway/ns/other#b": well}},
		{"hostnames that overlap", closed(), []string{parameters, proxy("true"), cert, created(1, gateway("g", at("a", 443, "HTTPS", "a.example"))), other(at("b", 443, "HTTPS", "'*.example'"))}, map[string]string{
			"Gateway/ns/g#a": overlapping, "Gateway/ns/other#b": overlapping,
		}},
		{"hostnames that overlap with who lost", closed(), []string{
			parameters, proxy("true"), cert, created(1, gateway("g", at("a", 443, "HTTPS", "'*.example'"))), other(at("b", 443, "HTTPS", "'*.example'") + ", " + at("d", 443, "HTTPS", "a.b.example")),
		}, map[string]string{"Gateway/ns/g#a": well, "Gateway/ns/other#b": lostThere, "Gateway/ns/other#d": well}},
		{"of another class", closed(), []string{
			parameters, proxy("true"), created(1, gateway("g", plainB)), strings.Replace(other(plainB), "gatewayClassName: c", "gatewayClassName: istio", 1),
		}, map[string]string{"Gateway/ns/g#b": well, "Gateway/ns/other#b": well}},
	} {
		r.check(t)
	}
}

// Where the first wins, who lost leaves its place to the next, and what is
// distinct stays: by protocol and hostname (kgateway validation.go), or by
// hostname among HTTP, HTTPS and TLS (Istio listener_conflict.go).
func TestFirstWins(t *testing.T) {
	host := func(name, protocol, host string) string { return at(name, 443, protocol, host) }
	tcp := func(name string) string { return listener(name, 443, "TCP", "") }
	for _, tt := range []struct {
		name       string
		listeners  []string
		kgw, istio string
	}{
		{name: "two hostnames", listeners: []string{host("a", "HTTPS", "a.example"), host("b", "HTTPS", "b.example")}, kgw: "++", istio: "++"},
		{name: "one hostname", listeners: []string{host("a", "HTTPS", "a.example"), host("b", "HTTPS", "a.example")}, kgw: "+h", istio: "+h"},
		{name: "no hostname twice", listeners: []string{listener("a", 443, "HTTP", ""), listener("b", 443, "HTTP", "")}, kgw: "+h", istio: "+h"},
		{name: "HTTPS and TLS, two hostnames", listeners: []string{host("a", "HTTPS", "a.example"), listener("b", 443, "TLS", "hostname: b.example, tls: {mode: Passthrough}")}, kgw: "++", istio: "++"},
		{name: "two protocols, two hostnames", listeners: []string{host("a", "HTTPS", "a.example"), host("b", "HTTP", "b.example")}, kgw: "+p", istio: "++"},
		{name: "two protocols, one hostname", listeners: []string{host("a", "HTTPS", "a.example"), host("b", "HTTP", "a.example")}, kgw: "+p", istio: "+p"},
		{name: "TCP beside a hostname", listeners: []string{host("a", "HTTP", "a.example"), tcp("b")}, kgw: "+p", istio: "+p"},
		{name: "a hostname beside TCP", listeners: []string{tcp("a"), host("b", "HTTP", "a.example")}, kgw: "+p", istio: "+p"},
		{name: "TCP twice", listeners: []string{tcp("a"), tcp("b")}, kgw: "+p", istio: "+p"},
		{name: "who lost leaves its place", listeners: []string{host("a", "HTTP", "a.example"), tcp("b"), host("c", "HTTP", "c.example")}, kgw: "+p+", istio: "+p+"},
	} {
		for controller, letters := range map[string]string{kGateway: tt.kgw, istioGateway: tt.istio} {
			want := map[string]string{}
			for i, letter := range letters {
				verdict := lost(letter)
				if controller == istioGateway && letter != '+' {
					verdict = strings.TrimSuffix(verdict, ", ResolvedRefs")
				}
				want[fmt.Sprintf("Gateway/ns/g#%c", 'a'+i)] = verdict
			}
			rule{tt.name + " " + controller, under(controller), []string{gateway("g", strings.Join(tt.listeners, ", ")), cert}, want}.check(t)
		}
	}
}

// A ServiceEntry as a parent, or one in the input, says that the mesh is Istio's, whoever has the Gateways.
func TestEvidentMesh(t *testing.T) {
	const entry = "ServiceEntry.networking.istio.io/ns/e"
	toEntry := route("HTTPRoute", "ns", "r", "parentRefs: [{group: networking.istio.io, kind: ServiceEntry, name: e}]")
	there := "{apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: {name: e}, spec: {hosts: [e.example], ports: [{number: 80, name: http}]}}"
	for _, controller := range []string{"", istioGateway, envoyGateway} {
		rule{"one that is not there, beside " + controller, under(controller), []string{gateway("g", http), toEntry}, map[string]string{"HTTPRoute/ns/r": entry + " []: Accepted=false/NoMatchingParent, ResolvedRefs"}}.check(t)
		rule{"one that is, beside " + controller, under(controller), []string{gateway("g", http), toEntry, there}, map[string]string{"HTTPRoute/ns/r": entry + " []: Accepted, ResolvedRefs"}}.check(t)
	}
	g := graph(t, closed(), there, toEntry)
	if got := g.Dominant().Name; got != "Istio" {
		t.Errorf("without a Gateway %q decides", got)
	}
}

// The first mirror of a GRPCRoute that fails ends the route; none of an HTTPRoute does, whatever the reason
// (Istio, gateway/conversion.go, convertGRPCRoute and convertHTTPRoute).
func TestMirrorsEnd(t *testing.T) {
	for kind, want := range map[string]string{"HTTPRoute": "InvalidKind", "GRPCRoute": "BackendNotFound"} {
		mirrors := "filters: [{type: RequestMirror, requestMirror: {backendRef: {name: gone, port: 80}}}]"
		manifests := []string{gateway("g", http), route(kind, "ns", "r", "parentRefs: [{name: g}], rules: [{"+mirrors+", backendRefs: [{group: acme.io, kind: Own, name: x}]}]")}
		rule{"then a backend of a " + kind, under(istioGateway), manifests, map[string]string{kind + "/ns/r": ours + unresolved + want}}.check(t)
		hard := strings.Replace(mirrors, "name: gone, port: 80", "name: gone.ns, port: 80", 1)
		manifests[1] = route(kind, "ns", "r", "parentRefs: [{name: g}], rules: [{"+hard+", backendRefs: [{group: acme.io, kind: Own, name: x}]}]")
		if kind == "GRPCRoute" {
			want = "InvalidDestination"
		}
		rule{"a hard error of a " + kind, under(istioGateway), manifests, map[string]string{kind + "/ns/r": ours + unresolved + want}}.check(t)
	}
}

// The backend of a GRPCRoute's mirror is found only if something else refers to it (Envoy Gateway,
// internal/provider/kubernetes/routes.go, processGRPCRouteFilter).
func TestUnreadMirrors(t *testing.T) {
	const mirrors = "parentRefs: [{name: g}], rules: [{filters: [{type: RequestMirror, requestMirror: {backendRef: " + near + "}}]}]"
	security := "{apiVersion: gateway.envoyproxy.io/v1alpha1, kind: SecurityPolicy, metadata: {name: p}, spec: {extAuth: {http: {backendRefs: [" + near + "]}}}}"
	unread := route("GRPCRoute", "ns", "r", mirrors)
	for name, r := range map[string]struct{ manifest, want string }{
		"of an HTTPRoute":               {route("HTTPRoute", "ns", "r", mirrors), resolved},
		"of a GRPCRoute":                {unread, unresolved + "BackendNotFound"},
		"of a port that is not there":   {strings.Replace(unread, "port: 80", "port: 81", 1), unresolved + "BackendNotFound"},
		"that another route mirrors to": {unread + "\n---\n" + route("HTTPRoute", "ns", "other", mirrors), resolved},
		"that another route leads to":   {unread + "\n---\n" + route("GRPCRoute", "ns", "other", "parentRefs: [{name: g}], "+refs(near)), resolved},
		"that a policy refers to":       {unread + "\n---\n" + security, resolved},
	} {
		kind := "GRPCRoute"
		if strings.Contains(name, "HTTP") {
			kind = "HTTPRoute"
		}
		rule{name, under(envoyGateway), append([]string{gateway("g", http), nearby}, strings.Split(r.manifest, "\n---\n")...), map[string]string{kind + "/ns/r": ours + r.want}}.check(t)
	}
	o := under(envoyGateway)
	o.Complete = false
	rule{"in a part of the cluster", o, []string{gateway("g", http), nearby, unread}, map[string]string{"GRPCRoute/ns/r": ours + "ResolvedRefs=unknown/BackendNotFound"}}.check(t)
}

// Protocols that the specification does not have conflict among themselves alone (Istio,
// gatewaycommon/listener_conflict.go, listenersDistinct).
func TestForeignProtocols(t *testing.T) {
	const unsupported = "Accepted=false/UnsupportedProtocol, NoConflicts, Programmed=false/Invalid, ResolvedRefs"
	rule{"beside HTTP", under(istioGateway), []string{gateway("g", "{name: a, port: 80, protocol: acme.io/own}, {name: b, port: 80, protocol: HTTP}")}, map[string]string{
		"Gateway/ns/g#a": unsupported, "Gateway/ns/g#b": well,
	}}.check(t)
	rule{"twice", under(istioGateway), []string{gateway("g", "{name: a, port: 80, protocol: acme.io/own, hostname: a.example}, {name: b, port: 80, protocol: acme.io/own, hostname: b.example}")}, map[string]string{
		"Gateway/ns/g#a": unsupported, "Gateway/ns/g#b": "Accepted=false/HostnameConflict, Conflicted=true/HostnameConflict, Programmed=false/HostnameConflict",
	}}.check(t)
}

// Some certificates serve as long as one is good, and what is only unknown is
// not bad (Envoy Gateway validate.go, validateTLSConfiguration).
func TestPartialCertificates(t *testing.T) {
	open := under(envoyGateway)
	open.Complete = false
	rule{"all are bad", under(envoyGateway), []string{gateway("g", https("{name: gone}, {name: lost}"))}, map[string]string{
		"Gateway/ns/g#l": badReference + "InvalidCertificateRef",
	}}.check(t)
	rule{"one is unknown", open, []string{gateway("g", https("{name: gone}, {name: cert}")), cert}, map[string]string{"Gateway/ns/g#l": notInInput}}.check(t)
	rule{"an authority is unknown", open, []string{
		gatewayOf("tls: {frontend: {default: {" + validation(goodAuthority) + "}}}, listeners: [" + https("{name: cert}") + "]"), cert,
	}, map[string]string{"Gateway/ns/g#l": notInInput}}.check(t)
	// Who serves with some of them, or may serve, is a rival (validate.go, isSpecValidForConflictChecks).
	twin := strings.Replace(https("{name: cert}"), "name: l", "name: twin", 1)
	for name, o := range map[string]inventory.Options{"some serve": under(envoyGateway), "it may serve": open} {
		rule{"a rival of which " + name, o, []string{gateway("g", https("{name: cert}, {name: gone}")+", "+twin), cert}, map[string]string{
			"Gateway/ns/g#twin": "Conflicted=true/HostnameConflict, ResolvedRefs",
		}}.check(t)
	}
	// A grant is missing only if that is all that is wrong (GetReferencedSecrets).
	rule{"none is permitted", under(envoyGateway), []string{gateway("g", https("{name: cert, namespace: far}, {name: other, namespace: far}"))}, map[string]string{
		"Gateway/ns/g#l": "NoConflicts, Programmed=false/Invalid, ResolvedRefs=false/RefNotPermitted",
	}}.check(t)
}

// Envoy Gateway takes kinds that are registered with it: those of the input are
// taken for such, read or not (extensionManager.backendResources).
func TestExtensibleBackends(t *testing.T) {
	own := refs("{group: acme.io, kind: Own, name: x}")
	manifests := []string{gateway("g", http), route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}], "+own)}
	for controller, want := range map[string][3]string{
		"":           {"ResolvedRefs", "ResolvedRefs=unknown/NotInInput", unresolved + "InvalidKind"},
		envoyGateway: {"ResolvedRefs", "ResolvedRefs", unresolved + "InvalidKind"},
		nginxGateway: {unresolved + "InvalidKind", unresolved + "InvalidKind", unresolved + "InvalidKind"},
	} {
		options := under(controller)
		rule{controller + " has one", options, append(manifests, plain("acme.io/v1", "Own", "ns", "x")), map[string]string{"HTTPRoute/ns/r": ours + want[0]}}.check(t)
		rule{controller + " has none", options, manifests, map[string]string{"HTTPRoute/ns/r": ours + want[2]}}.check(t)
		options.Unread = map[string]int{"acme.io/Own": 1}
		rule{controller + " has one that was not read", options, manifests, map[string]string{"HTTPRoute/ns/r": ours + want[1]}}.check(t)
	}
}

// The bundles of authorities are objects of no namespace (Envoy Gateway
// backendtlspolicy.go, getCaCertsFromCARefs).
func TestClusterTrustBundle(t *testing.T) {
	options := under(envoyGateway)
	options.External = map[loader.ID]bool{{Group: "certificates.k8s.io", Kind: "ClusterTrustBundle", Name: "ca"}: true}
	manifests := func(name string) []string {
		return []string{gatewayOf("tls: {frontend: {default: {" + validation("{group: certificates.k8s.io, kind: ClusterTrustBundle, name: "+name+"}") + "}}}, listeners: [" + https("{name: cert}") + "]"), cert}
	}
	rule{"there", options, manifests("ca"), map[string]string{"Gateway/ns/g#l": well}}.check(t)
	rule{"gone", options, manifests("gone"), map[string]string{"Gateway/ns/g#l": rejected + "InvalidCACertificateRef"}}.check(t)
}

// A controllerName of the caller's comes before that of the class, and a class
// that a controller makes itself has that of its name.
func TestWhichImplementation(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options inventory.Options
		class   string
		want    string
	}{
		{"the class", inventory.Options{}, class("controllerName: " + envoyGateway), "Envoy Gateway"},
		{"a controller that nobody knows", inventory.Options{}, class("controllerName: acme.io/controller"), ""},
		{"the caller", under(istioGateway), class("controllerName: " + envoyGateway), "Istio"},
		{"a class that is not in the input", under(nginxGateway), cert, "NGINX Gateway Fabric"},
		{"nobody knows", inventory.Options{}, cert, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := graph(t, tt.options, tt.class, gateway("g", http))
			if got := g.Implementation(nodeOf(t, g, "Gateway/ns/g")).Name; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := g.Dominant().Name; got != tt.want {
				t.Errorf("dominant: got %q, want %q", got, tt.want)
			}
		})
	}
	for name, want := range map[string]string{"istio": "Istio", "agentgateway": "agentgateway", "kgateway": "kgateway", "acme": ""} {
		g := graph(t, inventory.Options{}, "{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {gatewayClassName: "+name+", listeners: ["+http+"]}}")
		if got := g.Implementation(nodeOf(t, g, "Gateway/ns/g")).Name; got != want {
			t.Errorf("class %s: got %q, want %q", name, got, want)
		}
	}
}

// An error that ends a route counts before the filters of its rule, and after those of an earlier one (agentgateway,
// translator/conversion.go, ConvertHTTPRouteToAgw).
func TestBackendErrorOfRules(t *testing.T) {
	const mirror, dotted = "filters: [{type: RequestMirror, requestMirror: {backendRef: {name: gone, port: 80}}}]", "backendRefs: [{name: near.ns, port: 80}]"
	for rules, want := range map[string]string{
		"{" + mirror + ", " + dotted + "}":      "BackendError",
		"{" + mirror + "}, {" + dotted + "}":    "BackendNotFound",
		"{" + dotted + "}, {" + mirror + "}":    "BackendError",
		"{" + dotted + "}, {backendRefs: [{}]}": "BackendError",
	} {
		manifests := []string{gateway("g", http), route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}], rules: ["+rules+"]")}
		rule{rules, under(agentGateway), manifests, map[string]string{"HTTPRoute/ns/r": ours + unresolved + want}}.check(t)
	}
}
