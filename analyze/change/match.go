package change

import (
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// counterparts pairs nodes of both runs that may have different names: renamed objects, listeners,
// backends and their ports, and the rules of routes. Rules are paired by name. The remaining ones are paired by
// equal body without the name, then by equal matches, then by equal requests in another route, and
// finally unnamed rules in order. The index of an unnamed rule does not identify it.
func counterparts(base, head *effective.Run) *pairs {
	if base == nil || head == nil {
		return nil
	}
	p := newPairs(base.Graph, head.Graph)
	p.objects()
	p.rules(sameName, sameBody, sameMatches)
	p.moved()
	p.rules(bothUnnamed)
	p.backends()
	p.ports()
	return p
}

// before returns a function that maps a node of head to its node of base.
func (p *pairs) before() func(*hierarchy.Node) *hierarchy.Node {
	if p == nil {
		return nil
	}
	return func(n *hierarchy.Node) *hierarchy.Node { return p.head[n] }
}

// rules pairs the rules of each route that both sides have, by one criterion after the other.
func (p *pairs) rules(criteria ...func(b, a *hierarchy.Node) bool) {
	for _, n := range p.graphs[1].Nodes {
		if n.Level != hierarchy.LevelRoute {
			continue
		}
		m := p.head[n]
		if m == nil {
			m = p.graphs[0].Node(n.Target, n.Level)
		}
		if m == nil {
			continue
		}
		for _, same := range criteria {
			p.matchRules(m.Sections, n.Sections, same)
		}
	}
}

func (p *pairs) matchRules(before, after []*hierarchy.Node, same func(b, a *hierarchy.Node) bool) {
	for _, a := range after {
		if p.head[a] != nil {
			continue
		}
		for _, b := range before {
			if p.base[b] == nil && same(b, a) {
				p.join(b, a)
				break
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

// without returns a copy of a map without the given fields.
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
