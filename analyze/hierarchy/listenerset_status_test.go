package hierarchy_test

import (
	"fmt"
	"testing"

	"github.com/gwplan/gwplan/analyze/inventory"
)

func TestListenerSetStatus(t *testing.T) {
	const (
		fine     = "{name: fine, port: 8081, protocol: HTTP}"
		conflict = "{name: taken, port: 80, protocol: HTTP}"
		kinds    = "{name: kinds, port: 8082, protocol: HTTP, allowedRoutes: {kinds: [{kind: TCPRoute}]}}"
		secret   = "{name: secret, port: 8443, protocol: HTTPS, tls: {certificateRefs: [{name: cert}]}}"
		refused  = "{name: refused, port: 8444, protocol: HTTPS, tls: {certificateRefs: [{name: cert, namespace: far}]}}"
		foreign  = "{name: foreign, port: 8445, protocol: acme.io/own}"
	)
	const selected = "allowedListeners: {namespaces: {from: Selector, selector: {matchLabels: {team: a}}}}, listeners: [" + http + "]"
	notAllowed, notAccepted, allBad := fmt.Sprintf(setRejected, "NotAllowed"), fmt.Sprintf(setRejected, "ParentNotAccepted"), fmt.Sprintf(setRejected, "ListenersNotValid")
	bad := listener("bad", 443, "HTTPS", "tls: {certificateRefs: [{name: cert}]}")
	parameters := "infrastructure: {parametersRef: {group: acme.io, kind: Parameters, name: gone}}, "
	for _, tt := range []struct {
		name    string
		options inventory.Options
		gateway string
		set     string
		want    string
	}{
		{"Accepted", closed(), open(http), fine, accepted},
		// conformance listenerset-default-not-allowed, -allowed-namespace-none, -allowed-namespace-selector.
		{"NotAllowed by default", closed(), gateway("g", http), fine, notAllowed},
		{"NotAllowed, None", closed(), gatewayOf("allowedListeners: {namespaces: {from: None}}, listeners: [" + http + "]"), fine, notAllowed},
		{"NotAllowed, another label", closed(), gatewayOf(selected), fine, notAllowed},
		{"NotAllowed comes before its listeners", closed(), gateway("g", http), conflict, notAllowed},
		{"an admission that is unknown", inventory.Options{}, gatewayOf(selected), fine, "Accepted=unknown/NotInInput"},
		// Nobody writes anything then: what stays is the CRD's default (Gateway API, ListenerSetStatus.conditions).
		{"a Gateway that does not exist", closed(), gateway("other", http), fine, "Accepted=unknown/Pending"},
		{"a Gateway that is not in the input", inventory.Options{}, gateway("other", http), fine, "Accepted=unknown/NotInInput"},

		// Gateway API, ListenerSetReasonParentNotAccepted.
		{"ParentNotAccepted", closed(), gatewayOf(parameters + "allowedListeners: {namespaces: {from: All}}, listeners: [" + http + "]"), fine, notAccepted},
		{"NotAllowed comes before ParentNotAccepted", closed(), gatewayOf(parameters + "listeners: [" + http + "]"), fine, notAllowed},
		{"ParentNotAccepted comes before its listeners", closed(), gatewayOf(parameters + "allowedListeners: {namespaces: {from: All}}, listeners: [" + http + "]"), conflict, notAccepted},
		// A ListenerSet may be what a Gateway without a listener of its own has.
		{"a Gateway without a valid listener is a parent", closed(), open(bad), fine, accepted},

		// conformance listenerset-hostname-conflict, -protocol-conflict: false if none is valid; the reason of true is free.
		{"ListenersNotValid, one of two", closed(), open(http), fine + ", " + conflict, someValid},
		{"ListenersNotValid, all", closed(), open(http), conflict, allBad},
		{"ListenersNotValid, a missing certificate", closed(), open(http), secret, allBad},
		// conformance listenerset-reference-grant.
		{"ListenersNotValid, a certificate that is not permitted", closed(), open(http), refused, allBad},
		{"ListenersNotValid, one of each", closed(), open(http), conflict + ", " + secret + ", " + refused, allBad},
		{"ListenersNotValid, and one is fine", closed(), open(http), conflict + ", " + secret + ", " + fine, someValid},
		// conformance listenerset-allowed-routes-supported-kinds leaves it open; the listener is accepted.
		{"InvalidRouteKinds leaves a listener valid", closed(), open(http), kinds, accepted},
		{"a protocol that nobody knows", closed(), open(http), foreign, "Accepted=unknown/NotInInput"},
		{"a protocol that nobody knows beside a bad one", closed(), open(http), foreign + ", " + conflict, "Accepted=unknown/NotInInput"},
		{"a protocol that nobody knows beside a fine one", closed(), open(http), foreign + ", " + fine, accepted},
	} {
		rule{tt.name, tt.options, []string{tt.gateway, listenerSet("sets", "set", tt.set)}, map[string]string{"ListenerSet/sets/set": tt.want}}.check(t)
	}
}

// The listeners of a ListenerSet that is not taken are nobody's rivals, and
// those of one that is taken are judged one by one.
func TestListenerSetListenersStatus(t *testing.T) {
	taken := listenerSet("sets", "set", "{name: a, port: 80, protocol: HTTP}, {name: b, port: 81, protocol: HTTP}")
	rule{"taken", closed(), []string{open(http), taken}, map[string]string{
		"Gateway/ns/g#http": well, "ListenerSet/sets/set#a": lostHost, "ListenerSet/sets/set#b": well,
	}}.check(t)
	rule{"not taken", closed(), []string{gateway("g", http), taken}, map[string]string{
		"Gateway/ns/g#http": well, "ListenerSet/sets/set#a": well, "ListenerSet/sets/set#b": well,
	}}.check(t)
}
