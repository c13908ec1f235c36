package hierarchy_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// refs writes the rules of a route whose one rule has backendRefs.
func refs(list string) string { return "rules: [{backendRefs: [" + list + "]}]" }

const (
	near, far  = "{name: near, port: 80}", "{name: pay, namespace: shop, port: 80}"
	nearby     = "{apiVersion: v1, kind: Service, metadata: {name: near}, spec: {ports: [{name: web, port: 80}]}}"
	ours       = "Gateway/ns/g [http]: Accepted, "
	resolved   = "ResolvedRefs"
	unresolved = "ResolvedRefs=false/"
)

// What ResolvedRefs of a route says of its backends. Accepted stays as it is.
func TestBackendReferences(t *testing.T) {
	crd := "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: owns.acme.io}, spec: {group: acme.io, names: {kind: Own}}}"
	for _, tt := range []struct {
		name        string
		options     inventory.Options
		rules, more string
		want        string
	}{
		{"a Service", closed(), refs(near), nearby, resolved},
		// conformance httproute-redirect-*: nothing refers to anything.
		{"no backends", closed(), "rules: [{filters: [{type: RequestRedirect, requestRedirect: {statusCode: 301}}]}]", nearby, resolved},
		{"an empty list", closed(), refs(""), nearby, resolved},

		// conformance httproute-invalid-nonexistent-backendref.
		{"BackendNotFound", closed(), refs("{name: gone, port: 80}"), nearby, unresolved + "BackendNotFound"},
		{"a Service that is not in the input", inventory.Options{}, refs("{name: gone, port: 80}"), nearby, "ResolvedRefs=unknown/NotInInput"},

		// conformance httproute-invalid-backendref-unknown-kind.
		{"InvalidKind", closed(), refs("{kind: NonExistent, name: near, port: 80}"), nearby, unresolved + "InvalidKind"},
		{"InvalidKind, another group", closed(), refs("{group: acme.io, kind: Service, name: near, port: 80}"), nearby, unresolved + "InvalidKind"},
		{"InvalidKind before RefNotPermitted", closed(), refs("{kind: NonExistent, name: near, namespace: shop, port: 80}"), nearby, unresolved + "InvalidKind"},
		// What an implementation takes is its own: no kind is wrong as long as somebody may have it.
		{"a kind that is not in the input", inventory.Options{}, refs("{group: acme.io, kind: Own, name: x}"), nearby, "ResolvedRefs=unknown/NotInInput"},
		{"a kind that a CRD defines", closed(), refs("{group: acme.io, kind: Own, name: x}"), crd, unresolved + "BackendNotFound"},
		{"a kind of which there are objects", closed(), refs("{group: acme.io, kind: Own, name: x}"), plain("acme.io/v1", "Own", "ns", "x"), resolved},
		{"a kind of the specification", closed(), refs("{group: multicluster.x-k8s.io, kind: ServiceImport, name: x, port: 80}"), nearby, unresolved + "BackendNotFound"},

		// conformance httproute-invalid-cross-namespace-backend-ref.
		{"RefNotPermitted", closed(), refs(far), pay, unresolved + "RefNotPermitted"},
		// conformance udproute-invalid-cross-namespace-backend-ref, where the Service does not exist.
		{"RefNotPermitted before BackendNotFound", closed(), refs(far), nearby, unresolved + "RefNotPermitted"},
		{"permitted", closed(), refs(far), pay + "\n---\n" + grant("shop", fromHTTP, toService), resolved},
		{"permitted and missing", closed(), refs(far), grant("shop", fromHTTP, toService), unresolved + "BackendNotFound"},
		{"a grant for another kind of route", closed(), refs(far), pay + "\n---\n" + grant("shop", strings.Replace(fromHTTP, "HTTPRoute", "GRPCRoute", 1), toService), unresolved + "RefNotPermitted"},
		{"a grant may be where the Service is", inventory.Options{}, refs(far), nearby, "ResolvedRefs=unknown/NotInInput"},

		// conformance httproute-partially-invalid-via-invalid-reference-grant: one rule suffices.
		{"one bad rule of two", closed(), "rules: [{backendRefs: [" + near + "]}, {backendRefs: [" + far + "]}]", nearby, unresolved + "RefNotPermitted"},
		// Gateway API, HTTPBackendRef: weight says how much, not whether.
		{"weight 0", closed(), refs("{name: gone, port: 80, weight: 0}"), nearby, unresolved + "BackendNotFound"},
		{"weight 0 beside a good one", closed(), refs("{name: gone, port: 80, weight: 0}, " + near), nearby, unresolved + "BackendNotFound"},
		// The specification has no reason for a port, and says no more than that ExternalName should not be taken.
		{"a port that the Service does not have", closed(), refs("{name: near, port: 81}"), nearby, resolved},
		{"a Service that is a name outside", closed(), refs(near), strings.Replace(nearby, "spec: {", "spec: {type: ExternalName, externalName: a.example, ", 1), resolved},
		// Of several reasons the first counts, and what is sure comes before what is not.
		{"the first counts", closed(), refs("{name: gone, port: 80}, " + far), nearby, unresolved + "BackendNotFound"},
		{"the first of two rules counts", closed(), "rules: [{backendRefs: [" + far + "]}, {backendRefs: [{name: gone, port: 80}]}]", nearby, unresolved + "RefNotPermitted"},
		{"what is sure counts", inventory.Options{}, refs("{name: gone, port: 80}, " + far), pay, unresolved + "RefNotPermitted"},
	} {
		rule{tt.name, tt.options, []string{gateway("g", http), route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}], "+tt.rules), tt.more}, map[string]string{
			"HTTPRoute/ns/r": ours + tt.want,
		}}.check(t)
	}
}

// Each kind of route that refers to backends refers in the same way
// (conformance tlsroute-invalid-backendref-*, tcproute-*, udproute-*).
func TestBackendReferencesByKind(t *testing.T) {
	listeners := http + ", {name: tls, port: 443, protocol: TLS, tls: {mode: Passthrough}}, {name: tcp, port: 81, protocol: TCP}, {name: udp, port: 81, protocol: UDP}"
	for kind, section := range map[string]string{"HTTPRoute": "http", "GRPCRoute": "http", "TLSRoute": "tls", "TCPRoute": "tcp", "UDPRoute": "udp"} {
		for name, reason := range map[string]string{near: "BackendNotFound", far: "RefNotPermitted", "{kind: NonExistent, name: x, port: 80}": "InvalidKind"} {
			rule{kind + " " + reason, closed(), []string{gateway("g", listeners), route(kind, "ns", "r", "parentRefs: [{name: g, sectionName: "+section+"}], "+refs(name))}, map[string]string{
				kind + "/ns/r": "Gateway/ns/g [" + section + "]: Accepted, " + unresolved + reason,
			}}.check(t)
		}
	}
}

// Filters refer, too: of the rule and of the reference.
func TestFilterReferences(t *testing.T) {
	mirror := func(ref string) string { return "{type: RequestMirror, requestMirror: {backendRef: " + ref + "}}" }
	auth := func(ref string) string {
		return "{type: ExternalAuth, externalAuth: {protocol: HTTP, backendRef: " + ref + "}}"
	}
	extension := "{type: ExtensionRef, extensionRef: {group: acme.io, kind: Own, name: x}}"
	own, other := plain("acme.io/v1", "Own", "ns", "x"), plain("acme.io/v1", "Own", "ns", "other")
	for _, tt := range []struct {
		name         string
		options      inventory.Options
		filter, more string
		want         string
	}{
		// Gateway API, HTTPRequestMirrorFilter.backendRef.
		{"a mirror", closed(), mirror(near), nearby, resolved},
		{"a mirror, BackendNotFound", closed(), mirror("{name: gone, port: 80}"), nearby, unresolved + "BackendNotFound"},
		{"a mirror, RefNotPermitted", closed(), mirror(far), pay, unresolved + "RefNotPermitted"},
		{"a mirror, permitted", closed(), mirror(far), pay + "\n---\n" + grant("shop", fromHTTP, toService), resolved},
		{"a mirror, InvalidKind", closed(), mirror("{kind: NonExistent, name: near, port: 80}"), nearby, unresolved + "InvalidKind"},
		// Gateway API, HTTPExternalAuthFilter.backendRef.
		{"external auth", closed(), auth(near), nearby, resolved},
		{"external auth, BackendNotFound", closed(), auth("{name: gone, port: 80}"), nearby, unresolved + "BackendNotFound"},
		{"external auth, RefNotPermitted", closed(), auth(far), pay, unresolved + "RefNotPermitted"},
		// Gateway API, HTTPRouteFilter.extensionRef: local, and of a kind that somebody has.
		{"an extension", closed(), extension, own, resolved},
		{"an extension, BackendNotFound", closed(), extension, other, unresolved + "BackendNotFound"},
		{"an extension of another namespace", closed(), extension, plain("acme.io/v1", "Own", "shop", "x"), unresolved + "BackendNotFound"},
		{"an extension of a kind that nobody knows", closed(), extension, nearby, "ResolvedRefs=unknown/NotInInput"},
		{"an extension that is not in the input", inventory.Options{}, extension, other, "ResolvedRefs=unknown/NotInInput"},
		{"a filter that refers to nothing", closed(), "{type: RequestHeaderModifier, requestHeaderModifier: {remove: [a]}}", nearby, resolved},
	} {
		for place, rules := range map[string]string{
			"of the rule":      "rules: [{filters: [" + tt.filter + "]}]",
			"of the reference": refs("{name: here, port: 80, filters: [" + tt.filter + "]}"),
		} {
			here := strings.Replace(nearby, "near", "here", 1)
			rule{tt.name + ", " + place, tt.options, []string{gateway("g", http), route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}], "+rules), tt.more, here}, map[string]string{
				"HTTPRoute/ns/r": ours + tt.want,
			}}.check(t)
		}
	}
}

// ResolvedRefs is written beside a refusal as well (conformance
// httproute-invalid-cross-namespace-parent-ref), once for each parent.
func TestReferencesOfRefusedRoute(t *testing.T) {
	r := route("HTTPRoute", "ns", "r", "parentRefs: [{name: g, sectionName: gone}, {name: g}], "+refs("{name: gone, port: 80}"))
	rule{"a refusal", closed(), []string{gateway("g", http), r}, map[string]string{
		"HTTPRoute/ns/r": "Gateway/ns/g []: Accepted=false/NoMatchingParent, ResolvedRefs=false/BackendNotFound; " + ours + unresolved + "BackendNotFound",
	}}.check(t)
}

// In most meshes a route needs no grant (GEP-1294); a route that is bound to a
// Gateway, too, needs it for that parent.
func TestMeshReferences(t *testing.T) {
	const mesh = "{group: '', kind: Service, name: near, port: 80}"
	for _, tt := range []struct{ name, parents, refs, want string }{
		{"no grant", mesh, far, "Service/ns/near [web]: Accepted, ResolvedRefs"},
		{"existence all the same", mesh, "{name: gone, namespace: shop, port: 80}", "Service/ns/near [web]: Accepted, " + unresolved + "BackendNotFound"},
		{"InvalidKind all the same", mesh, "{kind: NonExistent, name: x, port: 80}", "Service/ns/near [web]: Accepted, " + unresolved + "InvalidKind"},
		{"a Gateway, too", mesh + ", {name: g}", far, "Service/ns/near [web]: Accepted, ResolvedRefs; " + ours + unresolved + "RefNotPermitted"},
	} {
		rule{tt.name, closed(), []string{gateway("g", http), nearby, pay, route("HTTPRoute", "ns", "r", "parentRefs: ["+tt.parents+"], "+refs(tt.refs))}, map[string]string{
			"HTTPRoute/ns/r": tt.want,
		}}.check(t)
	}
}

// FilterReferences sums up what filters refer to, and nothing else.
func TestFilterReferencesAlone(t *testing.T) {
	const mirror = "{type: RequestMirror, requestMirror: {backendRef: {name: gone, port: 80}}}"
	for _, tt := range []struct {
		name, rules string
		has         bool
		want        string
	}{
		{"a filter of the rule", "rules: [{filters: [" + mirror + "]}]", true, unresolved + "BackendNotFound"},
		{"a filter of a reference", refs("{name: near, port: 80, filters: [" + mirror + "]}"), true, unresolved + "BackendNotFound"},
		{"a good one beside a bad backend", "rules: [{filters: [" + strings.Replace(mirror, "gone", "near", 1) + "], backendRefs: [{name: gone, port: 80}]}]", true, resolved},
		{"a backend alone", refs("{name: gone, port: 80}"), false, resolved},
		{"a filter that refers to nothing", "rules: [{filters: [{type: RequestHeaderModifier, requestHeaderModifier: {remove: [a]}}]}]", false, resolved},
		{"the first of two counts", "rules: [{filters: [" + mirror + ", " + strings.Replace(mirror, "name: gone", "name: pay, namespace: shop", 1) + "]}]", true, unresolved + "BackendNotFound"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := claimed(t, closed(), gateway("g", http), nearby, route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}], "+tt.rules))
			n := nodeOf(t, g, "HTTPRoute/ns/r")
			if got := n.HasFilterReferences(); got != tt.has {
				t.Errorf("has references: got %t", got)
			}
			if got := conditionsOf(t, []hierarchy.Condition{g.FilterReferences(n)}); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// What is known of one object without being in the input.
func TestReferencesOutside(t *testing.T) {
	id := loader.ID{Group: "acme.io", Kind: "Own", Namespace: "ns", Name: "x"}
	service := loader.ID{Kind: "Service", Namespace: "ns", Name: "gone"}
	foreign := loader.ID{Kind: "Service", Namespace: "shop", Name: "pay"}
	release := func(namespace, name string) string {
		return plain("helm.toolkit.fluxcd.io/v2", "HelmRelease", namespace, name)
	}
	one := func(id loader.ID) map[loader.ID]bool { return map[loader.ID]bool{id: true} }
	const maybe = "ResolvedRefs=unknown/NotInInput"
	for _, tt := range []struct {
		name    string
		options inventory.Options
		ref     string
		more    string
		want    string
	}{
		// Whether a kind is one that somebody takes is known no better once an object of it is gone.
		{"gone, of a kind that nobody knows", inventory.Options{Gone: one(id)}, "{group: acme.io, kind: Own, name: x}", nearby, maybe},
		{"a Service that is gone", inventory.Options{Gone: one(service)}, "{name: gone, port: 80}", nearby, unresolved + "BackendNotFound"},
		// A chart is full of Services, and takes over another object only by its name.
		{"a Service that is gone, and a chart", inventory.Options{Gone: one(service)}, "{name: gone, port: 80}", release("ns", "www"), maybe},
		{"a Service that is gone, and a chart elsewhere", inventory.Options{Gone: one(service)}, "{name: gone, port: 80}", release("far", "gone"), unresolved + "BackendNotFound"},
		{"a Service that lives elsewhere", inventory.Options{Complete: true, External: one(service)}, "{name: gone, port: 80}", nearby, resolved},
		// Its grants live beside it.
		{"of another namespace, and lives elsewhere", inventory.Options{External: one(foreign)}, far, nearby, maybe},
	} {
		rule{tt.name, tt.options, []string{gateway("g", http), route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}], "+refs(tt.ref)), tt.more}, map[string]string{
			"HTTPRoute/ns/r": ours + tt.want,
		}}.check(t)
	}
	secret := loader.ID{Kind: "Secret", Namespace: "ns", Name: "cert"}
	for _, tt := range []struct{ name, release, want string }{
		{"a Secret that is gone, and a chart of its name", release("ns", "cert"), notInInput},
		{"a Secret that is gone, and another chart", release("ns", "www"), badReference + "InvalidCertificateRef"},
	} {
		rule{tt.name, inventory.Options{Gone: one(secret)}, []string{gateway("g", https("{name: cert}")), tt.release}, map[string]string{"Gateway/ns/g#l": tt.want}}.check(t)
	}
}

// RouteReferences visits what is not well, in document order.
func TestRouteReferences(t *testing.T) {
	g := claimed(t, closed(), gateway("g", http), nearby, route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}], rules: [\n"+
		" {filters: [{type: RequestMirror, requestMirror: {backendRef: {name: mirror, port: 80}}}],\n  backendRefs: ["+near+", {name: gone, port: 80}]},\n"+
		" {backendRefs: ["+far+"]}]"))
	var got []string
	line := 0
	g.RouteReferences(nodeOf(t, g, "HTTPRoute/ns/r"), func(c hierarchy.Condition) {
		got = append(got, c.Reason+" "+c.Involves[0].String())
		if at := c.Position().Line; at < line {
			t.Errorf("%s is at line %d, after line %d", c.Reason, at, line)
		}
		line = c.Position().Line
	})
	want := []string{"BackendNotFound Service/ns/mirror", "BackendNotFound Service/ns/gone", "RefNotPermitted Service/shop/pay"}
	if !slices.Equal(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

// Envoy Gateway does not accept rules with filters that it does not have (internal/gatewayapi/route.go,
// processHTTPRouteParentRefs: Accepted=False if no rule is left, else PartiallyInvalid=True).
func TestDroppedRules(t *testing.T) {
	const auth, set = "{filters: [{type: ExternalAuth, externalAuth: {protocol: HTTP, backendRef: {name: near, port: 80}}}]}", "{filters: [{type: RequestHeaderModifier}]}"
	for rules, want := range map[string]string{
		set:                      "",
		auth:                     "Accepted=false/UnsupportedValue",
		auth + ", " + auth:       "Accepted=false/UnsupportedValue",
		set + ", " + auth:        "PartiallyInvalid=true/UnsupportedValue",
		auth + ", {filters: []}": "PartiallyInvalid=true/UnsupportedValue",
	} {
		g := claimed(t, under("gateway.envoyproxy.io/gatewayclass-controller"), gateway("g", http), nearby, route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}], rules: ["+rules+"]"))
		got := ""
		if c := g.DroppedRules(nodeOf(t, g, "HTTPRoute/ns/r")); c != nil {
			got = c.Type + "=" + c.Status.String() + "/" + c.Reason
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", rules, got, want)
		}
	}
}

// Envoy Gateway judges the filters of a rule together (internal/gatewayapi/filters.go, ProcessHTTPFilters and
// ProcessGRPCFilters, and the functions for each type of filter).
func TestFiltersTogether(t *testing.T) {
	own := func(name, spec string) string {
		return "{apiVersion: gateway.envoyproxy.io/v1alpha1, kind: HTTPRouteFilter, metadata: {name: " + name + ", namespace: ns}, spec: {" + spec + "}}"
	}
	by := func(name string) string {
		return "{type: ExtensionRef, extensionRef: {group: gateway.envoyproxy.io, kind: HTTPRouteFilter, name: " + name + "}}"
	}
	set := func(name, value string) string {
		return "{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: '" + name + "', value: '" + value + "'}]}}"
	}
	rewrite := func(what string) string { return "{type: URLRewrite, urlRewrite: {" + what + "}}" }
	const (
		mirror   = "{type: RequestMirror, requestMirror: {backendRef: {name: near, port: 80}}}"
		redirect = "{type: RequestRedirect, requestRedirect: {scheme: https}}"
		full     = "path: {type: ReplaceFullPath, replaceFullPath: /b}"
		expr     = "urlRewrite: {path: {type: ReplaceRegexMatch, replaceRegexMatch: {pattern: %s, substitution: /b}}}"
		secret   = "{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: ns}, stringData: {%s: x}}"
		injects  = "credentialInjection: {credential: {valueRef: {name: s}}}"
		body     = "directResponse: {body: {type: ValueRef, valueRef: {group: '', kind: ConfigMap, name: body}}}"
	)
	for name, c := range map[string]struct {
		kind, filters string
		more          []string
		want          string
	}{
		"a header":                           {filters: set("a", "b c"), want: ""},
		"the host":                           {filters: set("Host", "b"), want: `UnsupportedValue: a filter cannot change the header "Host"`},
		"a header with a colon":              {filters: "{type: ResponseHeaderModifier, responseHeaderModifier: {remove: [':path']}}", want: `UnsupportedValue: a filter cannot change the header ":path"`},
		"a value with two blanks":            {filters: set("a", "b  c"), want: "UnsupportedValue: a filter gives the header a a value that no header can have"},
		"a value that is filled in":          {filters: set("a", "${B}  c"), want: ""},
		"an address":                         {filters: "{type: RequestRedirect, requestRedirect: {hostname: 1.2.3.4}}", want: `UnsupportedValue: the hostname "1.2.3.4" of a filter is an address, or has a label of more than 63 characters`},
		"a long label":                       {filters: rewrite("hostname: " + strings.Repeat("a", 64)), want: `UnsupportedValue: the hostname "` + strings.Repeat("a", 64) + `" of a filter is an address, or has a label of more than 63 characters`},
		"two redirects":                      {filters: redirect + ", " + redirect, want: "UnsupportedValue: a rule can have one redirect"},
		"a mirror":                           {filters: mirror, want: ""},
		"a mirror and a redirect":            {filters: mirror + ", " + redirect, want: "IncompatibleFilters: a mirror cannot be combined with a redirect"},
		"a mirror and an answer":             {filters: mirror + ", " + by("f"), more: []string{own("f", "directResponse: {statusCode: 503}")}, want: "IncompatibleFilters: a mirror cannot be combined with a direct response"},
		"an answer before a mirror":          {filters: by("f") + ", " + mirror, more: []string{own("f", "directResponse: {statusCode: 503}")}, want: ""},
		"an answer of a GRPCRoute":           {kind: "GRPCRoute", filters: by("f"), more: []string{own("f", "directResponse: {statusCode: 204}")}, want: "UnsupportedValue: a direct response of a GRPCRoute cannot have the status 204"},
		"an error as answer of a GRPCRoute":  {kind: "GRPCRoute", filters: by("f"), more: []string{own("f", "directResponse: {statusCode: 503}")}, want: ""},
		"two filters with matches":           {filters: by("f") + ", " + by("g"), more: []string{own("f", "matches: [{cookies: [{name: c, value: v}]}]"), own("g", "matches: [{cookies: [{name: c, value: v}]}]")}, want: "UnsupportedValue: HTTPRouteFilter ns/g: a rule can have one filter with matches"},
		"two rewrites of the path":           {filters: rewrite(full) + ", " + by("f"), more: []string{own("f", fmt.Sprintf(expr, "/a"))}, want: "UnsupportedValue: a rule can rewrite the hostname and the path once"},
		"rewrites of path and hostname":      {filters: rewrite("hostname: b.example") + ", " + by("f"), more: []string{own("f", fmt.Sprintf(expr, "/a"))}, want: ""},
		"two rewrites of Envoy Gateway":      {filters: by("f") + ", " + by("g"), more: []string{own("f", fmt.Sprintf(expr, "/a")), own("g", "urlRewrite: {hostname: {type: Backend}}")}, want: "UnsupportedValue: a rule can rewrite the hostname and the path once"},
		"an expression that is not one":      {filters: by("f"), more: []string{own("f", fmt.Sprintf(expr, "'/a('"))}, want: `UnsupportedValue: HTTPRouteFilter ns/f: "/a(" is not a regular expression: missing closing )`},
		"a body":                             {filters: by("f"), more: []string{own("f", body), "{apiVersion: v1, kind: ConfigMap, metadata: {name: body, namespace: ns}, data: {response.body: x}}"}, want: ""},
		"a body that is not there":           {filters: by("f"), more: []string{own("f", body)}, want: "UnsupportedValue: HTTPRouteFilter ns/f: ConfigMap ns/body does not exist"},
		"a credential":                       {filters: by("f"), more: []string{own("f", injects), fmt.Sprintf(secret, "credential")}, want: ""},
		"a credential under another key":     {filters: by("f"), more: []string{own("f", injects), fmt.Sprintf(secret, "token")}, want: "UnsupportedValue: HTTPRouteFilter ns/f: Secret ns/s has no credential"},
		"a credential that is not there":     {filters: by("f"), more: []string{own("f", injects)}, want: "UnsupportedValue: HTTPRouteFilter ns/f: Secret ns/s does not exist"},
		"nothing after a filter that fails":  {filters: by("gone") + ", " + set("Host", "b"), want: ""},
		"what stands after a failing mirror": {filters: strings.ReplaceAll(mirror, "near", "gone") + ", " + set("Host", "b"), want: `UnsupportedValue: a filter cannot change the header "Host"`},
	} {
		kind := cmp.Or(c.kind, "HTTPRoute")
		g := claimed(t, under("gateway.envoyproxy.io/gatewayclass-controller"), append([]string{gateway("g", http), nearby, route(kind, "ns", "r", "parentRefs: [{name: g}], rules: [{filters: ["+c.filters+"]}]")}, c.more...)...)
		got := ""
		if d := g.DroppedRules(nodeOf(t, g, kind+"/ns/r")); d != nil {
			got = d.Reason + ": " + d.Message
		}
		if got != c.want && !strings.HasSuffix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// Rules with a match that the controller does not take are left out, whatever their backends are (Envoy Gateway,
// internal/gatewayapi/route.go, processHTTPRouteRule and processGRPCRouteRule; NGINX Gateway Fabric,
// internal/controller/state/graph/httproute.go, validateMatch, and grpcroute.go, validateGRPCMethodMatch).
func TestUnusableMatches(t *testing.T) {
	const envoy, nginx, istio = "gateway.envoyproxy.io/gatewayclass-controller", "gateway.nginx.org/nginx-gateway-controller", "istio.io/gateway-controller"
	path := func(kind, text string) string { return "{path: {type: " + kind + ", value: '" + text + "'}}" }
	const open, look = "/a(", "/a(?=b)"
	for _, c := range []struct{ controller, kind, match, want string }{
		{envoy, "HTTPRoute", path("RegularExpression", open), "the path \"/a(\" of a match is not a regular expression: missing closing )"},
		{envoy, "HTTPRoute", path("RegularExpression", look), "the path \"/a(?=b)\" of a match is not a regular expression: invalid or unsupported Perl syntax"},
		{envoy, "HTTPRoute", path("RegularExpression", "/a.*"), ""},
		{envoy, "HTTPRoute", path("Exact", open), ""},
		{envoy, "HTTPRoute", "{headers: [{name: h, type: RegularExpression, value: '['}]}", "the value of the header h of a match is not a regular expression: missing closing ]"},
		{envoy, "HTTPRoute", "{headers: [{name: h, value: '['}]}", ""},
		{envoy, "HTTPRoute", "{queryParams: [{name: q, type: RegularExpression, value: '*'}]}", "the value of the query parameter q of a match is not a regular expression: missing argument to repetition operator"},
		{envoy, "HTTPRoute", "{queryParams: [{name: q, type: RegularExpression, value: '${Q}('}]}", ""},
		{envoy, "GRPCRoute", "{method: {type: RegularExpression, service: 's)'}}", "the service of gRPC \"s)\" of a match is not a regular expression: unexpected )"},
		{envoy, "GRPCRoute", "{method: {type: RegularExpression, method: 'm)'}}", "the method of gRPC \"m)\" of a match is not a regular expression: unexpected )"},
		{envoy, "GRPCRoute", "{method: {service: s}}", ""},
		{nginx, "HTTPRoute", path("RegularExpression", open), "the path \"/a(\" of a match is not a regular expression: missing closing )"},
		{nginx, "HTTPRoute", path("RegularExpression", look), ""},
		{nginx, "HTTPRoute", path("RegularExpression", "^/a"), "the path \"^/a\" of a match does not begin with /"},
		{nginx, "HTTPRoute", path("RegularExpression", "/a{2}"), "the path \"/a{2}\" of a match has a blank or one of {};"},
		{nginx, "HTTPRoute", path("Exact", "/a;b"), "the path \"/a;b\" of a match has a blank or one of {};"},
		{nginx, "HTTPRoute", path("Exact", "/_ngf-internal-x"), "the path \"/_ngf-internal-x\" of a match begins with /_ngf-internal, which is reserved"},
		{nginx, "HTTPRoute", "{method: TRACE}", "the method \"TRACE\" of a match is not supported"},
		{nginx, "HTTPRoute", "{method: PATCH}", ""},
		{nginx, "HTTPRoute", "{headers: [{name: h, value: ' '}]}", "the value of the header h of a match is empty"},
		{nginx, "HTTPRoute", "{headers: [{name: host_name, value: v}]}", "the header name \"host_name\" of a match has more than letters, digits and hyphens"},
		{nginx, "HTTPRoute", "{headers: [{name: '${NAME}', value: v}]}", ""},
		{nginx, "HTTPRoute", "{headers: [{name: X-Host-1, value: v}]}", ""},
		{nginx, "GRPCRoute", "{headers: [{name: host.name, value: v}]}", "the header name \"host.name\" of a match has more than letters, digits and hyphens"},
		{envoy, "HTTPRoute", "{headers: [{name: host_name, value: v}]}", ""},
		{nginx, "GRPCRoute", "{method: {service: s}}", "the service of gRPC \"s\" of a match is alone, and both service and method are needed"},
		{nginx, "GRPCRoute", "{method: {method: m}}", "the method of gRPC \"m\" of a match is alone, and both service and method are needed"},
		{nginx, "GRPCRoute", "{method: {type: RegularExpression, service: s, method: m}}", "the service of gRPC \"s\" of a match is a regular expression, and only exact ones are supported"},
		{nginx, "GRPCRoute", "{method: {service: s, method: m}}", ""},
		{istio, "HTTPRoute", path("RegularExpression", open), ""},
	} {
		rules := "{matches: [" + c.match + "], backendRefs: [{name: gone, port: 80}]}"
		g := claimed(t, under(c.controller), gateway("g", http), nearby, route(c.kind, "ns", "r", "parentRefs: [{name: g}], rules: ["+rules+", {matches: [{headers: [{name: a, value: b}]}]}]"))
		got, want := "", ""
		if c.want != "" {
			want = "PartiallyInvalid=true/UnsupportedValue: " + c.want
		}
		if d := g.DroppedRules(nodeOf(t, g, c.kind+"/ns/r")); d != nil {
			got = d.Type + "=" + d.Status.String() + "/" + d.Reason + ": " + d.Message
		}
		if got != want {
			t.Errorf("%s %s: got %q, want %q", c.kind, c.match, got, want)
		}
	}
}

// Filters that are refused: headers that none can change, paths that a redirect or a rewrite cannot have, a second
// AuthenticationFilter (NGINX Gateway Fabric, internal/controller/state/graph/common_filter.go, processRouteRuleFilters,
// validateFilterHeaderModifierFields and validateResponseHeaders; httproute.go, validateFilterRedirect and
// validateFilterRewrite; internal/controller/nginx/config/validation/common.go, validateHeaderName, validatePath and
// validateEscapedStringWithNginxVars). The backends of such a rule are not looked at
// (backend_refs.go, addBackendRefsToRules), and without another rule the route is not valid (httproute.go,
// processHTTPRouteRules).
func TestRefusedFilters(t *testing.T) {
	const rewrite, redirect = "{type: URLRewrite, urlRewrite: {path: {%s}}}", "{type: RequestRedirect, requestRedirect: {path: {%s}}}"
	const extension = "{type: ExtensionRef, extensionRef: {group: gateway.nginx.org, kind: %s}}"
	const request, response = "{type: RequestHeaderModifier, requestHeaderModifier: {%s}}", "{type: ResponseHeaderModifier, responseHeaderModifier: {%s}}"
	const cannot = "UnsupportedValue: a filter cannot change the header "
	const badValue = "UnsupportedValue: a filter gives the header a a value that cannot be written into the configuration of NGINX"
	for _, c := range []struct{ filter, headers, want string }{
		{request, "set: [{name: a, value: b}]", ""},
		{request, "set: [{name: a_b, value: b}]", cannot + `"a_b"`},
		{request, "add: [{name: Host, value: b}]", cannot + `"Host"`},
		{request, "remove: [connection]", cannot + `"connection"`},
		{request, "remove: [Server]", ""},
		{response, "remove: [Server]", cannot + `"Server"`},
		{response, "remove: [Upgrade]", cannot + `"Upgrade"`},
		{response, "add: [{name: X-Accel-Expires, value: b}]", cannot + `"X-Accel-Expires"`},
		{request, "set: [{name: a, value: b}, {name: A, value: c}]", `UnsupportedValue: a filter names the header "A" twice`},
		{request, "set: [{name: a, value: b}], add: [{name: a, value: c}]", ""},
		{request, "set: [{name: a, value: $remote_addr}]", ""},
		{request, "set: [{name: a, value: '${remote_addr}'}]", ""},
		{request, "set: [{name: a, value: 'x$remote_addr'}]", badValue},
		{request, `set: [{name: a, value: 'say "no"'}]`, badValue},
		{request, `set: [{name: a, value: 'say \"yes\"'}]`, ""},
		{rewrite, "type: ReplacePrefixMatch, replacePrefixMatch: /", ""},
		{rewrite, "type: ReplacePrefixMatch, replacePrefixMatch: ''", `UnsupportedValue: the path "" of a filter does not begin with /`},
		{redirect, "type: ReplaceFullPath, replaceFullPath: '/a b'", `UnsupportedValue: the path "/a b" of a filter has a blank or one of {};`},
		{redirect, "type: ReplaceFullPath, replaceFullPath: '/$a'", `UnsupportedValue: the path "/$a" of a filter has a $`},
		{extension, "AuthenticationFilter, name: one}}, {type: ExtensionRef, extensionRef: {group: gateway.nginx.org, kind: SnippetsFilter, name: two", ""},
		{extension, "AuthenticationFilter, name: one}}, {type: ExtensionRef, extensionRef: {group: gateway.nginx.org, kind: AuthenticationFilter, name: two", "UnsupportedValue: a rule can have one AuthenticationFilter"},
	} {
		broken := fmt.Sprintf("{filters: ["+c.filter+"], backendRefs: [{name: gone, port: 80}]}", c.headers)
		for more, kind := range map[string]string{"": "Accepted=false", ", {backendRefs: [{name: near, port: 80}]}": "PartiallyInvalid=true"} {
			g := claimed(t, under("gateway.nginx.org/nginx-gateway-controller"), gateway("g", http), nearby, plain("gateway.nginx.org/v1alpha1", "AuthenticationFilter", "ns", "one"),
				plain("gateway.nginx.org/v1alpha1", "AuthenticationFilter", "ns", "two"), plain("gateway.nginx.org/v1alpha1", "SnippetsFilter", "ns", "two"),
				route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}], rules: ["+broken+more+"]"))
			r := nodeOf(t, g, "HTTPRoute/ns/r")
			got, want, resolved := "", "", "BackendNotFound"
			if c.want != "" {
				want, resolved = kind+"/"+c.want, "ResolvedRefs"
			}
			if d := g.DroppedRules(r); d != nil {
				got = d.Type + "=" + d.Status.String() + "/" + d.Reason + ": " + d.Message
			}
			if got != want {
				t.Errorf("%s%s: got %q, want %q", c.headers, more, got, want)
			}
			if got := g.Parents(r)[0].Resolved.Reason; got != resolved {
				t.Errorf("%s%s: %s, want %s", c.headers, more, got, resolved)
			}
			if left, want := g.LeftOut(r.Sections[0]), c.want != "" && more == ""; left != want {
				t.Errorf("%s%s: left out %t, want %t", c.headers, more, left, want)
			}
		}
	}
}

// A rule that is left out has no backends that could fail.
func TestUnusableMatchHidesBackends(t *testing.T) {
	for match, want := range map[string]string{"/a(": "true/ResolvedRefs", "/a": "false/BackendNotFound"} {
		g := claimed(t, under("gateway.envoyproxy.io/gatewayclass-controller"), gateway("g", http), route("HTTPRoute", "ns", "r",
			"parentRefs: [{name: g}], rules: [{matches: [{path: {type: RegularExpression, value: '"+match+"'}}], backendRefs: [{name: gone, port: 80}]}]"))
		for _, p := range g.Parents(nodeOf(t, g, "HTTPRoute/ns/r")) {
			if got := p.Resolved.Status.String() + "/" + p.Resolved.Reason; got != want {
				t.Errorf("%s: got %s, want %s", match, got, want)
			}
		}
	}
}

// Chains of Middlewares that share members are read once each, and one that contains itself ends (Traefik,
// pkg/server/middleware/middlewares.go, BuildMiddlewareChain).
func TestMiddlewareChains(t *testing.T) {
	middleware := func(name, spec string) string {
		return "{apiVersion: traefik.io/v1alpha1, kind: Middleware, metadata: {name: " + name + ", namespace: ns}, spec: {" + spec + "}}"
	}
	chain := func(members ...string) string {
		return "chain: {middlewares: [{name: " + strings.Join(members, "}, {name: ") + "}]}"
	}
	const levels = 60 // with two ways to each, 2^60 ways to the last
	diamond := []string{middleware(fmt.Sprintf("m%d", levels), "compress: {}")}
	for i := range levels {
		next := fmt.Sprintf("m%d", i+1)
		diamond = append(diamond, middleware(fmt.Sprintf("m%d", i), chain(next, next)))
	}
	for want, more := range map[string][]string{
		"":                                   diamond,
		"Middleware ns/m0 is part of itself": {middleware("m0", chain("m1")), middleware("m1", chain("m0"))},
		"Middleware ns/gone does not exist":  {middleware("m0", chain("gone"))},
		"Middleware ns/m0 has several types: compress, retry": {middleware("m0", "compress: {}, retry: {attempts: 2}")},
	} {
		g := claimed(t, under("traefik.io/gateway-controller"), append([]string{gateway("g", http), route("HTTPRoute", "ns", "r",
			"parentRefs: [{name: g}], rules: [{filters: [{type: ExtensionRef, extensionRef: {group: traefik.io, kind: Middleware, name: m0}}]}]")}, more...)...)
		got := ""
		g.RouteReferences(nodeOf(t, g, "HTTPRoute/ns/r"), func(c hierarchy.Condition) { got = c.Message })
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestDeciderBehindUnknown: a parent of which nothing is known does not keep a route from being judged by the controller of another one.
func TestDeciderBehindUnknown(t *testing.T) {
	g := claimed(t, under(nginxGateway), gateway("g", http), nearby,
		"{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: other}, spec: {gatewayClassName: none, listeners: ["+http+"]}}",
		route("HTTPRoute", "ns", "r", "parentRefs: [{name: other}, {name: g}], rules: [{matches: [{path: {value: '/a b'}}]}]"))
	dropped := g.DroppedRules(nodeOf(t, g, "HTTPRoute/ns/r"))
	if dropped == nil || dropped.Reason != "UnsupportedValue" {
		t.Errorf("got %+v", dropped)
	}
}
