package hierarchy_test

import (
	"cmp"
	"testing"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// kgateway answers 500 for the requests of a rule that has no answer, more than one, or a filter that it does not find, and does
// not accept the route then, whatever its other rules are (translator/irtranslator/route.go, envoyRoutes).
func TestEnvoyRoutes(t *testing.T) {
	const (
		kgateway = "kgateway.dev/kgateway"
		near     = "backendRefs: [{name: near, port: 80}]"
		direct   = "{type: ExtensionRef, extensionRef: {group: gateway.kgateway.dev, kind: DirectResponse, name: here}}"
		policy   = "{type: ExtensionRef, extensionRef: {group: gateway.kgateway.dev, kind: TrafficPolicy, name: here}}"
		gone     = "{type: ExtensionRef, extensionRef: {group: gateway.kgateway.dev, kind: TrafficPolicy, name: gone}}"
		other    = "{type: ExtensionRef, extensionRef: {group: acme.io, kind: Filter, name: here}}"
		redirect = "{type: RequestRedirect, requestRedirect: {hostname: a.example}}"
		two      = "a rule with a DirectResponse can have no backend, no redirect and no other DirectResponse"
		child    = "{group: gateway.networking.k8s.io, kind: HTTPRoute, name: child}"
	)
	rewritten := func(path string) string {
		return "{filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: '" + path + "'}}}], " + near + "}"
	}
	redirected := func(path string) string {
		return "{filters: [{type: RequestRedirect, requestRedirect: {path: {type: ReplaceFullPath, replaceFullPath: '" + path + "'}}}]}"
	}
	for _, tt := range []struct {
		name, kind, annotation, rules string
		why                           string // "" means that the route is accepted
		fault                         bool   // that a filter makes the first rule fail
	}{
		{"a backend", "HTTPRoute", "", "{" + near + "}", "", false},
		{"no backend", "HTTPRoute", "", "{matches: [{path: {value: /a}}]}", "a rule has no backend", false},
		{"no backend of a GRPCRoute", "GRPCRoute", "", "{}", "a rule has no backend", false},
		{"one rule of two", "HTTPRoute", "", "{" + near + "}, {}", "a rule has no backend", false},
		{"a redirect", "HTTPRoute", "", "{filters: [" + redirect + "]}", "", false},
		{"a direct response", "HTTPRoute", "", "{filters: [" + direct + "]}", "", false},
		{"a direct response and a backend", "HTTPRoute", "", "{filters: [" + direct + "], " + near + "}", two, true},
		{"a direct response and a redirect", "HTTPRoute", "", "{filters: [" + direct + ", " + redirect + "]}", two, true},
		{"two direct responses", "HTTPRoute", "", "{filters: [" + direct + ", " + direct + "]}", two, true},
		{"a direct response of a GRPCRoute, which is not read", "GRPCRoute", "", "{filters: [" + direct + "], " + near + "}", "", false},
		{"a policy", "HTTPRoute", "", "{filters: [" + policy + "], " + near + "}", "", false},
		{"a policy and no backend", "HTTPRoute", "", "{filters: [" + policy + "]}", "a rule has no backend", false},
		{"a policy that is gone", "HTTPRoute", "", "{filters: [" + gone + "], " + near + "}", "TrafficPolicy ns/gone does not exist", false},
		{"one of a GRPCRoute", "GRPCRoute", "", "{filters: [" + gone + "], " + near + "}", "", false},
		{"an extension of another kind", "HTTPRoute", "", "{filters: [" + other + "], " + near + "}", "there is no extension of kind Filter.acme.io", true},
		{"weights of 0", "HTTPRoute", "", "{backendRefs: [{name: near, port: 80, weight: 0}, {name: near, port: 80, weight: 0}]}", "all backends of a rule have the weight 0", false},
		{"a weight of 0 alone", "HTTPRoute", "", "{backendRefs: [{name: near, port: 80, weight: 0}]}", "", false},
		{"one weight of 0", "HTTPRoute", "", "{backendRefs: [{name: near, port: 80, weight: 0}, {name: near, port: 80}]}", "", false},
		{"delegation", "HTTPRoute", "", "{backendRefs: [" + child + "]}", "", false},
		{"a prefix", "HTTPRoute", "", rewritten("/a%20"), `the prefix "/a%20" of a filter has a character that no path can have`, true},
		{"another one", "HTTPRoute", "", rewritten("/a/../b"), `the prefix "/a/../b" of a filter has /../`, true},
		{"one that is no path", "HTTPRoute", "", rewritten("/a%"), `the prefix "/a%" of a filter is no path`, true},
		{"one that is well", "HTTPRoute", "", rewritten("/a/b"), "", false},
		{"a path", "HTTPRoute", "", redirected("/a/."), `the path "/a/." of a redirect ends with /.`, true},
		{"one with a query", "HTTPRoute", "", redirected("/a?b=[]"), "", false},
		{"a status", "HTTPRoute", "307", "{filters: [" + redirect + "]}", "", false},
		{"no status", "HTTPRoute", "200", "{filters: [" + redirect + "]}", `the annotation kgateway.dev/http-redirect-status-code has "200", which is no status of a redirect`, true},
		{"no number", "HTTPRoute", "a=b=c", "{filters: [" + redirect + "]}", `the annotation kgateway.dev/http-redirect-status-code has "a=b=c", which is no status of a redirect`, true},
		{"one for another rule", "HTTPRoute", "a=200", "{name: b, filters: [" + redirect + "]}", "", false},
		{"one for all rules, since this one has no name", "HTTPRoute", "a=200", "{filters: [" + redirect + "]}", `the annotation kgateway.dev/http-redirect-status-code has "200", which is no status of a redirect`, true},
		{"none of a redirect", "HTTPRoute", "200", "{" + near + "}", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := claimed(t, under(kgateway), gatewayOf("listeners: ["+listener("l", 80, "HTTP", "")+"]"),
				"{apiVersion: gateway.networking.k8s.io/v1, kind: "+tt.kind+", metadata: {name: r, annotations: {kgateway.dev/http-redirect-status-code: '"+cmp.Or(tt.annotation, "302")+"'}}, spec: {parentRefs: [{name: g}], rules: ["+tt.rules+"]}}",
				"{apiVersion: v1, kind: Service, metadata: {name: near}, spec: {ports: [{port: 80}]}}",
				"{apiVersion: gateway.kgateway.dev/v1alpha1, kind: DirectResponse, metadata: {name: here}, spec: {status: 200}}",
				"{apiVersion: gateway.kgateway.dev/v1alpha1, kind: TrafficPolicy, metadata: {name: here}, spec: {}}",
				"{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: child}, spec: {rules: [{"+near+"}]}}",
			)
			route := nodeOf(t, g, tt.kind+"/ns/r")
			got := ""
			if c := g.DroppedRules(route); c != nil {
				got = c.Message
				if c.Type != hierarchy.Accepted || c.Status != fact.False || c.Reason != "RouteRuleReplaced" {
					t.Errorf("got %s=%v/%s", c.Type, c.Status, c.Reason)
				}
			}
			if got != tt.why {
				t.Errorf("got  %s\nwant %s", got, tt.why)
			}
			if fault := g.FilterFault(route.Sections[0]); (fault != nil) != tt.fault {
				t.Errorf("a fault of filters: %v", fault)
			}
		})
	}
}

// Routes inherit the filters of the rule that passes requests on to them (translator/irtranslator/route.go, runRoutePlugins).
func TestRunRoutePlugins(t *testing.T) {
	for filters, want := range map[string]bool{
		"{type: ExtensionRef, extensionRef: {group: gateway.kgateway.dev, kind: DirectResponse, name: here}}": true,
		"{type: ExtensionRef, extensionRef: {group: gateway.kgateway.dev, kind: DirectResponse, name: gone}}": false, // another fault
		"{type: RequestHeaderModifier, requestHeaderModifier: {remove: [a]}}":                                 false,
	} {
		g := claimed(t, under("kgateway.dev/kgateway"), gatewayOf("listeners: ["+listener("l", 80, "HTTP", "")+"]"),
			"{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r}, spec: {parentRefs: [{name: g}], rules: [{filters: ["+filters+"], backendRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: child}]}]}}",
			"{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: child}, spec: {rules: [{}]}}",
			"{apiVersion: gateway.kgateway.dev/v1alpha1, kind: DirectResponse, metadata: {name: here}, spec: {status: 200}}",
		)
		if got := hierarchy.ReplacedBelow(g, nodeOf(t, g, "HTTPRoute/ns/r").Sections[0]) != nil; got != want {
			t.Errorf("%s: got %t, want %t", filters, got, want)
		}
		if got := hierarchy.ReplacedBelow(g, nodeOf(t, g, "HTTPRoute/ns/child").Sections[0]); got != nil {
			t.Errorf("%s: the child: %v", filters, got)
		}
	}
}

// kgateway takes no connections for a TCPRoute or a TLSRoute with several rules
// (translator/listener/gateway_listener_translator.go, translateTcpFilterChain).
func TestTranslateTCPFilterChain(t *testing.T) {
	for _, tt := range []struct {
		controller, kind, rules string
		want                    bool
	}{
		{"kgateway.dev/kgateway", "TCPRoute", "{}", false},
		{"kgateway.dev/kgateway", "TCPRoute", "{}, {}", true},
		{"kgateway.dev/kgateway", "TLSRoute", "{}, {}", true},
		{"kgateway.dev/kgateway", "HTTPRoute", "{}, {}", false},
		{"acme.io/controller", "TCPRoute", "{}, {}", false},
	} {
		g := claimed(t, under(tt.controller), gatewayOf("listeners: ["+listener("l", 80, "TCP", "")+"]"),
			"{apiVersion: gateway.networking.k8s.io/v1, kind: "+tt.kind+", metadata: {name: r}, spec: {parentRefs: [{name: g}], rules: ["+tt.rules+"]}}")
		if got := g.LeftOut(nodeOf(t, g, tt.kind+"/ns/r").Sections[0]); got != tt.want {
			t.Errorf("%s of %s with %s: got %t, want %t", tt.kind, tt.controller, tt.rules, got, tt.want)
		}
	}
}
