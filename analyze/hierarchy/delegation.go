package hierarchy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// delegation is the state of joining routes that pass requests on to others
// (kgateway and agentgateway, route delegation).
type delegation struct {
	graph *Graph
	// children are the routes that a backendRef may mean, by kind and namespace.
	children map[loader.ID][]*Node
	// wanted are the parentRefs to routes, each with what became of it.
	wanted []*wantedParent
	state  map[*Node]progress
	// finished are the routes, each behind those below it.
	finished []*Node
}

// progress is how far a search has come with a route.
type progress uint8

const (
	unseen progress = iota
	underWay
	done
)

// wantedParent is a parentRef to a route.
type wantedParent struct {
	attachment
	id    loader.ID
	found bool
}

// addDelegate keeps a parentRef to another route until all routes are there.
func (g *Graph) addDelegate(a attachment, id loader.ID) {
	g.delegated = append(g.delegated, &wantedParent{attachment: a, id: id})
}

// delegate joins the routes that pass requests on to others with these: each rule
// of the one is a parent of the other.
func (g *Graph) delegate() {
	d := delegation{graph: g, children: map[loader.ID][]*Node{}, wanted: g.delegated, state: map[*Node]progress{}}
	var parents []*Node
	for _, n := range g.Nodes {
		if n.Level != LevelRoute || n.Object == nil {
			continue
		}
		key := n.Target.ID
		key.Name = ""
		d.children[key] = append(d.children[key], n)
		own, _ := g.deciderOf(n)
		if len(n.Up) == 0 {
			own = g.Dominant() // its parent may be a route
		}
		if own.Routes.Delegates {
			parents = append(parents, n)
		}
	}
	slices.SortFunc(parents, func(a, b *Node) int { return a.Target.Compare(b.Target) })
	for _, parent := range parents {
		for _, rule := range parent.Sections {
			d.passOn(rule)
		}
	}
	d.refuse()
	// What hangs below listeners comes first: a circle is cut where it comes round.
	slices.SortStableFunc(parents, func(a, b *Node) int { return cmp.Compare(len(b.Up)-passed(b), len(a.Up)-passed(a)) })
	for _, parent := range parents {
		d.cut(parent)
	}
	for _, route := range slices.Backward(d.finished) {
		sink(route)
	}
}

// passed counts the routes that pass requests on to one.
func passed(route *Node) int {
	n := 0
	for _, e := range route.Up {
		if e.Parent.Level == LevelRule {
			n++
		}
	}
	return n
}

// passOn hangs below a rule the routes that its backendRefs mean: by name, by "*"
// for all of a namespace, or by a label KEY=VALUE. A child that names its
// parents must name this one.
func (d *delegation) passOn(rule *Node) {
	seen := map[*Node]bool{}
	for _, ref := range rule.Value.List("backendRefs") {
		id := BackendID(ref, rule.Namespace())
		if LevelOf(id.Group, id.Kind) != LevelRoute {
			continue
		}
		name := id.Name
		id.Name = ""
		for _, child := range d.children[id] {
			if seen[child] || child == rule.Owner || !means(name, child) {
				continue
			}
			e := &Edge{Parent: rule, Child: child, Admitted: True, Owner: rule.Object, Ref: ref}
			if named := child.Value.List("parentRefs"); len(named) > 0 {
				w := d.parent(child, rule.Owner)
				if w == nil {
					continue
				}
				w.found = true
				e.Owner, e.Ref = child.Object, w.ref
			}
			seen[child] = true
			e.Hostnames = Strings(rule.Owner.Value.List("hostnames"))
			d.graph.link(e)
		}
	}
}

func means(name string, child *Node) bool {
	key, value, labelled := strings.Cut(name, "=")
	return name == "*" || name == child.Target.Name || labelled && child.Object.Labels()[key] == value
}

func (d *delegation) parent(child, parent *Node) *wantedParent {
	i := slices.IndexFunc(d.wanted, func(w *wantedParent) bool { return w.route == child && w.id == parent.Target.ID })
	if i < 0 {
		return nil
	}
	return d.wanted[i]
}

// refuse closes the parentRefs to routes that pass nothing on.
func (d *delegation) refuse() {
	changed := map[*Node]bool{}
	for _, w := range d.wanted {
		changed[w.route] = true
		if w.found {
			continue
		}
		parent := d.graph.Node(Target{ID: w.id}, LevelRoute)
		if parent == nil {
			parent = d.graph.object(w.id, LevelGateway)
		}
		w.link(parent, Edge{Admitted: False, Reason: noMatchingParent, Message: w.id.String() + " passes nothing on to this route"})
	}
	for route := range changed {
		refs := route.Value.List("parentRefs")
		slices.SortStableFunc(route.Up, func(a, b *Edge) int {
			return cmp.Compare(slices.Index(refs, a.Ref), slices.Index(refs, b.Ref))
		})
	}
}

// cut closes the edges that lead back to a route above them: a controller refuses
// a circle where it comes round.
func (d *delegation) cut(route *Node) {
	if d.state[route] != unseen {
		return
	}
	d.state[route] = underWay
	for _, e := range below(route) {
		if d.state[e.Child] == underWay {
			e.Admitted, e.Reason, e.Message = False, noMatchingParent, "the routes pass requests on in a circle"
			continue
		}
		d.cut(e.Child)
	}
	d.state[route] = done
	d.finished = append(d.finished, route)
}

// below are the edges from the rules of a route to other routes.
func below(route *Node) []*Edge {
	var out []*Edge
	for _, rule := range route.Sections {
		for _, e := range rule.Down {
			if e.Child.Level == LevelRoute && e.Open() {
				out = append(out, e)
			}
		}
	}
	return out
}

// sink gives what a route passes requests on to its depth, and all of its rules.
func sink(route *Node) {
	for _, rule := range route.Sections {
		rule.Depth = route.Depth
	}
	for _, e := range below(route) {
		e.Child.Depth = max(e.Child.Depth, route.Depth+1)
	}
}
