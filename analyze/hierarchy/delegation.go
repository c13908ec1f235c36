package hierarchy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// delegation is the state while routes are linked to the routes that they delegate requests to
// (kgateway and agentgateway, route delegation).
type delegation struct {
	builder *builder
	// children holds the routes that a backendRef can reference, by kind and namespace.
	children map[loader.ID][]*Node
	// wanted holds the parentRefs to routes, each with its result.
	wanted []*wantedParent
	state  map[*Node]progress
	// finished lists the routes, each after the routes below it.
	finished []*Node
}

// progress is the state of a route in the search for cycles.
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

// addDelegate stores a parentRef to another route until all routes are in the graph.
func (b *builder) addDelegate(a attachment, id loader.ID) {
	b.delegated = append(b.delegated, &wantedParent{attachment: a, id: id})
}

// delegate links the routes that delegate requests to other routes: each rule of the delegating
// route becomes a parent of the other route.
func (b *builder) delegate() {
	d := delegation{builder: b, children: map[loader.ID][]*Node{}, wanted: b.delegated, state: map[*Node]progress{}}
	var parents []*Node
	owns := map[*Node]*implementation.Implementation{}
	for _, n := range b.Nodes {
		if n.Level != LevelRoute || n.Object == nil {
			continue
		}
		key := n.Target.ID
		key.Name = ""
		d.children[key] = append(d.children[key], n)
		own, _ := b.deciderOf(n)
		if len(n.Up) == 0 {
			own = b.Dominant() // its parent may be a route
		}
		if own.Routes.Delegates {
			parents = append(parents, n)
			owns[n] = own
		}
	}
	slices.SortFunc(parents, func(a, b *Node) int { return a.Target.Compare(b.Target) })
	for _, parent := range parents {
		for _, rule := range parent.Sections {
			d.passOn(rule, owns[parent])
		}
	}
	d.refuse()
	// Routes attached to listeners come first, because a cycle is cut at the edge that closes it.
	slices.SortStableFunc(parents, func(a, b *Node) int { return cmp.Compare(len(b.Up)-passed(b), len(a.Up)-passed(a)) })
	for _, parent := range parents {
		d.cut(parent)
	}
	passed := delegatedMatches{delegation: d, own: owns, matches: map[*Node][]delegatedMatch{}, plain: map[*Node][]delegatedMatch{}}
	for _, route := range slices.Backward(d.finished) {
		passed.judge(route)
		sink(route)
	}
}

// Delegations returns the edges from a rule to the routes that it passes requests on to, and whether it does so at all.
func (g *Graph) Delegations(rule *Node) (edges []*Edge, delegates bool) {
	if !g.delegating[rule] {
		return nil, false
	}
	for _, e := range rule.Down {
		if e.Child.Level == LevelRoute && e.Open() {
			edges = append(edges, e)
		}
	}
	return edges, true
}

// passed counts the edges from rules of other routes that delegate to this route.
func passed(route *Node) int {
	n := 0
	for _, e := range route.Up {
		if e.Parent.Level == LevelRule {
			n++
		}
	}
	return n
}

// delegatesTo reports whether a backendRef delegates requests to routes.
func delegatesTo(own *implementation.Implementation, id loader.ID) bool {
	return own.Routes.Delegates && LevelOf(id.Group, id.Kind) == LevelRoute || byLabel(own, id)
}

func byLabel(own *implementation.Implementation, id loader.ID) bool {
	return own.Routes.LabelDelegation != "" && id.Group == own.Routes.LabelDelegation && id.Kind == "label"
}

// passOn attaches to a rule the routes that its backendRefs reference. If a child has parentRefs,
// one of them must reference the route of the rule.
func (d *delegation) passOn(rule *Node, own *implementation.Implementation) {
	seen := map[*Node]bool{}
	for _, ref := range rule.Value.List("backendRefs") {
		id := BackendID(ref, rule.Namespace())
		if delegatesTo(own, id) {
			d.builder.delegating[rule] = true
		}
		for _, m := range d.meant(rule, id, own) {
			child := m.route
			if seen[child] || child == rule.Owner {
				continue
			}
			e := &Edge{Parent: rule, Child: child, Admitted: fact.True, Owner: rule.Object, Ref: ref}
			named := child.Value.List("parentRefs")
			if w := d.parent(child, rule.Owner); w != nil {
				w.found = true
				e.Owner, e.Ref = child.Object, w.ref
			} else if len(named) > 0 {
				continue
			}
			if d.judge(e, own); e.Admitted == fact.True && m.certain == fact.Unknown {
				e.Admitted, e.Reason, e.Message = fact.Unknown, NotInInput, "a variable decides whether "+rule.Spoken()+" passes requests on to it"
			}
			seen[child] = true
			e.Hostnames = inventory.Strings(rule.Owner.Value.List("hostnames"))
			d.builder.link(e)
		}
	}
}

// meantRoute is a route that a backendRef references. With unresolved variables it is unknown
// whether it does.
type meantRoute struct {
	route   *Node
	certain fact.Fact
}

// meant returns the routes that a backendRef references: by name, by "*" for all routes of a
// namespace, by a label KEY=VALUE, or by the label of the implementation.
func (d *delegation) meant(rule *Node, id loader.ID, own *implementation.Implementation) []meantRoute {
	if !delegatesTo(own, id) {
		return nil
	}
	name := id.Name
	id.Name = ""
	var out []meantRoute
	add := func(child *Node, certain fact.Fact) {
		if certain != fact.False {
			out = append(out, meantRoute{child, certain})
		}
	}
	if !byLabel(own, id) {
		for _, child := range d.children[id] {
			add(child, means(name, child))
		}
		return out
	}
	for key, children := range d.children {
		if key.Kind != rule.Target.Kind || id.Namespace != "all" && key.Namespace != id.Namespace {
			continue
		}
		for _, child := range children {
			add(child, labelled(child, own.Routes.LabelDelegation+"/label", name))
		}
	}
	slices.SortFunc(out, func(a, b meantRoute) int { return a.route.compare(b.route) })
	return out
}

func means(name string, child *Node) fact.Fact {
	if name == "*" {
		return fact.True
	}
	key, value, byLabel := strings.Cut(name, "=")
	if byLabel && labelled(child, key, value) == fact.True {
		return fact.True
	}
	if byLabel && !opaque(key) {
		return labelled(child, key, value)
	}
	return same(name, child.Target.Name)
}

// labelled reports whether an object has a label with a value.
func labelled(n *Node, key, value string) fact.Fact {
	had, ok := n.Object.Labels()[key]
	if !ok {
		return fact.False
	}
	return same(had, value)
}

// judge rejects a delegation that the implementation does not support.
func (d *delegation) judge(e *Edge, own *implementation.Implementation) {
	child, rule := e.Child, e.Parent
	refuse := func(message string) { e.Admitted, e.Reason, e.Message = fact.False, NoMatchingParent, message }
	switch {
	case own.Routes.PlainDelegates && len(child.Value.List("hostnames")) > 0:
		refuse("requests cannot be delegated to a route that has hostnames")
		e.Reason = unsupportedValue // kgateway translator/httproute/delegation.go, validateChildRoute
	case own.Routes.GrantedDelegates && e.Owner != child.Object:
		switch d.builder.Permits(rule.Target.ID, child.Target.ID) {
		case fact.Unknown:
			e.Admitted, e.Reason, e.Message = fact.Unknown, NotInInput, "the ReferenceGrants of namespace "+child.Namespace()+" are not in the input"
		case fact.False:
			refuse(fmt.Sprintf("no ReferenceGrant in namespace %s permits a route of namespace %s to delegate requests to it", child.Namespace(), rule.Namespace()))
		case fact.True:
		}
	}
}

func (d *delegation) parent(child, parent *Node) *wantedParent {
	i := slices.IndexFunc(d.wanted, func(w *wantedParent) bool { return w.route == child && w.id == parent.Target.ID })
	if i < 0 {
		return nil
	}
	return d.wanted[i]
}

// refuse sets parentRefs to routes that do not delegate to the child to not admitted.
func (d *delegation) refuse() {
	changed := map[*Node]bool{}
	for _, w := range d.wanted {
		changed[w.route] = true
		if w.found {
			continue
		}
		parent := d.builder.Node(Target{ID: w.id}, LevelRoute)
		if parent == nil {
			parent = d.builder.object(w.id, LevelGateway)
		}
		w.link(parent, Edge{Admitted: fact.False, Reason: NoMatchingParent, Message: w.id.Spoken() + " does not delegate any requests to this route"})
	}
	for route := range changed {
		refs := route.Value.List("parentRefs")
		slices.SortStableFunc(route.Up, func(a, b *Edge) int {
			return cmp.Compare(slices.Index(refs, a.Ref), slices.Index(refs, b.Ref))
		})
	}
}

const cycle = "the routes delegate requests in a cycle"

// cut sets the edges that lead back to a route above them to not admitted: a controller rejects a
// cycle at the edge that closes it.
func (d *delegation) cut(route *Node) {
	if d.state[route] != unseen {
		return
	}
	d.state[route] = underWay
	for _, e := range passes(route) {
		if d.state[e.Child] == underWay {
			e.Admitted, e.Reason, e.Message = fact.False, NoMatchingParent, cycle
			d.builder.cyclic[route] = true
			continue
		}
		d.cut(e.Child)
	}
	d.state[route] = done
	d.finished = append(d.finished, route)
}

// delegatesNowhere returns a condition for each backendRef of a rule that passes requests on to no route which takes them (kgateway,
// translator/httproute/delegation.go, and pkg/kgateway/query, ErrUnresolvedReference), or to none that takes those of one of its
// matches.
func delegatesNowhere(r *referring, rule *loader.Value) []Condition {
	i := slices.IndexFunc(r.route.Sections, func(n *Node) bool { return n.Value == rule })
	if i < 0 {
		return nil
	}
	section := r.route.Sections[i]
	var out []Condition
	for _, ref := range rule.List("backendRefs") {
		id := BackendID(ref, r.route.Namespace())
		if !delegatesTo(r.own, id) || opaque(id.Name) || opaque(id.Namespace) {
			continue
		}
		reason, message := BackendNotFound, "no route takes the requests that are passed on to "+id.Spoken()
		byName := LevelOf(id.Group, id.Kind) == LevelRoute && !strings.ContainsAny(id.Name, "*=")
		taken := slices.ContainsFunc(section.Down, func(e *Edge) bool {
			return e.Child.Level == LevelRoute && e.Open() && (!byName || e.Child.Target.ID == id)
		})
		switch {
		case r.own.Routes.PlainDelegates && byName && id == r.route.Target.ID, r.cyclic[r.route] && r.own.Routes.PlainDelegates && slices.ContainsFunc(section.Down, func(e *Edge) bool {
			return e.Message == cycle && (!byName || e.Child.Target.ID == id)
		}):
			reason, message = NotPermitted, cycle // kgateway, pkg/kgateway/query, ErrCyclicReference
		case taken && !r.partlyDelegated[section], byName && r.Object(id) == nil && r.ExistsOutside(id) != fact.False, !byName && !r.Whole():
			continue // another one may be in what is not rendered
		case taken:
			message = "no route takes the requests of one of the matches that are passed on to " + id.Spoken()
		}
		c := r.route.condition(ResolvedRefs, fact.False, reason, message, ref)
		c.Carrier, c.Involves = BackendRef, []loader.ID{id}
		out = append(out, c)
	}
	return out
}

// Undelegated returns the conditions of the backendRefs of a rule by which requests are passed on to no route at all, or, with some
// of its matches, to none.
func Undelegated(g *Graph, rule *Node) []Condition {
	if rule.Owner == nil {
		return nil
	}
	return delegatesNowhere(g.of(rule.Owner), rule.Value)
}

// Unserved reports whether no route takes the requests that a rule passes on by one of its backendRefs, whatever its others are.
func Unserved(g *Graph, rule *Node) bool {
	return !g.partlyDelegated[rule] && len(Undelegated(g, rule)) > 0
}

// passes returns the open edges from the rules of a route to other routes.
func passes(route *Node) []*Edge {
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

// sink sets the depth of all rules of a route, and of the routes that it delegates to.
func sink(route *Node) {
	for _, rule := range route.Sections {
		rule.Depth = route.Depth
	}
	for _, e := range passes(route) {
		e.Child.Depth = max(e.Child.Depth, route.Depth+1)
	}
}
