package network

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// ciliumGroup is the group of Cilium's policies.
const ciliumGroup = "cilium.io"

func ciliumKinds() []Kind {
	const decides = "It isolates the pods that it selects for each direction in which it has rules, unless enableDefaultDeny says otherwise. What any policy of Cilium denies is denied, whatever allows it; what is left and any policy of Cilium or NetworkPolicy allows is allowed. An item without peers and ports allows nothing."
	const from = "cilium/cilium v1.19.4 pkg/policy/api, pkg/k8s/apis/cilium.io/utils/utils.go; Documentation/security/policy"
	notFollowed := []string{
		"Rules for requests (HTTP, DNS, Kafka, server names) are shown, and what differs of them over all policies is a finding; the requests themselves are not compared.",
		"Policies of hosts (nodeSelector), fromRequires and toRequires.",
		"Groups of a cloud, labels of nodes, and CIDR groups by labels: what they mean is not known.",
		"The modes of enforcement always and never, and options that turn features on.",
	}
	return []Kind{
		{Group: ciliumGroup, Name: "CiliumNetworkPolicy", read: ciliumPolicy, Decides: decides, Source: from, NotFollowed: notFollowed},
		{Group: ciliumGroup, Name: "CiliumClusterwideNetworkPolicy", ClusterScoped: true, read: ciliumPolicy, Decides: decides, Source: from, NotFollowed: notFollowed},
		{Group: ciliumGroup, Name: "CiliumCIDRGroup", ClusterScoped: true, Source: from, Decides: "Policies name it or select it by its labels with fromCIDRSet or toCIDRSet, and mean its networks."},
	}
}

// ciliumPolicy reads the policies of Cilium 1.19 (pkg/policy/api/rule.go; k8s/apis/cilium.io/utils/utils.go,
// ParseToCiliumRule). They share a tier with NetworkPolicies: what any of them denies is denied, what is
// left and any of them allows is allowed. A rule with an error makes the whole object have no effect.
func ciliumPolicy(o *loader.Object, s *source) []*Policy {
	specs := o.Root.List("specs")
	if spec := o.Root.Get("spec"); !spec.IsNull() {
		specs = append([]*loader.Value{spec}, specs...)
	}
	var out []*Policy
	for n, spec := range specs {
		r := ciliumReader{object: o, source: s, prefix: specPrefix(n, len(specs))}
		denies, allows := r.policies(spec)
		if r.invalid != "" {
			return []*Policy{{Object: o, Tier: policyTier(), Invalid: r.invalid}}
		}
		out = append(out, denies, allows)
	}
	return out
}

func specPrefix(n, of int) string {
	if of < 2 {
		return ""
	}
	return fmt.Sprintf("specs[%d].", n)
}

// ciliumReader reads one rule of Cilium, which has its own subject and lists for both directions.
type ciliumReader struct {
	object  *loader.Object
	source  *source
	prefix  string
	invalid string
	// used are the Services that its rules refer to.
	used []loader.ID
}

// policies returns what the rule denies, which comes first, and what it allows.
func (r *ciliumReader) policies(spec *loader.Value) (denies, allows *Policy) {
	denies = &Policy{Object: r.object, Tier: policyTier(), Order: math.Inf(-1)}
	allows = &Policy{Object: r.object, Tier: policyTier(), Order: networkPolicyOrder}
	switch subject := spec.Get("endpointSelector"); {
	case subject == nil && spec.Get("nodeSelector") == nil:
		r.invalid = "a rule has neither endpointSelector nor nodeSelector"
	case subject != nil && spec.Get("nodeSelector") != nil:
		r.invalid = "a rule has both endpointSelector and nodeSelector"
	case subject == nil && r.object.ID.Namespace != "": // pkg/k8s/apis/cilium.io/v2/cnp_types.go, Parse
		r.invalid = "a rule of a policy in a namespace has nodeSelector"
	case subject != nil:
		peer := r.endpoints(r.subject(subject))
		if r.object.ID.Namespace != "" && !slices.ContainsFunc(peer, func(c condition) bool { _, is := c.(inNamespace); return is }) {
			peer = append(peer, inNamespace{r.object.ID.Namespace})
		}
		subjects := []Peer{peer}
		if r.object.ID.Namespace == "" && selectsIngress(subject) {
			subjects = append(subjects, Peer{ingressEndpoint{}})
		}
		denies.Subjects, allows.Subjects = subjects, subjects
	}
	rules := 0
	for _, d := range directions {
		list, against := spec.List(d.String()), spec.List(d.String()+"Deny")
		rules += len(list) + len(against)
		// pkg/policy/api/rule_validation.go, Sanitize.
		isolates := len(list)+len(against) > 0
		if spec.Get("enableDefaultDeny", d.String()).IsFalse() { // without rules there is nothing that could deny by default
			isolates = false
		}
		allows.Isolates[d] = isolates // not what denies, which has none of the rules that keep something open
		for i, item := range against {
			denies.Rules[d] = append(denies.Rules[d], r.rules(item, d, Deny, fmt.Sprintf("%s%sDeny[%d]", r.prefix, d, i))...)
		}
		for i, item := range list {
			allows.Rules[d] = append(allows.Rules[d], r.rules(item, d, Allow, fmt.Sprintf("%s%s[%d]", r.prefix, d, i))...)
		}
	}
	if rules == 0 {
		r.invalid = "a rule has none of ingress, ingressDeny, egress and egressDeny"
	}
	for _, p := range []*Policy{denies, allows} {
		p.refers = append(r.refers(spec), r.used...)
	}
	return denies, allows
}

// subject returns the selector of the pods that a rule is for. In a policy of a namespace, the label with
// another one is overwritten (utils.go, ParseToCiliumRule).
func (r *ciliumReader) subject(v *loader.Value) *loader.Value {
	labels := v.Get("matchLabels")
	if r.object.ID.Namespace == "" || labels.Get("k8s:"+ciliumNamespace) == nil {
		return selectorOf(v)
	}
	own := *labels
	own.Fields = slices.DeleteFunc(slices.Clone(labels.Fields), func(f loader.Field) bool { return f.Key == "k8s:"+ciliumNamespace })
	out := *v
	out.Fields = slices.Clone(v.Fields)
	for i, f := range out.Fields {
		if f.Key == "matchLabels" {
			out.Fields[i].Value = &own
		}
	}
	return &out
}

// refers returns the groups of addresses that a rule names or selects.
func (r *ciliumReader) refers(spec *loader.Value) []loader.ID {
	var out []loader.ID
	for _, o := range r.source.sorted {
		if isCIDRGroup(o) && mentions(spec, o) {
			out = append(out, o.ID)
		}
	}
	return out
}

func isCIDRGroup(o *loader.Object) bool {
	return o.ID.Group == ciliumGroup && o.ID.Kind == "CiliumCIDRGroup"
}

// mentions reports whether a cidrGroupRef of a value is the name of a group, or a cidrGroupSelector selects it.
func mentions(v *loader.Value, group *loader.Object) bool {
	return slices.ContainsFunc(v.FieldList(), func(f loader.Field) bool {
		return f.Key == "cidrGroupRef" && f.Value.Text == group.ID.Name || f.Key == "cidrGroupSelector" && selects(f.Value, group) || mentions(f.Value, group)
	}) || slices.ContainsFunc(v.ItemList(), func(item *loader.Value) bool { return mentions(item, group) })
}

// selects reports whether a selector is known to match the labels of an object.
func selects(selector *loader.Value, o *loader.Object) bool {
	return (inventory.Labels{Values: o.Labels()}).Matches(selectorOf(selector)) == fact.True
}

// rules reads an item of ingress or egress: who, and which ports. Different fields for who cannot be
// combined. Without any, it is about everything if it names ports, and else about nothing.
func (r *ciliumReader) rules(item *loader.Value, d Direction, action Action, name string) []Rule {
	rule := Rule{Action: action, Name: name, At: item}
	side := [...]string{"from", "to"}[d]
	var used []string
	for _, f := range []struct {
		field string
		read  func(*loader.Value) ([]Peer, string)
	}{
		{side + "Endpoints", r.selected},
		{side + "CIDR", r.networks},
		{side + "CIDRSet", r.networkSet},
		{side + "Entities", r.entities},
		{side + "Nodes", r.nodes},
		{side + "Groups", r.groups},
		{"toServices", r.services},
		{"toFQDNs", r.names},
	} {
		value := item.Get(f.field)
		if value.IsNull() || d == Ingress && strings.HasPrefix(f.field, "toS") || d == Ingress && f.field == "toFQDNs" {
			continue
		}
		// An empty list selects nobody, except where addresses are resolved later (pkg/policy/utils/parserules.go,
		// mergeEndpointSelectors).
		if rule.Peers == nil && (len(value.ItemList()) > 0 || f.field != "toFQDNs" && f.field != "toServices") {
			rule.Peers = []Peer{}
		}
		if len(value.ItemList()) > 0 {
			used = append(used, f.field)
		}
		for _, one := range value.ItemList() {
			peers, doubt := f.read(one)
			rule.Peers = append(rule.Peers, peers...)
			rule.Doubt = cmp.Or(rule.Doubt, doubt)
		}
	}
	if len(used) > 1 {
		r.invalid = fmt.Sprintf("%s combines %s and %s, which is not supported", name, used[0], used[1])
	}
	if item.Get(side+"Requires") != nil {
		rule.Doubt = cmp.Or(rule.Doubt, side+"Requires is not followed")
	}
	if mode := item.Str("authentication", "mode"); mode != "" && mode != "disabled" {
		rule.Only = "with mutual authentication"
	}
	return r.withPorts(rule, item, d)
}

// withPorts divides a rule by its toPorts, each of which may have its own rules for requests.
func (r *ciliumReader) withPorts(rule Rule, item *loader.Value, d Direction) []Rule {
	ports, icmps := item.List("toPorts"), item.List("icmps")
	if len(ports) == 0 && len(icmps) == 0 {
		if rule.Peers == nil {
			rule.Peers = []Peer{} // an empty item allows nothing
		}
		return []Rule{rule}
	}
	if len(ports) > 0 && len(icmps) > 0 {
		r.invalid = rule.Name + " combines toPorts and icmps, which is not supported"
	}
	if len(icmps) > 0 {
		rule.Ports, rule.Only = []PortMatch{{Range: whole(Other)}}, and(rule.Only, messages(icmps))
		return []Rule{rule}
	}
	var out []Rule
	for _, entry := range ports {
		one := rule
		one.Ports = []PortMatch{}
		for _, port := range entry.List("ports") {
			match, wrong := ciliumPort(port)
			one.Ports = append(one.Ports, match...)
			r.invalid = cmp.Or(r.invalid, wrong)
		}
		r.invalid = cmp.Or(r.invalid, wrongToPorts(entry, d))
		one.Only = and(rule.Only, ciliumOnly(entry))
		one.every = rule.Only == "" && everyRequest(entry)
		out = append(out, one)
	}
	return out
}

// and joins two conditions, each of which may be empty.
func and(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}

// messages names the types of ICMP messages of a rule (pkg/policy/api/icmp.go).
func messages(icmps []*loader.Value) string {
	var out []string
	for _, one := range icmps {
		for _, field := range one.List("fields") {
			text := "ICMP"
			if field.Str("family") == "IPv6" {
				text = "ICMPv6"
			}
			if t := field.Get("type"); t != nil { // a number or a name
				text += " " + t.Text
			}
			out = append(out, text)
		}
	}
	return strings.Join(out, ", ")
}

// ciliumOnly says what else a connection must do. Of what it does not spell out it gives a hash, so that rules which
// differ in that are told apart.
func ciliumOnly(entry *loader.Value) string {
	var out []string
	for _, port := range entry.List("ports") {
		if name := port.Str("protocol"); name != "" && name != "ANY" {
			if _, known := ParseProtocol(name); !known {
				out = append(out, "protocol "+name)
			}
		}
	}
	for _, rule := range entry.List("rules", "http") {
		words := []string{"HTTP"}
		for _, field := range []string{"method", "path", "host"} {
			if text := rule.Str(field); text != "" {
				words = append(words, text)
			}
		}
		if headers, matches := rule.Get("headers"), rule.Get("headerMatches"); headers != nil || matches != nil {
			words = append(words, "with headers"+undecided(headers)+undecided(matches))
		}
		out = append(out, strings.Join(words, " "))
	}
	for _, rule := range entry.List("rules", "dns") {
		out = append(out, "DNS queries for "+cmp.Or(rule.Str("matchName"), rule.Str("matchPattern")))
	}
	for _, other := range []string{"kafka", "l7"} {
		if list := entry.List("rules", other); len(list) > 0 {
			out = append(out, spelling.Count(len(list), "rule")+" of "+cmp.Or(entry.Str("rules", "l7proto"), other)+undecided(entry.Get("rules", other)))
		}
	}
	if names := inventory.Strings(entry.List("serverNames")); len(names) > 0 {
		out = append(out, "TLS to "+strings.Join(names, ", "))
	}
	for _, part := range []struct{ field, words string }{
		{"terminatingTLS", "with TLS that Cilium terminates"}, {"originatingTLS", "with TLS that Cilium originates"}, {"listener", "through a listener of Envoy"},
	} {
		if v := entry.Get(part.field); !v.IsNull() {
			out = append(out, part.words+undecided(v))
		}
	}
	return strings.Join(out, ", ")
}
