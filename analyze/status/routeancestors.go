package status

import (
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// routeAncestors finds the ancestors that routes add to the policies on them and below them.
type routeAncestors struct {
	graph *hierarchy.Graph
	// upward caches the ancestors of each target.
	upward map[*hierarchy.Node][]upward
	// mirrors are the mirrors that lead to each backend. The map is nil until its first use.
	mirrors map[loader.ID][]mirror
}

// mirror is a route of which a filter sends copies of requests to a port of a backend.
type mirror struct {
	route *hierarchy.Node
	port  string
}

// mirroring are the mirrors that lead to a backend.
func (r *routeAncestors) mirroring(backend loader.ID) []mirror {
	if r.mirrors == nil {
		r.mirrors = map[loader.ID][]mirror{}
		for _, route := range r.graph.Nodes {
			if route.Level != hierarchy.LevelRoute {
				continue
			}
			r.graph.Mirrors(route, func(ref *loader.Value) {
				id := hierarchy.BackendID(ref, route.Namespace())
				r.mirrors[id] = append(r.mirrors[id], mirror{route, portOf(ref)})
			})
		}
	}
	return r.mirrors[backend]
}

// upward is an ancestor that a route adds for the policies below it.
type upward struct {
	plan.Ancestor
	// verbatim means that the ancestor is the parentRef. written is then its namespace as
	// written.
	verbatim bool
	written  string
}

// of are the ancestors of a route, or of a target to which routes lead, without
// duplicates.
func (r *routeAncestors) of(n *hierarchy.Node) []upward {
	if list, ok := r.upward[n]; ok {
		return list
	}
	var list []upward
	switch n.Level {
	case hierarchy.LevelRoute:
		list = r.ofParents(n)
	case hierarchy.LevelRule:
		list = r.of(n.Owner)
	default:
		known := known{}
		seen := map[*hierarchy.Node]bool{}
		for _, e := range n.Up {
			if route := e.Parent.Owner; e.Parent.Level == hierarchy.LevelRule && !seen[route] {
				seen[route] = true
				for _, up := range r.of(route) {
					list = known.add(list, up)
				}
			}
		}
	}
	r.upward[n] = list
	return list
}

// ofParents are the ancestors that result from the parents of a route.
func (r *routeAncestors) ofParents(route *hierarchy.Node) []upward {
	var out []upward
	known := known{}
	if len(route.Value.List("parentRefs")) == 0 {
		// The routes that delegate requests to this one are above it.
		for _, e := range route.Up {
			if e.Parent.Level != hierarchy.LevelRule || !e.Open() {
				continue
			}
			for _, up := range r.of(e.Parent.Owner) {
				out = known.add(out, up)
			}
		}
	}
	for _, p := range r.graph.Parents(route) {
		if p.Target.Level == hierarchy.LevelRoute {
			if p.Accepted.Status == fact.True {
				for _, up := range r.of(p.Target) {
					out = known.add(out, up)
				}
			}
			continue
		}
		gateway := hierarchy.GatewayOf(p.Target)
		own := r.graph.Implementation(gateway)
		if p.Missing || p.Target.Level == hierarchy.LevelFrontend || p.Accepted.Reason == hierarchy.InvalidRule || p.Accepted.Status == fact.False && !own.Policies.SectionAncestors && !own.Policies.NamedAncestors {
			continue
		}
		up := upward{Ancestor: plan.Ancestor{AncestorRef: targetReference(gateway.Target), ControllerName: p.Controller}}
		if own.Policies.SectionAncestors || own.Policies.ParentRefAncestors {
			up.AncestorRef, up.verbatim, up.written = parentRef(&p), true, p.Ref.Str("namespace")
		}
		out = known.add(out, up)
	}
	return out
}

// known is the set of ancestors that are already in a list.
type known map[upwardKey]bool

// add appends an ancestor that is not in the list yet.
func (k known) add(list []upward, up upward) []upward {
	key := upwardKey{Reference: up.AncestorRef, written: up.written}
	if k[key] {
		return list
	}
	k[key] = true
	return append(list, up)
}

type upwardKey struct {
	plan.Reference
	written string
}
