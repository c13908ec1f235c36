package hierarchy_test

import (
	"testing"

	"github.com/gwplan/gwplan/analyze/inventory"
)

// set writes a ListenerSet of namespace sets for the Gateway ns/g.
const set = `{apiVersion: gateway.networking.k8s.io/v1, kind: ListenerSet, metadata: {name: set, namespace: sets},
 spec: {parentRef: {name: g, namespace: ns}, listeners: [{name: one, port: 81, protocol: HTTP}]}}`

func allowing(stanza string) string {
	return "{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {gatewayClassName: c, " + stanza + " listeners: [" + http + "]}}"
}

// A Gateway allows no ListenerSets by default (GEP-1713).
func TestListenerSetAllowed(t *testing.T) {
	const labelled = "{apiVersion: v1, kind: Namespace, metadata: {name: sets, labels: {team: a}}}"
	for name, tt := range map[string]struct{ stanza, namespace, want string }{
		"nothing said":                {"", "", "false NotAllowed"},
		"an empty stanza":             {"allowedListeners: {},", "", "false NotAllowed"},
		"None":                        {"allowedListeners: {namespaces: {from: None}},", "", "false NotAllowed"},
		"Same":                        {"allowedListeners: {namespaces: {from: Same}},", "", "false NotAllowed"},
		"All":                         {"allowedListeners: {namespaces: {from: All}},", "", "true"},
		"Selector, labels known":      {"allowedListeners: {namespaces: {from: Selector, selector: {matchLabels: {team: a}}}},", labelled, "true"},
		"Selector, other label":       {"allowedListeners: {namespaces: {from: Selector, selector: {matchLabels: {team: b}}}},", labelled, "false NotAllowed"},
		"Selector, labels unknown":    {"allowedListeners: {namespaces: {from: Selector, selector: {matchLabels: {team: a}}}},", "", "unknown NamespaceLabelsUnknown"},
		"Selector without a selector": {"allowedListeners: {namespaces: {from: Selector}},", labelled, "false NotAllowed"},
	} {
		t.Run(name, func(t *testing.T) {
			g := graph(t, inventory.Options{}, allowing(tt.stanza), set, tt.namespace)
			wantEdges(t, g, "ListenerSet/sets/set", "Gateway/ns/g "+tt.want)
			wantEdges(t, g, "ListenerSet/sets/set#one", "ListenerSet/sets/set true")
		})
	}
}

// A parentRef to the Gateway means the Gateway's own listeners, also by name;
// `Same` on a listener of a ListenerSet means the ListenerSet's namespace.
func TestListenerSetListeners(t *testing.T) {
	const all = "allowedListeners: {namespaces: {from: All}},"
	g := graph(t, inventory.Options{}, allowing(all), set,
		route("HTTPRoute", "ns", "gateway", "parentRefs: [{name: g}]"),
		route("HTTPRoute", "ns", "by-name", "parentRefs: [{name: g, sectionName: one}]"),
		route("HTTPRoute", "sets", "same", "parentRefs: [{kind: ListenerSet, name: set}]"),
		route("HTTPRoute", "ns", "other", "parentRefs: [{kind: ListenerSet, name: set, namespace: sets}]"))
	wantEdges(t, g, "HTTPRoute/ns/gateway", "Gateway/ns/g#http true")
	wantEdges(t, g, "HTTPRoute/ns/by-name", "Gateway/ns/g false NoMatchingParent")
	wantEdges(t, g, "HTTPRoute/sets/same", "ListenerSet/sets/set#one true")
	wantEdges(t, g, "HTTPRoute/ns/other", "ListenerSet/sets/set#one false NotAllowedByListeners")
}

// The experimental name of the kind is the same thing.
func TestXListenerSet(t *testing.T) {
	x := `{apiVersion: gateway.networking.x-k8s.io/v1alpha1, kind: XListenerSet, metadata: {name: x},
 spec: {parentRef: {group: gateway.networking.k8s.io, kind: Gateway, name: g}, listeners: [{name: one, port: 81, protocol: HTTP}]}}`
	g := graph(t, inventory.Options{}, allowing("allowedListeners: {namespaces: {from: Same}},"), x,
		route("HTTPRoute", "ns", "r", "parentRefs: [{group: gateway.networking.x-k8s.io, kind: XListenerSet, name: x}]"))
	wantEdges(t, g, "XListenerSet.gateway.networking.x-k8s.io/ns/x", "Gateway/ns/g true")
	wantEdges(t, g, "HTTPRoute/ns/r", "XListenerSet.gateway.networking.x-k8s.io/ns/x#one true")
}
