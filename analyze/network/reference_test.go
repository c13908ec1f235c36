package network_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/loader"
)

// worlds is how many random worlds are held against the reference.
// A long run: go test ./analyze/network -run RandomWorlds -worlds 20000 -timeout 1h
var worlds = flag.Int("worlds", 300, "how many random worlds are looked at")

// TestRandomWorlds compares the engine, which works with sets of endpoints and ranges of ports, with a
// reference that decides about one connection at a time, on random worlds.
func TestRandomWorlds(t *testing.T) {
	const workers = 5
	for worker := range workers {
		t.Run(strconv.Itoa(worker), func(t *testing.T) {
			t.Parallel()
			met := map[string]int{}
			n := *worlds
			if testing.Short() {
				n /= 4
			}
			for seed := worker; seed < n; seed += workers {
				g := newGenerator(uint64(seed))
				docs := g.world()
				if disagreement(t, docs, met) == "" {
					continue
				}
				docs = shrink(docs, func(docs []doc) bool { return disagreement(t, docs, nil) != "" })
				t.Fatalf("seed %d, %s: %s\nin this world:\n%s", seed, g.family, disagreement(t, docs, nil), manifests(docs))
			}
			if met["allowed"] < met["denied"]/10 || met["denied"] < met["allowed"]/10 {
				t.Errorf("the worlds are no test: %v", met)
			}
		})
	}
}

// disagreement returns the first connection about which the engine and the reference disagree, or the
// two ways in which the engine answers.
func disagreement(t *testing.T, docs []doc, met map[string]int) string {
	t.Helper()
	text := manifests(docs)
	w, ref := network.New(sideOf(t, text)), newReference(t, text)
	ends := ref.ends(t, w)
	for i, from := range ends {
		for j, to := range ends {
			if i == j || from.pod == nil && to.pod == nil {
				continue // whether pods reach themselves differs between implementations
			}
			for _, port := range askedPorts {
				want := ref.allows(call{from.refEnd, to.refEnd, port.From, port.Protocol.String()})
				got, also := w.Connect(from.at, to.at, port).Allowed, w.Allows(from.at, to.at, port)
				if got != fact.Of(want) || also != got {
					return fmt.Sprintf("%s to %s, %s: reference %t, Connect %s, Allows %s", from, to, port, want, got, also)
				}
				if met != nil && want {
					met["allowed"]++
				} else if met != nil {
					met["denied"]++
				}
			}
		}
	}
	return ""
}

// askedPorts are one port of each protocol that rules name by number or by name, and others.
var askedPorts = []network.Range{
	{Protocol: network.TCP, From: 80, To: 80},
	{Protocol: network.TCP, From: 443, To: 443},
	{Protocol: network.TCP, From: 8080, To: 8080},
	{Protocol: network.UDP, From: 53, To: 53},
	{Protocol: network.UDP, From: 80, To: 80},
	{Protocol: network.SCTP, From: 9000, To: 9000},
}

// askedAddresses are one address of each part into which the networks of the generator divide all.
var askedAddresses = []string{"203.0.113.1", "203.0.113.9", "203.0.112.1", "198.51.100.7", "8.8.8.8", "1.1.1.1", "2001:db8::1", "2001:db8:1::1", "2001:4860::1"}

// asked is an end of connections, with its place in the engine's world.
type asked struct {
	refEnd
	at int
}

func (r *reference) ends(t *testing.T, w *network.World) []asked {
	t.Helper()
	var out []asked
	for _, p := range r.pods {
		at, ok := w.Workload(loader.ID{Kind: "Pod", Namespace: p.namespace, Name: p.name})
		if !ok {
			t.Fatalf("%s/%s is no endpoint", p.namespace, p.name)
		}
		out = append(out, asked{refEnd{pod: p}, at})
	}
	for _, text := range askedAddresses {
		out = append(out, asked{refEnd{address: netip.MustParseAddr(text)}, outside(t, w, text)})
	}
	return out
}

// doc is one manifest.
type doc map[string]any

// manifests writes documents as YAML.
func manifests(docs []doc) string {
	var b strings.Builder
	for _, d := range docs {
		text, err := yaml.Marshal(d)
		if err != nil {
			return err.Error()
		}
		b.WriteString("---\n")
		b.Write(text)
	}
	return b.String()
}

// shrink leaves out whatever the failure does not need.
func shrink(docs []doc, fails func([]doc) bool) []doc {
	for again := true; again; {
		again = false
		for i := 0; i < len(docs); {
			if fewer := slices.Delete(slices.Clone(docs), i, i+1); !needed(docs[i], fewer) && fails(fewer) {
				docs, again = fewer, true
				continue
			}
			for {
				smaller, found := firstSmaller(docs, i, fails)
				if !found {
					break
				}
				docs, again = smaller, true
			}
			i++
		}
	}
	return docs
}

// needed reports whether other documents need one: their namespace or their tier.
func needed(d doc, by []doc) bool {
	name := metaOf(d)["name"]
	return slices.ContainsFunc(by, func(other doc) bool {
		spec, _ := other["spec"].(map[string]any)
		return d["kind"] == "Namespace" && metaOf(other)["namespace"] == name || d["kind"] == "Tier" && spec["tier"] == name
	})
}

func metaOf(d doc) map[string]any {
	meta, _ := d["metadata"].(map[string]any)
	return meta
}

func firstSmaller(docs []doc, i int, fails func([]doc) bool) ([]doc, bool) {
	for _, v := range smallerMap(docs[i]) {
		if changed := slices.Concat(docs[:i], []doc{v}, docs[i+1:]); fails(changed) {
			return changed, true
		}
	}
	return nil, false
}

// optional are fields that a manifest is also valid without.
var optional = []string{
	"ingress", "egress", "ingressDeny", "egressDeny", "ports", "protocols", "toPorts", "labels", "matchExpressions", "except", "enableDefaultDeny",
	"nets", "notNets", "selector", "notSelector", "namespaceSelector", "serviceAccounts", "order", "source", "destination", "types", "notPorts",
	"app", "zone", "color", "team", "serviceAccountName",
}

func smallerMap(m map[string]any) []map[string]any {
	var out []map[string]any
	for _, key := range slices.Sorted(maps.Keys(m)) {
		value := m[key]
		with := func(v any) {
			c := maps.Clone(m)
			if c[key] = v; v == nil {
				delete(c, key)
			}
			out = append(out, c)
		}
		if slices.Contains(optional, key) {
			with(nil)
		}
		for _, v := range smallerValues(value) {
			with(v)
		}
	}
	return out
}

// smallerValues returns what a value is with one thing less. Lists keep an item: an empty list means something else.
func smallerValues(value any) []any {
	var out []any
	switch value := value.(type) {
	case map[string]any:
		for _, m := range smallerMap(value) {
			out = append(out, m)
		}
	case []any:
		for i := range value {
			if len(value) > 1 {
				out = append(out, slices.Delete(slices.Clone(value), i, i+1))
			}
			for _, v := range smallerValues(value[i]) {
				changed := slices.Clone(value)
				changed[i] = v
				out = append(out, changed)
			}
		}
	}
	return out
}

// generator makes random manifests. Names and labels are few, so that things meet.
type generator struct {
	*rand.Rand
	family string
	used   int
	// priorities are those that ClusterNetworkPolicies still may have: the order of equal ones is undefined.
	priorities []int
	tiers      []string
}

var families = []string{"kubernetes", "kubernetes and ClusterNetworkPolicy", "kubernetes and cilium", "kubernetes and calico"}

func newGenerator(seed uint64) *generator {
	r := rand.New(rand.NewPCG(seed, 30))
	return &generator{Rand: r, family: families[seed%uint64(len(families))], priorities: r.Perm(1001)}
}

// chance is true in one of n cases.
func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

func oneOf[T any](g *generator, of ...T) T { return of[g.IntN(len(of))] }

// some returns between from and to results of a function.
func some(g *generator, from, to int, f func() any) []any {
	out := []any{}
	for range from + g.IntN(to-from+1) {
		out = append(out, f())
	}
	return out
}

// directions are both of them, with the beginning of the fields for the other end.
var directions = [][2]string{{"ingress", "from"}, {"egress", "to"}}

var namespaceNames = []string{"blue", "green", "red"}

func (g *generator) world() []doc {
	docs := g.workloads()
	for i := range 1 + g.IntN(5) {
		docs = append(docs, g.policy(i))
	}
	if g.family == families[2] && !slices.ContainsFunc(docs, func(d doc) bool { return d["apiVersion"] == "cilium.io/v2" }) {
		docs = append(docs, g.cilium()) // without one, blocks of addresses may apply to pods
	}
	return append(docs, g.madeTiers()...)
}

func (g *generator) workloads() []doc {
	var docs []doc
	for _, name := range namespaceNames {
		labels := map[string]any{}
		g.label(labels, "color", "red", "blue")
		g.label(labels, "team", "a", "b")
		docs = append(docs, doc{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name, "labels": labels}})
	}
	for i := range 4 + g.IntN(5) {
		labels := map[string]any{"app": oneOf(g, "cart", "shop", "web")}
		g.label(labels, "zone", "a", "ab", "b")
		g.label(labels, "track", "new", "old")
		spec := map[string]any{"containers": []any{map[string]any{"name": "main", "ports": some(g, 0, 2, g.containerPort)}}}
		if g.chance(3) {
			spec["serviceAccountName"] = oneOf(g, "deployer", "reader")
		}
		docs = append(docs, doc{"apiVersion": "v1", "kind": "Pod", "spec": spec, "metadata": map[string]any{
			"name": fmt.Sprintf("p%d", i), "namespace": oneOf(g, namespaceNames...), "labels": labels,
		}})
	}
	return docs
}

// label adds a label with one of some values, or not.
func (g *generator) label(labels map[string]any, key string, values ...string) {
	if !g.chance(3) {
		labels[key] = oneOf(g, values...)
	}
}

func (g *generator) containerPort() any {
	return oneOf[any](g,
		map[string]any{"name": "http", "containerPort": 80}, map[string]any{"name": "http", "containerPort": 8080},
		map[string]any{"name": "dns", "containerPort": 53, "protocol": "UDP"}, map[string]any{"name": "http", "containerPort": 80, "protocol": "UDP"},
		map[string]any{"containerPort": 443})
}

// policy makes one policy of the family, the first of its newer kind.
func (g *generator) policy(i int) doc {
	if i == 0 && g.family != families[0] || g.chance(2) {
		switch g.family {
		case families[1]:
			return g.cluster()
		case families[2]:
			return g.cilium()
		case families[3]:
			return g.calico()
		}
	}
	return g.native()
}

// object makes a manifest with a name of its own; a namespace is left out where it is empty.
func (g *generator) object(apiVersion, kind, namespace string, spec map[string]any) doc {
	g.used++
	meta := map[string]any{"name": fmt.Sprintf("%c%d", 'a'+g.IntN(26), g.used)}
	if namespace != "" {
		meta["namespace"] = namespace
	}
	return doc{"apiVersion": apiVersion, "kind": kind, "metadata": meta, "spec": spec}
}

// selector makes a metav1.LabelSelector for pods, or for namespaces.
func (g *generator) selector(of map[string][]string) map[string]any {
	keys := slices.Sorted(maps.Keys(of))
	key := oneOf(g, keys...)
	values := of[key]
	expression := func(operator string, values ...any) map[string]any {
		e := map[string]any{"key": key, "operator": operator}
		if len(values) > 0 {
			e["values"] = values
		}
		return map[string]any{"matchExpressions": []any{e}}
	}
	switch g.IntN(8) {
	case 0:
		return map[string]any{}
	case 1:
		return expression("In", values[0], values[1])
	case 2:
		return expression("NotIn", oneOf(g, values...))
	case 3:
		return expression("Exists")
	case 4:
		return expression("DoesNotExist")
	case 5:
		out := expression("NotIn", oneOf(g, values...))
		out["matchLabels"] = map[string]any{keys[0]: oneOf(g, of[keys[0]]...)}
		return out
	}
	return map[string]any{"matchLabels": map[string]any{key: oneOf(g, values...)}}
}

var (
	podKeys       = map[string][]string{"app": {"cart", "shop", "web"}, "zone": {"a", "ab", "b"}, "track": {"new", "old"}}
	namespaceKeys = map[string][]string{"color": {"red", "blue"}, "team": {"a", "b"}, "kubernetes.io/metadata.name": {"red", "blue", "green"}}
)

// block makes a network of public addresses, with what may be taken out of it. Whether private networks
// are about pods is not known.
func (g *generator) block() (cidr string, except []any) {
	cidr = oneOf(g, "203.0.113.0/24", "203.0.113.8/29", "203.0.112.0/20", "198.51.100.0/24", "8.8.8.8/32", "2001:db8::/32", "2001:db8:1::/48")
	if g.chance(2) {
		switch cidr {
		case "203.0.113.0/24":
			except = []any{"203.0.113.8/29"}
		case "203.0.112.0/20":
			except = []any{"203.0.113.0/24"}
		case "2001:db8::/32":
			except = []any{"2001:db8:1::/48"}
		}
	}
	return cidr, except
}

// native makes a NetworkPolicy.
func (g *generator) native() doc {
	spec := map[string]any{"podSelector": g.selector(podKeys)}
	if !g.chance(3) {
		spec["policyTypes"] = oneOf(g, []any{"Ingress"}, []any{"Egress"}, []any{"Ingress", "Egress"})
	}
	for _, names := range directions {
		direction, side := names[0], names[1]
		if g.chance(2) {
			spec[direction] = some(g, 0, 2, func() any {
				rule := map[string]any{}
				if !g.chance(4) {
					rule[side] = some(g, 0, 2, g.nativePeer)
				}
				if !g.chance(3) {
					rule["ports"] = some(g, 0, 2, g.nativePort)
				}
				return rule
			})
		}
	}
	return g.object("networking.k8s.io/v1", "NetworkPolicy", oneOf(g, namespaceNames...), spec)
}

func (g *generator) nativePeer() any {
	if g.chance(4) {
		ip := map[string]any{}
		cidr, except := g.block()
		if ip["cidr"] = cidr; len(except) > 0 {
			ip["except"] = except
		}
		if g.family == families[2] && g.chance(3) {
			ip = map[string]any{"cidr": "0.0.0.0/0"} // never about pods beside Cilium
		}
		return map[string]any{"ipBlock": ip}
	}
	switch g.IntN(3) {
	case 0:
		return map[string]any{"podSelector": g.selector(podKeys)}
	case 1:
		return map[string]any{"namespaceSelector": g.selector(namespaceKeys)}
	}
	return map[string]any{"podSelector": g.selector(podKeys), "namespaceSelector": g.selector(namespaceKeys)}
}

func (g *generator) nativePort() any {
	port := map[string]any{}
	switch g.IntN(5) {
	case 0:
		port["port"] = oneOf(g, "http", "dns")
	case 1:
		port["port"], port["endPort"] = 80, oneOf(g, 80, 443, 9000)
	case 2:
	default:
		port["port"] = oneOf(g, 53, 80, 443, 8080, 9000)
	}
	if g.chance(2) {
		port["protocol"] = oneOf(g, "TCP", "UDP", "SCTP")
	}
	return port
}

// cluster makes a ClusterNetworkPolicy.
func (g *generator) cluster() doc {
	spec := map[string]any{"tier": oneOf(g, "Admin", "Baseline"), "priority": g.priorities[g.used], "subject": g.clusterPods()}
	for _, names := range directions {
		direction, side := names[0], names[1]
		if g.chance(3) {
			continue
		}
		spec[direction] = some(g, 1, 3, func() any {
			networks := false
			rule := map[string]any{"action": oneOf(g, "Accept", "Deny", "Pass"), side: some(g, 1, 2, func() any {
				if direction == "ingress" || !g.chance(4) {
					return g.clusterPods()
				}
				networks = true
				cidr, _ := g.block()
				return map[string]any{"networks": []any{oneOf(g, cidr, cidr, "0.0.0.0/0")}}
			})}
			if !g.chance(3) {
				rule["protocols"] = some(g, 1, 2, func() any { return g.clusterPort(!networks) })
			}
			return rule
		})
	}
	return g.object("policy.networking.k8s.io/v1alpha2", "ClusterNetworkPolicy", "", spec)
}

func (g *generator) clusterPods() any {
	if g.chance(2) {
		return map[string]any{"namespaces": g.selector(namespaceKeys)}
	}
	pods := map[string]any{"podSelector": g.selector(podKeys)}
	if !g.chance(3) {
		pods["namespaceSelector"] = g.selector(namespaceKeys)
	}
	return map[string]any{"pods": pods}
}

// clusterPort makes an entry of protocols. One with a name may not stand beside networks.
func (g *generator) clusterPort(named bool) any {
	if named && g.chance(4) {
		return map[string]any{"destinationNamedPort": oneOf(g, "http", "dns")}
	}
	port := map[string]any{"number": oneOf(g, 53, 80, 443, 8080, 9000)}
	if g.chance(3) {
		port = map[string]any{"range": map[string]any{"start": oneOf(g, 1, 80), "end": oneOf(g, 443, 8080, 65535)}}
	}
	return map[string]any{oneOf(g, "tcp", "udp", "sctp"): map[string]any{"destinationPort": port}}
}

// cilium makes a policy of Cilium.
func (g *generator) cilium() doc {
	kind, namespace := "CiliumNetworkPolicy", oneOf(g, namespaceNames...)
	if g.chance(3) {
		kind, namespace = "CiliumClusterwideNetworkPolicy", ""
	}
	d := g.object("cilium.io/v2", kind, namespace, nil)
	if g.chance(6) {
		delete(d, "spec")
		d["specs"] = []any{g.ciliumRule(), g.ciliumRule()}
		return d
	}
	d["spec"] = g.ciliumRule()
	return d
}

func (g *generator) ciliumRule() map[string]any {
	rule := map[string]any{"endpointSelector": g.selector(podKeys)}
	if g.chance(5) {
		rule["endpointSelector"] = g.ciliumSelector()
	}
	for _, names := range directions {
		direction := names[0]
		if g.chance(3) {
			continue
		}
		rule[direction] = some(g, 0, 2, func() any { return g.ciliumItem(direction) })
		if g.chance(3) {
			rule[direction+"Deny"] = some(g, 1, 2, func() any { return g.ciliumItem(direction) })
		}
	}
	if g.chance(4) {
		rule["enableDefaultDeny"] = map[string]any{oneOf(g, "ingress", "egress"): g.chance(3)}
	}
	return rule
}

func (g *generator) ciliumItem(direction string) any {
	item, side := map[string]any{}, "from"
	if direction == "egress" {
		side = "to"
	}
	switch g.IntN(9) {
	case 0:
	case 1:
		item[side+"CIDR"] = some(g, 1, 2, func() any { cidr, _ := g.block(); return oneOf(g, cidr, cidr, "0.0.0.0/0") })
	case 2:
		cidr, except := g.block()
		set := map[string]any{"cidr": cidr}
		if len(except) > 0 {
			set["except"] = except
		}
		item[side+"CIDRSet"] = []any{set}
	case 3:
		item[side+"Entities"] = some(g, 1, 2, func() any { return oneOf[any](g, "all", "world", "cluster", "none") })
	case 4:
		item[side+oneOf(g, "Endpoints", "Entities", "CIDR")] = []any{}
	default:
		item[side+"Endpoints"] = some(g, 1, 2, func() any { return g.ciliumSelector() })
	}
	if len(item) == 1 && g.chance(20) {
		item[side+"Entities"] = []any{"world"} // an error, unless it is the only field
	}
	if !g.chance(3) {
		item["toPorts"] = some(g, 1, 2, func() any { return map[string]any{"ports": some(g, 1, 2, g.ciliumPort)} })
	}
	return item
}

// ciliumSelector makes a selector with the labels that Cilium adds, and with sources of labels.
func (g *generator) ciliumSelector() map[string]any {
	labels := map[string]any{}
	switch g.IntN(7) {
	case 0:
		labels[oneOf(g, "k8s:", "any:", "")+"io.kubernetes.pod.namespace"] = oneOf(g, namespaceNames...)
		g.label(labels, "app", podKeys["app"]...)
	case 1:
		labels[oneOf(g, "k8s:", "")+"io.cilium.k8s.namespace.labels.color"] = oneOf(g, "red", "blue")
		g.label(labels, "app", podKeys["app"]...)
	case 2:
		labels["io.cilium.k8s.policy.serviceaccount"] = oneOf(g, "deployer", "reader", "default")
	case 3:
		return map[string]any{"matchExpressions": []any{map[string]any{"key": "k8s:io.kubernetes.pod.namespace", "operator": oneOf(g, "Exists", "DoesNotExist")}}}
	case 4:
		labels[oneOf(g, "k8s:", "any:")+"app"] = oneOf(g, podKeys["app"]...)
	default:
		return g.selector(podKeys)
	}
	return map[string]any{"matchLabels": labels}
}

func (g *generator) ciliumPort() any {
	port := map[string]any{"port": oneOf(g, "53", "80", "443", "8080", "9000", "http", "dns", "0")}
	if g.chance(5) {
		port["port"], port["endPort"] = "80", oneOf(g, 443, 8080)
	}
	if g.chance(2) {
		port["protocol"] = oneOf(g, "TCP", "UDP", "SCTP", "ANY")
	}
	return port
}

// calico makes a policy of Calico.
func (g *generator) calico() doc {
	spec := map[string]any{}
	kind, namespace := "NetworkPolicy", oneOf(g, namespaceNames...)
	if g.chance(3) {
		kind, namespace = "GlobalNetworkPolicy", ""
		if text := g.namespaceExpression(); g.chance(2) && text != "global()" { // which is for rules alone
			spec["namespaceSelector"] = text
		}
		if g.chance(12) { // for host endpoints alone
			spec["applyOnForward"], spec[oneOf(g, "preDNAT", "doNotTrack")] = true, true
		}
	}
	if !g.chance(4) {
		spec["selector"] = g.expression(2)
	}
	if !g.chance(3) {
		spec["order"] = oneOf[any](g, 1, 1.5, 500, 999, 1000, 1000, 1001, 2000)
	}
	if g.chance(2) {
		name := oneOf(g, "alpha", "kappa", "omega")
		if spec["tier"] = name; !slices.Contains(g.tiers, name) {
			g.tiers = append(g.tiers, name)
		}
	}
	if g.chance(3) {
		spec["types"] = oneOf(g, []any{"Ingress"}, []any{"Egress"}, []any{"Ingress", "Egress"})
	}
	for _, direction := range []string{"ingress", "egress"} {
		if !g.chance(3) {
			spec[direction] = some(g, 0, 3, g.calicoRule)
		}
	}
	return g.object("projectcalico.org/v3", kind, namespace, spec)
}

// madeTiers makes the tiers that policies name.
func (g *generator) madeTiers() []doc {
	var docs []doc
	for _, name := range g.tiers {
		spec := map[string]any{}
		if !g.chance(4) {
			spec["order"] = oneOf[any](g, 1, 100, 1000, 999_999, 1_000_000, 2_000_000)
		}
		if g.chance(2) {
			spec["defaultAction"] = oneOf(g, "Pass", "Deny")
		}
		docs = append(docs, doc{"apiVersion": "projectcalico.org/v3", "kind": "Tier", "metadata": map[string]any{"name": name}, "spec": spec})
	}
	return docs
}

func (g *generator) calicoRule() any {
	rule := map[string]any{"action": oneOf(g, "Allow", "Allow", "Deny", "Pass", "Log")}
	source, destination := g.entity(), g.entity()
	switch g.IntN(6) {
	case 0:
		rule["protocol"] = oneOf[any](g, "TCP", "UDP", "SCTP", 6)
	case 1:
		rule["notProtocol"] = oneOf[any](g, "TCP", "UDP")
	case 2, 3: // numbers need a protocol
		rule["protocol"] = oneOf(g, "TCP", "UDP")
		if !g.chance(4) {
			destination["ports"] = some(g, 1, 2, g.calicoPort)
		}
		if g.chance(3) {
			destination["notPorts"] = some(g, 1, 2, func() any { return oneOf[any](g, 80, 53, "8000:9000") })
		}
	case 4:
		destination["ports"] = []any{oneOf(g, "http", "dns")}
	}
	for field, entity := range map[string]map[string]any{"source": source, "destination": destination} {
		if len(entity) > 0 {
			rule[field] = entity
		}
	}
	return rule
}

func (g *generator) calicoPort() any {
	return oneOf[any](g, 53, 80, 443, 8080, "80:443", "8000:9000", "http", "dns")
}

func (g *generator) entity() map[string]any {
	e := map[string]any{}
	if g.chance(3) {
		return e
	}
	if g.chance(2) {
		e["selector"] = g.expression(2)
	}
	if g.chance(8) {
		e["notSelector"] = g.expression(1)
	}
	if g.chance(4) {
		e["namespaceSelector"] = g.namespaceExpression()
	}
	if g.chance(8) {
		e["serviceAccounts"] = map[string]any{"names": []any{oneOf(g, "default", "deployer", "reader")}}
	}
	if g.chance(8) {
		cidr, _ := g.block()
		e["nets"] = []any{oneOf(g, cidr, cidr, "0.0.0.0/0")}
	}
	if g.chance(8) {
		cidr, _ := g.block()
		e["notNets"] = []any{cidr}
	}
	return e
}

// expression makes a selector of Calico for pods.
func (g *generator) expression(depth int) string {
	if depth > 0 && g.chance(3) {
		left, right := g.expression(depth-1), g.expression(depth-1)
		return oneOf(g, left+" && "+right, left+" || "+right, "!("+left+" || "+right+")", "("+left+" || "+right+") && "+g.expression(0), "! "+left)
	}
	switch g.IntN(12) {
	case 0:
		return "all()"
	case 1:
		return "projectcalico.org/namespace " + oneOf(g, "==", "!=") + " '" + oneOf(g, namespaceNames...) + "'"
	case 2:
		return "projectcalico.org/orchestrator == 'k8s'"
	case 3:
		return "projectcalico.org/serviceaccount in {'deployer', 'default'}"
	}
	return g.comparison(podKeys)
}

func (g *generator) namespaceExpression() string {
	switch g.IntN(8) {
	case 0:
		return "all()"
	case 1:
		return "global()"
	case 2:
		return "projectcalico.org/name == '" + oneOf(g, namespaceNames...) + "'"
	case 3: // a label of pods, and of no namespace
		return "projectcalico.org/namespace == '" + oneOf(g, namespaceNames...) + "'"
	}
	return g.comparison(namespaceKeys)
}

func (g *generator) comparison(of map[string][]string) string {
	keys := slices.Sorted(maps.Keys(of))
	key := oneOf(g, keys...)
	value := oneOf(g, of[key]...)
	switch g.IntN(9) {
	case 0:
		return key + " != '" + value + "'"
	case 1:
		return key + ` in {"` + value + `", 'other'}`
	case 2:
		return key + " not in {'" + value + "'}"
	case 3:
		return "has(" + key + ")"
	case 4:
		return "!has(" + key + ")"
	case 5:
		return key + oneOf(g, " contains '", " starts with '", " ends with '") + value[:1] + "'"
	}
	return key + " == '" + value + "'"
}

// reference decides about single connections as the documentation of each API tells it, one policy after
// the other, from plain values. It shares no code with the package.
type reference struct {
	namespaces map[string]map[string]string
	pods       []*refPod
	native     []*refNative
	cluster    []*refCluster
	cilium     []*refCilium
	calico     []*refCalico
	tiers      map[string]refTier
}

type refPod struct {
	namespace, name, account string
	labels, namespaceLabels  map[string]string
	ports                    []refContainerPort
}

type refContainerPort struct {
	Name, Protocol string
	ContainerPort  int
}

// refEnd is a pod, or an address outside the cluster.
type refEnd struct {
	pod     *refPod
	address netip.Addr
}

func (e refEnd) String() string {
	if e.pod == nil {
		return e.address.String()
	}
	return e.pod.namespace + "/" + e.pod.name
}

// ip is the address of an end. Manifests do not tell those of pods; they are private ones.
func (e refEnd) ip() netip.Addr {
	if e.pod != nil {
		return netip.MustParseAddr("10.244.0.9")
	}
	return e.address
}

func (e refEnd) inAny(networks []string) bool {
	return slices.ContainsFunc(networks, func(n string) bool { return netip.MustParsePrefix(n).Contains(e.ip()) })
}

// call is a connection.
type call struct {
	from, to refEnd
	port     int
	protocol string
}

// named reports whether the destination calls the port by a name. An empty protocol is any.
func (c call) named(name, protocol string) bool {
	return c.to.pod != nil && (protocol == "" || protocol == c.protocol) && slices.ContainsFunc(c.to.pod.ports, func(p refContainerPort) bool {
		return p.Name == name && p.ContainerPort == c.port && cmpOr(p.Protocol, "TCP") == c.protocol
	})
}

type refMeta struct {
	APIVersion, Kind string
	Metadata         struct {
		Name, Namespace string
		Labels          map[string]string
	}
	Spec  json.RawMessage
	Specs []json.RawMessage
}

// newReference reads manifests from their text.
func newReference(t *testing.T, text string) *reference {
	t.Helper()
	r := &reference{namespaces: map[string]map[string]string{}, tiers: map[string]refTier{}}
	for _, document := range strings.Split(text, "---\n") {
		data, err := yaml.YAMLToJSON([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		var m refMeta
		decode(t, data, &m)
		r.add(t, m)
	}
	for _, p := range r.pods {
		p.namespaceLabels = r.namespaces[p.namespace]
	}
	return r
}

func decode(t *testing.T, data []byte, into any) {
	t.Helper()
	if len(data) == 0 {
		return
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
}

func (r *reference) add(t *testing.T, m refMeta) {
	t.Helper()
	group, _, _ := strings.Cut(m.APIVersion, "/")
	name, namespace := m.Metadata.Name, m.Metadata.Namespace
	switch group + " " + m.Kind {
	case "v1 Namespace":
		labels := map[string]string{}
		for key, value := range m.Metadata.Labels {
			labels[key] = value
		}
		labels["kubernetes.io/metadata.name"] = name
		r.namespaces[name] = labels
	case "v1 Pod":
		var spec struct {
			ServiceAccountName string
			Containers         []struct{ Ports []refContainerPort }
		}
		decode(t, m.Spec, &spec)
		p := &refPod{namespace: namespace, name: name, account: cmpOr(spec.ServiceAccountName, "default"), labels: m.Metadata.Labels}
		for _, c := range spec.Containers {
			p.ports = append(p.ports, c.Ports...)
		}
		r.pods = append(r.pods, p)
	case "networking.k8s.io NetworkPolicy":
		p := &refNative{name: name, namespace: namespace}
		decode(t, m.Spec, p)
		r.native = append(r.native, p)
	case "policy.networking.k8s.io ClusterNetworkPolicy":
		p := &refCluster{}
		decode(t, m.Spec, p)
		r.cluster = append(r.cluster, p)
	case "cilium.io CiliumNetworkPolicy", "cilium.io CiliumClusterwideNetworkPolicy":
		p := &refCilium{namespace: namespace}
		for _, data := range append(m.Specs, m.Spec) {
			if len(data) > 0 {
				var rule refCiliumRule
				decode(t, data, &rule)
				p.rules = append(p.rules, rule)
			}
		}
		r.cilium = append(r.cilium, p)
	case "projectcalico.org NetworkPolicy", "projectcalico.org GlobalNetworkPolicy":
		p := &refCalico{kind: m.Kind, name: name, namespace: namespace}
		decode(t, m.Spec, p)
		r.calico = append(r.calico, p)
	case "projectcalico.org Tier":
		var tier refTier
		decode(t, m.Spec, &tier)
		r.tiers[name] = tier
	}
}

// allows asks both ends.
func (r *reference) allows(c call) bool {
	return r.permits(c.from, c.to, "egress", c) && r.permits(c.to, c.from, "ingress", c)
}

// permits asks the policies that select one end.
func (r *reference) permits(own, other refEnd, direction string, c call) bool {
	switch {
	case own.pod == nil:
		return true
	case len(r.cilium) > 0:
		return r.ciliumPermits(own.pod, other, direction, c)
	case len(r.calico) > 0:
		return r.calicoPermits(own, other, direction, c)
	}
	switch r.clusterAction("Admin", own.pod, other, direction, c) {
	case "Accept":
		return true
	case "Deny":
		return false
	}
	if isolated, allowed := r.nativeVerdict(own.pod, other, direction, c); isolated {
		return allowed
	}
	return r.clusterAction("Baseline", own.pod, other, direction, c) != "Deny"
}

// refSelector is a metav1.LabelSelector.
type refSelector struct {
	MatchLabels      map[string]string
	MatchExpressions []struct {
		Key, Operator string
		Values        []string
	}
}

func (s refSelector) selects(labels map[string]string) bool {
	for key, want := range s.MatchLabels {
		if value, has := labels[key]; !has || value != want {
			return false
		}
	}
	for _, e := range s.MatchExpressions {
		value, has := labels[e.Key]
		listed := has && slices.Contains(e.Values, value)
		if !map[string]bool{"In": listed, "NotIn": !listed, "Exists": has, "DoesNotExist": !has}[e.Operator] {
			return false
		}
	}
	return true
}

// refNative is a NetworkPolicy.
type refNative struct {
	name, namespace string
	PodSelector     refSelector
	PolicyTypes     []string
	Ingress, Egress []refNativeRule
}

type refNativeRule struct {
	From, To []refNativePeer
	Ports    []refNativePort
}

type refNativePeer struct {
	PodSelector, NamespaceSelector *refSelector
	IPBlock                        *struct {
		CIDR   string
		Except []string
	}
}

type refNativePort struct {
	Protocol string
	Port     any
	EndPort  int
}

// isolates reports whether the policy selects a pod in a direction.
func (p *refNative) isolates(pod *refPod, direction string) bool {
	types := p.PolicyTypes
	if len(types) == 0 {
		types = []string{"Ingress"}
		if len(p.Egress) > 0 {
			types = append(types, "Egress")
		}
	}
	return pod.namespace == p.namespace && p.PodSelector.selects(pod.labels) && slices.ContainsFunc(types, func(t string) bool { return strings.ToLower(t) == direction })
}

// takes reports whether a rule of the policy allows a connection.
func (r *reference) nativeTakes(p *refNative, other refEnd, direction string, c call) bool {
	rules := p.Ingress
	if direction == "egress" {
		rules = p.Egress
	}
	return slices.ContainsFunc(rules, func(rule refNativeRule) bool {
		peers := slices.Concat(rule.From, rule.To)
		return (len(rule.Ports) == 0 || slices.ContainsFunc(rule.Ports, func(port refNativePort) bool { return port.takes(c) })) &&
			(len(peers) == 0 || slices.ContainsFunc(peers, func(peer refNativePeer) bool { return r.nativePeer(p, peer, other) }))
	})
}

func (r *reference) nativePeer(p *refNative, peer refNativePeer, other refEnd) bool {
	if block := peer.IPBlock; block != nil {
		if other.pod != nil && len(r.cilium) > 0 {
			return false // Cilium knows pods by their labels alone
		}
		return other.inAny([]string{block.CIDR}) && !other.inAny(block.Except)
	}
	if other.pod == nil {
		return false
	}
	if peer.PodSelector != nil && !peer.PodSelector.selects(other.pod.labels) {
		return false
	}
	if peer.NamespaceSelector != nil {
		return peer.NamespaceSelector.selects(other.pod.namespaceLabels)
	}
	return other.pod.namespace == p.namespace
}

func (p refNativePort) takes(c call) bool {
	protocol := cmpOr(p.Protocol, "TCP")
	switch port := p.Port.(type) {
	case string:
		return c.named(port, protocol)
	case float64:
		return protocol == c.protocol && int(port) <= c.port && c.port <= max(int(port), p.EndPort)
	}
	return protocol == c.protocol
}

func (r *reference) nativeVerdict(pod *refPod, other refEnd, direction string, c call) (isolated, allowed bool) {
	for _, p := range r.native {
		if p.isolates(pod, direction) {
			isolated = true
			allowed = allowed || r.nativeTakes(p, other, direction, c)
		}
	}
	return isolated, allowed
}

// refCluster is a ClusterNetworkPolicy.
type refCluster struct {
	Tier            string
	Priority        int
	Subject         refClusterPeer
	Ingress, Egress []refClusterRule
}

type refClusterRule struct {
	Action    string
	From, To  []refClusterPeer
	Protocols []struct {
		TCP, UDP, SCTP *struct {
			DestinationPort struct {
				Number *int
				Range  *struct{ Start, End int }
			}
		}
		DestinationNamedPort string
	}
}

type refClusterPeer struct {
	Namespaces *refSelector
	Pods       *struct{ NamespaceSelector, PodSelector refSelector }
	Networks   []string
}

func (p refClusterPeer) has(e refEnd) bool {
	switch {
	case len(p.Networks) > 0:
		return e.inAny(p.Networks)
	case e.pod == nil:
		return false
	case p.Namespaces != nil:
		return p.Namespaces.selects(e.pod.namespaceLabels)
	}
	return p.Pods.NamespaceSelector.selects(e.pod.namespaceLabels) && p.Pods.PodSelector.selects(e.pod.labels)
}

func (rule refClusterRule) takes(other refEnd, c call) bool {
	if !slices.ContainsFunc(slices.Concat(rule.From, rule.To), func(p refClusterPeer) bool { return p.has(other) }) {
		return false
	}
	for _, entry := range rule.Protocols {
		if entry.DestinationNamedPort != "" && c.named(entry.DestinationNamedPort, "") {
			return true
		}
		of := map[string]bool{"TCP": entry.TCP != nil, "UDP": entry.UDP != nil, "SCTP": entry.SCTP != nil}
		if !of[c.protocol] {
			continue
		}
		port := cmpFirst(entry.TCP, entry.UDP, entry.SCTP).DestinationPort
		if port.Number != nil && *port.Number == c.port || port.Range != nil && port.Range.Start <= c.port && c.port <= port.Range.End {
			return true
		}
	}
	return len(rule.Protocols) == 0
}

func cmpFirst[T any](of ...*T) *T {
	for _, v := range of {
		if v != nil {
			return v
		}
	}
	return nil
}

// clusterAction returns the action of the first rule of a tier that takes a connection, or "".
func (r *reference) clusterAction(tier string, pod *refPod, other refEnd, direction string, c call) string {
	sorted := slices.Clone(r.cluster)
	slices.SortFunc(sorted, func(a, b *refCluster) int { return a.Priority - b.Priority })
	for _, p := range sorted {
		if p.Tier != tier || !p.Subject.has(refEnd{pod: pod}) {
			continue
		}
		rules := p.Ingress
		if direction == "egress" {
			rules = p.Egress
		}
		for _, rule := range rules {
			if rule.takes(other, c) {
				return rule.Action
			}
		}
	}
	return ""
}

// refCilium is a policy of Cilium; without a namespace it is for the whole cluster.
type refCilium struct {
	namespace string
	rules     []refCiliumRule
}

type refCiliumRule struct {
	EndpointSelector                         *refSelector
	Ingress, IngressDeny, Egress, EgressDeny []refCiliumItem
	EnableDefaultDeny                        struct{ Ingress, Egress *bool }
}

type refCiliumItem struct {
	FromEndpoints, ToEndpoints *[]refSelector
	FromCIDR, ToCIDR           *[]string
	FromCIDRSet, ToCIDRSet     *[]refCIDRSet
	FromEntities, ToEntities   *[]string
	ToPorts                    []struct{ Ports []refCiliumPort }
}

type refCIDRSet struct {
	CIDR   string
	Except []string
}

type refCiliumPort struct {
	Port, Protocol string
	EndPort        int
}

// valid reports whether Cilium takes the policy. It leaves out a whole object for one error.
func (p *refCilium) valid() bool {
	for _, rule := range p.rules {
		all := slices.Concat(rule.Ingress, rule.IngressDeny, rule.Egress, rule.EgressDeny)
		if rule.EndpointSelector == nil || len(all) == 0 || slices.ContainsFunc(all, func(i refCiliumItem) bool { return i.members() > 1 }) {
			return false
		}
	}
	return true
}

// members counts the fields for the other end that are not empty; Cilium does not combine them.
func (i refCiliumItem) members() int {
	n := 0
	for _, length := range []int{
		lengthOf(i.FromEndpoints), lengthOf(i.ToEndpoints), lengthOf(i.FromCIDR), lengthOf(i.ToCIDR),
		lengthOf(i.FromCIDRSet), lengthOf(i.ToCIDRSet), lengthOf(i.FromEntities), lengthOf(i.ToEntities),
	} {
		if length > 0 {
			n++
		}
	}
	return n
}

func lengthOf[T any](list *[]T) int {
	if list == nil {
		return 0
	}
	return len(*list)
}

func valuesOf[T any](list *[]T) []T {
	if list == nil {
		return nil
	}
	return *list
}

func (rule refCiliumRule) of(direction string) (allow, deny []refCiliumItem, defaultDeny *bool) {
	if direction == "ingress" {
		return rule.Ingress, rule.IngressDeny, rule.EnableDefaultDeny.Ingress
	}
	return rule.Egress, rule.EgressDeny, rule.EnableDefaultDeny.Egress
}

func (r *reference) ciliumPermits(pod *refPod, other refEnd, direction string, c call) bool {
	isolated, allowed := r.nativeVerdict(pod, other, direction, c)
	for _, p := range r.cilium {
		if !p.valid() {
			continue
		}
		for _, rule := range p.rules {
			if !p.selects(*rule.EndpointSelector, pod) {
				continue
			}
			allow, deny, defaultDeny := rule.of(direction)
			takes := func(i refCiliumItem) bool { return p.takes(i, other, c) }
			if slices.ContainsFunc(deny, takes) {
				return false // whatever allows it
			}
			allowed = allowed || slices.ContainsFunc(allow, takes)
			isolated = isolated || len(allow)+len(deny) > 0 && (defaultDeny == nil || *defaultDeny)
		}
	}
	return allowed || !isolated
}

// identity are the labels by which Cilium knows a pod.
func (pod *refPod) identity() map[string]string {
	out := map[string]string{"io.kubernetes.pod.namespace": pod.namespace, "io.cilium.k8s.policy.serviceaccount": pod.account}
	for key, value := range pod.labels {
		out[key] = value
	}
	for key, value := range pod.namespaceLabels {
		out["io.cilium.k8s.namespace.labels."+key] = value
	}
	return out
}

const podNamespace = "io.kubernetes.pod.namespace"

// plain returns a selector without the sources of labels, and whether it names the namespace and labels of
// namespaces.
func (s refSelector) plain() (out refSelector, namespace, labels bool) {
	out.MatchLabels = map[string]string{}
	see := func(key string) string {
		key = strings.TrimPrefix(strings.TrimPrefix(key, "k8s:"), "any:")
		namespace, labels = namespace || key == podNamespace, labels || strings.HasPrefix(key, "io.cilium.k8s.namespace.labels.")
		return key
	}
	for key, value := range s.MatchLabels {
		out.MatchLabels[see(key)] = value
	}
	for _, e := range s.MatchExpressions {
		e.Key = see(e.Key)
		out.MatchExpressions = append(out.MatchExpressions, e)
	}
	return out, namespace, labels
}

// selects reports whether a pod is a subject of the policy, of whose namespace it always is.
func (p *refCilium) selects(s refSelector, pod *refPod) bool {
	if p.namespace != "" {
		if pod.namespace != p.namespace {
			return false
		}
		if _, has := s.MatchLabels["k8s:"+podNamespace]; has { // written over by the policy's namespace
			labels := map[string]string{}
			for key, value := range s.MatchLabels {
				labels[key] = value
			}
			labels["k8s:"+podNamespace] = p.namespace
			s.MatchLabels = labels
		}
	}
	plain, _, _ := s.plain()
	return plain.selects(pod.identity())
}

// peer reports whether a pod is selected by an item of fromEndpoints or toEndpoints.
func (p *refCilium) peer(s refSelector, pod *refPod) bool {
	plain, namespace, labels := s.plain()
	if p.namespace != "" && !namespace && !labels && pod.namespace != p.namespace {
		return false
	}
	return plain.selects(pod.identity())
}

// world reports whether such an item selects what is outside of the cluster, which has one label: it gets no namespace to match if it
// names one.
func (p *refCilium) world(s refSelector) bool {
	plain, namespace, labels := s.plain()
	return (namespace || labels && p.namespace != "") && plain.selects(map[string]string{"reserved:world": ""})
}

func (p *refCilium) takes(i refCiliumItem, other refEnd, c call) bool {
	if !slices.ContainsFunc(i.ToPorts, func(entry struct{ Ports []refCiliumPort }) bool {
		return slices.ContainsFunc(entry.Ports, func(port refCiliumPort) bool { return port.takes(c) })
	}) && len(i.ToPorts) > 0 {
		return false
	}
	if i.FromEndpoints == nil && i.ToEndpoints == nil && i.FromCIDR == nil && i.ToCIDR == nil &&
		i.FromCIDRSet == nil && i.ToCIDRSet == nil && i.FromEntities == nil && i.ToEntities == nil {
		return len(i.ToPorts) > 0 // an empty item is about nothing
	}
	for _, e := range slices.Concat(valuesOf(i.FromEntities), valuesOf(i.ToEntities)) {
		if e == "all" || e == "world" && other.pod == nil || e == "cluster" && other.pod != nil {
			return true
		}
	}
	if other.pod != nil { // networks are never about pods
		return slices.ContainsFunc(slices.Concat(valuesOf(i.FromEndpoints), valuesOf(i.ToEndpoints)), func(s refSelector) bool { return p.peer(s, other.pod) })
	}
	if slices.ContainsFunc(slices.Concat(valuesOf(i.FromEndpoints), valuesOf(i.ToEndpoints)), p.world) {
		return true
	}
	return other.inAny(slices.Concat(valuesOf(i.FromCIDR), valuesOf(i.ToCIDR))) ||
		slices.ContainsFunc(slices.Concat(valuesOf(i.FromCIDRSet), valuesOf(i.ToCIDRSet)), func(s refCIDRSet) bool {
			return other.inAny([]string{s.CIDR}) && !other.inAny(s.Except)
		})
}

func (p refCiliumPort) takes(c call) bool {
	if p.Protocol != "" && p.Protocol != "ANY" && p.Protocol != c.protocol {
		return false
	}
	number, err := strconv.Atoi(p.Port)
	if err != nil {
		return c.named(p.Port, "")
	}
	return number == 0 || number <= c.port && c.port <= max(number, p.EndPort)
}

// refTier is a tier of Calico.
type refTier struct {
	Order         *float64
	DefaultAction string
}

// refCalico is a NetworkPolicy or a GlobalNetworkPolicy of Calico.
type refCalico struct {
	kind, name, namespace             string
	Tier, Selector, NamespaceSelector string
	Order                             *float64
	Types                             []string
	PreDNAT, DoNotTrack               bool
	Ingress, Egress                   []refCalicoRule
}

type refCalicoRule struct {
	Action                string
	Protocol, NotProtocol any
	Source, Destination   refEntity
}

type refEntity struct {
	Nets, NotNets                            []string
	Selector, NotSelector, NamespaceSelector string
	ServiceAccounts                          *struct{ Names []string }
	Ports, NotPorts                          []any
}

// applies reports whether the policy polices a pod in a direction.
func (p *refCalico) applies(pod *refPod, direction string) bool {
	types := p.Types
	if len(types) == 0 {
		if len(p.Ingress) > 0 || len(p.Egress) == 0 {
			types = append(types, "Ingress")
		}
		if len(p.Egress) > 0 {
			types = append(types, "Egress")
		}
	}
	if !slices.ContainsFunc(types, func(t string) bool { return strings.ToLower(t) == direction }) {
		return false
	}
	if p.PreDNAT || p.DoNotTrack {
		return false // they police host endpoints
	}
	return (p.namespace == "" || p.namespace == pod.namespace) && pod.chosen(p.Selector) && pod.chosenByNamespace(p.NamespaceSelector)
}

// chosen reports whether an expression selects a pod, by its labels and those that Calico adds.
func (pod *refPod) chosen(text string) bool {
	labels := map[string]string{
		"projectcalico.org/namespace": pod.namespace, "projectcalico.org/orchestrator": "k8s", "projectcalico.org/serviceaccount": pod.account,
	}
	for key, value := range pod.labels {
		labels[key] = value
	}
	return evaluateExpression(text, labels)
}

// chosenByNamespace reports whether an expression selects the namespace of a pod.
func (pod *refPod) chosenByNamespace(text string) bool {
	labels := map[string]string{"projectcalico.org/name": pod.namespace}
	for key, value := range pod.namespaceLabels {
		labels[key] = value
	}
	return evaluateExpression(text, labels)
}

// has reports whether an end is one that the rule is about, apart from ports.
func (e refEntity) has(end refEnd, policyNamespace string) bool {
	switch {
	case len(e.Nets) > 0 && !end.inAny(e.Nets), end.inAny(e.NotNets):
		return false
	case e.NotSelector != "" && end.pod != nil && end.pod.chosen(e.NotSelector):
		return false
	case e.NamespaceSelector != "":
		if end.pod == nil || !end.pod.chosenByNamespace(e.NamespaceSelector) {
			return false
		}
	case policyNamespace != "" && (e.Selector != "" || e.NotSelector != "" || e.ServiceAccounts != nil):
		if end.pod == nil || end.pod.namespace != policyNamespace {
			return false
		}
	}
	if e.Selector != "" && (end.pod == nil || !end.pod.chosen(e.Selector)) {
		return false
	}
	return e.ServiceAccounts == nil || end.pod != nil && slices.Contains(e.ServiceAccounts.Names, end.pod.account)
}

func calicoProtocol(v any) string {
	if n, ok := v.(float64); ok {
		return map[float64]string{6: "TCP", 17: "UDP", 132: "SCTP"}[n]
	}
	return fmt.Sprint(v)
}

func (rule refCalicoRule) takes(c call, policyNamespace string) bool {
	if rule.Protocol != nil && calicoProtocol(rule.Protocol) != c.protocol || rule.NotProtocol != nil && calicoProtocol(rule.NotProtocol) == c.protocol {
		return false
	}
	is := func(port any) bool {
		text := fmt.Sprint(port)
		first, last, isRange := strings.Cut(text, ":")
		from, err := strconv.Atoi(first)
		if err != nil {
			return c.named(text, "")
		}
		to := from
		if isRange {
			to, _ = strconv.Atoi(last)
		}
		return from <= c.port && c.port <= to
	}
	if len(rule.Destination.Ports) > 0 && !slices.ContainsFunc(rule.Destination.Ports, is) || slices.ContainsFunc(rule.Destination.NotPorts, is) {
		return false
	}
	return rule.Source.has(c.from, policyNamespace) && rule.Destination.has(c.to, policyNamespace)
}

// ordered is a policy in a tier, with the action of its first rule that takes the connection, or "".
type ordered struct {
	tier   string
	order  float64
	tie    string
	action string
}

// tierOrder returns what tiers are sorted by. Those without an order come last.
func (r *reference) tierOrder(name string) float64 {
	if name == "default" {
		return 1_000_000
	}
	if order := r.tiers[name].Order; order != nil {
		return *order
	}
	return math.Inf(1)
}

func (r *reference) calicoPermits(own, other refEnd, direction string, c call) bool {
	var policies []ordered
	for _, p := range r.native {
		if p.isolates(own.pod, direction) {
			o := ordered{tier: "default", order: 1000, tie: p.name + "/" + p.namespace + "/KubernetesNetworkPolicy"}
			if r.nativeTakes(p, other, direction, c) {
				o.action = "Allow"
			}
			policies = append(policies, o)
		}
	}
	for _, p := range r.calico {
		if p.applies(own.pod, direction) {
			policies = append(policies, p.decide(direction, c))
		}
	}
	slices.SortFunc(policies, func(a, b ordered) int {
		if x, y := r.tierOrder(a.tier), r.tierOrder(b.tier); x != y {
			return compareFloats(x, y)
		}
		if a.tier != b.tier {
			return strings.Compare(a.tier, b.tier)
		}
		if a.order != b.order {
			return compareFloats(a.order, b.order)
		}
		return strings.Compare(a.tie, b.tie)
	})
	for len(policies) > 0 {
		tier, action := policies[0].tier, ""
		for len(policies) > 0 && policies[0].tier == tier {
			action = cmpOr(action, policies[0].action)
			policies = policies[1:]
		}
		if action == "" {
			action = cmpOr(r.tiers[tier].DefaultAction, "Deny")
		}
		if action != "Pass" {
			return action == "Allow"
		}
	}
	return true // the profile of the namespace
}

func compareFloats(a, b float64) int {
	if a < b {
		return -1
	}
	return 1
}

func (p *refCalico) decide(direction string, c call) ordered {
	o := ordered{tier: cmpOr(p.Tier, "default"), order: math.Inf(1), tie: p.name + "/" + p.namespace + "/" + p.kind}
	if p.Order != nil {
		o.order = *p.Order
	}
	rules := p.Ingress
	if direction == "egress" {
		rules = p.Egress
	}
	for _, rule := range rules {
		if rule.Action != "Log" && rule.takes(c, p.namespace) {
			o.action = rule.Action
			break
		}
	}
	return o
}

var expressionTokens = regexp.MustCompile(`&&|\|\||==|!=|[!(){},]|'[^']*'|"[^"]*"|[A-Za-z0-9_./-]+`)

// evaluateExpression evaluates a selector of Calico while it reads it. Everything that begins is valid.
func evaluateExpression(text string, labels map[string]string) bool {
	if text == "" {
		return true
	}
	e := &evaluation{tokens: expressionTokens.FindAllString(text, -1), labels: labels}
	return e.either()
}

type evaluation struct {
	tokens []string
	labels map[string]string
}

func (e *evaluation) next() string {
	token := e.tokens[0]
	e.tokens = e.tokens[1:]
	return token
}

func (e *evaluation) follows(token string) bool { return len(e.tokens) > 0 && e.tokens[0] == token }

func (e *evaluation) either() bool {
	out := e.both()
	for e.follows("||") {
		e.next()
		right := e.both()
		out = out || right
	}
	return out
}

func (e *evaluation) both() bool {
	out := e.one()
	for e.follows("&&") {
		e.next()
		right := e.one()
		out = out && right
	}
	return out
}

func (e *evaluation) one() bool {
	word := e.next()
	switch {
	case word == "!":
		return !e.one()
	case word == "(":
		out := e.either()
		e.next()
		return out
	case e.follows("("): // all(), global() and has(key)
		e.next()
		key := e.next()
		if key == ")" {
			return word == "all" // every pod is in a namespace, none is global
		}
		e.next()
		_, has := e.labels[key]
		return has
	}
	value, has := e.labels[word]
	return e.compare(value, has)
}

func (e *evaluation) compare(value string, has bool) bool {
	operator := e.next()
	if operator == "starts" || operator == "ends" || operator == "not" {
		e.next()
	}
	var operands []string
	if e.follows("{") {
		e.next()
		for token := e.next(); token != "}"; token = e.next() {
			if token != "," {
				operands = append(operands, token[1:len(token)-1])
			}
		}
	} else {
		token := e.next()
		operands = append(operands, token[1:len(token)-1])
	}
	listed := has && slices.Contains(operands, value)
	switch operator {
	case "!=", "not":
		return !listed
	case "contains":
		return has && strings.Contains(value, operands[0])
	case "starts":
		return has && strings.HasPrefix(value, operands[0])
	case "ends":
		return has && strings.HasSuffix(value, operands[0])
	}
	return listed
}
