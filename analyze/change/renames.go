package change

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// Renamed objects are recognised by the requests that they serve: a route with another name that
// accepts the same requests from the same listeners is the same route. An object that both
// revisions declare under one name is never paired with another.

// pairs maps renamed nodes of base to their nodes in head (base), and back (head).
type pairs struct {
	base, head map[*hierarchy.Node]*hierarchy.Node
	graphs     [2]*hierarchy.Graph
}

func newPairs(base, head *hierarchy.Graph) *pairs {
	return &pairs{base: map[*hierarchy.Node]*hierarchy.Node{}, head: map[*hierarchy.Node]*hierarchy.Node{}, graphs: [2]*hierarchy.Graph{base, head}}
}

func (p *pairs) join(base, head *hierarchy.Node) {
	p.base[base], p.head[head] = head, base
}

// gone returns the declared objects of a level that the other side does not have.
func (p *pairs) gone(side int, level hierarchy.Level) []*hierarchy.Node {
	var out []*hierarchy.Node
	for _, n := range p.graphs[side].Nodes {
		if n.Level == level && n.Owner == nil && declared(n) && !n.Object.Context && p.graphs[1-side].Object(n.Target.ID) == nil {
			out = append(out, n)
		}
	}
	return out
}

// name returns the name that identifies a node on both sides: its name in head if it was renamed.
func (p *pairs) name(side int, n *hierarchy.Node) string {
	if p != nil && side == 0 && p.base[n] != nil {
		n = p.base[n]
	}
	return n.String()
}

// after returns the identity in head of a backend of base.
func (p *pairs) after(id loader.ID) loader.ID {
	if p == nil {
		return id
	}
	if n := p.graphs[0].Node(hierarchy.Target{ID: id}, hierarchy.LevelBackend); n != nil && p.base[n] != nil {
		return p.base[n].Target.ID
	}
	return id
}

// same returns an identity unchanged.
func same(id loader.ID) loader.ID { return id }

// alike is a candidate for a pair. A higher score means that the two share more.
type alike struct {
	base, head *hierarchy.Node
	score      int
}

// choose pairs candidates, highest score first. Equal scores are ordered by the names, independent
// of which side is base.
func (p *pairs) choose(found []alike) {
	order := func(a alike) [2]string {
		one, two := a.base.String(), a.head.String()
		return [2]string{min(one, two), max(one, two)}
	}
	slices.SortFunc(found, func(a, b alike) int {
		x, y := order(a), order(b)
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]))
	})
	for _, a := range found {
		if p.base[a.base] == nil && p.head[a.head] == nil {
			p.join(a.base, a.head)
		}
	}
}

// keyed groups nodes by the keys of what they serve. A node can have several keys.
func keyed(nodes []*hierarchy.Node, keys func(*hierarchy.Node) []string) map[string][]*hierarchy.Node {
	out := map[string][]*hierarchy.Node{}
	for _, n := range nodes {
		for _, key := range keys(n) {
			out[key] = append(out[key], n)
		}
	}
	return out
}

// maxShared limits the nodes of base per key. A key with more nodes identifies none of them and is
// ignored.
const maxShared = 32

// shared returns the pairs of nodes of two sides that share at least half of the keys of the node
// with fewer keys.
func shared(base, head []*hierarchy.Node, keys func(side int, n *hierarchy.Node) []string) []alike {
	before := keyed(base, func(n *hierarchy.Node) []string { return keys(0, n) })
	count := map[[2]*hierarchy.Node]int{}
	size := map[*hierarchy.Node]int{}
	for _, h := range head {
		own := keys(1, h)
		size[h] = len(own)
		for _, key := range own {
			if len(before[key]) > maxShared {
				continue
			}
			for _, b := range before[key] {
				count[[2]*hierarchy.Node{b, h}]++
			}
		}
	}
	var out []alike
	for both, n := range count {
		if _, known := size[both[0]]; !known {
			size[both[0]] = len(keys(0, both[0]))
		}
		if 2*n >= min(size[both[0]], size[both[1]]) {
			out = append(out, alike{base: both[0], head: both[1], score: n})
		}
	}
	return out
}

// objects pairs Gateways, ListenerSets, their listeners, and routes, from the top down.
func (p *pairs) objects() {
	for _, level := range []hierarchy.Level{hierarchy.LevelGateway, hierarchy.LevelListenerSet} {
		p.choose(shared(p.gone(0, level), p.gone(1, level), func(side int, n *hierarchy.Node) []string { return p.offers(side, n) }))
		p.listeners(level)
	}
	p.choose(slices.DeleteFunc(
		shared(p.gone(0, hierarchy.LevelRoute), p.gone(1, hierarchy.LevelRoute), func(side int, n *hierarchy.Node) []string { return p.serves(side, n, nil) }),
		func(a alike) bool { return a.base.Target.Kind != a.head.Target.Kind },
	))
}

// offers returns a key for each listener of a Gateway or ListenerSet, with its GatewayClass or
// parent.
func (p *pairs) offers(side int, n *hierarchy.Node) []string {
	above := n.Value.Str("gatewayClassName")
	for _, e := range n.Up {
		if n.Level == hierarchy.LevelListenerSet {
			above = p.name(side, e.Parent)
		}
	}
	var out []string
	for _, listener := range n.Sections {
		if listener.Level == hierarchy.LevelListener {
			out = append(out, above+" "+door(listener))
		}
	}
	return out
}

// door returns what a listener accepts, regardless of its name.
func door(listener *hierarchy.Node) string {
	text := func(key string) string {
		if v := listener.Value.Get(key); v != nil {
			return v.Text
		}
		return ""
	}
	return text("protocol") + " " + text("port") + " " + text("hostname")
}

// listeners pairs renamed listeners of one Gateway or ListenerSet that accept the same. If their
// owner was renamed, listeners of the same name are paired first.
func (p *pairs) listeners(level hierarchy.Level) {
	for _, head := range p.graphs[1].Nodes {
		if head.Level != level || head.Owner != nil || !declared(head) {
			continue
		}
		base := p.head[head]
		if base == nil {
			base = p.graphs[0].Node(head.Target, level)
		}
		if !declared(base) {
			continue
		}
		renamed := p.head[head] != nil
		left := func(of, other *hierarchy.Node) []*hierarchy.Node {
			return slices.DeleteFunc(slices.Clone(of.Sections), func(n *hierarchy.Node) bool {
				return n.Level != hierarchy.LevelListener || !renamed && slices.ContainsFunc(other.Sections, func(m *hierarchy.Node) bool { return m.Target.Section == n.Target.Section })
			})
		}
		var found []alike
		for _, b := range left(base, head) {
			for _, h := range left(head, base) {
				switch {
				case renamed && b.Target.Section == h.Target.Section:
					found = append(found, alike{base: b, head: h, score: 2})
				case door(b) == door(h):
					found = append(found, alike{base: b, head: h, score: 1})
				}
			}
		}
		p.choose(found)
	}
}

// serves returns a key for each combination of parent, hostname and match: the requests that a
// route, or some of its rules, accepts.
func (p *pairs) serves(side int, route *hierarchy.Node, rules []*hierarchy.Node) []string {
	var parents []string
	for _, e := range route.Up {
		parent := e.Parent
		if parent.Owner != nil {
			parent = parent.Owner
		}
		parents = append(parents, p.name(side, parent))
	}
	slices.Sort(parents)
	parents = slices.Compact(parents)
	hosts := inventory.Strings(route.Value.List("hostnames"))
	if len(hosts) == 0 {
		hosts = []string{"*"}
	}
	if rules == nil {
		rules = route.Sections
	}
	var out []string
	for _, rule := range rules {
		for _, match := range hierarchy.Matches(rule) {
			for _, parent := range parents {
				for _, host := range hosts {
					out = append(out, route.Target.Kind+" "+parent+" "+host+" "+match)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// moved pairs rules that moved to another route: they accept the same requests.
func (p *pairs) moved() {
	var left [2][]*hierarchy.Node
	for side, g := range p.graphs {
		paired := []map[*hierarchy.Node]*hierarchy.Node{p.base, p.head}[side]
		for _, n := range g.Nodes {
			if n.Level == hierarchy.LevelRule && n.Owner != nil && !n.Object.Context && paired[n] == nil {
				left[side] = append(left[side], n)
			}
		}
	}
	if len(left[0]) == 0 || len(left[1]) == 0 {
		return
	}
	found := shared(left[0], left[1], func(side int, n *hierarchy.Node) []string { return p.serves(side, n.Owner, []*hierarchy.Node{n}) })
	p.choose(slices.DeleteFunc(found, func(a alike) bool { return p.sameRoute(a.base.Owner, a.head.Owner) }))
}

func (p *pairs) sameRoute(base, head *hierarchy.Node) bool {
	return base.Target == head.Target || p.base[base] == head
}

// leadsAlike reports whether two backends lead to the same place: Services with equal selector,
// type, externalName and ports, or other kinds with an equal spec.
func leadsAlike(b, h *hierarchy.Node) bool {
	if b.Target.Kind != "Service" {
		return !b.Value.IsEmpty() && loader.Equal(b.Value, h.Value)
	}
	place := func(n *hierarchy.Node) *loader.Value {
		return only(n.Value, "selector", "type", "externalName", "ports")
	}
	known := !h.Value.Get("selector").IsEmpty() || h.Value.Str("externalName") != ""
	return known && loader.Equal(place(b), place(h))
}

// backends pairs renamed backends. Each must be the only backend of its rule, in rules that
// correspond to each other, and both must lead to the same place.
func (p *pairs) backends() {
	var found []alike
	for head, base := range p.head {
		if head.Level == hierarchy.LevelRule {
			found = append(found, p.backendOf(base, head)...)
		}
	}
	for _, head := range p.graphs[1].Nodes {
		if head.Level != hierarchy.LevelRule || p.head[head] != nil {
			continue
		}
		if base := p.graphs[0].Node(head.Target, head.Level); base != nil {
			found = append(found, p.backendOf(base, head)...)
		}
	}
	p.choose(found)
}

func (p *pairs) backendOf(base, head *hierarchy.Node) []alike {
	lone := func(side int, rule *hierarchy.Node) *hierarchy.Node {
		var out *hierarchy.Node
		for _, e := range rule.Down {
			n := e.Child
			if n.Owner != nil {
				n = n.Owner
			}
			if !declared(n) || p.graphs[1-side].Object(n.Target.ID) != nil || out != nil && out != n {
				return nil
			}
			out = n
		}
		return out
	}
	b, h := lone(0, base), lone(1, head)
	if b == nil || h == nil || b.Level != h.Level || b.Target.Kind != h.Target.Kind || b.Namespace() != h.Namespace() || !leadsAlike(b, h) {
		return nil
	}
	out := []alike{{base: b, head: h, score: 1}}
	for _, port := range h.Sections {
		i := slices.IndexFunc(b.Sections, func(n *hierarchy.Node) bool { return n.Level == port.Level && n.Target.Section == port.Target.Section })
		if i >= 0 {
			out = append(out, alike{base: b.Sections[i], head: port, score: 1})
		}
	}
	return out
}
