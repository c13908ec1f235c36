package network

import (
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// Namespaces knows the labels of namespaces.
type Namespaces interface {
	NamespaceLabels(name string) inventory.Labels
}

// Side is the input of one revision.
type Side struct {
	// Objects are workloads and network policies.
	Objects []*loader.Object
	// Services are the Services of the environment.
	Services []*loader.Object
	// Endpoints are the Endpoints and EndpointSlices, Accounts the ServiceAccounts.
	Endpoints, Accounts []*loader.Object
	Namespaces          Namespaces
	// Declared are the namespaces in the input.
	Declared []*loader.Object
	// Used are the namespaces in which the revision has objects, or may have some that are not rendered. Anywhere means
	// that these may be in any namespace.
	Used     map[string]bool
	Anywhere bool
	// Complete means that there are no pods but those of the workloads.
	Complete bool
	// Proxies are further pods that are asked about, Names further domain names.
	Proxies []Proxy
	Names   []string
}

// byID indexes the objects by which connections are decided.
func (s Side) byID() map[loader.ID]*loader.Object {
	out := make(map[loader.ID]*loader.Object, len(s.Objects)+len(s.Services)+len(s.Declared))
	for _, list := range [][]*loader.Object{s.Objects, s.Services, s.Endpoints, s.Accounts, s.Declared} {
		for _, o := range list {
			out[o.ID] = o
		}
	}
	return out
}

// Proxy is the pods that a controller runs for a Gateway, or the entity of Cilium that sends for it. Gateway is its
// node, for display.
type Proxy struct {
	Gateway, Namespace string
	Labels             inventory.Labels
	Entity             string
}

// Of returns the input that an environment gives.
func Of(env *loader.Environment, known interface {
	Namespaces
	Whole() bool
},
) Side {
	side := Side{Objects: env.Workloads, Namespaces: known, Complete: known.Whole(), Used: map[string]bool{}}
	for _, o := range env.Workloads {
		side.Used[o.ID.Namespace] = true
	}
	for _, gap := range env.Gaps {
		side.Used[gap.Namespace] = true
		side.Anywhere = side.Anywhere || gap.Namespace == ""
	}
	for _, o := range env.Objects {
		side.Used[o.ID.Namespace] = true
		switch {
		case Endpoints(o.ID):
			side.Endpoints = append(side.Endpoints, o)
		case o.ID.Group != "":
		case o.ID.Kind == "ServiceAccount":
			side.Accounts = append(side.Accounts, o)
		case o.ID.Kind == "Namespace":
			side.Declared = append(side.Declared, o)
		case o.ID.Kind == "Service":
			side.Services = append(side.Services, o)
		}
	}
	return side
}

// HasPolicies reports whether the side has network policies.
func (s Side) HasPolicies() bool { return Count(s.Objects) > 0 }

// Count returns how many of some objects are network policies.
func Count(objects []*loader.Object) int {
	n := 0
	for _, o := range objects {
		if IsPolicy(o.ID) {
			n++
		}
	}
	return n
}
