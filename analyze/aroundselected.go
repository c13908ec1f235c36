package analyze

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
)

// around holds the nodes that a selection matches together with all nodes below them, and the nodes
// that requests pass before they reach these.
type around struct {
	selected, above map[*hierarchy.Node]bool
}

// aroundSelected returns what a selection matches, and what is around it.
func aroundSelected(s selection.Selection, g *hierarchy.Graph) around {
	out := around{selected: map[*hierarchy.Node]bool{}, above: map[*hierarchy.Node]bool{}}
	if s.Empty() {
		return out
	}
	below := map[*hierarchy.Node][]*hierarchy.Node{}
	var found []*hierarchy.Node
	for _, n := range g.Nodes {
		if s.Matches(n.Target) {
			found = append(found, n)
		}
		for _, e := range n.Up {
			if !e.Open() {
				continue
			}
			below[e.Parent] = append(below[e.Parent], n)
			if e.Via != nil {
				below[e.Via] = append(below[e.Via], n)
			}
		}
	}
	spread(found, out.selected, func(n *hierarchy.Node) []*hierarchy.Node { return below[n] })
	spread(found, out.above, func(n *hierarchy.Node) []*hierarchy.Node {
		if waypoint := hierarchy.WaypointOf(g, n); waypoint != nil {
			return append(parents(n), waypoint)
		}
		return parents(n)
	})
	for n := range out.selected {
		delete(out.above, n)
	}
	return out
}

func parents(n *hierarchy.Node) []*hierarchy.Node {
	var out []*hierarchy.Node
	for _, e := range n.Up {
		if e.Open() {
			out = append(out, e.Parent)
		}
	}
	return out
}

// spread marks nodes and all nodes that are reachable from them through next.
func spread(from []*hierarchy.Node, marked map[*hierarchy.Node]bool, next func(*hierarchy.Node) []*hierarchy.Node) {
	from = slices.Clone(from)
	for len(from) > 0 {
		n := from[len(from)-1]
		from = from[:len(from)-1]
		if !marked[n] {
			marked[n] = true
			from = append(from, next(n)...)
		}
	}
}

// aboveOf returns the effective policies of a kind at the nodes above a selection, by target.
func aboveOf(join *effective.Join, k *catalogue.Kind, near around) []plan.Above {
	var out []plan.Above
	r := join.Runs[effective.Head]
	join.States(k, func(at *effective.Joint, flows []effective.Flow) bool {
		n := at.Nodes[effective.Head]
		if !near.above[n] {
			return true
		}
		one := plan.Above{PolicyKind: plan.GroupKind{Group: k.Group, Kind: k.Name()}, Target: n.String()}
		for _, f := range flows {
			e := r.Policy(k, f.States[effective.Head], n)
			if e == nil {
				continue
			}
			for _, share := range e.Shares {
				id := share.Policy.ID().String()
				if share.Enforcement != plan.Overridden && share.Enforcement != plan.NotEnforced && !slices.Contains(one.Policies, id) {
					one.Policies = append(one.Policies, id)
				}
			}
		}
		if len(one.Policies) > 0 {
			out = append(out, one)
		}
		return true
	})
	return out
}
