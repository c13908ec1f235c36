package network

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// calicoGroups are the groups of Calico's kinds: its API, and the storage behind it.
var calicoGroups = []string{"projectcalico.org", "crd.projectcalico.org"}

func calicoKinds() []Kind {
	const decides = "The first rule that takes a connection decides: by the order of tiers, then of policies, then of rules. What no rule of a tier takes is denied if one of its policies selects the pod, unless the tier passes it. NetworkPolicies of Kubernetes are in the tier default with order 1000."
	const from = "projectcalico/calico app-policy/checker/check.go, felix/calc/policy_sorter.go, libcalico-go/lib/backend/syncersv1/updateprocessors/rules.go@87c15906"
	notFollowed := []string{
		"Host endpoints, and the policies for them alone (doNotTrack, preDNAT).",
		"Types of ICMP; ports of the source; HTTP rules are shown and not compared.",
		"Staged policies have no effect.",
	}
	var out []Kind
	for _, group := range calicoGroups {
		out = append(out,
			Kind{Group: group, Name: "NetworkPolicy", read: calicoPolicy, Decides: decides, Source: from, NotFollowed: notFollowed},
			Kind{Group: group, Name: "GlobalNetworkPolicy", ClusterScoped: true, read: calicoPolicy, Decides: decides, Source: from, NotFollowed: notFollowed},
			Kind{Group: group, Name: "Tier", ClusterScoped: true, Source: from, Decides: "Its order says when the policies of the tier are asked, and its defaultAction what becomes of a connection that none of them takes: it is denied, or passed to the next tier."},
			Kind{Group: group, Name: "NetworkSet", Source: from, Decides: "Policies select it by its labels, and mean its networks and domain names. Those of its own namespace see it."},
			Kind{Group: group, Name: "GlobalNetworkSet", ClusterScoped: true, Source: from, Decides: "Policies select it by its labels, and mean its networks and domain names."},
		)
	}
	return out
}

// calicoPolicy reads the policies of Calico 3.32 (app-policy/checker/check.go, checkTiers; felix/calc
// policy_sorter.go). NetworkPolicies of Kubernetes are policies of the tier default with order 1000. The
// first rule that takes a connection decides. Staged policies have no effect and are not read.
func calicoPolicy(o *loader.Object, s *source) []*Policy {
	spec := o.Spec()
	r := calicoReader{object: o, source: s}
	p := &Policy{Object: o, Order: math.Inf(1), Tie: tie(o.ID, o.ID.Kind)}
	var passes bool
	var unknown string
	p.Tier, passes, p.refers, unknown = r.tier(spec.Str("tier"))
	unplaced := cmp.Or(unknown, p.place(spec.Get("order")))
	if !onHosts(spec) {
		p.Subjects = []Peer{r.subject(spec)}
	}
	for _, d := range r.types(spec) {
		p.Isolates[d] = !passes && unknown == ""
		for i, item := range spec.List(d.String()) {
			if item.Str("action") != "Log" {
				p.Rules[d] = append(p.Rules[d], r.rule(item, d, i))
			}
		}
		if unknown != "" { // the tier may deny what no rule takes
			p.Rules[d] = append(p.Rules[d], Rule{Action: Deny, At: &loader.Value{Shape: loader.Map, Mark: spec.Mark}})
		}
	}
	p.doubt(unplaced)
	p.refers = append(p.refers, r.used...)
	if r.invalid != "" {
		return []*Policy{{Object: o, Tier: p.Tier, Invalid: r.invalid}}
	}
	return []*Policy{p}
}

// onHosts reports whether a policy is for host endpoints alone (felix/calc/event_sequencer.go,
// tierInfoToProtoTierInfo).
func onHosts(spec *loader.Value) bool {
	return slices.ContainsFunc([]string{"doNotTrack", "preDNAT"}, func(field string) bool {
		return spec.Get(field).IsTrue()
	})
}

// tie decides between policies of the same order (felix/calc/policy_sorter.go, PolKVLess).
func tie(id loader.ID, kind string) string { return id.Name + "/" + id.Namespace + "/" + kind }

// types returns the directions of a policy (api/pkg/defaults/networkpolicy.go). In the storage itself no
// types mean both.
func (r *calicoReader) types(spec *loader.Value) []Direction {
	types := inventory.Strings(spec.List("types"))
	ingress, egress := len(spec.List("ingress")) > 0, len(spec.List("egress")) > 0
	var out []Direction
	switch {
	case len(types) > 0:
		for _, d := range directions {
			if slices.ContainsFunc(types, func(t string) bool { return strings.EqualFold(t, d.String()) }) {
				out = append(out, d)
			}
		}
	case r.object.ID.Group == calicoGroups[1]:
		return directions
	default:
		if ingress || !egress {
			out = append(out, Ingress)
		}
		if egress {
			out = append(out, Egress)
		}
	}
	return out
}

// calicoReader reads one policy of Calico.
type calicoReader struct {
	object  *loader.Object
	source  *source
	invalid string
	// used are the objects that its rules take addresses or pods from.
	used []loader.ID
}

// calicoTiers are the tiers that Calico has from the start, with their orders; all but default pass.
var calicoTiers = map[string]float64{"kube-admin": 1_000, "adminnetworkpolicy": 1_000, "default": 1_000_000, "kube-baseline": 10_000_000, "baselineadminnetworkpolicy": 10_000_000}

// tier returns the tier of a policy, and whether it passes what no rule takes to the next one. A tier that is not in the input
// may come before all others, and unknown says so.
func (r *calicoReader) tier(name string) (t Tier, passes bool, refers []loader.ID, unknown string) {
	name = cmp.Or(name, "default")
	if name == "default" {
		return policyTier(), false, nil, ""
	}
	t, passes = Tier{math.Inf(-1), name}, false
	if rank, known := calicoTiers[name]; known {
		t.Rank, passes = rank, true
	} else {
		unknown = "Tier " + name + " is not in the input, so that its order is not known"
	}
	id := loader.ID{Group: r.object.ID.Group, Kind: "Tier", Name: name}
	if o := r.source.objects[id]; o != nil {
		if unknown != "" {
			t.Rank, unknown = math.Inf(1), "" // without an order it is the last one
		}
		if order := o.Spec().Get("order"); !order.IsNull() {
			if n, err := strconv.ParseFloat(order.Text, 64); err == nil {
				t.Rank = n
			}
		}
		passes = o.Spec().Str("defaultAction") == "Pass" || passes && o.Spec().Str("defaultAction") == ""
	}
	return t, passes, []loader.ID{id}, unknown
}

// The labels that Calico gives to the endpoints of pods.
const (
	namespaceKey    = "projectcalico.org/namespace"
	orchestratorKey = "projectcalico.org/orchestrator"
	accountKey      = "projectcalico.org/serviceaccount"
	nameKey         = "projectcalico.org/name"
)

// subject reads which pods a policy selects.
func (r *calicoReader) subject(spec *loader.Value) Peer {
	peer := Peer{calicoPods{r.selector(spec.Str("selector"))}}
	if r.object.ID.Namespace != "" {
		peer = append(peer, inNamespace{r.object.ID.Namespace})
	} else if text := spec.Str("namespaceSelector"); text != "" && text != global { // which holds for every endpoint here (updateprocessors/selectors.go)
		peer = append(peer, calicoNamespaces{r.selector(text)})
	}
	if text := spec.Str("serviceAccountSelector"); text != "" {
		peer = append(peer, r.account(text))
	}
	return peer
}

// account reads a selector of ServiceAccounts by their labels (libcalico-go, lib/selector; felix gives them to the pods).
func (r *calicoReader) account(text string) condition {
	for _, o := range r.source.accounts {
		r.used = append(r.used, o.ID)
	}
	return accountLabels{r.selector(text), r.source}
}

func (r *calicoReader) selector(text string) expressionSelector {
	s, err := parseExpression(text)
	if err != nil && r.invalid == "" {
		r.invalid = err.Error()
	}
	return s
}

// calicoPods holds for the pods that an expression selects by their labels and those that Calico adds.
type calicoPods struct{ selector expressionSelector }

func (c calicoPods) holds(v *view) fact.Fact {
	if v.Form != Pods {
		return fact.False
	}
	l := inventory.Labels{Values: map[string]string{}, Partial: v.pod.labels.Partial || v.object == nil && v.proxy != ""}
	for key, value := range v.pod.labels.Values {
		l.Values[key] = value
	}
	l.Values[namespaceKey], l.Values[orchestratorKey] = v.Namespace, "k8s"
	if v.object != nil {
		l.Values[accountKey] = v.pod.account
	}
	if v.pod.host {
		return fact.False // they are part of the host endpoint
	}
	return c.selector.Matches(l)
}

func (c calicoPods) String() string { return withLabels("pods", c.selector) }

// calicoNamespaces holds for the pods of the namespaces that an expression selects.
type calicoNamespaces struct{ selector expressionSelector }

func (c calicoNamespaces) holds(v *view) fact.Fact {
	if v.Form != Pods {
		return fact.False
	}
	return c.selects(v.Namespace, v.namespace)
}

// selects reports whether the expression selects a namespace by its labels and its name.
func (c calicoNamespaces) selects(name string, labels inventory.Labels) fact.Fact {
	l := inventory.Labels{Values: map[string]string{nameKey: name}, Partial: labels.Partial}
	maps.Copy(l.Values, labels.Values)
	return c.selector.Matches(l)
}

func (c calicoNamespaces) String() string {
	if c.selector.String() == "" {
		return "of every namespace"
	}
	return withLabels("of namespaces", c.selector)
}

// rule reads a rule. Both ends may be described in each direction; the nearer one narrows the pods that are
// selected.
func (r *calicoReader) rule(item *loader.Value, d Direction, i int) Rule {
	rule := Rule{Name: fmt.Sprintf("%s[%d]", d, i), At: item}
	switch action := item.Str("action"); action {
	case "Allow":
		rule.Action = Allow
	case "Deny":
		rule.Action = Deny
	case "Pass":
		rule.Action = Pass
	default:
		rule.Doubt = fmt.Sprintf("the action %q is not known", action)
	}
	near, far := item.Get("destination"), item.Get("source")
	if d == Egress {
		near, far = far, near
	}
	rule.Peers = r.entity(far, &rule)
	rule.Near = r.ends(near)
	if nets := r.networks(near.List("nets")); len(nets) > 0 {
		rule.Near = append(rule.Near, anyOf(nets))
	}
	rule.Ports = r.ports(item, item.Get("destination"), &rule)
	for _, field := range []string{"icmp", "notICMP", "ipVersion"} {
		if item.Get(field) != nil {
			rule.Doubt = cmp.Or(rule.Doubt, field+" narrows it")
		}
	}
	if item.Get("source", "ports") != nil || item.Get("source", "notPorts") != nil {
		rule.Doubt = cmp.Or(rule.Doubt, "it is about ports of the source")
	}
	if http := item.Get("http"); !http.IsNull() {
		words := append([]string{"HTTP"}, inventory.Strings(http.List("methods"))...)
		for _, path := range http.List("paths") {
			words = append(words, cmp.Or(path.Str("exact"), path.Str("prefix")+"*"))
		}
		rule.Only = strings.Join(words, " ")
	}
	return rule
}

// entity reads the other end of a rule; nil is any.
func (r *calicoReader) entity(v *loader.Value, rule *Rule) []Peer {
	conditions := r.ends(v)
	nets, sets := r.networks(v.List("nets")), r.sets(v)
	if services := v.Get("services"); !services.IsNull() {
		return r.service(services, rule)
	}
	if len(nets) == 0 {
		if len(conditions) == 0 {
			return nil
		}
		return append([]Peer{conditions}, r.without(sets, v)...)
	}
	var out []Peer
	for _, n := range nets {
		out = append(out, append(Peer{n}, conditions...))
	}
	return out
}

// ends reads the conditions of an EntityRule besides nets and ports (updateprocessors/rules.go,
// getEndpointSelector).
func (r *calicoReader) ends(v *loader.Value) Peer {
	var out Peer
	scoped := false
	if text := v.Str("selector"); text != "" {
		out, scoped = append(out, calicoPods{r.selector(text)}), true
	}
	if text := v.Str("notSelector"); text != "" {
		out, scoped = append(out, not{calicoPods{r.selector(text)}}), true
	}
	if accounts := v.Get("serviceAccounts"); !accounts.IsNull() {
		scoped = true
		if names := accounts.List("names"); len(names) > 0 {
			out = append(out, account{labelSelector{selecting([]*loader.Value{requirement("name", "In", names...)})}})
		}
		if text := accounts.Str("selector"); text != "" {
			out = append(out, r.account(text))
		}
	}
	switch text := v.Str("namespaceSelector"); {
	case text != "":
		out = append(out, calicoNamespaces{r.selector(text)})
	case scoped && r.object.ID.Namespace != "":
		out = append(out, inNamespace{r.object.ID.Namespace})
	}
	for _, n := range r.networks(v.List("notNets")) {
		out = append(out, not{n})
	}
	return out
}

// networks reads networks, which apply to pods, too.
func (r *calicoReader) networks(list []*loader.Value) []condition {
	var out []condition
	for _, cidr := range inventory.Strings(list) {
		if loader.Placeholder(cidr) { // neither it nor what it is left out of is known
			out = append(out, unknown{among: Peer{form{[]Form{Addresses, Pods}, "addresses"}}, why: "addresses " + cidr})
			continue
		}
		b, err := parseBlock(cidr)
		if err != nil {
			r.invalid = cmp.Or(r.invalid, err.Error())
			continue
		}
		out = append(out, inBlock{block: b, inside: true})
	}
	return out
}

// service reads a Service as the other end: the pods that it selects.
func (r *calicoReader) service(v *loader.Value, rule *Rule) []Peer {
	id := loader.ID{Kind: "Service", Namespace: cmp.Or(v.Str("namespace"), r.object.ID.Namespace), Name: v.Str("name")}
	i := slices.IndexFunc(r.source.services, func(o *loader.Object) bool { return o.ID == id })
	if i < 0 {
		rule.Doubt = cmp.Or(rule.Doubt, id.Spoken()+" is not in the input")
		return []Peer{{form{[]Form{Pods, Addresses}, "a Service"}}}
	}
	service := r.source.services[i]
	r.used = append(r.used, id)
	peer, ok := behind(service)
	if !ok {
		rule.Doubt = cmp.Or(rule.Doubt, "the addresses of "+id.Spoken()+" are not in manifests")
		return []Peer{{form{[]Form{Addresses}, "a Service"}}}
	}
	for _, p := range TargetPorts(service) {
		if port, ok := ParsePort(p.Target, p.Protocol); ok {
			rule.servicePorts = append(rule.servicePorts, PortMatch{Range: port})
		} else {
			rule.servicePorts = append(rule.servicePorts, PortMatch{Name: p.Target, Range: Range{Protocol: p.Protocol}})
		}
	}
	return []Peer{peer}
}

// ports reads the protocol of a rule and the ports of its destination.
func (r *calicoReader) ports(item, destination *loader.Value, rule *Rule) []PortMatch {
	if len(rule.servicePorts) > 0 && item.Get("destination", "services") != nil {
		return rule.servicePorts
	}
	of := protocols
	if p := item.Get("protocol"); !p.IsNull() {
		of = []Protocol{protocolOf(p.Text)}
	}
	if p := item.Get("notProtocol"); !p.IsNull() {
		of = slices.DeleteFunc(slices.Clone(of), func(q Protocol) bool { return q == protocolOf(p.Text) })
		if protocolOf(p.Text) == Other {
			of, rule.Doubt = protocols, cmp.Or(rule.Doubt, "notProtocol is about a protocol without ports")
		}
	}
	ports, without := destination.List("ports"), destination.List("notPorts")
	if len(ports) == 0 && len(without) == 0 {
		if len(of) == len(protocols) {
			return nil
		}
		var out []PortMatch
		for _, p := range of {
			out = append(out, PortMatch{Range: whole(p)})
		}
		if len(of) == 1 && of[0] == Other && item.Get("protocol").Text != "" {
			rule.Doubt = cmp.Or(rule.Doubt, "it is about the protocol "+item.Get("protocol").Text+" alone")
		}
		return out
	}
	out := []PortMatch{}
	for _, p := range of {
		if p == Other {
			continue
		}
		var excluded []Range
		for _, v := range without {
			if m, ok := calicoPort(v.Text, p); ok && m.Name == "" {
				excluded = append(excluded, m.Range)
			} else {
				rule.Doubt = cmp.Or(rule.Doubt, "notPorts names a port")
			}
		}
		wanted, named := Ports{whole(p)}, []PortMatch(nil)
		if len(ports) > 0 {
			wanted, named = r.wantedPorts(ports, p)
		}
		for _, q := range wanted.minus(portsOf(excluded)) {
			out = append(out, PortMatch{Range: q})
		}
		if len(named) > 0 && len(excluded) > 0 {
			rule.Doubt = cmp.Or(rule.Doubt, "notPorts may leave out a named port")
		}
		out = append(out, named...)
	}
	return out
}

// wantedPorts returns the numbers and the names in a list of ports.
func (r *calicoReader) wantedPorts(list []*loader.Value, p Protocol) (Ports, []PortMatch) {
	var ranges []Range
	var named []PortMatch
	for _, v := range list {
		switch m, ok := calicoPort(v.Text, p); {
		case !ok:
			r.invalid = cmp.Or(r.invalid, fmt.Sprintf("%q is not a port", v.Text))
		case m.Name != "":
			named = append(named, m)
		default:
			ranges = append(ranges, m.Range)
		}
	}
	return portsOf(ranges), named
}

func protocolOf(text string) Protocol {
	switch text {
	case "6":
		return TCP
	case "17":
		return UDP
	case "132":
		return SCTP
	}
	p, _ := ParseProtocol(text)
	return p
}

// calicoPort reads a port: a number, a range a:b, or a name.
func calicoPort(text string, protocol Protocol) (PortMatch, bool) {
	if loader.Placeholder(text) {
		return PortMatch{Range: whole(protocol)}, true
	}
	from, to, isRange := strings.Cut(text, ":")
	first, err := strconv.Atoi(from)
	if err != nil {
		return PortMatch{Name: text, Range: Range{Protocol: protocol}}, text != "" && !isRange
	}
	last := first
	if isRange {
		if last, err = strconv.Atoi(to); err != nil {
			return PortMatch{}, false
		}
	}
	return PortMatch{Range: Range{protocol, first, last}}, first >= 0 && first <= last && last <= maxPort
}
