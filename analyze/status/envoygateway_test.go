package status_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
)

// egWorld is a Gateway of Envoy Gateway with one listener for routes of its own namespace.
const egWorld = `
{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: c}, spec: {controllerName: gateway.envoyproxy.io/gatewayclass-controller}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g, namespace: shop}, spec: {gatewayClassName: c, allowedListeners: {namespaces: {from: Same}}, listeners: [{name: l, port: 80, protocol: HTTP}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: svc, namespace: shop}, spec: {ports: [{name: http, port: 80}, {name: alt, port: 81}]}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: ca, namespace: shop}, data: {ca.crt: x}}
`

func egRoute(kind, namespace, name, parent, rules string) string {
	return fmt.Sprintf("{apiVersion: gateway.networking.k8s.io/v1, kind: %s, metadata: {name: %s, namespace: %s}, spec: {parentRefs: [{name: g, namespace: shop%s}], rules: [%s]}}",
		kind, name, namespace, parent, rules)
}

func tlsPolicy(name, section, ca string) string {
	return fmt.Sprintf("{apiVersion: gateway.networking.k8s.io/v1, kind: BackendTLSPolicy, metadata: {name: %s, namespace: shop}, spec: "+
		"{targetRefs: [{group: '', kind: Service, name: svc%s}], validation: {hostname: x.example, caCertificateRefs: [{group: '', kind: ConfigMap, name: %s}]}}}", name, section, ca)
}

func egPolicy(kind, spec string) string {
	return fmt.Sprintf("{apiVersion: gateway.envoyproxy.io/v1alpha1, kind: %s, metadata: {name: p, namespace: shop}, spec: {%s}}", kind, spec)
}

// shown writes parents, or else ancestors, with their conditions, or else whether the object itself is accepted.
func shown(s plan.Status) []string {
	var out []string
	show := func(ref plan.Reference, conditions []plan.Condition) {
		text := ref.Name
		if ref.SectionName != "" {
			text += "#" + ref.SectionName
		}
		if ref.Port != 0 {
			text += fmt.Sprintf(":%d", ref.Port)
		}
		for _, c := range conditions {
			text += fmt.Sprintf(" %s=%s/%s", c.Type, c.Status, c.Reason)
		}
		out = append(out, text)
	}
	for _, c := range s.Conditions {
		if c.Type == "Accepted" {
			out = append(out, fmt.Sprintf("%s=%s/%s", c.Type, c.Status, c.Reason))
		}
	}
	for _, p := range s.Parents {
		show(p.ParentRef, p.Conditions)
	}
	for _, a := range s.Ancestors {
		show(a.AncestorRef, a.Conditions)
	}
	return out
}

// The statuses that Envoy Gateway writes, by the functions of its package internal/gatewayapi.
func TestEnvoyGateway(t *testing.T) {
	const (
		toSvc    = "{backendRefs: [{name: svc, port: 80}]}"
		toMirror = "{filters: [{type: RequestMirror, requestMirror: {backendRef: {name: svc, port: 80}}}]}"
		noFilter = "{filters: [{type: RequestHeaderModifier, requestHeaderModifier: {remove: ['']}}]}"
		accepted = " Accepted=True/Accepted"
		resolved = " ResolvedRefs=True/ResolvedRefs"
		noCA     = " Accepted=False/NoValidCACertificate ResolvedRefs=False/InvalidCACertificateRef"
		invalid  = " Accepted=False/Invalid"
	)
	plain := egRoute("HTTPRoute", "shop", "r", "", toSvc)
	patch := func(kind, name string) string {
		return egPolicy("EnvoyPatchPolicy", "targetRef: {group: gateway.networking.k8s.io, kind: "+kind+", name: "+name+"}, type: JSONPatch, jsonPatches: []")
	}
	merging := []string{
		"{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: merged}, spec: {controllerName: gateway.envoyproxy.io/gatewayclass-controller, parametersRef: {group: gateway.envoyproxy.io, kind: EnvoyProxy, name: proxy, namespace: shop}}}",
		"{apiVersion: gateway.envoyproxy.io/v1alpha1, kind: EnvoyProxy, metadata: {name: proxy, namespace: shop}, spec: {mergeGateways: true}}",
		"{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: m, namespace: shop}, spec: {gatewayClassName: merged, listeners: [{name: l, port: 81, protocol: HTTP}]}}",
	}
	const invalidProxy = "Accepted=False/InvalidParameters"
	proxyOf := func(spec string) string {
		return "{apiVersion: gateway.envoyproxy.io/v1alpha1, kind: EnvoyProxy, metadata: {name: proxy, namespace: shop}, spec: {" + spec + "}}"
	}
	ownProxy := func(spec string) string {
		return strings.Replace(proxyOf(spec), "name: proxy", "name: own", 1) + "\n---\n" +
			strings.Replace(merging[2], "spec: {", "spec: {infrastructure: {parametersRef: {group: gateway.envoyproxy.io, kind: EnvoyProxy, name: own}}, ", 1)
	}
	secretWith := func(key string) string {
		return "{apiVersion: v1, kind: Secret, metadata: {name: own, namespace: shop}, stringData: {" + key + ": x}}"
	}
	streams := func(protocol string) string {
		return "{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: streams, namespace: shop}, spec: {gatewayClassName: c, listeners: [{name: s, port: 9000, protocol: " + protocol + "}]}}"
	}
	ownTLS := func(tls string) string {
		return "{apiVersion: gateway.envoyproxy.io/v1alpha1, kind: Backend, metadata: {name: be, namespace: shop}, spec: {endpoints: [{ip: {address: 10.0.0.1, port: 443}}], tls: {" + tls + "}}}"
	}
	toBackend := egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{group: gateway.envoyproxy.io, kind: Backend, name: be}]}")
	const (
		other   = "{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: other, namespace: shop}, spec: {gatewayClassName: c, listeners: [{name: s, port: 443, protocol: HTTPS, tls: {certificateRefs: [{name: cert}]}}]}}"
		cert    = "{apiVersion: v1, kind: Secret, metadata: {name: cert, namespace: shop}, type: kubernetes.io/tls}"
		onOther = "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: other}], "
	)
	const (
		ports = "{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: ports, namespace: shop}, spec: {gatewayClassName: c, allowedListeners: {namespaces: {from: Same}}, listeners: [{name: a, port: 80, protocol: HTTP}]}}"
		set   = "{apiVersion: gateway.networking.k8s.io/v1, kind: ListenerSet, metadata: {name: set, namespace: shop}, spec: {parentRef: {name: ports}, listeners: [{name: b, port: 80, protocol: HTTP, hostname: b.example}, {name: c, port: 80, protocol: HTTP, hostname: c.example}]}}"
		onSet = "targetRefs: [{group: gateway.networking.k8s.io, kind: ListenerSet, name: set"
	)
	onTCP := "targetRefs: [{group: gateway.networking.k8s.io, kind: TCPRoute, name: r}], "
	onRoute := "targetRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: r}], "
	places := egPolicy("SecurityPolicy", onRoute+"authorization: {rules: [{action: Deny, principal: {clientIPGeoLocations: [{country: DE}]}}]}")
	detects := func(gateway, how string) string {
		return egPolicy("ClientTrafficPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: "+gateway+"}], clientIPDetection: {"+how+"}")
	}
	for _, tt := range []struct {
		name, object string
		manifests    []string
		want         []string
	}{
		{"backendtlspolicy.go, getCaCertsFromCARefs: the group of an authority does not count", "HTTPRoute/r", []string{
			plain, strings.Replace(tlsPolicy("p", "", "ca"), "{group: '', kind: ConfigMap", "{group: acme.io, kind: ConfigMap", 1),
		}, []string{"g" + accepted + resolved}},
		{"route.go, processDestination: a policy without an authority", "HTTPRoute/r", []string{plain, tlsPolicy("p", "", "gone")}, []string{"g" + accepted + " ResolvedRefs=False/InvalidBackendTLS"}},
		{"route.go, processDestination: reasons are joined", "HTTPRoute/r", []string{
			egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{name: svc, port: 80}, {name: gone, port: 80}]}"), tlsPolicy("p", "", "gone"),
		}, []string{"g" + accepted + " ResolvedRefs=False/BackendNotFound,InvalidBackendTLS"}},
		{"route.go, processDestination: each port of a Service", "HTTPRoute/r", []string{
			egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{name: svc, port: 81}, {name: svc, port: 80}]}"), tlsPolicy("p", ", sectionName: http", "gone"),
		}, []string{"g" + accepted + " ResolvedRefs=False/InvalidBackendTLS"}},
		{"route.go, processDestination: weight 0 has no connections", "HTTPRoute/r", []string{
			egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{name: svc, port: 80, weight: 0}]}"), tlsPolicy("p", "", "gone"),
		}, []string{"g" + accepted + resolved}},
		{"route.go, processDestination: weight 0 beside a weight, to one Service", "HTTPRoute/r", []string{
			egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{name: svc, port: 80, weight: 0}, {name: svc, port: 80}]}"), tlsPolicy("p", "", "gone"),
		}, []string{"g" + accepted + " ResolvedRefs=False/InvalidBackendTLS"}},
		{"helpers.go, computeHosts: a listener that lost a hostname does not have it", "HTTPRoute/r", []string{
			"{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: h, namespace: shop}, spec: {gatewayClassName: c, allowedListeners: {namespaces: {from: Same}}, listeners: [{name: l, port: 80, protocol: HTTP, hostname: a.example}]}}",
			"{apiVersion: gateway.networking.k8s.io/v1, kind: ListenerSet, metadata: {name: s, namespace: shop}, spec: {parentRef: {name: h}, listeners: [{name: m, port: 80, protocol: HTTP, hostname: a.example}]}}",
			"{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r, namespace: shop}, spec: {parentRefs: [{name: h}], hostnames: [a.example], rules: [{backendRefs: [{name: svc, port: 80}]}]}}",
		}, []string{"h" + accepted + resolved}},
		{"getBackendTLSPolicy: the policy of another port", "HTTPRoute/r", []string{plain, tlsPolicy("p", ", sectionName: alt", "gone")}, []string{"g" + accepted + resolved}},
		{"getBackendTLSPolicy: the policy of the port first", "HTTPRoute/r", []string{plain, tlsPolicy("p", ", sectionName: http", "ca"), tlsPolicy("q", "", "gone")}, []string{"g" + accepted + resolved}},
		{"getBackendTLSPolicy: the policy on the port takes the connections", "BackendTLSPolicy/q", []string{plain, tlsPolicy("p", ", sectionName: http", "ca"), tlsPolicy("q", "", "ca")}, nil},
		{"processServerValidationTLSSettings: an authority that does not exist", "HTTPRoute/r", []string{
			toBackend, ownTLS("caCertificateRefs: [{group: '', kind: ConfigMap, name: gone}]"),
		}, []string{"g" + accepted + " ResolvedRefs=False/InvalidBackendTLS"}},
		{"getCaCertsFromCARefs: unknown kinds beside a good one", "HTTPRoute/r", []string{
			toBackend, ownTLS("caCertificateRefs: [{group: '', kind: ConfigMap, name: ca}, {group: x.io, kind: CA, name: gone}]"),
		}, []string{"g" + accepted + resolved}},
		{"getCaCertsFromCARefs: unknown kinds alone", "HTTPRoute/r", []string{
			toBackend, ownTLS("caCertificateRefs: [{group: x.io, kind: CA, name: gone}]"),
		}, []string{"g" + accepted + " ResolvedRefs=False/InvalidBackendTLS"}},
		{"processClientTLSSettings: a Secret that does not exist", "HTTPRoute/r", []string{
			toBackend, ownTLS("wellKnownCACertificates: System, clientCertificateRef: {name: gone}"),
		}, []string{"g" + accepted + " ResolvedRefs=False/InvalidBackendTLS"}},
		{"validateBackendTLSSettings: another namespace", "HTTPRoute/r", []string{
			toBackend, ownTLS("wellKnownCACertificates: System, clientCertificateRef: {name: gone, namespace: other}"),
		}, []string{"g" + accepted + " ResolvedRefs=False/InvalidBackendRef"}},
		{"processBackendTLSPolicy: weight 0 gives no ancestor", "BackendTLSPolicy/p", []string{
			egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{name: svc, port: 80, weight: 0}]}"), tlsPolicy("p", "", "ca"),
		}, nil},
		{"processBackendTLSPolicy: nor does a port that does not exist", "BackendTLSPolicy/p", []string{
			egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{name: svc, port: 99}]}"), tlsPolicy("p", "", "ca"),
		}, nil},
		{"ancestorRefsEqual: ports are not compared, HTTPRoutes come first", "BackendTLSPolicy/p", []string{
			egRoute("GRPCRoute", "shop", "a", "", toSvc), egRoute("HTTPRoute", "shop", "r", ", port: 80", toSvc), tlsPolicy("p", "", "gone"),
		}, []string{"g:80" + noCA}},
		{"processRequestMirrorFilter: an ancestor, whatever the listeners allow", "BackendTLSPolicy/p", []string{
			egRoute("HTTPRoute", "shop", "r", ", sectionName: other", toMirror), tlsPolicy("p", "", "ca"),
		}, []string{"g#other" + accepted + resolved}},
		{"processRequestMirrorFilter: the policy on the port takes the copies", "BackendTLSPolicy/q", []string{
			egRoute("HTTPRoute", "shop", "r", "", toMirror), tlsPolicy("p", ", sectionName: http", "ca"), tlsPolicy("q", "", "ca"),
		}, nil},
		{"processRequestMirrorFilter: that policy is the one", "BackendTLSPolicy/p", []string{
			egRoute("HTTPRoute", "shop", "r", "", toMirror), tlsPolicy("p", ", sectionName: http", "ca"),
		}, []string{"g" + accepted + resolved}},
		{"processRequestMirrorFilter: not the one of another port", "BackendTLSPolicy/p", []string{
			egRoute("HTTPRoute", "shop", "r", "", toMirror), tlsPolicy("p", ", sectionName: alt", "ca"),
		}, nil},
		{"processRequestMirrorFilter: copies that cannot be secured", "HTTPRoute/r", []string{
			egRoute("HTTPRoute", "shop", "r", "", toMirror), tlsPolicy("p", "", "gone"),
		}, []string{"g" + accepted + " ResolvedRefs=False/InvalidBackendTLS"}},
		{"validateSecurityPolicy: for a route", "SecurityPolicy/p", []string{plain, egPolicy("SecurityPolicy", onRoute+"oidc: {passThroughAuthHeader: true}")}, []string{"g" + invalid}},
		{"validateSecurityPolicy: not for a Gateway", "SecurityPolicy/p", []string{
			plain, egPolicy("SecurityPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: g}], oidc: {passThroughAuthHeader: true}"),
		}, []string{"g" + accepted}},
		{"buildBasicAuth", "SecurityPolicy/p", []string{plain, secretWith("auth"), egPolicy("SecurityPolicy", onRoute+"basicAuth: {users: {name: own}}")}, []string{"g" + invalid}},
		{"buildBasicAuth: users", "SecurityPolicy/p", []string{plain, strings.Replace(secretWith(".htpasswd"), ": x}", ": 'a:{SHA}qUqP5cyxm6YcTAhz05Hph5gvu9M='}", 1), egPolicy("SecurityPolicy", onRoute+"basicAuth: {users: {name: own}}")}, []string{"g" + accepted}},
		{"validateHtpasswdFormat", "SecurityPolicy/p", []string{plain, secretWith(".htpasswd"), egPolicy("SecurityPolicy", onRoute+"basicAuth: {users: {name: own}}")}, []string{"g" + invalid}},
		{"buildOIDC", "SecurityPolicy/p", []string{plain, secretWith("secret"), egPolicy("SecurityPolicy", onRoute+"oidc: {clientSecret: {name: own}}")}, []string{"g" + invalid}},
		{"buildOIDC: a secret", "SecurityPolicy/p", []string{plain, secretWith("client-secret"), egPolicy("SecurityPolicy", onRoute+"oidc: {clientSecret: {name: own}}")}, []string{"g" + accepted}},
		{"validateOIDCIssuerURL", "SecurityPolicy/p", []string{plain, secretWith("client-secret"), egPolicy("SecurityPolicy", onRoute+"oidc: {provider: {issuer: 'http://i.example.com'}, clientSecret: {name: own}}")}, []string{"g" + invalid}},
		{"validateOIDCIssuerURL: https", "SecurityPolicy/p", []string{plain, secretWith("client-secret"), egPolicy("SecurityPolicy", onRoute+"oidc: {provider: {issuer: 'https://i.example.com/a'}, clientSecret: {name: own}}")}, []string{"g" + accepted}},
		{"buildLocalJWKS", "SecurityPolicy/p", []string{
			plain, "{apiVersion: v1, kind: ConfigMap, metadata: {name: none, namespace: shop}, data: {}}",
			egPolicy("SecurityPolicy", onRoute+"jwt: {providers: [{name: a, localJWKS: {type: ValueRef, valueRef: {group: '', kind: ConfigMap, name: none}}}]}"),
		}, []string{"g" + invalid}},
		{"getContextExtensionValueFromRef", "SecurityPolicy/p", []string{plain, egPolicy("SecurityPolicy", onRoute+"extAuth: {http: {backendRefs: [{name: svc, port: 80}]}, contextExtensions: [{name: a, type: ValueRef, valueRef: {group: '', kind: ConfigMap, name: ca, key: gone}}]}")}, []string{"g" + invalid}},
		{"getContextExtensionValueFromRef: a key", "SecurityPolicy/p", []string{plain, egPolicy("SecurityPolicy", onRoute+"extAuth: {http: {backendRefs: [{name: svc, port: 80}]}, contextExtensions: [{name: a, type: ValueRef, valueRef: {group: '', kind: ConfigMap, name: ca, key: ca.crt}}]}")}, []string{"g" + accepted}},
		{"getContextExtensionValueFromRef: of a Secret", "SecurityPolicy/p", []string{plain, secretWith("other"), egPolicy("SecurityPolicy", onRoute+"extAuth: {http: {backendRefs: [{name: svc, port: 80}]}, contextExtensions: [{name: a, type: ValueRef, valueRef: {group: '', kind: Secret, name: own, key: key}}]}")}, []string{"g" + invalid}},
		{"buildLocalJWKS: any key", "SecurityPolicy/p", []string{
			plain, egPolicy("SecurityPolicy", onRoute+"jwt: {providers: [{name: a, localJWKS: {type: ValueRef, valueRef: {group: '', kind: ConfigMap, name: ca}}}]}"),
		}, []string{"g" + accepted}},
		{"processHTTPRouteParentRefs: rules without a listener", "HTTPRoute/r", []string{egRoute("HTTPRoute", "shop", "r", ", sectionName: other", noFilter)}, []string{"g#other Accepted=False/UnsupportedValue" + resolved}},
		{"processHTTPRouteParentRefs: some of them", "HTTPRoute/r", []string{egRoute("HTTPRoute", "shop", "r", ", sectionName: other", toSvc+", "+noFilter)}, []string{"g#other" + accepted + resolved + " PartiallyInvalid=True/UnsupportedValue"}},
		{"translateSecurityPolicyForRoute: a service that does not exist", "SecurityPolicy/p", []string{
			plain, egPolicy("SecurityPolicy", onRoute+"extAuth: {http: {backendRefs: [{name: gone, port: 80}]}}"),
		}, []string{"g" + invalid}},
		{"ProcessClientTrafficPolicies: what shares a port is overridden all the same", "ClientTrafficPolicy/p", []string{
			ports, set, egPolicy("ClientTrafficPolicy", onSet+"}]"), strings.Replace(egPolicy("ClientTrafficPolicy", onSet+", sectionName: b}]"), "name: p,", "name: q,", 1),
		}, []string{"set" + invalid + " Overridden=True/Overridden"}},
		{"ProcessClientTrafficPolicies: what shares a port claims no listener", "ClientTrafficPolicy/p", []string{
			ports, set, egPolicy("ClientTrafficPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: ports}]"),
			strings.Replace(egPolicy("ClientTrafficPolicy", onSet+"}]"), "name: p,", "name: q,", 1),
		}, []string{"ports" + accepted}},
		{"validateSecurityPolicyForTCP: before any merge", "SecurityPolicy/p", []string{
			egRoute("TCPRoute", "shop", "r", ", sectionName: tcp", toSvc), "{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: h, namespace: shop}, spec: {}}",
			egPolicy("SecurityPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: h}, {group: gateway.networking.k8s.io, kind: TCPRoute, name: r}], mergeType: StrategicMerge, basicAuth: {users: {name: gone}}"),
		}, []string{"g#tcp" + invalid}},
		{"validateSecurityPolicyForTCP: connections have no tokens", "SecurityPolicy/p", []string{
			egRoute("TCPRoute", "shop", "r", ", sectionName: tcp", toSvc), egPolicy("SecurityPolicy", onTCP+"authorization: {rules: [{action: Allow, principal: {jwt: {provider: a, scopes: [b]}}}]}"),
		}, []string{"g#tcp" + invalid}},
		{"validateSecurityPolicyForTCP: addresses", "SecurityPolicy/p", []string{
			egRoute("TCPRoute", "shop", "r", ", sectionName: tcp", toSvc), egPolicy("SecurityPolicy", onTCP+"authorization: {rules: [{action: Allow, principal: {clientCIDRs: [10.0.0.0/8]}}]}"),
		}, []string{"g#tcp" + accepted}},
		{"validateAuthorizationGeoIP: no addresses of clients", "SecurityPolicy/p", []string{plain, places}, []string{"g" + invalid}},
		{"validateAuthorizationGeoIP: no data", "SecurityPolicy/p", []string{plain, places, detects("g", "directSourceIP: {}")}, []string{"g" + invalid}},
		{"validateAuthorizationGeoIP: two ways", "SecurityPolicy/p", []string{
			merging[0], proxyOf("geoIP: {provider: {maxMind: {cityDbSource: {local: {path: /a}}}}}"), merging[2], strings.Replace(places, "kind: HTTPRoute, name: r", "kind: Gateway, name: m", 1),
			detects("m", "directSourceIP: {}, customHeader: {name: x}"),
		}, []string{"m" + invalid}},
		{"validateAuthorizationGeoIP: other data", "SecurityPolicy/p", []string{
			merging[0], proxyOf("geoIP: {provider: {maxMind: {asnDbSource: {local: {path: /a}}}}}"), merging[2], strings.Replace(places, "kind: HTTPRoute, name: r", "kind: Gateway, name: m", 1), detects("m", "directSourceIP: {}"),
		}, []string{"m" + invalid}},
		{"validateAuthorizationGeoIP: all there", "SecurityPolicy/p", []string{
			merging[0], proxyOf("geoIP: {provider: {maxMind: {cityDbSource: {local: {path: /a}}}}}"), merging[2], strings.Replace(places, "kind: HTTPRoute, name: r", "kind: Gateway, name: m", 1), detects("m", "directSourceIP: {}"),
		}, []string{"m" + accepted}},
		{"processDestinationFilters", "HTTPRoute/r", []string{
			egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{name: svc, port: 80, filters: [{type: ExtensionRef, extensionRef: {group: gateway.envoyproxy.io, kind: HTTPRouteFilter, name: gone}}]}]}"),
		}, []string{"g" + accepted + " ResolvedRefs=False/InvalidBackendFilters"}},
		{"processDestinationFilters: a header that no filter can change", "HTTPRoute/r", []string{
			egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{name: svc, port: 80, filters: [{type: RequestHeaderModifier, requestHeaderModifier: {remove: ['']}}]}]}"),
		}, []string{"g" + accepted + " ResolvedRefs=False/InvalidBackendFilters"}},
		{"processDestinationFilters: of a backend that is not there", "HTTPRoute/r", []string{
			egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{name: gone, port: 80, filters: [{type: RequestHeaderModifier, requestHeaderModifier: {remove: ['']}}]}]}"),
		}, []string{"g" + accepted + " ResolvedRefs=False/BackendNotFound"}},
		{"processUnresolvedHTTPFilter: beside a mirror", "HTTPRoute/r", []string{
			egRoute("HTTPRoute", "shop", "r", "", toSvc+", {filters: [{type: RequestMirror, requestMirror: {backendRef: {name: svc, port: 80}}}, {type: ExtensionRef, extensionRef: {group: gateway.envoyproxy.io, kind: HTTPRouteFilter, name: gone}}]}"),
		}, []string{"g" + accepted + " ResolvedRefs=False/UnsupportedValue PartiallyInvalid=True/IncompatibleFilters"}},
		{"translateExtServiceBackendRefs: hostnames beside addresses", "SecurityPolicy/p", []string{
			plain, strings.Replace(ownTLS(""), "ip: {address: 10.0.0.1, port: 443}", "fqdn: {hostname: a.example, port: 443}", 1),
			egPolicy("SecurityPolicy", onRoute+"extAuth: {http: {backendRefs: [{name: svc, port: 80}, {group: gateway.envoyproxy.io, kind: Backend, name: be}]}}"),
		}, []string{"g" + invalid}},
		{"translateExtServiceBackendRefs: addresses", "SecurityPolicy/p", []string{
			plain, ownTLS("insecureSkipVerify: true"), egPolicy("SecurityPolicy", onRoute+"extAuth: {http: {backendRefs: [{name: svc, port: 80}, {group: gateway.envoyproxy.io, kind: Backend, name: be}]}}"),
		}, []string{"g" + accepted}},
		{"buildWasm: an authority of another namespace", "EnvoyExtensionPolicy/p", []string{
			plain, "{apiVersion: v1, kind: ConfigMap, metadata: {name: ca, namespace: other}, data: {ca.crt: x}}",
			egPolicy("EnvoyExtensionPolicy", onRoute+"wasm: [{code: {type: HTTP, http: {url: 'https://a.example', tls: {caCertificateRef: {kind: ConfigMap, group: '', name: ca, namespace: other}}}}}]"),
		}, []string{"g" + invalid}},
		{"translateSecurityPolicyForRoute: not looked at without a listener", "SecurityPolicy/p", []string{
			egRoute("HTTPRoute", "shop", "r", ", sectionName: other", toSvc),
			egPolicy("SecurityPolicy", onRoute+"extAuth: {http: {backendRefs: [{name: gone, port: 80}]}}"),
		}, []string{"g#other" + accepted}},
		{"translateSecurityPolicyForRoute: but its users are", "SecurityPolicy/p", []string{
			egRoute("HTTPRoute", "shop", "r", ", sectionName: other", toSvc),
			egPolicy("SecurityPolicy", onRoute+"basicAuth: {users: {name: gone}}, extAuth: {http: {backendRefs: [{name: gone, port: 80}]}}"),
		}, []string{"g#other" + invalid}},
		{"translateEnvoyExtensionPolicyForRoute: not looked at without a listener", "EnvoyExtensionPolicy/p", []string{
			egRoute("HTTPRoute", "shop", "r", ", sectionName: other", toSvc),
			egPolicy("EnvoyExtensionPolicy", onRoute+"extProc: [{backendRefs: [{name: gone, port: 80}]}]"),
		}, []string{"g#other" + accepted}},
		{"buildDynamicModules: not registered", "EnvoyExtensionPolicy/p", []string{plain, egPolicy("EnvoyExtensionPolicy", onRoute+"dynamicModule: [{name: a}]")}, []string{"g" + invalid}},
		{"buildDynamicModules: registered for the class", "EnvoyExtensionPolicy/p", []string{
			merging[0], proxyOf("dynamicModules: [{name: a, source: {local: {path: /a.so}}}]"), merging[2],
			egPolicy("EnvoyExtensionPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: m}], dynamicModule: [{name: a}]"),
		}, []string{"m" + accepted}},
		{"MergeEnvoyProxyConfigs: a Gateway's own EnvoyProxy replaces that of its class", "EnvoyExtensionPolicy/p", []string{
			merging[0], proxyOf("dynamicModules: [{name: a, source: {local: {path: /a.so}}}]"), ownProxy(""),
			egPolicy("EnvoyExtensionPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: m}], dynamicModule: [{name: a}]"),
		}, []string{"m" + invalid}},
		{"MergeEnvoyProxyConfigs: unless both are merged", "EnvoyExtensionPolicy/p", []string{
			merging[0], proxyOf("dynamicModules: [{name: a, source: {local: {path: /a.so}}}]"), ownProxy("mergeType: JSONMerge"),
			egPolicy("EnvoyExtensionPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: m}], dynamicModule: [{name: a}]"),
		}, []string{"m" + accepted}},
		{"ext_service.go: connections that cannot be secured", "SecurityPolicy/p", []string{
			plain, tlsPolicy("q", "", "gone"), egPolicy("SecurityPolicy", onRoute+"extAuth: {http: {backendRefs: [{name: svc, port: 80}]}}"),
		}, []string{"g" + invalid}},
		{"processTCPRouteParentRefs: two rules, whatever the listeners allow", "TCPRoute/r", []string{
			egRoute("TCPRoute", "shop", "r", ", sectionName: other", toSvc+", "+toSvc),
		}, []string{"g#other Accepted=False/InvalidRule"}},
		{"processTCPRouteParentRefs: its backends have no connections then", "BackendTLSPolicy/p", []string{
			egRoute("TCPRoute", "shop", "r", "", toSvc+", "+toSvc), tlsPolicy("p", "", "ca"),
		}, nil},
		{"ext_service.go: the policy that cannot use the backend is an ancestor", "BackendTLSPolicy/q", []string{
			egRoute("HTTPRoute", "shop", "r", "", "{}"), tlsPolicy("q", "", "gone"), egPolicy("SecurityPolicy", onRoute+"extAuth: {http: {backendRefs: [{name: svc, port: 80}]}}"),
		}, []string{"p" + noCA}},
		{"ext_service.go: it is not one if no listener allows its route", "BackendTLSPolicy/q", []string{
			egRoute("HTTPRoute", "shop", "r", ", sectionName: other", "{}"), tlsPolicy("q", "", "ca"),
			egPolicy("SecurityPolicy", onRoute+"extAuth: {http: {backendRefs: [{name: svc, port: 80}]}}"),
		}, nil},
		{"ext_service.go: nor if its Gateway is not translated", "BackendTLSPolicy/q", []string{
			strings.Replace(other, "spec: {", "spec: {infrastructure: {parametersRef: {group: gateway.envoyproxy.io, kind: EnvoyProxy, name: gone}}, ", 1), tlsPolicy("q", "", "ca"),
			egPolicy("SecurityPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: other}], extAuth: {http: {backendRefs: [{name: svc, port: 80}]}}"),
		}, nil},
		{"ext_service.go: nor if its Gateway has no class", "BackendTLSPolicy/q", []string{
			strings.Replace(other, "gatewayClassName: c", "gatewayClassName: none", 1), tlsPolicy("q", "", "ca"),
			egPolicy("SecurityPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: other}], extAuth: {http: {backendRefs: [{name: svc, port: 80}]}}"),
		}, nil},
		{"ext_service.go: nor if the Gateway of its ListenerSet is not there", "BackendTLSPolicy/q", []string{
			strings.Replace(set, "name: ports", "name: gone", 1), tlsPolicy("q", "", "ca"),
			egPolicy("SecurityPolicy", onSet+"}], extAuth: {http: {backendRefs: [{name: svc, port: 80}]}}"),
		}, nil},
		{"processHTTPRoutes: nor if its route has no Gateway of this controller", "BackendTLSPolicy/q", []string{
			strings.Replace(other, "gatewayClassName: c", "gatewayClassName: none", 1),
			"{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r, namespace: shop}, spec: {parentRefs: [{name: other}, {name: gone}], rules: [{}]}}",
			tlsPolicy("q", "", "ca"), egPolicy("EnvoyExtensionPolicy", onRoute+"extProc: [{backendRefs: [{name: svc, port: 80}]}]"),
		}, nil},
		{"ProcessBackendTLSPolicyStatus: a policy that lost is not resolved", "BackendTLSPolicy/q", []string{plain, tlsPolicy("p", "", "ca"), tlsPolicy("q", "", "gone")}, []string{"g Accepted=False/Conflicted"}},
		{"ProcessClientTrafficPolicies: a listener of its own is not judged again for the Gateway", "ClientTrafficPolicy/p", []string{
			other, cert, egPolicy("ClientTrafficPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: other, sectionName: s}, {group: gateway.networking.k8s.io, kind: Gateway, name: other}], "+
				"tls: {clientValidation: {caCertificateRefs: [{kind: ConfigMap, name: gone}]}}"),
		}, []string{"other" + accepted + " Overridden=True/Overridden", "other#s" + invalid}},
		{"targetSelectorNamespacesMatch: the policy's own namespace must match, too", "BackendTrafficPolicy/p", []string{
			plain, egPolicy("BackendTrafficPolicy", "targetSelectors: [{kind: HTTPRoute, namespaces: {from: Selector, selector: {matchLabels: {team: a}}}}]"),
		}, nil},
		{"validateAndGetDataAtKeyInRef: an authority that does not exist", "ClientTrafficPolicy/p", []string{
			other, cert, egPolicy("ClientTrafficPolicy", onOther+"tls: {clientValidation: {caCertificateRefs: [{kind: ConfigMap, name: gone}]}}"),
		}, []string{"other" + invalid}},
		{"validateAndGetDataAtKeyInRef: a Secret is meant if no kind is written", "ClientTrafficPolicy/p", []string{
			other, cert, egPolicy("ClientTrafficPolicy", onOther+"tls: {clientValidation: {caCertificateRefs: [{name: gone}]}}"),
		}, []string{"other" + invalid}},
		{"buildListenerTLSParameters: verification needs an authority", "ClientTrafficPolicy/p", []string{
			other, cert, egPolicy("ClientTrafficPolicy", onOther+"tls: {clientValidation: {mode: VerifyIfGiven}}"),
		}, []string{"other" + invalid}},
		{"buildListenerTLSParameters: a request for certificates does not", "ClientTrafficPolicy/p", []string{
			other, cert, egPolicy("ClientTrafficPolicy", onOther+"tls: {clientValidation: {mode: Request}}"),
		}, []string{"other" + accepted}},
		{"buildListenerTLSParameters: not looked at without TLS", "ClientTrafficPolicy/p", []string{
			egPolicy("ClientTrafficPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: g}], tls: {clientValidation: {}}"),
		}, []string{"g" + accepted}},
		{"translateClientTrafficPolicyForListener: HTTP/2 of connections", "ClientTrafficPolicy/p", []string{
			streams("TCP"), egPolicy("ClientTrafficPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: streams}], http2: {initialStreamWindowSize: 1Ki}"),
		}, []string{"streams" + accepted}},
		{"translateClientTrafficPolicyForListener: buffers of connections", "ClientTrafficPolicy/p", []string{
			streams("TCP"), egPolicy("ClientTrafficPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: streams}], connection: {bufferLimit: 5Gi}"),
		}, []string{"streams" + invalid}},
		{"translateClientTrafficPolicyForListener: buffers of datagrams", "ClientTrafficPolicy/p", []string{
			streams("UDP"), egPolicy("ClientTrafficPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: streams}], connection: {bufferLimit: 5Gi}"),
		}, []string{"streams" + accepted}},
		{"validatePortOverlapForClientTrafficPolicy: listeners that another policy claims are skipped", "ClientTrafficPolicy/p", []string{
			"{apiVersion: gateway.networking.k8s.io/v1, kind: ListenerSet, metadata: {name: set, namespace: shop}, spec: {parentRef: {name: g}, listeners: [{name: x, port: 80, protocol: HTTP, hostname: x.example}]}}",
			strings.Replace(egPolicy("ClientTrafficPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: ListenerSet, name: set, sectionName: x}]"), "name: p", "name: q", 1),
			egPolicy("ClientTrafficPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: ListenerSet, name: set}]"),
		}, []string{"set" + accepted + " Overridden=True/Overridden"}},
		{"validateEnvoyProxySpec: the class", "GatewayClass/merged", []string{merging[0], proxyOf("provider: {type: Host}")}, []string{invalidProxy}},
		{"validateEnvoyProxySpec: a Gateway of the class", "Gateway/m", []string{merging[0], proxyOf("provider: {type: Host}"), merging[2]}, []string{invalidProxy}},
		{"validateEnvoyProxySpec: it is not translated", "SecurityPolicy/p", []string{
			merging[0], proxyOf("provider: {type: Host}"), merging[2], egPolicy("SecurityPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: m}]"),
		}, nil},
		{"validateService", "Gateway/m", []string{merging[0], proxyOf("provider: {type: Kubernetes, kubernetes: {envoyService: {loadBalancerSourceRanges: [10.0.0.0]}}}"), merging[2]}, []string{invalidProxy}},
		{"validateFilterOrder", "Gateway/m", []string{merging[0], proxyOf("filterOrder: [{name: a, before: b}, {name: b, before: c}, {name: a, after: c}]"), merging[2]}, []string{invalidProxy}},
		{"validateFilterOrder: no cycle", "GatewayClass/merged", []string{merging[0], proxyOf("filterOrder: [{name: a, before: b}, {name: b, before: c}, {name: c, after: a}]")}, []string{strings.TrimSpace(accepted)}},
		{"ValidateClusterStatName", "GatewayClass/merged", []string{merging[0], proxyOf("telemetry: {metrics: {clusterStatName: '%NONE%'}}")}, []string{invalidProxy}},
		{"ValidateClusterStatName: known", "GatewayClass/merged", []string{merging[0], proxyOf("telemetry: {metrics: {clusterStatName: '%ROUTE_NAME%/%BACKEND_REFS%'}}")}, []string{strings.TrimSpace(accepted)}},
		{"bootstrap/validate.go: without the cluster for configuration", "GatewayClass/merged", []string{merging[0], proxyOf("bootstrap: {type: Replace, value: 'admin: {}'}")}, []string{invalidProxy}},
		{"bootstrap/validate.go: more of it", "GatewayClass/merged", []string{merging[0], proxyOf("bootstrap: {type: Merge, value: 'admin: {}'}")}, []string{strings.TrimSpace(accepted)}},
		{"processAccessLog", "Gateway/m", []string{merging[0], proxyOf("telemetry: {accessLog: {settings: [{matches: ['response.code >=']}]}}"), merging[2]}, []string{invalidProxy}},
		{"ProcessEnvoyPatchPolicies: a Gateway", "EnvoyPatchPolicy/p", []string{patch("Gateway", "g")}, []string{"g" + accepted}},
		{"ProcessEnvoyPatchPolicies: a Gateway of nobody", "EnvoyPatchPolicy/p", []string{strings.Replace(other, "gatewayClassName: c", "gatewayClassName: none", 1), patch("Gateway", "other")}, nil},
		{"ProcessEnvoyPatchPolicies: a class that does not merge", "EnvoyPatchPolicy/p", []string{patch("GatewayClass", "c")}, []string{"c Accepted=False/TargetNotFound"}},
		{"ProcessEnvoyPatchPolicies: a class that merges", "EnvoyPatchPolicy/p", append([]string{patch("GatewayClass", "merged")}, merging...), []string{"merged" + accepted}},
		{"ProcessEnvoyPatchPolicies: whether a class merges is not known", "EnvoyPatchPolicy/p", []string{patch("GatewayClass", "merged"), merging[0], strings.Replace(merging[1], "true", "'${MERGE}'", 1), merging[2]}, []string{"merged" + accepted}},
		{"ProcessEnvoyPatchPolicies: a Gateway of a class that merges", "EnvoyPatchPolicy/p", append([]string{patch("Gateway", "m")}, merging...), []string{"m" + invalid}},
		{"SetConditionForPolicyAncestor: conditions of two targets are joined by type", "BackendTrafficPolicy/p", []string{
			egRoute("HTTPRoute", "shop", "r", "", "{name: first, backendRefs: [{name: svc, port: 80}]}"),
			egPolicy("BackendTrafficPolicy", "targetRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: r, sectionName: first}, {group: gateway.networking.k8s.io, kind: HTTPRoute, name: r}], timeout: {http: {requestTimeout: 1s}}"),
		}, []string{"g" + accepted + " Overridden=True/Overridden"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := shown(statuses(t, egWorld+"---\n"+strings.Join(tt.manifests, "\n---\n"))[tt.object])
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s:\n got %q\nwant %q", tt.object, got, tt.want)
			}
		})
	}
}
