package network

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// policyAPIGroup is the group of the Network Policy API.
const policyAPIGroup = "policy.networking.k8s.io"

func policyAPIKinds() []Kind {
	const decides = "The first rule that takes a connection decides, over all policies of the tier by ascending priority: it accepts or denies it, or passes it to the next tier. Nothing is denied by default. "
	notFollowed := []string{
		"The order of equal priorities is undefined: what they decide differently is not known.",
		"The labels of nodes are not in manifests: whether a selector selects a node is not known.",
		"Domain names are told apart as they are written; which addresses they have is not known.",
	}
	older := "network-policy-api apis/v1alpha1@e80807c4 and conformance/tests"
	return []Kind{
		{
			Group: policyAPIGroup, Name: "AdminNetworkPolicy", ClusterScoped: true, read: adminPolicy, Source: older,
			Decides: decides + "It comes before NetworkPolicies.", NotFollowed: append([]string{"sameLabels and notSameLabels, of releases before 0.1.3."}, notFollowed...),
		},
		{
			Group: policyAPIGroup, Name: "BaselineAdminNetworkPolicy", ClusterScoped: true, read: adminPolicy, Source: older,
			Decides: decides + "It comes after NetworkPolicies, for pods that none isolates in the direction.", NotFollowed: notFollowed,
		},
		{
			Group: policyAPIGroup, Name: "ClusterNetworkPolicy", ClusterScoped: true, read: adminPolicy,
			Source:  "network-policy-api apis/v1alpha2/clusternetworkpolicy_types.go@0eec1b0e and conformance/tests",
			Decides: decides + "The tier Admin comes before NetworkPolicies, Baseline after them, for pods that none isolates in the direction.", NotFollowed: notFollowed,
		},
	}
}

// adminPolicy reads the kinds of the Network Policy API (network-policy-api apis/v1alpha1 and
// apis/v1alpha2 clusternetworkpolicy_types.go). The first rule that takes a connection decides, over all
// policies of a tier by ascending priority; the order of equal priorities is undefined. Nothing is
// denied by default. A pod that a NetworkPolicy isolates in a direction never reaches the baseline.
func adminPolicy(o *loader.Object, _ *source) []*Policy {
	spec := o.Spec()
	p := &Policy{Object: o, Tier: adminTier()}
	if o.ID.Kind == "BaselineAdminNetworkPolicy" || spec.Str("tier") == "Baseline" {
		p.Tier = baselineTier()
	}
	if o.ID.Kind == "BaselineAdminNetworkPolicy" && o.ID.Name != "default" && !loader.Placeholder(o.ID.Name) {
		p.Invalid = "a BaselineAdminNetworkPolicy must have the name default"
		return []*Policy{p}
	}
	unplaced := p.place(spec.Get("priority"))
	if subject, known := adminPods(spec.Get("subject")); known {
		p.Subjects = []Peer{subject}
	}
	for _, d := range directions {
		for i, item := range spec.List(d.String()) {
			p.Rules[d] = append(p.Rules[d], adminRule(item, d, i))
		}
	}
	p.doubt(unplaced)
	return []*Policy{p}
}

// place reads what decides about the order of a policy. doubt is not empty if that is not known, because a variable stands there.
func (p *Policy) place(order *loader.Value) (doubt string) {
	if order.IsNull() {
		return ""
	}
	n, err := strconv.ParseFloat(order.Text, 64)
	if err != nil {
		return fmt.Sprintf("its place among the policies is not known: %s", order.Text)
	}
	p.Order = n
	return ""
}

// doubt marks all rules as doubtful for a reason, unless it is empty.
func (p *Policy) doubt(why string) {
	for d := range p.Rules {
		for i := range p.Rules[d] {
			p.Rules[d][i].Doubt = cmp.Or(p.Rules[d][i].Doubt, why)
		}
	}
}

// adminPods reads the subject of a policy, or a peer that selects pods.
func adminPods(v *loader.Value) (Peer, bool) {
	if namespaces := v.Get("namespaces"); namespaces != nil {
		if older := namespaces.Get("namespaceSelector"); older != nil { // releases before 0.1.3
			namespaces = older
		}
		return Peer{pods{labelSelector{everyLabel()}}, inNamespaces{labelSelector{namespaces}}}, true
	}
	if selected := v.Get("pods"); !selected.IsNull() {
		namespaces := selected.Get("namespaceSelector")
		if older := selected.Get("namespaces", "namespaceSelector"); older != nil {
			namespaces = older
		}
		return Peer{pods{labelSelector{selectorOf(selected.Get("podSelector"))}}, inNamespaces{labelSelector{selectorOf(namespaces)}}}, true
	}
	return nil, false
}

func adminRule(item *loader.Value, d Direction, i int) Rule {
	r := Rule{Name: cmp.Or(item.Str("name"), fmt.Sprintf("%s[%d]", d, i)), At: item, Peers: []Peer{}}
	switch action := item.Str("action"); action {
	case "Allow", "Accept":
		r.Action = Allow
	case "Deny":
		r.Action = Deny
	case "Pass":
		r.Action = Pass
	default:
		r.Doubt = fmt.Sprintf("the action %q is not known", action)
	}
	for _, peer := range item.List([...]string{"from", "to"}[d]) {
		list, doubt := adminPeer(peer)
		r.Peers = append(r.Peers, list...)
		r.Doubt = cmp.Or(r.Doubt, doubt)
	}
	for _, field := range []string{"ports", "protocols"} {
		if r.Ports == nil && len(item.List(field)) > 0 {
			r.Ports = []PortMatch{}
		}
		for _, port := range item.List(field) {
			match, doubt := adminPort(port)
			r.Ports = append(r.Ports, match...)
			r.Doubt = cmp.Or(r.Doubt, doubt)
		}
	}
	return r
}

// adminPeer reads a peer. One of a field that is not known may be any end of a connection.
func adminPeer(v *loader.Value) ([]Peer, string) {
	if selected, known := adminPods(v); known {
		for _, at := range []*loader.Value{v.Get("namespaces"), v.Get("pods", "namespaces")} {
			if at.Get("sameLabels") != nil || at.Get("notSameLabels") != nil {
				return []Peer{selected}, "sameLabels and notSameLabels are not part of the API any more"
			}
		}
		return []Peer{selected}, ""
	}
	switch {
	case v.Get("nodes") != nil:
		return []Peer{{nodes{labelSelector{v.Get("nodes")}}}}, ""
	case v.Get("networks") != nil:
		var out []Peer
		for _, cidr := range inventory.Strings(v.List("networks")) {
			b, err := parseBlock(cidr)
			if err != nil {
				return []Peer{{form{[]Form{Addresses}, "addresses"}}}, err.Error()
			}
			out = append(out, Peer{inBlock{block: b, inside: true}})
		}
		return out, ""
	case v.Get("domainNames") != nil:
		var out []Peer
		for _, name := range inventory.Strings(v.List("domainNames")) {
			out = append(out, Peer{named{pattern: name}})
		}
		return out, ""
	}
	return []Peer{{}}, "a peer has no field that is known"
}

// adminPort reads an entry of ports (v1alpha1) or protocols (v1alpha2). A named port means the ports of
// that name of any protocol.
func adminPort(v *loader.Value) ([]PortMatch, string) {
	for _, field := range []string{"namedPort", "destinationNamedPort"} {
		if name := v.Str(field); name != "" {
			var out []PortMatch
			for _, p := range protocols[:Other] {
				out = append(out, PortMatch{Name: name, Range: Range{Protocol: p}})
			}
			return out, ""
		}
	}
	if one := v.Get("portNumber"); !one.IsNull() {
		return adminRange(cmp.Or(one.Str("protocol"), "TCP"), one.Get("port"), one.Get("port"))
	}
	if some := v.Get("portRange"); !some.IsNull() {
		return adminRange(cmp.Or(some.Str("protocol"), "TCP"), some.Get("start"), some.Get("end"))
	}
	for _, f := range v.FieldList() {
		if _, known := ParseProtocol(f.Key); !known || slices.Contains([]string{"TCP", "UDP", "SCTP"}, f.Key) {
			continue
		}
		port := f.Value.Get("destinationPort")
		switch {
		case port.Get("number") != nil:
			return adminRange(f.Key, port.Get("number"), port.Get("number"))
		case port.Get("range") != nil:
			return adminRange(f.Key, port.Get("range", "start"), port.Get("range", "end"))
		}
		p, _ := ParseProtocol(f.Key)
		return []PortMatch{{Range: whole(p)}}, ""
	}
	return []PortMatch{{Range: whole(TCP)}, {Range: whole(UDP)}, {Range: whole(SCTP)}, {Range: whole(Other)}}, "an entry of its ports has no field that is known"
}

func adminRange(protocol string, from, to *loader.Value) ([]PortMatch, string) {
	p, known := ParseProtocol(protocol)
	if !known {
		return nil, fmt.Sprintf("the protocol %q is not known", protocol)
	}
	first, ok := number(from)
	last, also := number(to)
	if !ok || !also {
		return []PortMatch{{Range: whole(p)}}, "a port is not a number"
	}
	if first > last {
		return nil, ""
	}
	return []PortMatch{{Range: Range{p, first, last}}}, ""
}
