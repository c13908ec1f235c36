package network

import (
	"maps"
	"net/netip"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
)

// maxPresumed limits how many endpoints without a manifest there are.
const maxPresumed = 5_000

// universe is what may be an end of a connection, in one revision or in two.
type universe struct {
	endpoints []*Endpoint
	index     map[endpointKey]int
	effort    *effort
	// cut is true if there are more selectors than endpoints may be presumed for.
	cut bool
}

// newUniverse finds the endpoints that the policies of all sides tell apart.
func newUniverse(sides []Side, policies [][]*Policy) *universe {
	u := &universe{index: map[endpointKey]int{}, effort: &effort{left: maxEffort}}
	namespaces := map[string]bool{}
	complete := true
	for _, s := range sides {
		complete = complete && s.Complete
		for _, o := range s.Declared {
			namespaces[o.ID.Name] = true
		}
		for _, o := range s.Objects {
			if o.ID.Namespace != "" {
				namespaces[o.ID.Namespace] = true
			}
			if Workload(o.ID.Group, o.ID.Kind) {
				u.add(&Endpoint{Workload: o.ID, Namespace: o.ID.Namespace})
			}
		}
	}
	if !complete {
		for _, name := range slices.Sorted(maps.Keys(namespaces)) {
			u.add(&Endpoint{Namespace: name})
		}
		u.add(&Endpoint{})
		p := presumer{universe: u, sides: sides, namespaces: slices.Sorted(maps.Keys(namespaces))}
		p.pods()
		for _, list := range policies {
			p.policies(list)
		}
		u.tell(p.known)
	}
	for _, s := range sides {
		for _, proxy := range s.Proxies {
			u.add(proxy.endpoint())
		}
	}
	u.outside(policies, sides)
	return u
}

func (u *universe) add(e *Endpoint) {
	k := e.key()
	if _, known := u.index[k]; !known {
		u.index[k] = len(u.endpoints)
		u.endpoints = append(u.endpoints, e)
	}
}

// outside adds what is not a pod: the ranges of addresses and the names that policies tell apart, and
// the nodes.
func (u *universe) outside(policies [][]*Policy, sides []Side) {
	var networks []netip.Prefix
	names, entities := map[string]bool{}, map[string]bool{}
	for _, s := range sides {
		for _, name := range s.Names {
			names[name] = true
		}
	}
	for _, list := range policies {
		eachPeer(list, func(_ *Policy, peer Peer) {
			for _, c := range peer {
				walkConditions(c, func(c condition) {
					switch c := c.(type) {
					case inBlock:
						networks = append(append(networks, c.network), c.except...)
					case named:
						names[c.pattern] = true
					case entity:
						entities[c.name] = true
					}
				})
			}
		})
	}
	if !u.effort.spend(64 * len(networks)) {
		networks = nil
	}
	for _, a := range cutAddresses(networks) {
		u.add(&Endpoint{Form: Addresses, addresses: a})
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		u.add(&Endpoint{Form: Names, Name: name})
	}
	u.add(&Endpoint{Form: Nodes})
	for _, name := range slices.Sorted(maps.Keys(entities)) {
		u.add(&Endpoint{Form: Entities, Name: name})
	}
}

// eachPeer visits the peers of the rules of policies, and their subjects.
func eachPeer(list []*Policy, visit func(*Policy, Peer)) {
	for _, p := range list {
		for _, s := range p.Subjects {
			visit(p, s)
		}
		for _, d := range Directions {
			for i := range p.Rules[d] {
				for _, peer := range p.Rules[d][i].Peers {
					visit(p, peer)
				}
			}
		}
	}
}

// walkConditions visits a condition and those inside it.
func walkConditions(c condition, visit func(condition)) {
	visit(c)
	switch c := c.(type) {
	case not:
		walkConditions(c.condition, visit)
	case anyOf:
		for _, inner := range c {
			walkConditions(inner, visit)
		}
	case unknown:
		for _, inner := range c.among {
			walkConditions(inner, visit)
		}
	}
}

// presumer adds the pods that selectors select and no manifest has.
type presumer struct {
	*universe
	sides      []Side
	namespaces []string
	// known are the pods of all workloads, with their namespaces.
	known []knownPod
	count int
}

type knownPod struct {
	pod       *pod
	namespace string
}

// pods reads the templates of all workloads.
func (p *presumer) pods() {
	for _, s := range p.sides {
		for _, o := range s.Objects {
			if Workload(o.ID.Group, o.ID.Kind) {
				p.known = append(p.known, knownPod{podOf(o), o.ID.Namespace})
			}
		}
	}
}

func (p *presumer) policies(list []*Policy) {
	seen := map[string]bool{}
	eachPeer(list, func(_ *Policy, peer Peer) {
		if text := peer.String(); !seen[text] {
			seen[text] = true
			p.presume(peer)
		}
	})
}

// presume adds pods for a peer in each namespace that it selects, where it selects no workload.
func (p *presumer) presume(peer Peer) {
	var selectors []Selector
	where, limited := p.namespaces, false
	var labels map[string]string
	for _, c := range peer {
		switch c := c.(type) {
		case pods:
			selectors = append(selectors, c.selector)
		case inNamespace:
			where, limited = []string{c.name}, true
		case inNamespaces:
			var selected []string
			for _, name := range where {
				if p.selected(c.selector, name) {
					selected = append(selected, name)
				}
			}
			example, ok := c.selector.Example()
			if len(selected) == 0 && ok {
				labels = example
			}
			where, limited = selected, limited || c.selector.String() != ""
		case not, unknown:
		default:
			return // not about pods
		}
	}
	example := map[string]string{}
	for _, s := range selectors {
		one, ok := s.Example()
		if !ok {
			return
		}
		maps.Copy(example, one)
	}
	if labels != nil {
		name := labels[nameLabel]
		p.addPod(&Endpoint{Namespace: name, namespaceLabels: labels})
		if len(example) > 0 {
			p.addPod(&Endpoint{Namespace: name, namespaceLabels: labels, labels: example})
		}
	}
	for _, s := range selectors {
		for _, excluded := range s.Excluded() {
			p.labelled(where, limited, excluded)
		}
	}
	if len(example) == 0 {
		return // the pods without labels stand for these
	}
	if !limited {
		if !p.taken(selectors, "") {
			p.addPod(&Endpoint{labels: example})
		}
		return
	}
	for _, name := range where {
		if !p.taken(selectors, name) {
			p.addPod(&Endpoint{Namespace: name, labels: example})
		}
	}
}

// labelled adds pods with some labels in each namespace where no workload has them.
func (p *presumer) labelled(where []string, limited bool, labels map[string]string) {
	if !limited {
		where = []string{""}
	}
	for _, name := range where {
		known := !p.effort.spend(len(p.known)) || slices.ContainsFunc(p.known, func(k knownPod) bool {
			return (name == "" || k.namespace == name) && holdsAll(k.pod.labels.Values, labels)
		})
		if !known {
			p.addPod(&Endpoint{Namespace: name, labels: labels})
		}
	}
}

// nameLabel is the label with the name of a namespace, which the API server sets.
const nameLabel = "kubernetes.io/metadata.name"

// selected reports whether a selector selects a namespace in some revision.
func (p *presumer) selected(s Selector, name string) bool {
	return p.effort.spend(1) && slices.ContainsFunc(p.sides, func(side Side) bool {
		return s.Matches(side.Namespaces.NamespaceLabels(name)) == fact.True
	})
}

// taken reports whether selectors select the pods of a workload, in a namespace or in any.
func (p *presumer) taken(selectors []Selector, namespace string) bool {
	return !p.effort.spend(len(p.known)) || slices.ContainsFunc(p.known, func(k knownPod) bool {
		return (namespace == "" || k.namespace == namespace) &&
			!slices.ContainsFunc(selectors, func(s Selector) bool { return k.pod.matches(s) != fact.True })
	})
}

func (p *presumer) addPod(e *Endpoint) {
	if p.count >= maxPresumed {
		p.cut = true
		return
	}
	p.count++
	p.add(e)
}
