package hierarchy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/inventory"
)

// The kinds that a listener takes by its protocol when it lists none. Whether a
// TLS listener that terminates takes a TCPRoute is its implementation's own.
func TestKindsByProtocol(t *testing.T) {
	kinds := []string{"HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"}
	for protocol, takes := range map[string]map[string]string{
		"HTTP":                           {"HTTPRoute": "true", "GRPCRoute": "true"},
		"HTTPS":                          {"HTTPRoute": "true", "GRPCRoute": "true"},
		"TLS, tls: {mode: Passthrough}":  {"TLSRoute": "true"},
		"TLS, tls: {mode: Terminate}":    {"TLSRoute": "true", "TCPRoute": "unknown ProtocolUnknown"},
		"TLS, tls: {options: {a/b: c}}":  {"TLSRoute": "true", "TCPRoute": "unknown ProtocolUnknown"},
		"TCP":                            {"TCPRoute": "true"},
		"UDP":                            {"UDPRoute": "true"},
		"acme.io/quic, tls: {mode: Own}": {"HTTPRoute": "?", "GRPCRoute": "?", "TLSRoute": "?", "TCPRoute": "?", "UDPRoute": "?"},
	} {
		for _, kind := range kinds {
			g := graph(t, inventory.Options{}, gateway("g", "{name: l, port: 80, protocol: "+protocol+"}"),
				route(kind, "ns", "r", "parentRefs: [{name: g}], rules: [{}]"))
			want := takes[kind]
			switch want {
			case "":
				want = "false NotAllowedByListeners"
			case "?":
				want = "unknown ProtocolUnknown"
			}
			wantEdges(t, g, kind+"/ns/r", "Gateway/ns/g#l "+want)
		}
	}
	listed := "{name: l, port: 80, protocol: TLS, tls: {mode: Terminate}, allowedRoutes: {kinds: [{kind: %}]}}"
	for kind, want := range map[string]string{"TCPRoute": "true", "TLSRoute": "false NotAllowedByListeners"} {
		g := graph(t, inventory.Options{}, gateway("g", strings.Replace(listed, "%", kind, 1)),
			route("TCPRoute", "ns", "r", "parentRefs: [{name: g}], rules: [{}]"))
		wantEdges(t, g, "TCPRoute/ns/r", "Gateway/ns/g#l "+want)
	}
}

// allowedRoutes.kinds: the group has a default, a listed kind that the protocol
// cannot take does not attach, and the valid ones beside it do.
func TestAllowedKinds(t *testing.T) {
	for kinds, want := range map[string]string{
		"[{kind: HTTPRoute}]":                                   "true",
		"[{kind: GRPCRoute}, {kind: HTTPRoute}]":                "true",
		"[{kind: TCPRoute}, {kind: HTTPRoute}]":                 "true",
		"[{group: gateway.networking.k8s.io, kind: HTTPRoute}]": "true",
		"[{kind: GRPCRoute}]":                                   "false NotAllowedByListeners",
		"[{group: acme.io, kind: HTTPRoute}]":                   "false NotAllowedByListeners",
		"[{group: '', kind: HTTPRoute}]":                        "false NotAllowedByListeners",
		"[]":                                                    "true",
	} {
		g := graph(t, inventory.Options{}, gateway("g", "{name: l, port: 80, protocol: HTTP, allowedRoutes: {kinds: "+kinds+"}}"),
			route("HTTPRoute", "ns", "r", "parentRefs: [{name: g}]"))
		wantEdges(t, g, "HTTPRoute/ns/r", "Gateway/ns/g#l "+want)
	}
	g := graph(t, inventory.Options{}, gateway("g", "{name: l, port: 80, protocol: HTTP, allowedRoutes: {kinds: [{kind: TCPRoute}]}}"),
		route("TCPRoute", "ns", "r", "parentRefs: [{name: g}], rules: [{}]"))
	wantEdges(t, g, "TCPRoute/ns/r", "Gateway/ns/g#l false NotAllowedByListeners")
}

func TestAllowedNamespaces(t *testing.T) {
	const labelled = "{apiVersion: v1, kind: Namespace, metadata: {name: apps, labels: {team: a}}}"
	const refused, unknown = "false NotAllowedByListeners", "unknown NamespaceLabelsUnknown"
	configured := inventory.Options{NamespaceLabels: map[string]map[string]string{"apps": {"team": "a"}}}
	for name, tt := range map[string]struct {
		stanza, namespace string
		options           inventory.Options
		want              string
	}{
		"default is Same":                     {"", "", inventory.Options{}, refused},
		"Same":                                {"from: Same", "", inventory.Options{}, refused},
		"All":                                 {"from: All", "", inventory.Options{}, "true"},
		"Selector, manifest":                  {"from: Selector, selector: {matchLabels: {team: a}}", labelled, inventory.Options{}, "true"},
		"Selector, other label":               {"from: Selector, selector: {matchLabels: {team: b}}", labelled, inventory.Options{}, refused},
		"Selector, labels unknown":            {"from: Selector, selector: {matchLabels: {team: a}}", "", inventory.Options{}, unknown},
		"Selector, labels from the config":    {"from: Selector, selector: {matchLabels: {team: a}}", "", configured, "true"},
		"Selector, the manifest beats it":     {"from: Selector, selector: {matchLabels: {team: a}}", strings.Replace(labelled, "team: a", "team: b", 1), configured, refused},
		"Selector, complete":                  {"from: Selector, selector: {matchLabels: {team: a}}", "", inventory.Options{Complete: true}, refused},
		"Selector by name alone":              {"from: Selector, selector: {matchLabels: {kubernetes.io/metadata.name: apps}}", "", inventory.Options{}, "true"},
		"Selector by another name":            {"from: Selector, selector: {matchLabels: {kubernetes.io/metadata.name: x, team: a}}", "", inventory.Options{}, refused},
		"Selector by name and by a label":     {"from: Selector, selector: {matchLabels: {kubernetes.io/metadata.name: apps, team: a}}", "", inventory.Options{}, unknown},
		"Selector without a selector":         {"from: Selector", labelled, inventory.Options{}, refused},
		"Selector with an empty selector":     {"from: Selector, selector: {}", "", inventory.Options{}, "true"},
		"Selector, the label is a variable":   {"from: Selector, selector: {matchLabels: {team: a}}", strings.Replace(labelled, "team: a", "team: '${TEAM}'", 1), inventory.Options{}, unknown},
		"Selector, the value is a variable":   {"from: Selector, selector: {matchLabels: {team: '${TEAM}'}}", labelled, inventory.Options{}, unknown},
		"None is valid for ListenerSets only": {"from: None", "", inventory.Options{}, refused},
	} {
		t.Run(name, func(t *testing.T) {
			listener := fmt.Sprintf("{name: l, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {%s}}}", tt.stanza)
			if tt.stanza == "" {
				listener = "{name: l, port: 80, protocol: HTTP}"
			}
			g := graph(t, tt.options, gateway("g", listener), tt.namespace,
				route("HTTPRoute", "apps", "r", "parentRefs: [{name: g, namespace: ns}]"))
			wantEdges(t, g, "HTTPRoute/apps/r", "Gateway/ns/g#l "+tt.want)
		})
	}
}

// Selectors over labels of which all, or only some, are known.
func TestSelectors(t *testing.T) {
	known := inventory.Labels{Values: map[string]string{"team": "a", "empty": ""}}
	partial := inventory.Labels{Values: known.Values, Partial: true}
	expression := func(key, operator, values string) string {
		return fmt.Sprintf("{matchExpressions: [{key: %s, operator: %s, values: %s}]}", key, operator, values)
	}
	for _, tt := range []struct{ selector, known, partial string }{
		{"{}", "true", "true"},
		{"{matchLabels: {team: a}}", "true", "true"},
		{"{matchLabels: {team: b}}", "false", "false"},
		{"{matchLabels: {empty: ''}}", "true", "true"},
		{"{matchLabels: {other: a}}", "false", "unknown"},
		{"{matchLabels: {team: a, other: a}}", "false", "unknown"},
		{"{matchLabels: {team: b, other: a}}", "false", "false"},
		{expression("team", "In", "[b, a]"), "true", "true"},
		{expression("team", "In", "[b]"), "false", "false"},
		{expression("other", "In", "[a]"), "false", "unknown"},
		{expression("team", "NotIn", "[a]"), "false", "false"},
		{expression("team", "NotIn", "[b]"), "true", "true"},
		{expression("other", "NotIn", "[a]"), "true", "unknown"},
		{expression("team", "Exists", "[]"), "true", "true"},
		{expression("other", "Exists", "[]"), "false", "unknown"},
		{expression("team", "DoesNotExist", "[]"), "false", "false"},
		{expression("other", "DoesNotExist", "[]"), "true", "unknown"},
		{expression("team", "Near", "[a]"), "unknown", "unknown"},
		{"{matchLabels: {team: a}, matchExpressions: [{key: other, operator: Exists}]}", "false", "unknown"},
	} {
		env := environment(t, "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: "+tt.selector+"}}")
		selector := env.Objects[0].Spec().Get("selector")
		if got := known.Matches(selector).String(); got != tt.known {
			t.Errorf("%s: %s, want %s", tt.selector, got, tt.known)
		}
		if got := partial.Matches(selector).String(); got != tt.partial {
			t.Errorf("%s, labels partly known: %s, want %s", tt.selector, got, tt.partial)
		}
	}
	if got := known.Matches(nil); got != fact.False {
		t.Errorf("an absent selector matches: %s", got)
	}
}
