package analyze_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

const gatewayGroup = "gateway.networking.k8s.io"

// world makes random manifests. Names are few, so that things meet.
type world struct {
	*rand.Rand
	docs []doc
	// narrow worlds have one object of each kind, which all policies share.
	narrow bool
}

func newWorld(seed uint64) *world {
	return &world{Rand: rand.New(rand.NewPCG(seed, 20)), narrow: seed%2 == 0}
}

// chance is true in one of n cases.
func (w *world) chance(n int) bool { return w.IntN(n) == 0 }

func (w *world) pick(words ...string) string { return words[w.IntN(len(words))] }

// name is one of n names; narrow worlds have one, except for policies.
func (w *world) name(prefix string, n int) string {
	i := w.IntN(n)
	if w.narrow && prefix != "p" {
		i = 0
	}
	return fmt.Sprintf("%s%d", prefix, i)
}

func (w *world) namespace() string {
	if w.narrow {
		return "n0"
	}
	return w.pick("n0", "n0", "n1")
}

// object makes a manifest without its spec.
func object(apiVersion, kind, namespace, name string) doc {
	meta := doc{"name": name}
	if namespace != "" {
		meta["namespace"] = namespace
	}
	return doc{"apiVersion": apiVersion, "kind": kind, "metadata": meta}
}

// add keeps one manifest of each identity.
func (w *world) add(d doc) {
	for i := range w.docs {
		if nodeOf(w.docs[i]) == nodeOf(d) {
			w.docs[i] = d
			return
		}
	}
	w.docs = append(w.docs, d)
}

func (w *world) drop(i int) { w.docs = append(w.docs[:i], w.docs[i+1:]...) }

// populate fills a small world: a few objects of each level, and policies.
func (w *world) populate() *world {
	if w.chance(2) {
		w.add(object(gatewayGroup+"/v1", "GatewayClass", "", "c0"))
	}
	for range 1 + w.IntN(2) {
		w.gateway()
	}
	for range w.IntN(6) {
		w.listenerSet()
	}
	for range 1 + w.IntN(3) {
		w.route()
	}
	for range w.IntN(3) {
		w.service()
	}
	for range w.IntN(3) {
		w.rest()
	}
	w.policies(2 + w.IntN(9))
	return w
}

func (w *world) gateway() {
	d := object(gatewayGroup+"/v1", "Gateway", w.namespace(), w.name("g", 2))
	spec := doc{"listeners": w.listeners(80, 4)}
	if !w.chance(4) {
		spec["gatewayClassName"] = w.name("c", 2)
	}
	if from := w.pick("", "All", "All", "Same", "None", "Selector", "Selector", "Selector"); from != "" {
		spec["allowedListeners"] = doc{"namespaces": w.from(from)}
	}
	d["spec"] = spec
	w.label(d)
	w.add(d)
}

// from is a stanza that takes namespaces.
func (w *world) from(from string) doc {
	stanza := doc{"from": from}
	if from == "Selector" {
		stanza["selector"] = doc{"matchLabels": doc{"team": "blue"}}
	}
	return stanza
}

// listeners have few ports, so that some conflict, and most do not.
func (w *world) listeners(port, ports int) []any {
	var out []any
	for i := range 1 + w.IntN(3) {
		l := doc{"name": fmt.Sprintf("l%d", i), "port": port + w.IntN(ports), "protocol": w.pick("HTTP", "HTTP", "HTTP", "HTTP", "HTTPS", "HTTPS", "TLS", "TCP", "TCP", "UDP")}
		if host := w.pick("", "", "a.example.com", "*.example.com", "*.b.example.com"); host != "" && l["protocol"] != "TCP" && l["protocol"] != "UDP" {
			l["hostname"] = host
		}
		if from := w.pick("", "All", "All", "Selector"); from != "" {
			l["allowedRoutes"] = doc{"namespaces": w.from(from)}
		}
		out = append(out, l)
	}
	return out
}

func (w *world) listenerSet() {
	d := object(gatewayGroup+"/v1", "ListenerSet", w.namespace(), w.name("s", 2))
	if age := w.IntN(3); age > 0 {
		d["metadata"].(doc)["creationTimestamp"] = fmt.Sprintf("2024-01-0%dT00:00:00Z", age)
	}
	d["spec"] = doc{"parentRef": w.gatewayRef(), "listeners": w.listeners(82, 3)}
	w.add(d)
}

// gatewayRef mostly names the first Gateway, so that ListenerSets meet.
func (w *world) gatewayRef() doc {
	i := slices.IndexFunc(w.docs, func(d doc) bool { return kindOf(d) == "Gateway" })
	if i < 0 || w.chance(4) {
		return w.inNamespace(doc{"name": w.name("g", 2)})
	}
	return doc{"name": nameOf(w.docs[i]), "namespace": namespaceOf(w.docs[i])}
}

// inNamespace sometimes says where a reference leads.
func (w *world) inNamespace(ref doc) doc {
	if w.chance(2) {
		ref["namespace"] = w.namespace()
	}
	return ref
}

func (w *world) route() {
	d := object(gatewayGroup+"/v1", w.pick("HTTPRoute", "HTTPRoute", "HTTPRoute", "GRPCRoute"), w.namespace(), w.name("r", 3))
	var parents, rules []any
	for range 1 + w.IntN(3) {
		parents = append(parents, w.parent())
	}
	for i := range 1 + w.IntN(3) {
		rules = append(rules, w.rule(i))
	}
	spec := doc{"parentRefs": parents, "rules": rules}
	if w.chance(3) {
		spec["hostnames"] = []any{w.pick("a.example.com", "c.b.example.com", "*.b.example.com", "other.org")}
	}
	d["spec"] = spec
	w.label(d)
	w.add(d)
}

func (w *world) parent() doc {
	ref := w.inNamespace(doc{"name": w.name("g", 3)})
	switch w.IntN(8) {
	case 0, 1:
		ref["kind"], ref["name"] = "ListenerSet", w.name("s", 2)
	case 2:
		return w.inNamespace(doc{"group": "", "kind": "Service", "name": w.name("b", 2)})
	}
	if w.chance(3) {
		ref["sectionName"] = w.name("l", 3)
	}
	if w.chance(8) {
		ref["port"] = 80 + w.IntN(4)
	}
	return ref
}

func (w *world) rule(i int) doc {
	out := doc{}
	if w.chance(2) {
		out["name"] = fmt.Sprintf("rule-%d", i)
	}
	var refs []any
	for range w.IntN(3) {
		ref := doc{"name": w.name("b", 3), "port": 8080 + w.IntN(2)}
		if w.chance(5) {
			ref["namespace"] = w.namespace()
		}
		refs = append(refs, ref)
	}
	if len(refs) > 0 {
		out["backendRefs"] = refs
	}
	return out
}

func (w *world) service() {
	d := object("v1", "Service", w.namespace(), w.name("b", 3))
	d["spec"] = doc{"ports": []any{doc{"name": "web", "port": 8080}, doc{"port": 8081}}[:1+w.IntN(2)]}
	w.add(d)
}

// rest are objects that are facts about others.
func (w *world) rest() {
	if w.chance(2) {
		d := object("v1", "Namespace", "", w.namespace())
		w.label(d)
		w.add(d)
		return
	}
	d := object(gatewayGroup+"/v1", "ReferenceGrant", w.namespace(), "grant")
	d["spec"] = doc{
		"from": []any{doc{"group": gatewayGroup, "kind": "HTTPRoute", "namespace": w.namespace()}, doc{"group": "test.dev", "kind": w.pick("GepPolicy", "AssumedPolicy"), "namespace": w.namespace()}},
		"to":   []any{doc{"group": "", "kind": "Service"}, doc{"group": gatewayGroup, "kind": w.pick("Gateway", "HTTPRoute")}},
	}
	w.add(d)
}

func (w *world) label(d doc) {
	if team := w.pick("", "blue", "blue", "red"); team != "" {
		d["metadata"].(doc)["labels"] = doc{"team": team}
	}
}

// nodeOf is the identity of a manifest, written as in every output.
func nodeOf(d doc) string {
	group, _, ok := strings.Cut(d["apiVersion"].(string), "/")
	if !ok {
		group = ""
	}
	meta := d["metadata"].(doc)
	namespace, _ := meta["namespace"].(string)
	return node(group, d["kind"].(string), namespace, meta["name"].(string))
}

func node(group, kind, namespace, name string) string {
	if group != "" && group != gatewayGroup {
		kind += "." + group
	}
	if namespace != "" {
		kind += "/" + namespace
	}
	return kind + "/" + name
}
