package protection_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/schema"
)

const (
	gateway = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: g, namespace: ns}
spec: {%s, listeners: [{name: l, port: 443, protocol: HTTPS}]}
`
	listener = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: g, namespace: ns}
spec: {gatewayClassName: c, listeners: [{name: l, port: 443, %s}]}
`
	route = `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: r, namespace: ns}
spec: {parentRefs: [{name: g}], %s}
`
	rule = `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: r, namespace: ns}
spec: {parentRefs: [{name: g}], rules: [{%s}]}
`
	backend = `
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: Backend
metadata: {name: b, namespace: ns}
spec: {endpoints: [{fqdn: {hostname: b.example, port: 443}}], %s}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: r, namespace: ns}
spec: {parentRefs: [{name: g}], rules: [{backendRefs: [{group: gateway.envoyproxy.io, kind: Backend, name: b}]}]}
`
)

// node is the node of a level that a manifest makes.
func node(t *testing.T, level hierarchy.Level, text string) *hierarchy.Node {
	t.Helper()
	file := manifest.Decode([]byte(text), manifest.Options{})
	for _, p := range file.Problems {
		t.Fatalf("line %d: %s\n%s", p.Position.Line, p.Message, text)
	}
	var objects []*loader.Object
	for _, d := range file.Documents {
		root := schema.Builtin().Apply(d.Group, d.Version, d.Kind, d.Root)
		objects = append(objects, &loader.Object{ID: loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}, Version: d.Version, Root: root, Files: []string{"x.yaml"}})
	}
	g := hierarchy.Build(&loader.Environment{Objects: objects}, inventory.Options{})
	i := slices.IndexFunc(g.Nodes, func(n *hierarchy.Node) bool { return n.Level == level && n.Object != nil })
	if i < 0 {
		t.Fatalf("no node of level %d in %s", level, text)
	}
	return g.Nodes[i]
}

// said writes a shift as one line.
func said(s protection.Shift) string {
	var out []string
	for _, list := range []struct {
		name   string
		fields []protection.Field
	}{
		{"lost", s.Lost},
		{"lowered", s.Lowered},
		{"weakened", s.Weakened},
		{"let in", s.LetIn},
		{"replaced", s.Replaced},
		{"edited", s.Edited},
		{"tightened", s.Tightened},
	} {
		for _, f := range list.fields {
			out = append(out, list.name+" "+f.Path)
		}
	}
	return strings.Join(out, "; ")
}

func TestOwn(t *testing.T) {
	gateways, listeners, routes, rules := hierarchy.LevelGateway, hierarchy.LevelListener, hierarchy.LevelRoute, hierarchy.LevelRule
	const backends = hierarchy.LevelBackend
	forms := map[hierarchy.Level]string{gateways: gateway, listeners: listener, routes: route, rules: rule, backends: backend}
	const auth = "{type: ExternalAuth, externalAuth: {protocol: HTTP, backendRef: {name: sso, port: 80}}}"
	cors := func(more string) string {
		return "filters: [{type: CORS, cors: {allowOrigins: ['https://a.example']" + more + "}}]"
	}
	for _, tt := range []struct {
		name                string
		level               hierarchy.Level
		before, after, want string
	}{
		{"certificate for backends", gateways, "gatewayClassName: c, tls: {backend: {clientCertificateRef: {name: one}}}", "gatewayClassName: c", "lost /tls/backend/clientCertificateRef"},
		{"another certificate for backends", gateways, "gatewayClassName: c, tls: {backend: {clientCertificateRef: {name: one}}}", "gatewayClassName: c, tls: {backend: {clientCertificateRef: {name: two}}}", "edited /tls/backend/clientCertificateRef/name"},
		{"no listeners any more", gateways, "gatewayClassName: c, allowedListeners: {namespaces: {from: Selector, selector: {matchLabels: {a: b}}}}", "gatewayClassName: c", "tightened /allowedListeners/namespaces/from"},
		{"listeners of all namespaces", gateways, "gatewayClassName: c", "gatewayClassName: c, allowedListeners: {namespaces: {from: All}}", "lowered /allowedListeners/namespaces/from"},
		{"another class", gateways, "gatewayClassName: internal", "gatewayClassName: public", "let in /gatewayClassName"},
		{"another class outside", gateways, "gatewayClassName: edge", "gatewayClassName: public", "edited /gatewayClassName"},
		{"a class inside", gateways, "gatewayClassName: public", "gatewayClassName: nginx-internal", "tightened /gatewayClassName"},
		{"public address", gateways, "gatewayClassName: c, addresses: [{value: 10.0.0.7}]", "gatewayClassName: c, addresses: [{value: 198.51.100.7}]", "lost /addresses/private/address; let in /addresses/public/198.51.100.7"},
		{"another private address", gateways, "gatewayClassName: c, addresses: [{value: 10.0.0.7}]", "gatewayClassName: c, addresses: [{value: 192.168.0.7}]", ""},
		{"the private address said by an annotation alone", gateways, "gatewayClassName: c, addresses: [{value: 10.0.0.7}], infrastructure: {annotations: {io.cilium/lb-ipam-ips: 10.0.0.7}}", "gatewayClassName: c, infrastructure: {annotations: {io.cilium/lb-ipam-ips: 10.0.0.7}}", ""},
		{"a public address by an annotation", gateways, "gatewayClassName: c, infrastructure: {annotations: {io.cilium/lb-ipam-ips: 10.0.0.7}}", "gatewayClassName: c, infrastructure: {annotations: {io.cilium/lb-ipam-ips: 198.51.100.7}}", "lost /addresses/private/address; let in /addresses/public/198.51.100.7"},
		{"public load balancer", gateways, "gatewayClassName: c, infrastructure: {annotations: {service.beta.kubernetes.io/aws-load-balancer-scheme: internal}}", "gatewayClassName: c, infrastructure: {annotations: {service.beta.kubernetes.io/aws-load-balancer-scheme: internet-facing}}", "lowered /infrastructure/annotations/service~beta~kubernetes~io/aws-load-balancer-scheme"},

		{"HTTPS to HTTP", listeners, "protocol: HTTPS", "protocol: HTTP", "lowered /protocol"},
		{"HTTP to HTTPS", listeners, "protocol: HTTP", "protocol: HTTPS", "tightened /protocol"},
		{"passthrough", listeners, "protocol: TLS, tls: {mode: Terminate}", "protocol: TLS, tls: {mode: Passthrough}", "edited /tls/mode"},
		{"one more certificate", listeners, "protocol: HTTPS, tls: {certificateRefs: [{name: a}]}", "protocol: HTTPS, tls: {certificateRefs: [{name: a}, {name: b}]}", ""},
		{"another certificate", listeners, "protocol: HTTPS, tls: {certificateRefs: [{name: a}]}", "protocol: HTTPS, tls: {certificateRefs: [{name: b}]}", "edited /tls/certificateRefs/b"},
		{"the default written out", listeners, "protocol: HTTPS, tls: {certificateRefs: [{name: c}]}", "protocol: HTTPS, tls: {mode: Terminate, certificateRefs: [{name: c, kind: Secret}]}, allowedRoutes: {namespaces: {from: Same}}", ""},
		{"wildcard", listeners, "protocol: HTTPS, hostname: a.example.com", "protocol: HTTPS, hostname: '*.example.com'", "let in /hostname"},
		{"any host", listeners, "protocol: HTTPS, hostname: a.example.com", "protocol: HTTPS", "let in /hostname"},
		{"another host", listeners, "protocol: HTTPS, hostname: a.example.com", "protocol: HTTPS, hostname: b.example.com", ""},
		{"routes of some", listeners, "protocol: HTTPS", "protocol: HTTPS, allowedRoutes: {namespaces: {from: Selector, selector: {matchLabels: {a: b}}}}", "lowered /allowedRoutes/namespaces/from"},
		{"routes of all", listeners, "protocol: HTTPS", "protocol: HTTPS, allowedRoutes: {namespaces: {from: All}}", "lowered /allowedRoutes/namespaces/from"},
		{"a label less", listeners, "protocol: HTTPS, allowedRoutes: {namespaces: {from: Selector, selector: {matchLabels: {a: b, c: d}}}}", "protocol: HTTPS, allowedRoutes: {namespaces: {from: Selector, selector: {matchLabels: {a: b}}}}", "lost /allowedRoutes/namespaces/selector/labels/c"},
		{"a label as an expression", listeners, "protocol: HTTPS, allowedRoutes: {namespaces: {from: Selector, selector: {matchLabels: {a: b}}}}", "protocol: HTTPS, allowedRoutes: {namespaces: {from: Selector, selector: {matchExpressions: [{key: a, operator: In, values: [b]}]}}}", ""},
		{"an expression that demands less", listeners, "protocol: HTTPS, allowedRoutes: {namespaces: {from: Selector, selector: {matchLabels: {a: b}}}}", "protocol: HTTPS, allowedRoutes: {namespaces: {from: Selector, selector: {matchExpressions: [{key: a, operator: Exists}]}}}", "lost /allowedRoutes/namespaces/selector/labels/a; tightened /allowedRoutes/namespaces/selector/matchExpressions/0"},
		{"one of fewer values", listeners, "protocol: HTTPS, allowedRoutes: {namespaces: {from: Selector, selector: {matchExpressions: [{key: a, operator: In, values: [b, c]}]}}}", "protocol: HTTPS, allowedRoutes: {namespaces: {from: Selector, selector: {matchExpressions: [{key: a, operator: In, values: [b]}]}}}", "tightened /allowedRoutes/namespaces/selector/labels/a/c"},
		{"one of more values", listeners, "protocol: HTTPS, allowedRoutes: {namespaces: {from: Selector, selector: {matchLabels: {a: b}}}}", "protocol: HTTPS, allowedRoutes: {namespaces: {from: Selector, selector: {matchExpressions: [{key: a, operator: In, values: [b, c]}]}}}", "let in /allowedRoutes/namespaces/selector/labels/a/c"},
		{"more kinds", listeners, "protocol: HTTPS, allowedRoutes: {kinds: [{kind: HTTPRoute}]}", "protocol: HTTPS, allowedRoutes: {kinds: [{kind: HTTPRoute}, {kind: GRPCRoute}]}", "let in /allowedRoutes/kinds/1"},
		{"a filter before routing", listeners, "protocol: HTTPS, filters: {requests: [" + auth + "]}", "protocol: HTTPS", "lost /filters/ExternalAuth/filter"},

		{"a hostname more", routes, "hostnames: [a.example.com]", "hostnames: [a.example.com, b.example.com]", ""},
		{"all hostnames", routes, "hostnames: [a.example.com]", "rules: []", "lost /hostnames"},
		{"hostnames in another order", routes, "hostnames: [a.example.com, b.example.com]", "hostnames: [b.example.com, a.example.com]", ""},
		{"another hostname", routes, "hostnames: [a.example.com]", "hostnames: [b.example.com]", ""},
		{"a wildcard", routes, "hostnames: [a.example.com]", "hostnames: [a.example.com, '*.example.com']", "let in /hostnames/*.example.com"},

		{"authentication", rules, "filters: [" + auth + "]", "filters: []", "lost /filters/ExternalAuth/filter"},
		{"authentication elsewhere", rules, "filters: [" + auth + "]", "filters: [{type: ExternalAuth, externalAuth: {protocol: HTTP, backendRef: {name: other, port: 80}}}]", "edited /filters/ExternalAuth/filter/externalAuth/backendRef"},
		{"filters in another order", rules, "filters: [" + auth + ", {type: URLRewrite, urlRewrite: {hostname: x.example}}]", "filters: [{type: URLRewrite, urlRewrite: {hostname: x.example}}, " + auth + "]", ""},
		{"an extension", rules, "filters: [{type: ExtensionRef, extensionRef: {group: x.io, kind: Waf, name: w}}]", "filters: []", "lost /filters/ExtensionRef/Waf/w"},
		{"redirect to https", rules, "filters: [{type: RequestRedirect, requestRedirect: {scheme: https}}]", "backendRefs: [{name: b, port: 80}]", "lost /filters/RequestRedirect/https"},
		{"redirect to http", rules, "filters: [{type: RequestRedirect, requestRedirect: {scheme: https}}]", "filters: [{type: RequestRedirect, requestRedirect: {scheme: http}}]", "lost /filters/RequestRedirect/https"},
		{"a mirror", rules, "backendRefs: [{name: b, port: 80}]", "backendRefs: [{name: b, port: 80}], filters: [{type: RequestMirror, requestMirror: {backendRef: {name: m, port: 80}}}]", "let in /filters/RequestMirror/Service/ns/m"},
		{"an origin", rules, cors(""), strings.Replace(cors(""), "']", "', '*']", 1), "let in /filters/CORS/filter/cors/allowOrigins/*"},
		{"credentials", rules, cors(""), cors(", allowCredentials: true"), "let in /filters/CORS/filter/cors/allowCredentials"},
		{"no credentials", rules, cors(""), cors(", allowCredentials: false"), ""},
		{"no CORS", rules, cors(""), "filters: []", ""},
		{"HSTS", rules, "filters: [{type: ResponseHeaderModifier, responseHeaderModifier: {set: [{name: Strict-Transport-Security, value: max-age=1}]}}]", "filters: []", "lost /filters/ResponseHeaderModifier/headers/set/strict-transport-security"},
		{"HSTS in another case", rules, "filters: [{type: ResponseHeaderModifier, responseHeaderModifier: {set: [{name: Strict-Transport-Security, value: max-age=1}]}}]", "filters: [{type: ResponseHeaderModifier, responseHeaderModifier: {add: [{name: strict-transport-security, value: max-age=1}]}}]", ""},
		{"HSTS removed", rules, "filters: []", "filters: [{type: ResponseHeaderModifier, responseHeaderModifier: {remove: [Strict-Transport-Security]}}]", "let in /filters/ResponseHeaderModifier/headers/remove/strict-transport-security"},
		{"a trusted header", rules, "filters: [{type: RequestHeaderModifier, requestHeaderModifier: {remove: [X-Remote-User]}}]", "filters: []", "lost /filters/RequestHeaderModifier/headers/remove/x-remote-user"},
		{"a header that may be trusted", rules, "filters: [{type: RequestHeaderModifier, requestHeaderModifier: {remove: [X-Scope-OrgID]}}]", "filters: []", "lost /filters/RequestHeaderModifier/headers/remove/x-scope-orgid"},
		{"a header of no concern", rules, "filters: [{type: RequestHeaderModifier, requestHeaderModifier: {remove: [X-Color]}}]", "filters: []", ""},
		{"another namespace", rules, "backendRefs: [{name: b, port: 80}]", "backendRefs: [{name: b, namespace: other, port: 80}]", "let in /backends/elsewhere/Service/other/b"},
		{"the own namespace written out", rules, "backendRefs: [{name: b, port: 80}]", "backendRefs: [{name: b, namespace: ns, port: 80}]", ""},
		{"a header less", rules, "matches: [{headers: [{name: X-Key, value: k}]}]", "matches: [{path: {type: PathPrefix, value: /}}]", "lost /matches/0/headers"},
		{"a header in another case", rules, "matches: [{headers: [{name: X-Key, value: k}]}]", "matches: [{headers: [{name: x-key, value: k}]}]", ""},
		{"no match", rules, "matches: [{path: {value: /api}}]", "backendRefs: [{name: b, port: 80}]", "lost /matches/0/path; let in /matches/0/prefix"},
		{"a match less", rules, "matches: [{path: {value: /api}}, {path: {value: /admin}}]", "matches: [{path: {value: /api}}]", ""},
		{"a method less", rules, "matches: [{method: GET, path: {value: /api}}]", "matches: [{path: {value: /api}}]", "lost /matches/0/method"},
		{"a parameter less", rules, "matches: [{queryParams: [{name: k, value: v}]}]", "matches: [{path: {value: /}}]", "lost /matches/0/queryParams"},
		{"a wider path", rules, "matches: [{path: {value: /api/cart}}]", "matches: [{path: {value: /api}}]", "let in /matches/0/prefix"},
		{"a narrower path", rules, "matches: [{path: {value: /api}}]", "matches: [{path: {value: /api/cart}}]", "tightened /matches/0/prefix"},
		{"a slash more", rules, "matches: [{path: {value: /api}}]", "matches: [{path: {value: /api/}}]", ""},
		{"matches in another order", rules, "matches: [{path: {value: /a}}, {path: {value: /b}}]", "matches: [{path: {value: /b}}, {path: {value: /a}}]", ""},

		{"TLS to a backend", backends, "type: Endpoints", "type: Endpoints, tls: {sni: b.example}", "tightened /tls"},
		{"TLS that checks nothing, where there was none", backends, "type: Endpoints", "type: Endpoints, tls: {insecureSkipVerify: true}", "tightened /tls"},
		{"TLS that checks nothing any more", backends, "tls: {sni: b.example}", "tls: {sni: b.example, insecureSkipVerify: true}", "lowered /tls/insecureSkipVerify"},
		{"TLS that checks again", backends, "tls: {insecureSkipVerify: true}", "tls: {insecureSkipVerify: false}", "tightened /tls/insecureSkipVerify"},
		{"TLS that checked nothing, given up", backends, "tls: {insecureSkipVerify: true}", "type: Endpoints", "lost /tls"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := node(t, tt.level, fmt.Sprintf(forms[tt.level], tt.before))
			a := node(t, tt.level, fmt.Sprintf(forms[tt.level], tt.after))
			known := func(string, string) bool { return false }
			if got := said(protection.Own(b, a, known)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if got := protection.Own(b, b, known); !got.Empty() {
				t.Errorf("the same node gives %s", said(got))
			}
		})
	}
}

// The clients of a listener are validated as its Gateway says for its port: by the entry of perPort, which replaces the default
// whole (Gateway API apis/v1/gateway_types.go, FrontendTLSConfig; Envoy Gateway internal/gatewayapi/listener.go).
func TestOwnFrontend(t *testing.T) {
	const form = "{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g, namespace: ns}, spec: {gatewayClassName: c, tls: {frontend: {%s}}, listeners: [{name: l, protocol: HTTPS, port: %d}]}}"
	validation := func(more string) string {
		return "validation: {caCertificateRefs: [{name: ca, kind: ConfigMap, group: ''}]" + more + "}"
	}
	at := func(port int, tls string) string { return fmt.Sprintf("perPort: [{port: %d, tls: {%s}}]", port, tls) }
	byDefault := "default: {" + validation("") + "}"
	for _, tt := range []struct {
		name, before, after, want string
		port                      int // of the listener afterwards, if it moves
	}{
		{name: "none any more", before: byDefault, want: "lost /clientValidation"},
		{name: "the mode written out", before: byDefault, after: "default: {" + validation(", mode: AllowValidOnly") + "}"},
		{name: "in vain", before: byDefault, after: "default: {" + validation(", mode: AllowInsecureFallback") + "}", want: "lowered /clientValidation/mode"},
		{name: "another authority", before: byDefault, after: strings.Replace(byDefault, "''}]", "''}, {name: all, kind: ConfigMap, group: ''}]", 1), want: "let in /clientValidation/caCertificateRefs/all"},
		{name: "none at the port", before: byDefault, after: byDefault + ", " + at(443, ""), want: "lost /clientValidation"},
		{name: "in vain at another port", before: byDefault, after: byDefault + ", " + at(8443, validation(", mode: AllowInsecureFallback"))},
		{name: "by default instead of at the port", before: at(443, validation("")), after: byDefault},
		{name: "at another port", before: at(443, validation("")), after: at(8443, validation("")), want: "lost /clientValidation"},
		{name: "a listener that leaves its port", before: at(443, validation("")), after: at(443, validation("")), port: 8443, want: "lost /clientValidation"},
		{name: "new", after: byDefault, want: "tightened /clientValidation"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := node(t, hierarchy.LevelListener, fmt.Sprintf(form, tt.before, 443))
			a := node(t, hierarchy.LevelListener, fmt.Sprintf(form, tt.after, cmp.Or(tt.port, 443)))
			if got := said(protection.Own(b, a, func(string, string) bool { return false })); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
