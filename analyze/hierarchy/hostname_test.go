package hierarchy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/inventory"
)

const none = "(none)"

// The examples of the upstream page on hostnames, and what they leave out.
func TestHostnameIntersection(t *testing.T) {
	const refused = "NoMatchingListenerHostname"
	for _, tt := range []struct{ listener, route, want string }{
		{"www.example.com", "www.example.com", "www.example.com"},
		{"*.example.com", "www.example.com", "www.example.com"},
		{"*.example.com", "sub.domain.example.com", "sub.domain.example.com"},
		{"www.example.com", "*.example.com", "www.example.com"},
		{"sub.domain.example.com", "*.example.com", "sub.domain.example.com"},
		{"*.example.com", "*.example.com", "*.example.com"},
		{"*.com", "*.example.com", "*.example.com"},
		{none, "www.example.com", "www.example.com"},
		{none, none, none},

		{"www.example.com", none, "www.example.com"},
		{"*.example.com", none, "*.example.com"},
		{"*.example.com", "*.com", "*.example.com"},
		{none, "*.example.com", "*.example.com"},
		{"*.example.com", "example.com", refused},
		{"example.com", "*.example.com", refused},
		{"*.example.com", "www.badexample.com", refused},
		{"www.example.com", "example.com", refused},
		{"*.a.example.com", "*.b.example.com", refused},
		{"*.example.com", "www.example.com www.other.com example.com a.b.example.com", "www.example.com,a.b.example.com"},
	} {
		t.Run(tt.listener+" with "+tt.route, func(t *testing.T) {
			for _, kind := range []string{"HTTPRoute", "GRPCRoute"} {
				g := graph(t, inventory.Options{}, gateway("g", "{name: l, port: 80, protocol: HTTP"+hostname(tt.listener)+"}"),
					route(kind, "ns", "r", hostnames(tt.route)+"parentRefs: [{name: g}]"))
				want := "Gateway/ns/g#l true " + tt.want
				switch tt.want {
				case refused:
					want = "Gateway/ns/g#l false " + refused
				case none:
					want = "Gateway/ns/g#l true"
				}
				wantEdges(t, g, kind+"/ns/r", want)
			}
		})
	}
}

func hostname(name string) string {
	if name == none {
		return ""
	}
	return fmt.Sprintf(", hostname: %q", name)
}

func hostnames(names string) string {
	if names == none {
		return ""
	}
	return `hostnames: ["` + strings.ReplaceAll(names, " ", `", "`) + `"], `
}

// A hostname with a variable matches "unknown", unless both sides have the same text from the variable on, or another
// hostname matches for certain.
func TestHostnameVariables(t *testing.T) {
	for _, tt := range []struct{ listener, route, want string }{
		{"*.${DOMAIN}", "www.${DOMAIN}", "true www.${DOMAIN}"},
		{"*.shop.${DOMAIN}", "www.shop.${DOMAIN}", "true www.shop.${DOMAIN}"},
		{"www.${DOMAIN}", "*.${DOMAIN}", "true www.${DOMAIN}"},
		{"a.${DOMAIN}", "b.${DOMAIN}", "false NoMatchingListenerHostname"},
		{"${DOMAIN}", "www.${DOMAIN}", "false NoMatchingListenerHostname"},
		{"*.${DOMAIN}", "www.${OTHER}", "unknown HostnameUnknown www.${OTHER}"},
		{"*.${DOMAIN}", "www.${DOMAIN}.com", "unknown HostnameUnknown www.${DOMAIN}.com"},
		{"www.${DOMAIN}", "www.${DOMAIN}", "true www.${DOMAIN}"},
		{"*.example.com", "www.${DOMAIN}", "unknown HostnameUnknown www.${DOMAIN}"},
		{"*.example.com", "www.${DOMAIN} www.example.com", "true www.${DOMAIN},www.example.com"},
		{none, "www.${DOMAIN}", "true www.${DOMAIN}"},
		{"*.${DOMAIN}", none, "true *.${DOMAIN}"},
	} {
		g := graph(t, inventory.Options{}, gateway("g", "{name: l, port: 80, protocol: HTTP"+hostname(tt.listener)+"}"),
			route("HTTPRoute", "ns", "r", hostnames(tt.route)+"parentRefs: [{name: g}]"))
		wantEdges(t, g, "HTTPRoute/ns/r", "Gateway/ns/g#l "+tt.want)
	}
}

// TCP and UDP ignore hostnames, TLSRoutes do not.
func TestHostnamesByKind(t *testing.T) {
	g := graph(t, inventory.Options{}, gateway("g", "{name: tls, port: 443, protocol: TLS, hostname: a.example, tls: {mode: Passthrough}}, {name: tcp, port: 81, protocol: TCP}"),
		route("TLSRoute", "ns", "tls", "hostnames: [b.example], parentRefs: [{name: g, sectionName: tls}], rules: [{}]"),
		route("TCPRoute", "ns", "tcp", "hostnames: [b.example], parentRefs: [{name: g, sectionName: tcp}], rules: [{}]"))
	wantEdges(t, g, "TLSRoute/ns/tls", "Gateway/ns/g#tls false NoMatchingListenerHostname")
	wantEdges(t, g, "TCPRoute/ns/tcp", "Gateway/ns/g#tcp true")
}
