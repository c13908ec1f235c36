package network

import (
	"maps"
	"net/netip"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

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
		p := presumer{universe: u, templates: map[loader.ID][]*pod{}, sides: sides, namespaces: slices.Sorted(maps.Keys(namespaces))}
		p.pods()
		for _, list := range policies {
			p.policies(list)
		}
		p.combine()
		u.findDistinctiveLabels(p.known)
		p.meeting(policies)
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
		for _, d := range directions {
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
