package hierarchy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// at writes a listener with a hostname.
func at(name string, port int, protocol, host string) string {
	more := "hostname: " + host
	switch protocol {
	case "HTTPS":
		more += ", tls: {certificateRefs: [{name: cert}]}"
	case "TLS":
		more += ", tls: {mode: Passthrough}"
	}
	return listener(name, port, protocol, more)
}

// Inside one Gateway nobody wins (Gateway API, GatewaySpec.listeners, "Handling
// indistinct Listeners").
func TestConflictsInOneGateway(t *testing.T) {
	for _, tt := range []struct {
		name      string
		listeners []string
		want      string // of each, in order
	}{
		{"one port, two hostnames", []string{at("a", 80, "HTTP", "a.example"), at("b", 80, "HTTP", "b.example")}, "++"},
		{"one hostname, two ports", []string{at("a", 80, "HTTP", "a.example"), at("b", 81, "HTTP", "a.example")}, "++"},
		{"HostnameConflict", []string{at("a", 80, "HTTP", "a.example"), at("b", 80, "HTTP", "a.example")}, "hh"},
		{"HostnameConflict, no hostname twice", []string{listener("a", 80, "HTTP", ""), listener("b", 80, "HTTP", "")}, "hh"},
		{"HostnameConflict leaves the distinct one", []string{at("a", 80, "HTTP", "a.example"), at("b", 80, "HTTP", "a.example"), at("c", 80, "HTTP", "c.example")}, "hh+"},
		{"HostnameConflict, three", []string{at("a", 80, "HTTP", "a.example"), at("b", 80, "HTTP", "a.example"), at("c", 80, "HTTP", "a.example")}, "hhh"},
		// Equal is what counts, not what covers.
		{"a wildcard over a name is distinct", []string{at("a", 80, "HTTP", "'*.example'"), at("b", 80, "HTTP", "a.example")}, "++"},
		{"none over a name is distinct", []string{listener("a", 80, "HTTP", ""), at("b", 80, "HTTP", "a.example")}, "++"},

		// TCP MUST NOT share a port with HTTP, HTTPS or TLS.
		{"ProtocolConflict, HTTP and TCP", []string{at("a", 80, "HTTP", "a.example"), listener("b", 80, "TCP", "")}, "pp"},
		{"ProtocolConflict, HTTPS and TCP", []string{at("a", 80, "HTTPS", "a.example"), listener("b", 80, "TCP", "")}, "pp"},
		{"ProtocolConflict, TLS and TCP", []string{at("a", 80, "TLS", "a.example"), listener("b", 80, "TCP", "")}, "pp"},
		{"ProtocolConflict, HTTP and HTTPS", []string{at("a", 80, "HTTP", "a.example"), at("b", 80, "HTTPS", "b.example")}, "pp"},
		{"ProtocolConflict hits all of the port", []string{at("a", 80, "HTTP", "a.example"), at("b", 80, "HTTP", "b.example"), listener("c", 80, "TCP", "")}, "ppp"},
		{"ProtocolConflict comes before HostnameConflict", []string{at("a", 80, "HTTP", "a.example"), at("b", 80, "HTTPS", "a.example")}, "pp"},
		// TCP and UDP are told apart by port alone.
		{"ProtocolConflict, TCP twice", []string{listener("a", 80, "TCP", ""), listener("b", 80, "TCP", "")}, "pp"},
		{"ProtocolConflict, UDP twice", []string{listener("a", 80, "UDP", ""), listener("b", 80, "UDP", "")}, "pp"},
		{"TCP on two ports", []string{listener("a", 80, "TCP", ""), listener("b", 81, "TCP", "")}, "++"},
		// UDP has ports of its own (Envoy Gateway validate.go; the specification leaves it open).
		{"UDP apart from TCP", []string{listener("a", 80, "TCP", ""), listener("b", 80, "UDP", "")}, "++"},
		{"UDP apart from HTTP", []string{listener("a", 80, "HTTP", ""), listener("b", 80, "UDP", "")}, "++"},
		{"UDP apart from a conflict", []string{listener("a", 80, "HTTP", ""), listener("b", 80, "TCP", ""), listener("c", 80, "UDP", "")}, "pp+"},
		// HTTPS and TLS are told apart by the name that a client asks for (Envoy Gateway validate.go).
		{"HTTPS with TLS", []string{at("a", 443, "HTTPS", "a.example"), at("b", 443, "TLS", "b.example")}, "++"},
		{"HTTPS with TLS, one hostname", []string{at("a", 443, "HTTPS", "a.example"), at("b", 443, "TLS", "a.example")}, "hh"},
		// conformance tlsroute-mixed-termination-same-namespace: tls makes no difference.
		{"TLS that ends with TLS that passes", []string{at("a", 443, "TLS", "a.example"), listener("b", 443, "TLS", "hostname: b.example, tls: {certificateRefs: [{name: cert}]}")}, "++"},
		{"TLS that ends with TLS that passes, one hostname", []string{at("a", 443, "TLS", "a.example"), listener("b", 443, "TLS", "hostname: a.example, tls: {certificateRefs: [{name: cert}]}")}, "hh"},
	} {
		want := map[string]string{}
		for i, letter := range tt.want {
			want[fmt.Sprintf("Gateway/ns/g#%c", 'a'+i)] = lost(letter)
		}
		rule{tt.name, closed(), []string{gateway("g", strings.Join(tt.listeners, ", ")), cert}, want}.check(t)
		// The order of listeners decides nothing: nobody wins.
		slices.Reverse(tt.listeners)
		rule{tt.name + ", the other way round", closed(), []string{gateway("g", strings.Join(tt.listeners, ", ")), cert}, want}.check(t)
	}
}

// lost is a verdict for a letter: + is well, h and p are lost, H and P by age.
func lost(letter rune) string {
	switch letter {
	case 'h':
		return lostHost
	case 'p':
		return lostProtocol
	case 'H':
		return strings.ReplaceAll(lostHost, "HostnameConflict,", "HostnameConflict(by age),")
	case 'P':
		return strings.ReplaceAll(lostProtocol, "ProtocolConflict,", "ProtocolConflict(by age),")
	case '?':
		return "Accepted=unknown/NotInInput, Conflicted=unknown/NotInInput, ResolvedRefs"
	}
	return well
}

// world is a Gateway g and ListenerSets one, two, three of it, each with
// listeners a, b, c. want has a word for each of them, the Gateway first.
type world struct {
	name      string
	options   inventory.Options
	manifests []string
	want      string
}

func (w world) check(t *testing.T) {
	want := map[string]string{}
	owners := []string{"Gateway/ns/g", "ListenerSet/ns/one", "ListenerSet/ns/two", "ListenerSet/ns/three"}
	for i, word := range strings.Fields(w.want) {
		for j, letter := range word {
			want[fmt.Sprintf("%s#%c", owners[i], 'a'+j)] = lost(letter)
		}
	}
	rule{w.name, w.options, append(w.manifests, cert), want}.check(t)
}

// Across ListenerSets the first in order of precedence wins (GEP-1713,
// conformance listenerset-hostname-conflict, listenerset-protocol-conflict).
func TestConflictsAcrossListenerSets(t *testing.T) {
	set := func(name string, listeners ...string) string {
		return listenerSet("ns", name, strings.Join(listeners, ", "))
	}
	example := func(name string) string { return at(name, 80, "HTTP", "a.example") }
	free := listener("a", 8080, "HTTP", "")
	tcp := func(name string) string { return listener(name, 80, "TCP", "") }
	for _, w := range []world{
		{"the Gateway wins by hostname", closed(), []string{open(example("a")), created(1, set("one", example("a")))}, "+ h"},
		{"the Gateway wins by protocol", closed(), []string{open(example("a")), created(1, set("one", tcp("a")))}, "+ p"},
		{"the Gateway's TCP wins", closed(), []string{open(tcp("a")), created(1, set("one", example("a"))), created(2, set("two", tcp("a")))}, "+ p p"},
		{"the older wins", closed(), []string{open(free), created(2, set("one", at("a", 81, "HTTP", "a.example"))), created(1, set("two", at("a", 81, "HTTP", "a.example")))}, "+ h +"},
		{"the older wins by protocol", closed(), []string{open(free), created(2, set("one", listener("a", 81, "HTTP", ""))), created(1, set("two", listener("a", 81, "TCP", "")))}, "+ p +"},
		{"the older wins among TCP", closed(), []string{open(free), created(2, set("one", listener("a", 81, "TCP", ""))), created(1, set("two", listener("a", 81, "TCP", "")))}, "+ p +"},
		{"of one age, the name wins", closed(), []string{open(free), created(1, set("two", listener("a", 81, "HTTP", ""))), created(1, set("one", listener("a", 81, "HTTP", "")))}, "+ + h"},
		// Without times the name stands in for them, and another age could turn it.
		{"AgeSensitive by hostname", closed(), []string{open(free), set("one", listener("a", 81, "HTTP", "")), set("two", listener("a", 81, "HTTP", ""))}, "+ + H"},
		{"AgeSensitive by protocol", closed(), []string{open(free), set("one", listener("a", 81, "HTTP", "")), set("two", listener("a", 81, "TCP", ""))}, "+ + P"},
		{"AgeSensitive where one time is missing", closed(), []string{open(free), created(1, set("one", listener("a", 81, "HTTP", ""))), set("two", listener("a", 81, "HTTP", ""))}, "+ H +"},
		{"no age turns what the Gateway wins", closed(), []string{open(example("a")), set("one", example("a"))}, "+ h"},
		{"a port of another Gateway's does not matter", closed(), []string{open(free), set("one", listener("a", 81, "HTTP", "")), strings.Replace(set("two", listener("a", 81, "HTTP", "")), "name: g}", "name: other}", 1), gateway("other", http)}, "+ +"},

		// Inside one ListenerSet nobody wins either (Envoy Gateway validate.go).
		{"internal HostnameConflict", closed(), []string{open(free), set("one", listener("a", 81, "HTTP", ""), listener("b", 81, "HTTP", ""), at("c", 81, "HTTP", "c.example"))}, "+ hh+"},
		{"internal ProtocolConflict", closed(), []string{open(free), set("one", listener("a", 81, "HTTP", ""), listener("b", 81, "TCP", ""))}, "+ pp"},
		{"internal conflict of TCP", closed(), []string{open(free), set("one", listener("a", 81, "TCP", ""), listener("b", 81, "TCP", ""))}, "+ pp"},
		{"who is of two minds beats nobody", closed(), []string{open(free), created(1, set("one", listener("a", 81, "HTTP", ""), listener("b", 81, "TCP", ""))), created(2, set("two", listener("a", 81, "TCP", "")))}, "+ pp +"},
		// conformance listenerset-protocol-conflict, sets 1 and 3: against the Gateway first, then inside.
		{"the Gateway settles an internal ProtocolConflict", closed(), []string{open(example("a")), set("one", at("a", 80, "HTTP", "b.example"), tcp("b"))}, "+ +p"},
		{"the Gateway settles one by protocol and one by hostname", closed(), []string{open(example("a")), set("one", at("a", 80, "HTTP", "b.example"), tcp("b"), example("c"))}, "+ +ph"},
		// Who lost its port takes no hostname (Envoy Gateway testdata listenerset-protocol-conflict-excludes-hostname-check).
		{"who lost its protocol takes no hostname", closed(), []string{open(at("a", 443, "HTTPS", "a.example")), created(1, set("one", at("a", 443, "HTTP", "b.example"))), created(2, set("two", at("a", 443, "TLS", "b.example")))}, "+ p +"},
		// No winner among the Gateway's own, so none for the others (Gateway API, GatewaySpec.listeners).
		{"a Gateway of two protocols leaves nobody", closed(), []string{open(example("a") + ", " + tcp("b")), set("one", at("a", 80, "HTTP", "b.example"))}, "pp p"},
		{"a Gateway with one hostname twice leaves it to nobody", closed(), []string{open(example("a") + ", " + example("b")), set("one", example("a"), at("b", 80, "HTTP", "b.example"))}, "hh h+"},
		{"UDP of a ListenerSet apart from the Gateway's TCP", closed(), []string{open(tcp("a")), set("one", listener("a", 80, "UDP", ""))}, "+ +"},
		{"HTTPS with TLS across", closed(), []string{open(at("a", 443, "HTTPS", "a.example")), set("one", at("a", 443, "TLS", "b.example"), at("b", 443, "TLS", "a.example"))}, "+ +h"},
	} {
		w.check(t)
	}
}

// A ListenerSet that the Gateway does not take is in nobody's way, and of one of
// which that is not known it is not known either (GEP-1713).
func TestConflictsAndAdmission(t *testing.T) {
	const selected = "allowedListeners: {namespaces: {from: Selector, selector: {matchLabels: {team: a}}}}, listeners: ["
	const labelled = "{apiVersion: v1, kind: Namespace, metadata: {name: ns, labels: {team: a}}}"
	free, taken := "{name: a, port: 81, protocol: HTTP}", "{name: a, port: 80, protocol: HTTP}"
	far := created(1, listenerSet("far", "zero", free))
	sets := []string{created(2, listenerSet("ns", "one", free)), created(3, listenerSet("ns", "two", free))}
	const unknown = "Accepted=unknown/NotInInput, Conflicted=unknown/NotInInput, ResolvedRefs"
	for _, tt := range []rule{
		{"not taken, no conflict", closed(), append(sets, gatewayOf("allowedListeners: {namespaces: {from: Same}}, listeners: [{name: a, port: 80, protocol: HTTP}]"), far), map[string]string{
			"ListenerSet/far/zero#a": well, "ListenerSet/ns/one#a": well, "ListenerSet/ns/two#a": lostHost,
		}},
		{"taken, it is the oldest", closed(), append(sets, open(taken), far), map[string]string{
			"ListenerSet/far/zero#a": well, "ListenerSet/ns/one#a": lostHost, "ListenerSet/ns/two#a": lostHost,
		}},
		// Whoever would lose to it loses only perhaps, and who loses anyhow does.
		{"unknown admission, unknown conflict", inventory.Options{}, append(sets, gatewayOf(selected+taken+"]"), labelled, far), map[string]string{
			"Gateway/ns/g#a": well, "ListenerSet/far/zero#a": well, "ListenerSet/ns/one#a": unknown, "ListenerSet/ns/two#a": lostHost,
		}},
		{"unknown admission, and a conflict all the same", inventory.Options{}, []string{gatewayOf(selected + taken + "]"), listenerSet("far", "zero", taken)}, map[string]string{
			"Gateway/ns/g#a": well, "ListenerSet/far/zero#a": lostHost,
		}},
	} {
		tt.check(t)
	}
}

// Each way in which the namespaces may turn out is tried; of too many it is said
// of nobody that it loses to one of them.
func TestConflictsAmongUnknownNamespaces(t *testing.T) {
	const selected = "allowedListeners: {namespaces: {from: Selector, selector: {matchLabels: {team: a}}}}, listeners: ["
	const unknown = "Accepted=unknown/NotInInput, Conflicted=unknown/NotInInput, ResolvedRefs"
	mine := gatewayOf(selected + listener("a", 80, "HTTP", "") + "]")
	set := func(day int, namespace string, listeners ...string) string {
		return created(day, listenerSet(namespace, "set", strings.Join(listeners, ", ")))
	}
	rule{"who comes before all of them", inventory.Options{}, []string{
		mine, set(1, "one", listener("a", 81, "HTTP", "")), set(2, "two", listener("a", 81, "HTTP", "")), set(3, "three", listener("a", 81, "HTTP", "")),
	}, map[string]string{"ListenerSet/one/set#a": well, "ListenerSet/two/set#a": unknown, "ListenerSet/three/set#a": unknown}}.check(t)
	// Without the first the second takes the port, and the third, of the first's mind, loses it.
	rule{"who is well with all of them", inventory.Options{}, []string{
		mine, set(1, "one", at("a", 81, "HTTP", "a.example")), set(2, "two", listener("a", 81, "TCP", "")), set(3, "three", at("a", 81, "HTTP", "c.example")),
	}, map[string]string{"ListenerSet/one/set#a": well, "ListenerSet/two/set#a": unknown, "ListenerSet/three/set#a": unknown}}.check(t)
	// One namespace is taken or not, whatever number of sets it has.
	rule{"two of one namespace", inventory.Options{}, []string{
		mine, created(1, listenerSet("one", "a", listener("a", 81, "HTTP", ""))), created(2, listenerSet("one", "b", listener("a", 81, "HTTP", ""))),
	}, map[string]string{"ListenerSet/one/a#a": well, "ListenerSet/one/b#a": lostHost}}.check(t)

	many := []string{mine}
	want := map[string]string{"ListenerSet/n1/set#a": well, "ListenerSet/n1/set#b": lostHost}
	for i := 1; i <= 8; i++ {
		namespace := fmt.Sprintf("n%d", i)
		many = append(many, set(i, namespace, listener("a", 81, "HTTP", ""), listener("b", 80, "HTTP", "")))
		if i > 1 {
			want["ListenerSet/"+namespace+"/set#a"] = unknown
			want["ListenerSet/"+namespace+"/set#b"] = lostHost
		}
	}
	rule{"too many to try all ways", inventory.Options{}, many, want}.check(t)
	six := []string{mine, set(1, "n1", at("a", 81, "HTTP", "a.example")), set(2, "n2", listener("a", 81, "TCP", "")), set(3, "n3", at("a", 81, "HTTP", "c.example"))}
	for i := 4; i <= 6; i++ {
		six = append(six, set(i, fmt.Sprintf("n%d", i), listener("a", 8080+i, "HTTP", "")))
	}
	rule{"six are not too many", inventory.Options{}, six, map[string]string{"ListenerSet/n2/set#a": unknown, "ListenerSet/n3/set#a": unknown, "ListenerSet/n6/set#a": well}}.check(t)
}

// What is older in base stays first, whatever times head states.
func TestConflictsBetweenRevisions(t *testing.T) {
	manifests := []string{
		open(listener("a", 8080, "HTTP", "")), created(1, listenerSet("ns", "one", listener("a", 81, "HTTP", ""))), created(2, listenerSet("ns", "two", listener("a", 81, "HTTP", ""))),
	}
	base := environment(t, manifests[0], manifests[2])
	ages := age.Ages{Base: map[loader.ID]*loader.Object{}}
	for _, o := range base.Objects {
		ages.Base[o.ID] = o
	}
	world{"the one of base", inventory.Options{Complete: true, Ages: ages}, manifests, "+ h +"}.check(t)
	world{"by their times alone", closed(), manifests, "+ + h"}.check(t)
}

// Below a listener that lost nothing is reached, and its condition names who
// holds its place.
func TestConflictClosesListener(t *testing.T) {
	g := claimed(t, closed(), open(at("a", 80, "HTTP", "a.example")), listenerSet("ns", "one", at("a", 80, "HTTP", "a.example")+", "+listener("b", 80, "TCP", "")),
		route("HTTPRoute", "ns", "r", "parentRefs: [{kind: ListenerSet, name: one}]"))
	wantEdges(t, g, "Gateway/ns/g#a", "Gateway/ns/g true")
	wantEdges(t, g, "ListenerSet/ns/one#a", "ListenerSet/ns/one false HostnameConflict")
	wantEdges(t, g, "ListenerSet/ns/one#b", "ListenerSet/ns/one false ProtocolConflict")
	// Routes attach to it all the same (GEP-1713).
	wantEdges(t, g, "HTTPRoute/ns/r", "ListenerSet/ns/one#a true a.example", "ListenerSet/ns/one#b false NotAllowedByListeners")
	for node, want := range map[string]string{
		"ListenerSet/ns/one#a": "with Gateway ns/g#a",
		"ListenerSet/ns/one#b": "with Gateway ns/g#a, ListenerSet ns/one#a",
	} {
		c := conditionOf(t, g, node, hierarchy.ConflictedIs)
		if !strings.HasSuffix(c.Message, want) {
			t.Errorf("%s: message %q, want one that ends %q", node, c.Message, want)
		}
		if gateway := (loader.ID{Group: loader.GatewayGroup, Kind: "Gateway", Namespace: "ns", Name: "g"}); !slices.Contains(c.Involves, gateway) {
			t.Errorf("%s involves %v, and not %s", node, c.Involves, gateway)
		}
		if named := strings.Contains(c.Message, `"a.example"`); named != (c.Reason == "HostnameConflict") {
			t.Errorf("%s: message %q", node, c.Message)
		}
	}
}

// A conflict points at what would have to change: the hostname, or the port.
func TestPlaceOfConflict(t *testing.T) {
	const set = "{apiVersion: gateway.networking.k8s.io/v1, kind: ListenerSet, metadata: {name: set}, spec: {parentRef: {name: g}, listeners: [\n" +
		"{name: host,\n port: 80,\n protocol: HTTP,\n hostname: a.example},\n" +
		"{name: port,\n port: 80,\n protocol: TCP},\n" +
		"{name: bare,\n port: 81,\n protocol: HTTP}]}}"
	lines := strings.Split(set, "\n")
	g := claimed(t, closed(), set, open(at("a", 80, "HTTP", "a.example")+", "+listener("b", 81, "HTTP", "")))
	for name, want := range map[string]string{"host": "hostname: a.example", "port": "port: 80", "bare": "port: 81"} {
		c := conditionOf(t, g, "ListenerSet/ns/set#"+name, hierarchy.ConflictedIs)
		if at := c.Position(); !strings.Contains(lines[at.Line-1], want) {
			t.Errorf("%s points at line %d, %q, want %q", name, at.Line, lines[at.Line-1], want)
		}
	}
}
