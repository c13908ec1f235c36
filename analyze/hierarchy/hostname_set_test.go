package hierarchy_test

import (
	"testing"

	"github.com/gwplan/gwplan/analyze/inventory"
)

// The result is a set: two hostnames of a route may meet in one.
func TestHostnameIntersectionIsSet(t *testing.T) {
	g := graph(t, inventory.Options{}, gateway("g", "{name: l, port: 80, protocol: HTTP"+hostname("www.example.com")+"}"),
		route("HTTPRoute", "ns", "r", hostnames("*.example.com www.example.com *.com")+"parentRefs: [{name: g}]"))
	wantEdges(t, g, "HTTPRoute/ns/r", "Gateway/ns/g#l true www.example.com")
}
