package change

import (
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// counterparts pairs the rules of routes that both runs have: by name; then,
// among what stays, by equal body (name aside), by equal matches, and unnamed
// with unnamed in order. The index of an unnamed rule is no identity.
func counterparts(base, head *effective.Run) func(*hierarchy.Node) *hierarchy.Node {
	pairs := map[*hierarchy.Node]*hierarchy.Node{}
	if base == nil || head == nil {
		return nil
	}
	for _, n := range head.Graph.Nodes {
		if n.Level != hierarchy.LevelRoute {
			continue
		}
		if m := base.Graph.Node(n.Target, n.Level); m != nil {
			matchRules(rulesOf(m), rulesOf(n), pairs)
		}
	}
	return func(n *hierarchy.Node) *hierarchy.Node { return pairs[n] }
}

func rulesOf(route *hierarchy.Node) []*hierarchy.Node { return route.Sections }

func matchRules(before, after []*hierarchy.Node, pairs map[*hierarchy.Node]*hierarchy.Node) {
	taken := map[*hierarchy.Node]bool{}
	for _, same := range []func(b, a *hierarchy.Node) bool{sameName, sameBody, sameMatches, bothUnnamed} {
		for _, a := range after {
			if pairs[a] != nil {
				continue
			}
			for _, b := range before {
				if !taken[b] && same(b, a) {
					pairs[a], taken[b] = b, true
					break
				}
			}
		}
	}
}

func sameName(b, a *hierarchy.Node) bool {
	return a.Named && b.Named && a.Target.Section == b.Target.Section
}

func sameBody(b, a *hierarchy.Node) bool {
	return loader.Equal(without(b.Value, "name"), without(a.Value, "name"))
}

func sameMatches(b, a *hierarchy.Node) bool {
	return loader.Equal(b.Value.Get("matches"), a.Value.Get("matches"))
}

func bothUnnamed(b, a *hierarchy.Node) bool { return !a.Named && !b.Named }

// without gives a map without some of its fields.
func without(v *loader.Value, keys ...string) *loader.Value {
	if v == nil || v.Shape != loader.Map {
		return v
	}
	out := *v
	out.Fields = make([]loader.Field, 0, len(v.Fields))
	for _, f := range v.Fields {
		drop := false
		for _, key := range keys {
			drop = drop || f.Key == key
		}
		if !drop {
			out.Fields = append(out.Fields, f)
		}
	}
	return &out
}
