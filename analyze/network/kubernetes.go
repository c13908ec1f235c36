package network

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// networkingGroup is the group of NetworkPolicy.
const networkingGroup = "networking.k8s.io"

func kubernetesKinds() []Kind {
	return []Kind{{
		Group: networkingGroup, Name: "NetworkPolicy", read: networkPolicy,
		Decides: "It isolates the pods that it selects for each of its policyTypes. What one of several policies allows is allowed; there is no deny and no order. Both ends must allow a connection.",
		Source:  "kubernetes/api networking/v1/types.go@10b39a39; kubernetes/kubernetes pkg/apis/networking/v1/defaults.go; its end-to-end tests in test/e2e/network/netpol",
		NotFollowed: []string{
			"Whether an ipBlock applies to pods depends on the implementation and on their addresses: it is not known for private networks, and false beside policies of Cilium.",
			"Pods in the network of their node are taken as selected by nothing, neither policies nor peers, as most implementations do.",
			"A pod always reaches itself. A workload to itself is answered for one of its pods to another.",
			"What the node of a pod sends is always allowed. Addresses of Services are replaced by those of pods before a policy sees them.",
		},
	}}
}

// networkPolicy reads a NetworkPolicy (k8s.io/api networking/v1 types.go). It isolates the pods that it
// selects in each of its policyTypes, and its rules allow connections; the order of policies does not
// matter. Answers to allowed connections are allowed, and so is what the pod's own node sends.
func networkPolicy(o *loader.Object, s *source) []*Policy {
	spec := o.Spec()
	p := &Policy{Object: o, Tier: policyTier(), Order: networkPolicyOrder, Tie: tie(o.ID, "KubernetesNetworkPolicy")}
	p.Subjects = []Peer{{pods{labelSelector{selectorOf(spec.Get("podSelector"))}}, inNamespace{o.ID.Namespace}}}
	types := inventory.Strings(spec.List("policyTypes"))
	if len(types) == 0 {
		types = []string{"Ingress"}
		if len(spec.List("egress")) > 0 {
			types = append(types, "Egress")
		}
	}
	for _, d := range directions {
		name := [...]string{"Ingress", "Egress"}[d]
		if !slices.Contains(types, name) {
			continue
		}
		p.Isolates[d] = true
		for i, item := range spec.List(d.String()) {
			p.Rules[d] = append(p.Rules[d], networkPolicyRule(o, s, item, d, i))
		}
	}
	return []*Policy{p}
}

// networkPolicyOrder is the order that Calico gives to NetworkPolicies in its default tier
// (libcalico-go lib/backend/k8s/conversion/conversion.go, K8sNetworkPolicyToCalico).
const networkPolicyOrder = 1000

func networkPolicyRule(o *loader.Object, s *source, item *loader.Value, d Direction, i int) Rule {
	r := Rule{Action: Allow, Name: fmt.Sprintf("%s[%d]", d, i), At: item}
	if len(item.List("ports")) > 0 {
		r.Ports = []PortMatch{}
	}
	for _, port := range item.List("ports") {
		match, doubt := networkPolicyPort(port)
		r.Ports = append(r.Ports, match...)
		r.Doubt = cmp.Or(r.Doubt, doubt)
	}
	peers := item.List([...]string{"from", "to"}[d])
	for _, peer := range peers {
		one, doubt := networkPolicyPeer(o, s, peer)
		r.Peers = append(r.Peers, one)
		r.Doubt = cmp.Or(r.Doubt, doubt)
	}
	return r
}

// networkPolicyPort reads a NetworkPolicyPort. Without a port it is every port of the protocol.
func networkPolicyPort(v *loader.Value) (out []PortMatch, doubt string) {
	protocol, known := ParseProtocol(cmp.Or(v.Str("protocol"), "TCP"))
	if !known {
		return nil, fmt.Sprintf("the protocol %q is not known", v.Str("protocol"))
	}
	port := v.Get("port")
	if port.IsNull() {
		return []PortMatch{{Range: whole(protocol)}}, ""
	}
	from, numeric := number(port)
	if !numeric {
		if loader.Placeholder(port.Text) {
			return []PortMatch{{Range: whole(protocol)}}, "the port " + port.Text + " is not filled in"
		}
		return []PortMatch{{Name: port.Text, Range: Range{Protocol: protocol}}}, ""
	}
	to := from
	if end, ok := number(v.Get("endPort")); ok {
		to = end
	}
	if from > to {
		return nil, "" // refused by the API server
	}
	return []PortMatch{{Range: Range{protocol, from, to}}}, ""
}

// networkPolicyPeer reads a NetworkPolicyPeer.
func networkPolicyPeer(o *loader.Object, s *source, v *loader.Value) (peer Peer, doubt string) {
	if ip := v.Get("ipBlock"); !ip.IsNull() {
		b, err := parseBlock(ip.Str("cidr"), inventory.Strings(ip.List("except"))...)
		if err != nil {
			return Peer{form{[]Form{Addresses, Names}, "addresses"}}, err.Error()
		}
		return Peer{inBlock{block: b, outside: s.cilium()}}, ""
	}
	pod, namespace := v.Get("podSelector"), v.Get("namespaceSelector")
	peer = Peer{pods{labelSelector{selectorOf(pod)}}}
	if namespace.IsNull() {
		return append(peer, inNamespace{o.ID.Namespace}), ""
	}
	return append(peer, inNamespaces{labelSelector{namespace}}), ""
}

// everyLabel is the selector that selects everything.
func everyLabel() *loader.Value { return &loader.Value{Shape: loader.Map} }

// selectorOf returns a selector, or the empty one if there is none.
func selectorOf(v *loader.Value) *loader.Value {
	if v.IsNull() {
		return everyLabel()
	}
	return v
}

// number reads a port number.
func number(v *loader.Value) (int, bool) {
	if v == nil || v.Shape != loader.Int {
		return 0, false
	}
	n, err := strconv.Atoi(v.Text)
	return n, err == nil && n >= 0 && n <= maxPort
}
