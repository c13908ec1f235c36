package network

import (
	"maps"
	"net/netip"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/internal/dns"
	"github.com/gwplan/gwplan/loader"
)

// Peer is a set of endpoints: those for which all of its conditions hold.
type Peer []condition

// holds reports whether an endpoint is in the set.
func (p Peer) holds(v *view) fact.Fact {
	// The namespace is compared before labels: most pods of a cluster are in another one.
	for _, c := range p {
		if n, ok := c.(inNamespace); ok && (v.Form != Pods || v.Namespace != n.name) {
			return fact.False
		}
	}
	out := fact.True
	for _, c := range p {
		if out = out.And(c.holds(v)); out == fact.False {
			break
		}
	}
	return out
}

// String returns the peer in words.
func (p Peer) String() string {
	var out []string
	for _, c := range p {
		if text := c.String(); text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, " ")
}

// condition is one requirement of a peer.
type condition interface {
	holds(v *view) fact.Fact
	// String returns the condition in words that follow those of others: "pods with app=cart",
	// "of namespace shop".
	String() string
}

// pods holds for the pods that a selector selects.
type pods struct{ selector Selector }

func (c pods) holds(v *view) fact.Fact {
	if v.Form != Pods {
		return fact.False
	}
	if v.pod.host {
		// Their address is that of the node. The specification leaves it open whether selectors select them
		// (NetworkPolicy, "hostNetwork pods"); in most implementations, they do not.
		return fact.False
	}
	return v.pod.matches(c.selector)
}

func (c pods) String() string { return withLabels("pods", c.selector) }

func withLabels(what string, s Selector) string {
	if text := s.String(); text != "" {
		return what + " with " + text
	}
	return what
}

// selectable holds for what policies apply to: pods that are not in the network of their node, and the endpoint of
// Cilium's Gateways.
type selectable struct{}

func (selectable) holds(v *view) fact.Fact {
	return ingressEndpoint{}.holds(v).Or(fact.Of(v.Form == Pods && !v.pod.host))
}
func (selectable) String() string { return "" }

// inNamespace holds for the pods of one namespace.
type inNamespace struct{ name string }

func (c inNamespace) holds(v *view) fact.Fact {
	return fact.Of(v.Form == Pods && v.Namespace == c.name)
}
func (c inNamespace) String() string { return "of namespace " + c.name }

// inNamespaces holds for the pods of the namespaces that a selector selects.
type inNamespaces struct{ selector Selector }

func (c inNamespaces) holds(v *view) fact.Fact {
	if v.Form != Pods {
		return fact.False
	}
	return c.selector.Matches(v.namespace)
}

func (c inNamespaces) String() string {
	if c.selector.String() == "" {
		return "of every namespace"
	}
	return withLabels("of namespaces", c.selector)
}

// inBlock holds for the addresses of a block. Most implementations apply blocks to the addresses of
// pods, too (NetworkPolicyPeer.ipBlock leaves it to them). These are in no manifest, but they are
// private ones: pods are in doubt for a block with private addresses and outside any other.
type inBlock struct {
	block
	// outside means that the block never applies to pods, inside that a block of all addresses applies to
	// all pods.
	outside, inside bool
}

func (c inBlock) holds(v *view) fact.Fact {
	switch v.Form {
	case Addresses:
		return v.addresses.in(c.block)
	case Names:
		if c.everything() {
			return fact.True
		}
		return fact.Unknown
	case Pods:
		return c.holdsPod(v.pod)
	case Entities:
	case Nodes:
		if c.inside && c.everything() && c.network.Addr().Is4() {
			return fact.True
		}
		return fact.Of(c.private() && !c.outside).And(fact.Unknown)
	}
	return fact.False
}

func (c inBlock) holdsPod(p *pod) fact.Fact {
	switch {
	case c.outside:
		return fact.False
	case c.inside && c.everything() && c.network.Addr().Is4(): // pods of IPv6 alone are rare, and not told apart
		return fact.True
	case len(p.addresses) > 0:
		return fact.Of(slices.ContainsFunc(p.addresses, func(a netip.Addr) bool { return addresses{a, a}.in(c.block) == fact.True }))
	}
	return fact.Of(c.private()).And(fact.Unknown)
}

// named holds for domain names that a pattern matches. An address that was not looked up by its name
// is no such name.
type named struct {
	pattern string
	// inLabels means that an asterisk stands for characters of one label.
	inLabels bool
}

func (c named) holds(v *view) fact.Fact {
	matches := coversName
	if c.inLabels {
		matches = coversLabels
	}
	return fact.Of(v.Form == Names && matches(c.pattern, v.Name))
}

func (c named) String() string { return c.pattern }

// coversName reports whether a pattern of domain names has all the names of another. A leading "*" stands
// for one or more labels (ClusterNetworkPolicy, DomainName), and alone for all names. Unlike hostnames, which the API server takes in
// lower case alone, these may have capital letters and a dot at the end.
func coversName(pattern, name string) bool {
	pattern, name = strings.ToLower(strings.TrimSuffix(pattern, ".")), strings.ToLower(strings.TrimSuffix(name, "."))
	return pattern == name || pattern == "*" || dns.Covers(pattern, name)
}

// coversLabels reports the same where an asterisk stands for any characters of one label, a single one for all names,
// and **. in front for one or more labels (Cilium pkg/fqdn/matchpattern/matchpattern.go).
func coversLabels(pattern, name string) bool {
	pattern, name = strings.ToLower(strings.TrimSuffix(pattern, ".")), strings.ToLower(strings.TrimSuffix(name, "."))
	if pattern == name || pattern == "*" {
		return true
	}
	slashed := strings.NewReplacer(".", "/", `\`, "", "[", "", "?", "") // path.Match: an asterisk ends at a slash
	matches := func(pattern, name string) bool {
		ok, err := path.Match(slashed.Replace(pattern), slashed.Replace(name))
		return ok && err == nil
	}
	rest, deep := strings.CutPrefix(pattern, "**.")
	if !deep {
		return matches(pattern, name)
	}
	for more := true; more; {
		if _, name, more = strings.Cut(name, "."); more && matches(rest, name) {
			return true
		}
	}
	return false
}

// nodes holds for the nodes of the cluster. A selector of nodes is not decided: their labels are not
// in manifests.
type nodes struct{ selector Selector }

func (c nodes) holds(v *view) fact.Fact {
	switch {
	case v.Form != Nodes:
		return fact.False
	case c.selector.String() == "":
		return fact.True
	}
	return fact.Unknown
}

func (c nodes) String() string { return withLabels("nodes", c.selector) }

// form holds for the endpoints of some forms.
type form struct {
	forms []Form
	words string
}

func (c form) holds(v *view) fact.Fact {
	for _, f := range c.forms {
		if v.Form == f {
			return fact.True
		}
	}
	return fact.False
}

func (c form) String() string { return c.words }

// entity holds for one of Cilium's entities.
type entity struct{ name string }

// holds is not known of pods in the network of their node: the node may be the own one, another one or one of the control
// plane (Documentation/security/policy/language.rst, Entities).
func (c entity) holds(v *view) fact.Fact {
	if v.Form == Pods && v.pod.host && (c.name == "host" || c.name == "remote-node" || c.name == "kube-apiserver") {
		return fact.Unknown
	}
	return fact.Of(v.Form == Entities && v.Name == c.name)
}

func (c entity) String() string { return "the entity " + c.name }

// account holds for the pods with some ServiceAccounts; the selector sees the label name.
type account struct{ selector Selector }

func (c account) holds(v *view) fact.Fact {
	switch {
	case v.Form != Pods:
		return fact.False
	case v.object == nil:
		return fact.Unknown
	}
	return c.selector.Matches(inventory.Labels{Values: map[string]string{"name": v.pod.account}})
}

func (c account) String() string { return withLabels("with a ServiceAccount", c.selector) }

// accountLabels holds for the pods whose ServiceAccount has some labels.
type accountLabels struct {
	selector Selector
	source   *source
}

func (c accountLabels) holds(v *view) fact.Fact {
	switch {
	case v.Form != Pods:
		return fact.False
	case v.object == nil:
		return fact.Unknown
	}
	i := slices.IndexFunc(c.source.accounts, func(o *loader.Object) bool { return o.ID.Namespace == v.Namespace && o.ID.Name == v.pod.account })
	// Every ServiceAccount has a label with its name (libcalico-go lib/backend/k8s/conversion/conversion.go, ServiceAccountToProfile).
	l := inventory.Labels{Values: map[string]string{nameKey: v.pod.account}, Partial: i < 0 && !c.source.complete}
	if i >= 0 {
		maps.Copy(l.Values, c.source.accounts[i].Labels())
		l.Values[nameKey] = v.pod.account
	}
	return c.selector.Matches(l)
}

func (c accountLabels) String() string { return withLabels("with a ServiceAccount", c.selector) }

// unknown is a condition that manifests do not decide.
type unknown struct {
	among Peer
	why   string
}

func (c unknown) holds(v *view) fact.Fact { return c.among.holds(v).And(fact.Unknown) }
func (c unknown) String() string          { return c.why }

// anyOf holds where one of several conditions does.
type anyOf []condition

func (c anyOf) holds(v *view) fact.Fact {
	out := fact.False
	for _, one := range c {
		out = out.Or(one.holds(v))
	}
	return out
}

func (c anyOf) String() string {
	words := make([]string, len(c))
	for i, one := range c {
		words[i] = one.String()
	}
	return strings.Join(words, ", ")
}

// not holds where another condition does not.
type not struct{ condition }

func (c not) holds(v *view) fact.Fact { return c.condition.holds(v).Not() }
func (c not) String() string          { return "but not " + c.condition.String() }
