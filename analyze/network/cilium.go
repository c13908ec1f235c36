package network

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
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
	for _, d := range Directions {
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

// ciliumPort reads a PortProtocol (pkg/policy/api/l4.go). The port 0 is every port; no protocol is any of
// TCP, UDP and SCTP.
func ciliumPort(v *loader.Value) (out []PortMatch, wrong string) {
	all := protocols[:Other]
	if name := v.Str("protocol"); name != "" && name != "ANY" {
		p, known := ParseProtocol(name)
		if !known {
			return []PortMatch{{Range: whole(Other)}}, ""
		}
		all = []Protocol{p}
	}
	text := ""
	if port := v.Get("port"); !port.IsNull() {
		text = port.Text
	}
	for _, p := range all {
		n, err := strconv.ParseUint(text, 0, 16)
		switch {
		case text == "":
			return nil, "a port of toPorts has no number"
		case loader.Placeholder(text):
			out = append(out, PortMatch{Range: whole(p)})
		case isServiceName(text):
			out = append(out, PortMatch{Name: strings.ToLower(text), Range: Range{Protocol: p}})
		case err != nil:
			return nil, fmt.Sprintf("the port %q of toPorts is neither a number nor a name", text)
		case n == 0:
			out = append(out, PortMatch{Range: whole(p)})
		default:
			to := int(n)
			if end, ok := number(v.Get("endPort")); ok && end > to {
				to = end
			}
			out = append(out, PortMatch{Range: Range{p, int(n), to}})
		}
	}
	return out, ""
}

// isServiceName reports whether a port is a name (pkg/iana/svcname.go): letters, digits and single hyphens between them, with a
// letter. 0x10 is one, too.
func isServiceName(text string) bool {
	return len(text) <= maxServiceName && serviceNames.MatchString(text)
}

var serviceNames = regexp.MustCompile(`^([a-zA-Z0-9]-?)*[a-zA-Z](-?[a-zA-Z0-9])*$`)

const maxServiceName = 15

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

// selected reads an item of fromEndpoints or toEndpoints (utils.go, getEndpointSelector).
func (r *ciliumReader) selected(v *loader.Value) ([]Peer, string) {
	others := r.reserved(v)
	if asksReserved(v) { // pods have no such label
		if len(others) == 0 {
			others = []Peer{{form{words: "nothing"}}}
		}
		return others, ""
	}
	return append([]Peer{r.endpoints(v)}, others...), ""
}

// The prefixes of labels that Cilium gives to pods.
const (
	ciliumNamespace       = "io.kubernetes.pod.namespace"
	ciliumNamespaceLabels = "io.cilium.k8s.namespace.labels."
	ciliumAccount         = "io.cilium.k8s.policy.serviceaccount"
	ciliumCluster         = "io.cilium.k8s.policy.cluster"
)

// endpoints reads a selector of endpoints: labels of pods, of their namespaces and of Cilium itself. One
// that names no namespace means that of the policy, or all in a clusterwide policy.
func (r *ciliumReader) endpoints(v *loader.Value) Peer {
	of := map[string][]*loader.Value{}
	split := func(key string, write func(key string) *loader.Value) {
		source, rest, prefixed := strings.Cut(key, ":")
		if !prefixed {
			rest = key
		}
		switch {
		case prefixed && source != "k8s" && source != "any": // pods have labels of Kubernetes alone
			of["never"] = append(of["never"], write(rest))
		case rest == ciliumNamespace:
			of["namespace"] = append(of["namespace"], write(nameLabel))
		case strings.HasPrefix(rest, ciliumNamespaceLabels):
			of["namespace"] = append(of["namespace"], write(strings.TrimPrefix(rest, ciliumNamespaceLabels)))
		case rest == ciliumAccount:
			of["account"] = append(of["account"], write("name"))
		case rest == ciliumCluster:
			of["cluster"] = append(of["cluster"], write(rest))
		case outsideIdentity(rest):
			of["never"] = append(of["never"], write(rest))
		default:
			of["pod"] = append(of["pod"], write(rest))
		}
	}
	for _, f := range v.Get("matchLabels").FieldList() {
		if _, is := reservedLabel(f.Key); is {
			of["never"] = append(of["never"], requirement(f.Key, "Exists"))
			continue
		}
		split(f.Key, func(key string) *loader.Value { return requirement(key, "In", f.Value) })
	}
	for _, e := range v.List("matchExpressions") {
		if _, is := reservedLabel(e.Str("key")); is {
			of["never"] = append(of["never"], e)
			continue
		}
		split(e.Str("key"), func(key string) *loader.Value { return requirement(key, e.Str("operator"), e.List("values")...) })
	}
	peer := Peer{pods{labelSelector{selecting(of["pod"])}}}
	switch namespaces := of["namespace"]; {
	case len(namespaces) > 0:
		peer = append(peer, inNamespaces{labelSelector{selecting(namespaces)}})
	case r.object.ID.Namespace != "" && !namesReserved(v):
		peer = append(peer, inNamespace{r.object.ID.Namespace})
	default:
		peer = append(peer, inNamespaces{labelSelector{everyLabel()}})
	}
	if accounts := of["account"]; len(accounts) > 0 {
		peer = append(peer, account{labelSelector{selecting(accounts)}})
	}
	for _, e := range of["never"] {
		if o := e.Str("operator"); o == "In" || o == "Exists" {
			peer = append(peer, form{words: "of which Cilium does not know the label " + e.Str("key")})
		}
	}
	if len(of["cluster"]) > 0 {
		peer = append(peer, unknown{why: "of a cluster by its name"})
	}
	return peer
}

// outsideIdentity reports whether Cilium leaves a label of pods out of what it knows them by
// (pkg/labelsfilter/filter.go).
func outsideIdentity(key string) bool {
	return slices.Contains([]string{
		"pod-template-hash", "controller-revision-hash", "pod-template-generation", "controller-uid", "batch.kubernetes.io/controller-uid",
		"statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index", "batch.kubernetes.io/job-completion-index",
	}, key)
}

// requirement returns an item of matchExpressions.
func requirement(key, operator string, values ...*loader.Value) *loader.Value {
	text := func(s string) *loader.Value { return &loader.Value{Shape: loader.String, Text: s} }
	return &loader.Value{Shape: loader.Map, Fields: []loader.Field{
		{Key: "key", Value: text(key)}, {Key: "operator", Value: text(operator)}, {Key: "values", Value: &loader.Value{Shape: loader.List, Items: values}},
	}}
}

// selecting returns a selector with some expressions.
func selecting(expressions []*loader.Value) *loader.Value {
	if len(expressions) == 0 {
		return everyLabel()
	}
	return &loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: "matchExpressions", Value: &loader.Value{Shape: loader.List, Items: expressions}}}}
}

// networks reads a network. Blocks never apply to pods and nodes, which Cilium knows by their labels.
func (r *ciliumReader) networks(v *loader.Value) ([]Peer, string) {
	return r.block(v.Text)
}

func (r *ciliumReader) block(cidr string, except ...string) ([]Peer, string) {
	if loader.Placeholder(cidr) || slices.ContainsFunc(except, loader.Placeholder) {
		return []Peer{{form{[]Form{Addresses}, "addresses"}}}, "" // which ones is a doubt of the whole rule
	}
	b, err := parseBlock(cidr, except...)
	if err != nil {
		r.invalid = err.Error()
		return nil, ""
	}
	for _, e := range b.except {
		if !b.network.Contains(e.Addr()) || e.Bits() < b.network.Bits() {
			r.invalid = fmt.Sprintf("the exception %s is not in %s", e, b.network)
		}
	}
	return []Peer{{inBlock{block: b, outside: true}}}, ""
}

// networkSet reads an item of fromCIDRSet or toCIDRSet.
func (r *ciliumReader) networkSet(v *loader.Value) ([]Peer, string) {
	given := 0
	for _, field := range []string{"cidr", "cidrGroupRef", "cidrGroupSelector"} {
		if !v.Get(field).IsNull() && (v.Get(field).Shape != loader.String || v.Get(field).Text != "") {
			given++
		}
	}
	if given != 1 && !v.Opaque { // pkg/policy/api/rule_validation.go, CIDRRule.sanitize
		r.invalid = cmp.Or(r.invalid, "a set of networks has not one of cidr, cidrGroupRef and cidrGroupSelector alone")
	}
	if cidr := v.Str("cidr"); cidr != "" {
		return r.block(cidr, inventory.Strings(v.List("except"))...)
	}
	anywhere := []Peer{{form{[]Form{Addresses}, "addresses"}}}
	var groups []*loader.Object
	name, selector := v.Str("cidrGroupRef"), v.Get("cidrGroupSelector")
	for _, o := range r.source.sorted {
		if isCIDRGroup(o) && (name != "" && o.ID.Name == name || name == "" && selects(selector, o)) {
			groups = append(groups, o)
		}
	}
	switch {
	case len(groups) == 0 && name != "":
		return anywhere, "CiliumCIDRGroup " + name + " is not in the input"
	case len(groups) == 0:
		return anywhere, "no CiliumCIDRGroup of the input has the labels of cidrGroupSelector"
	}
	var out []Peer
	for _, group := range groups {
		for _, cidr := range inventory.Strings(group.Spec().List("externalCIDRs")) {
			peers, _ := r.block(cidr, within(cidr, inventory.Strings(v.List("except")))...)
			out = append(out, peers...)
		}
	}
	return out, ""
}

// within returns the exceptions that are in a block: those of a rule are for all blocks of its groups.
func within(cidr string, exceptions []string) []string {
	b, err := parseBlock(cidr)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(exceptions, func(except string) bool {
		e, err := parseBlock(except)
		return err == nil && (!b.network.Contains(e.network.Addr()) || e.network.Bits() < b.network.Bits())
	})
}

// entities reads an entity (pkg/policy/api/entity.go).
func (r *ciliumReader) entities(v *loader.Value) ([]Peer, string) {
	switch v.Text {
	case "all":
		return []Peer{{}}, ""
	case "none":
		return nil, ""
	case "world":
		return []Peer{{form{[]Form{Addresses, Names}, "everything outside the cluster"}}}, ""
	case "world-ipv4":
		return r.block("0.0.0.0/0")
	case "world-ipv6":
		return r.block("::/0")
	case "cluster":
		return []Peer{{form{[]Form{Pods, Nodes, Entities}, "everything in the cluster"}}}, ""
	}
	if loader.Placeholder(v.Text) {
		return []Peer{{}}, ""
	}
	if !slices.Contains([]string{"host", "remote-node", "health", "init", "unmanaged", "ingress", "kube-apiserver"}, v.Text) {
		r.invalid = cmp.Or(r.invalid, "the entity "+v.Text+" is not known")
		return nil, ""
	}
	return []Peer{{entity{v.Text}}}, ""
}

// nodes reads an item of fromNodes or toNodes.
func (r *ciliumReader) nodes(v *loader.Value) ([]Peer, string) {
	return []Peer{{nodes{labelSelector{v}}}}, "the labels of nodes are not in manifests"
}

func (r *ciliumReader) groups(*loader.Value) ([]Peer, string) {
	return []Peer{{form{[]Form{Addresses}, "addresses of groups of a cloud"}}}, "groups of a cloud are not in manifests"
}

// names reads an item of toFQDNs.
func (r *ciliumReader) names(v *loader.Value) ([]Peer, string) {
	if v.Str("matchName") != "" && v.Str("matchPattern") != "" { // pkg/policy/api/fqdn.go, FQDNSelector.sanitize
		r.invalid = cmp.Or(r.invalid, "a selector of names has both matchName and matchPattern")
	}
	return []Peer{{named{pattern: cmp.Or(v.Str("matchName"), v.Str("matchPattern")), inLabels: true}}}, ""
}

// services reads an item of toServices: the pods that a Service selects.
func (r *ciliumReader) services(v *loader.Value) ([]Peer, string) {
	name, namespace := v.Str("k8sService", "serviceName"), v.Str("k8sService", "namespace")
	by := v.Get("k8sServiceSelector")
	if by != nil {
		namespace = by.Str("namespace")
	}
	var out []Peer
	for _, s := range r.source.services {
		if namespace != "" && s.ID.Namespace != namespace || by == nil && s.ID.Name != name {
			continue
		}
		if by != nil && (inventory.Labels{Values: s.Labels()}).Matches(selectorOf(by.Get("selector"))) < 1 {
			continue
		}
		r.used = append(r.used, s.ID)
		if peer, ok := behind(s); ok {
			out = append(out, peer)
		} else if addresses := r.endpointsOf(s); len(addresses) > 0 {
			for _, address := range addresses {
				peers, _ := r.block(address)
				out = append(out, peers...)
			}
		} else {
			return []Peer{{form{[]Form{Addresses}, "addresses"}}}, "the addresses of " + s.ID.Spoken() + " are not in manifests"
		}
	}
	if len(out) == 0 {
		return []Peer{{form{[]Form{Pods, Addresses}, "a Service"}}}, "the Service of toServices is not in the input"
	}
	return out, ""
}

// endpointsOf returns the addresses that Endpoints and EndpointSlices give a Service without a selector.
func (r *ciliumReader) endpointsOf(service *loader.Object) []string {
	var out []string
	for _, o := range r.source.endpoints {
		switch {
		case o.ID.Namespace != service.ID.Namespace:
		case o.ID.Group == "" && o.ID.Kind == "Endpoints" && o.ID.Name == service.ID.Name:
			r.used = append(r.used, o.ID)
			for _, subset := range o.Root.List("subsets") {
				for _, address := range subset.List("addresses") {
					out = append(out, address.Str("ip"))
				}
			}
		case o.ID.Group == "discovery.k8s.io" && o.ID.Kind == "EndpointSlice" && o.Labels()["kubernetes.io/service-name"] == service.ID.Name:
			r.used = append(r.used, o.ID)
			for _, endpoint := range o.Root.List("endpoints") {
				out = append(out, inventory.Strings(endpoint.List("addresses"))...)
			}
		}
	}
	// A slice may give names of hosts instead.
	return slices.DeleteFunc(out, func(address string) bool { _, err := parseNetwork(address); return err != nil })
}

// behind returns the pods that a Service selects, false if it has no selector.
func behind(service *loader.Object) (Peer, bool) {
	selector := service.Spec().Get("selector")
	if selector.IsEmpty() {
		return nil, false
	}
	labels := &loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: "matchLabels", Value: selector}}}
	return Peer{pods{labelSelector{labels}}, inNamespace{service.ID.Namespace}}, true
}
