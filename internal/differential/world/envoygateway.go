package world

import (
	"fmt"
	"maps"
	"slices"
)

const envoyGroup = "gateway.envoyproxy.io"

// EnvoyGateway is the dialect of Envoy Gateway.
var EnvoyGateway = Dialect{
	Controller: envoyGroup + "/gatewayclass-controller", Classes: []string{"eg"},
	RouteKinds:   []string{"HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"},
	ListenerSets: true,
	Backend:      reference{envoyGroup, "Backend", envoyBackends}, Filter: reference{envoyGroup, "HTTPRouteFilter", []string{"filter", "filter", "filter-2", "missing"}},
	ManyFilters: true,
	OddMatches:  true,
	Add:         envoyGateway,
}

// envoyRoutes are the kinds of route that each kind of policy takes; none take Gateways alone.
var envoyRoutes = map[string][]string{
	"BackendTrafficPolicy": {"HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"},
	"SecurityPolicy":       {"HTTPRoute", "GRPCRoute", "TCPRoute"},
	"EnvoyExtensionPolicy": {"HTTPRoute", "GRPCRoute", "TCPRoute"},
	"ClientTrafficPolicy":  nil,
}

// envoyBackends are the names of Backends, of which some namespaces have some.
var envoyBackends = []string{"be", "be", "many", "socket", "resolver", "secure", "missing"}

func envoyGateway(b *Builder) {
	for _, namespace := range namespaces {
		b.envoyBackends(namespace)
		b.envoyFilters(namespace)
		b.envoyData(namespace)
	}
	b.envoyProxies()
	for range pick(b, 0, 0, 1, 2) {
		b.envoyGrant()
	}
	for i := range b.between(1, 6) {
		kind := pick(b, "BackendTrafficPolicy", "BackendTrafficPolicy", "SecurityPolicy", "SecurityPolicy", "ClientTrafficPolicy", "EnvoyExtensionPolicy", "BackendTLSPolicy")
		name := fmt.Sprintf("p%d-%d", b.between(0, 9), i)
		if kind == "BackendTLSPolicy" {
			b.backendTLS(name)
			continue
		}
		b.envoyPolicy(kind, name)
	}
	if b.chance(0.1) {
		b.envoyPatch("patch")
	}
}

func (b *Builder) envoyBackends(namespace string) {
	fqdn, ip := fields{"fqdn": fields{"hostname": "be.example.org", "port": 443}}, fields{"ip": fields{"address": "1.2.3.4", "port": 80}}
	if b.mistake(0.1) {
		fqdn, ip = fields{"fqdn": fields{"hostname": pick(b, "be", "1.2.3.4"), "port": 443}}, fields{"ip": fields{"address": pick(b, "127.0.0.1", "127.0.0.2"), "port": 80}}
	}
	specs := map[string]fields{
		"be":       {"endpoints": list{pick(b, fqdn, ip)}},
		"many":     {"endpoints": list{ip, fields{"ip": fields{"address": "1.2.3.5", "port": 8080}}}},
		"socket":   {"endpoints": list{fields{"unix": fields{"path": "/run/s"}}}},
		"resolver": {"type": "DynamicResolver"},
		"secure": {"endpoints": list{fqdn}, "tls": pick(b, fields{"insecureSkipVerify": true}, fields{"wellKnownCACertificates": "System", "sni": "be.example.org"}, fields{"sni": "be.example.org"},
			fields{"caCertificateRefs": list{fields{"group": "", "kind": pick(b, "ConfigMap", "Secret"), "name": pick(b, "ca", "ca", "empty", "missing")}}},
			fields{"wellKnownCACertificates": "System", "clientCertificateRef": b.certificateRef()})},
	}
	for _, name := range slices.Sorted(maps.Keys(specs)) {
		if b.chance(0.5) {
			b.add(envoyGroup+"/v1alpha1", "Backend", namespace, name, b.sometimes(0.1, specs[name], fields{"fallback": true}))
		}
	}
}

func (b *Builder) envoyFilters(namespace string) {
	for _, name := range []string{"filter", "filter-2"} {
		if !b.chance(0.7) {
			continue
		}
		pattern := fields{"pattern": pick(b, "^/(.*)$", "^/(.*)$", "^/(["), "substitution": "/x"}
		spec := pick(b, fields{"urlRewrite": fields{"hostname": fields{"type": "Header", "header": "x-h"}}}, fields{"urlRewrite": fields{"hostname": fields{"type": "Backend"}}},
			fields{"urlRewrite": fields{"path": fields{"type": "ReplaceRegexMatch", "replaceRegexMatch": pattern}}}, fields{"urlRewrite": fields{"hostname": fields{"type": "PathRegex", "pathRegex": pattern}}},
			fields{"directResponse": fields{"statusCode": pick(b, 418, 200)}},
			fields{"directResponse": fields{"body": fields{"type": "ValueRef", "valueRef": fields{"group": "", "kind": "ConfigMap", "name": pick(b, "lua", "empty", "missing")}}}},
			fields{"credentialInjection": fields{"credential": fields{"valueRef": b.secretReference(pick(b, "users", "injected", "injected"))}}},
			fields{"matches": list{fields{"cookies": list{fields{"name": "c", "type": pick(b, "Exact", "RegularExpression"), "value": pick(b, "v", "[")}}}}})
		b.add(envoyGroup+"/v1alpha1", "HTTPRouteFilter", namespace, name, spec)
	}
}

// envoyData are the Secrets and ConfigMaps that policies and filters read.
func (b *Builder) envoyData(namespace string) {
	secret := func(name string, data fields) {
		if !b.mistake(0.3) {
			b.add("v1", "Secret", namespace, name, nil)["data"] = data
		}
	}
	secret("users", fields{".htpasswd": encoded("u:{SHA}qUqP5cyxm6YcTAhz05Hph5gvu9M="), "key": encoded("key"), "client-secret": encoded("s"), "client-id": encoded("c")})
	secret("odd", fields{".htpasswd": encoded(pick(b, "u:plain", "u", "u:{SHA}x")), "other": encoded("another key")})
	secret("injected", fields{"credential": encoded("Bearer x")})
	secret("registry", fields{".dockerconfigjson": encoded("{}")})
	text := func(name, key, data string) {
		if !b.mistake(0.3) {
			b.add("v1", "ConfigMap", namespace, name, nil)["data"] = fields{key: data}
		}
	}
	text("lua", "lua", "function envoy_on_response(h) end")
	text("body", "response.body", "b")
	b.add("v1", "ConfigMap", namespace, "empty", nil)["data"] = pick(b, fields{}, fields{"a": "1", "b": "2"})
}

// envoyGrant lets policies and filters refer to what another namespace has, or to routes there.
func (b *Builder) envoyGrant() {
	from := fields{"group": envoyGroup, "kind": pick(b, "SecurityPolicy", "SecurityPolicy", "EnvoyExtensionPolicy", "ClientTrafficPolicy", "BackendTrafficPolicy", "HTTPRouteFilter", "EnvoyProxy"), "namespace": pick(b, namespaces...)}
	to := pick(b, fields{"group": "", "kind": "Service"}, fields{"group": "", "kind": "Secret"}, fields{"group": "", "kind": "ConfigMap"}, fields{"group": envoyGroup, "kind": "Backend"}, fields{"group": gatewayAPI, "kind": "HTTPRoute"}, fields{"group": gatewayAPI, "kind": "Gateway"})
	b.add(gatewayAPI+"/v1", "ReferenceGrant", pick(b, namespaces...), fmt.Sprintf("grant-%d", b.next()), fields{"from": list{from}, "to": list{to}})
}

// envoyPatch adds a patch of a Gateway's configuration, or of its class's.
func (b *Builder) envoyPatch(name string) {
	gateway := pick(b, b.gateways...)
	target := fields{"group": gatewayAPI, "kind": "Gateway", "name": gateway.name}
	if b.chance(0.3) {
		target["kind"], target["name"] = "GatewayClass", b.dialect.Classes[0]
	}
	patch := fields{"type": "type.googleapis.com/envoy.config.listener.v3.Listener", "name": gateway.namespace + "/" + gateway.name + "/" + pick(b, gateway.sections...), "operation": fields{"op": "add", "path": "/per_connection_buffer_limit_bytes", "value": b.next()}}
	b.add(envoyGroup+"/v1alpha1", "EnvoyPatchPolicy", gateway.namespace, name, fields{"targetRef": target, "type": "JSONPatch", "jsonPatches": list{patch}})
}

func (b *Builder) envoyPolicy(kind, name string) {
	kinds := envoyRoutes[kind]
	if kinds == nil || b.chance(0.45) {
		kinds = []string{"Gateway", "Gateway", "ListenerSet"}
	}
	target := b.on(kinds...)
	namespace := target.namespace
	if b.mistake(0.08) {
		namespace = pick(b, namespaces...)
	}
	spec := fields{}
	form := pick(b, "refs", "refs", "refs", "refs", "ref", "selectors", "both")
	if form == "ref" {
		spec["targetRef"] = b.targetRef(target, true)
	}
	if form == "refs" || form == "both" {
		refs := list{b.targetRef(target, true)}
		if other := b.on(kinds...); b.chance(0.3) && other.name != target.name {
			refs = append(refs, b.targetRef(other, true))
		}
		spec["targetRefs"] = refs
	}
	if form == "selectors" || form == "both" {
		spec["targetSelectors"] = list{b.envoySelector(target.kind)}
	}
	if kinds[0] != "Gateway" && b.chance(0.5) {
		spec["mergeType"] = pick(b, "StrategicMerge", "StrategicMerge", "JSONMerge")
	}
	values := map[string]func(target string) map[string]func() any{
		"BackendTrafficPolicy": b.backendTraffic, "SecurityPolicy": b.security, "EnvoyExtensionPolicy": b.extension, "ClientTrafficPolicy": b.clientTraffic,
	}[kind](target.kind)
	b.add(envoyGroup+"/v1alpha1", kind, namespace, name, b.filled(spec, 4, values))
}

func (b *Builder) envoySelector(kind string) fields {
	s := fields{"kind": kind, "matchLabels": fields{"app": pick(b, "x", "y")}}
	if b.chance(0.2) {
		s = fields{"kind": kind, "matchExpressions": list{fields{"key": "app", "operator": pick(b, "Exists", "DoesNotExist")}}}
	}
	return b.sometimes(0.3, s, fields{"namespaces": b.fromNamespaces()})
}

// reference to a Service, which may be missing or belong to somebody else.
func (b *Builder) reference() fields {
	ref := fields{"name": "svc-1", "port": 80}
	if b.mistake(0.2) {
		ref["name"] = "missing"
	}
	if b.mistake(0.15) {
		ref["port"] = 81
	}
	if b.mistake(0.25) {
		ref["namespace"] = pick(b, namespaces...)
	}
	return ref
}

func (b *Builder) secretReference(name string) fields {
	ref := fields{"name": name}
	if b.mistake(0.3) {
		ref["name"] = "missing"
	}
	if b.mistake(0.15) {
		ref["namespace"] = pick(b, namespaces...)
	}
	return ref
}
