// Package network decides who may talk to whom under network policies: those of Kubernetes, of the
// Network Policy API, of Cilium and of Calico.
//
// The ends of connections are endpoints: the pods of each workload, pods that no manifest has but that
// policies tell apart, ranges of addresses, domain names, nodes. Ports are ranges, so that the answer is
// exact for all connections and not for a sample. What manifests do not tell, such as the labels of a
// namespace that is not in the input, is unknown: a connection is then neither surely allowed nor surely
// denied.
//
//	New        one revision: what each endpoint may reach
//	Compare    two revisions: the connections that one allows and the other denies
//
// Policies decide in tiers (see Tier). Within a tier they are asked in order; the first rule that takes
// a connection allows it, denies it or passes it to the next tier. What no rule of a tier takes is
// denied if one of its policies isolates the pods, and else left to the next tier. What no tier
// decides is allowed. Both ends must allow a connection.
package network

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// Connection is what becomes of a connection.
type Connection struct {
	From, To *Endpoint
	Port     Range
	Allowed  fact.Fact
	Egress   Decision
	Ingress  Decision
}

// Connect decides about one connection.
func (w *World) Connect(from, to int, port Range) Connection {
	c := Connection{From: w.endpoints[from], To: w.endpoints[to], Port: port}
	c.Egress = w.decide(from, to, Egress, port)
	c.Ingress = w.decide(to, from, Ingress, port)
	c.Allowed = c.Egress.Allowed.And(c.Ingress.Allowed)
	return c
}

// Workload returns the endpoint of a workload, or false.
func (u *universe) Workload(id loader.ID) (int, bool) {
	return u.find(&Endpoint{Workload: id, Namespace: id.Namespace})
}

// Address returns the endpoint that has an address, or false.
func (u *universe) Address(a netip.Addr) (int, bool) {
	for i, e := range u.endpoints {
		if e.Form == Addresses && e.addresses.first.BitLen() == a.BitLen() && e.addresses.first.Compare(a) <= 0 && a.Compare(e.addresses.last) <= 0 {
			return i, true
		}
	}
	return 0, false
}

// Proxy returns the endpoint of a side's proxies, or false.
func (u *universe) Proxy(p Proxy) (int, bool) { return u.find(p.endpoint()) }

// Others returns the endpoint of the pods of a namespace that no manifest has and that have no labels,
// or false.
func (u *universe) Others(namespace string) (int, bool) {
	return u.find(&Endpoint{Namespace: namespace})
}

// AllAddresses returns the endpoints outside the cluster.
func (u *universe) AllAddresses() []int {
	var out []int
	for i, e := range u.endpoints {
		if e.Form == Addresses {
			out = append(out, i)
		}
	}
	return out
}

// Words describes endpoints in as few words as possible.
func (w *World) Words(endpoints []int) string {
	s := newSet(len(w.views.list))
	for _, i := range endpoints {
		s.add(i)
	}
	return strings.Join(w.views.words(s), ", ")
}

// Selected reports whether some policy may select an endpoint in a direction.
func (w *World) Selected(i int, d Direction) bool { return len(w.applied(i, d)) > 0 }

// Ports returns the ports that the pods of a workload declare, each for itself: policies may treat neighbours
// differently.
func (w *World) Ports(i int) []Range {
	var out []Range
	if w.views.list[i].pod != nil {
		for _, p := range w.views.list[i].pod.ports {
			out = append(out, Range{p.protocol, p.number, p.number})
		}
	}
	slices.SortFunc(out, compareRanges)
	return slices.Compact(out)
}

// Endpoint returns an endpoint.
func (u *universe) Endpoint(i int) *Endpoint { return u.endpoints[i] }

func (u *universe) find(e *Endpoint) (int, bool) {
	i, ok := u.index[e.key()]
	return i, ok
}

// Named returns the port that the pods of an endpoint call by a name, or false.
func (w *World) Named(i int, name string, protocol Protocol) (Range, bool) {
	v := w.views.list[i]
	if v.Form != Pods || v.object == nil {
		return Range{}, false
	}
	ports := v.pod.named(name, protocol)
	if len(ports) == 0 {
		return Range{}, false
	}
	return ports[0], true
}

// Outside returns the endpoint of an address or a domain name, or false.
func (u *universe) Outside(text string) (int, bool) {
	if a, err := netip.ParseAddr(text); err == nil {
		return u.Address(a.Unmap().WithZone(""))
	}
	return u.find(&Endpoint{Form: Names, Name: text})
}

// Selects reports whether a policy of the world may select an endpoint.
func (w *World) Selects(p *Policy, i int) bool {
	return slices.ContainsFunc(w.compiled, func(c *compiledPolicy) bool { return c.Policy == p && c.perhaps.has(i) })
}

// SelectsOthers reports whether a policy is for something that is no pod: nodes, or the proxies of Cilium's Gateways.
func SelectsOthers(w *World, p *Policy) bool {
	return len(p.Subjects) == 0 || slices.ContainsFunc(w.compiled, func(c *compiledPolicy) bool {
		others := false
		c.perhaps.each(func(i int) { others = others || w.views.list[i].Form != Pods })
		return c.Policy == p && others
	})
}

// InForce are the rules at an endpoint in one direction, in the order in which they are asked.
type InForce struct {
	Rules []Step
	// Isolating are the policies by which what no rule of their tier takes is denied, Isolated says whether
	// that is sure.
	Isolating []*Policy
	Isolated  fact.Fact
}

// InForce returns the rules that the policies of an endpoint have for it.
func (w *World) InForce(i int, d Direction) InForce {
	out := InForce{Isolated: fact.False}
	for _, a := range w.applied(i, d) {
		for n := range a.rules {
			r := a.rules[n].Rule
			if k := len(out.Rules); k > 0 && out.Rules[k-1].Rule == r {
				continue // its named ports
			}
			out.Rules = append(out.Rules, Step{Policy: a.policy.Policy, Rule: r, Sure: a.sure})
		}
		if a.isolates {
			out.Isolating = append(out.Isolating, a.policy.Policy)
			out.Isolated = out.Isolated.Or(fact.Of(a.sure).Or(fact.Unknown))
		}
	}
	return out
}
