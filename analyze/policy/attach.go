package policy

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/feature"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// Attachments are the policies of an environment and the targets that they attach to.
type Attachments struct {
	// Policies are sorted by identity. They include those that attach to no target.
	Policies []*Policy
	// Kinds are the policy kinds with at least one policy, sorted.
	Kinds []*catalogue.Kind
	// Outside are the targets outside the hierarchy, sorted.
	Outside []*hierarchy.Node

	sets map[attachmentPoint]*Set
	// nodes are those with sets, parts the parts other than nodes that a kind has sets at. Most questions are
	// about a node without policies, which these answer faster.
	nodes map[*hierarchy.Node]bool
	parts map[kindPart]bool
	securing
	claims
}

type kindPart struct {
	kind *catalogue.Kind
	part catalogue.Part
}

// attachmentPoint is a place to which policies of a kind attach: a node, a Namespace or every Namespace.
type attachmentPoint struct {
	kind      *catalogue.Kind
	part      catalogue.Part
	node      *hierarchy.Node
	namespace string
}

// sorted returns places in an order that does not depend on the run: what is decided at one of them counts at the
// next ones.
func sorted(attached map[attachmentPoint][]*Reference) []attachmentPoint {
	target := func(s attachmentPoint) hierarchy.Target {
		if s.node == nil {
			return hierarchy.Target{}
		}
		return s.node.Target
	}
	return slices.SortedFunc(maps.Keys(attached), func(a, b attachmentPoint) int {
		return cmp.Or(catalogue.CompareKinds(a.kind, b.kind), cmp.Compare(a.part, b.part), strings.Compare(a.namespace, b.namespace), target(a).Compare(target(b)))
	})
}

// At is the set of a kind's policies at a node itself, or nil.
func (a *Attachments) At(n *hierarchy.Node, k *catalogue.Kind) *Set {
	return a.AtPart(n, catalogue.Own, k)
}

// AtPart is the set of a kind's policies at a part of a node, such as its Namespace, or nil.
func (a *Attachments) AtPart(n *hierarchy.Node, part catalogue.Part, k *catalogue.Kind) *Set {
	at := attachmentPoint{kind: k, part: part}
	switch part {
	case catalogue.Own, catalogue.Filter:
		if !a.nodes[n] {
			return nil
		}
		at.node = n
	case catalogue.OfNamespace, catalogue.OfRoot:
		if !a.parts[kindPart{k, part}] {
			return nil
		}
		if part == catalogue.OfNamespace {
			at.namespace = n.Namespace()
		}
	}
	return a.sets[at]
}

// AtNamespace is the set of a kind's policies at a Namespace, or nil.
func (a *Attachments) AtNamespace(namespace string, k *catalogue.Kind) *Set {
	return a.sets[attachmentPoint{kind: k, part: catalogue.OfNamespace, namespace: namespace}]
}

// AtRoot is the set of a kind's policies that reach every Namespace, or nil.
func (a *Attachments) AtRoot(k *catalogue.Kind) *Set {
	return a.sets[attachmentPoint{kind: k, part: catalogue.OfRoot}]
}

// Of returns the sets at the targets of a reference.
func (a *Attachments) Of(ref *Reference) []*Set {
	var out []*Set
	for _, at := range ref.attachmentPoints() {
		if s := a.sets[at]; s != nil {
			out = append(out, s)
		}
	}
	return out
}

// Attach attaches the policies of an environment to its hierarchy. Policies with missing targets
// stay in the result.
func Attach(env *loader.Environment, g *hierarchy.Graph, t *catalogue.Table, ages age.Ages) *Attachments {
	a := &Attachments{sets: map[attachmentPoint]*Set{}, nodes: map[*hierarchy.Node]bool{}, parts: map[kindPart]bool{}}
	c := collector{
		graph: g, outside: map[hierarchy.Target]*hierarchy.Node{}, contents: map[content]*merge.Tree{}, selectables: &selectables{}, pointers: findPointers(g),
	}
	for _, o := range env.Objects {
		k := t.Kind(o.ID.Group, o.ID.Kind)
		if k == nil {
			continue
		}
		p := read(k, o)
		p.checkValues(!g.Dominant().Policies.NoOwnValues)
		checkTexts(p)
		p.countLeaves()
		p.References = c.references(p)
		a.Policies = append(a.Policies, p)
		if !slices.Contains(a.Kinds, k) {
			a.Kinds = append(a.Kinds, k)
		}
	}
	a.securing = securingOf(a.Policies, ages)
	a.claims = claimsOf(a.Policies)
	for _, p := range a.Policies {
		brokenParts{policy: p, graph: g, claims: a.claims, securing: a.securing, has: func(name string) feature.State { return feature.Of(env, name) }}.refuse()
	}
	c.reach(a.Policies)
	for _, o := range env.Objects {
		if standing[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind}] {
			c.node(hierarchy.Target{ID: o.ID})
		}
	}
	a.Outside = c.nodes()
	refuseShared(g, a.Policies)
	refuseBeside(a.Policies)
	refuseOnSharedPorts(g, a.Policies, a.claims)
	refuseAtListeners(g, a.Policies, a.claims, ages)
	a.attach(g, ages)
	return a
}

// standing are the kinds outside the hierarchy that decide who gets in whether or not a policy is for them: a Server of Linkerd
// denies all whom no policy allows, unless its accessPolicy says otherwise.
var standing = map[loader.ID]bool{{Group: "policy.linkerd.io", Kind: "Server"}: true}

// collector reads references and keeps the nodes made for targets outside the
// hierarchy.
type collector struct {
	graph   *hierarchy.Graph
	outside map[hierarchy.Target]*hierarchy.Node
	// contents are the trees of objects that policies draw settings from, each built once.
	contents    map[content]*merge.Tree
	selectables *selectables
	pointers
}

func (c collector) references(p *Policy) []*Reference {
	target := p.Kind.Target
	if s, ok := p.Kind.Shapes[p.Object.Version]; ok && s.Target != nil {
		target = *s.Target
		if target.Namespace == "" {
			target.Namespace = p.Kind.Target.Namespace
		}
	}
	r := reader{policy: p, graph: c.graph, target: target}
	refs := targets{finder: finder{reader: r, outside: c.node}, pointers: c.pointers, selectables: c.selectables}.references()
	own := c.graph.Dominant().Policies
	for _, ref := range refs {
		if kinds, known := own.Targets[p.Kind.Name()]; known && c.graph.Alone() && !slices.Contains(kinds, implementation.Kind{Group: ref.Target.Group, Name: ref.Target.Kind}) {
			ref.refuse(TargetNotFound, "the implementation does not look for targets of kind "+ref.Target.Kind)
		}
	}
	if own.OnlyValidRoutes {
		c.refuseInvalidRoutes(refs)
	}
	c.refuseUnset(p, refs)
	refuseUntaken(p, refs)
	needed := needs{reader: r, contents: c.contents}
	p.Draws, p.draws = needed.draws()
	if reason, message := needed.objects(); reason != "" {
		for _, ref := range refs {
			if ref.Reason == TargetNotFound && own.Targets != nil {
				continue
			}
			ref.Holds = ref.Accepted != fact.False && !own.IgnoresUnusable
			ref.refuse(reason, message)
		}
	}
	if _, known := own.Targets[p.Kind.Name()]; known && own.IgnoreAnnotation != "" && strings.EqualFold(p.Object.Annotations()[own.IgnoreAnnotation], "true") {
		p.Resolved, p.ignored = hierarchy.Condition{}, true
		for _, ref := range refs {
			ref.Holds = false
			ref.refuse(own.IgnoredReason, "its annotation "+own.IgnoreAnnotation+" leaves it to others")
		}
		return refs
	}
	if p.Invalid != "" {
		for _, ref := range refs {
			if own.Targets == nil {
				ref.refuse(Invalid, p.Invalid)
			} else if ref.Reason != TargetNotFound {
				ref.Holds = ref.Accepted != fact.False
				ref.refuse(Invalid, p.Invalid)
			}
		}
	}
	return refs
}

// refuseInvalidRoutes refuses references to routes of which no rule is accepted (NGINX Gateway Fabric,
// internal/controller/state/graph/policies.go, attachPolicyToRoute).
func (c collector) refuseInvalidRoutes(refs []*Reference) {
	for _, ref := range refs {
		route := c.graph.Node(hierarchy.Target{ID: ref.Target.ID}, hierarchy.LevelRoute)
		if route == nil || route.Object == nil {
			continue
		}
		if dropped := c.graph.DroppedRules(route); dropped != nil && dropped.Type == hierarchy.Accepted {
			ref.refuse(TargetNotFound, "no rule of "+route.Spoken()+" is valid: "+dropped.Message)
		}
	}
}

// reach makes nodes for objects outside the hierarchy whose Namespace has policies that reach
// them.
func (c collector) reach(policies []*Policy) {
	for _, p := range policies {
		for _, ref := range p.References {
			if ref.Part != catalogue.OfNamespace {
				continue
			}
			for _, kind := range p.Kind.Dwellers {
				for _, o := range c.graph.ObjectsOf(kind.Group, kind.Kind, ref.Namespace) {
					c.node(hierarchy.Target{ID: o.ID})
				}
			}
		}
	}
}

func (c collector) node(target hierarchy.Target) *hierarchy.Node {
	if n := c.outside[target]; n != nil {
		return n
	}
	n := &hierarchy.Node{Target: target, Level: hierarchy.LevelOutside, Object: c.graph.Object(target.ID)}
	if n.Object != nil {
		n.Presence, n.Value = fact.True, n.Object.Spec()
	}
	c.outside[target] = n
	return n
}

func (c collector) nodes() []*hierarchy.Node {
	out := make([]*hierarchy.Node, 0, len(c.outside))
	for _, n := range c.outside {
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b *hierarchy.Node) int { return a.Target.Compare(b.Target) })
	return out
}

// attach groups the references by target and decides the conflicts there.
func (a *Attachments) attach(g *hierarchy.Graph, ages age.Ages) {
	shared := g.Dominant().Policies.NoConflicts
	attached := map[attachmentPoint][]*Reference{}
	for _, p := range a.Policies {
		for _, ref := range p.References {
			if !ref.IsAttached() && !ref.Takes {
				continue
			}
			for _, at := range ref.attachmentPoints() {
				attached[at] = append(attached[at], ref)
			}
		}
	}
	lost := rejectWhole(attached, ages)
	newSet := func(at attachmentPoint, refs []*Reference) *Set {
		s := resolve(at.kind, refs, lost, ages, slices.Contains(shared, at.kind.Name()))
		s.At = at.String()
		if at.node != nil {
			s.Target = at.node.Target
		}
		s.inherit(at)
		s.Key = s.key()
		return s
	}
	for _, at := range sorted(attached) {
		s := newSet(at, attached[at])
		if s = s.withoutTakers(attached[at]); s == nil {
			continue
		}
		if through, past := divide(attached[at]); len(through) > 0 {
			s.Past, s.Through = newSet(at, past), newSet(at, through)
		}
		a.sets[at] = s
		if at.node != nil {
			a.nodes[at.node] = true
		} else {
			a.parts[kindPart{at.kind, at.part}] = true
		}
	}
}

// divide returns the references to a target that only the proxy applies to which it is bound, and the others.
func divide(refs []*Reference) (through, past []*Reference) {
	for _, ref := range refs {
		if ref.Bound {
			through = append(through, ref)
		} else {
			past = append(past, ref)
		}
	}
	return through, past
}

// inherit sets a set's route and direction, for kinds whose policies pass from route to route.
func (s *Set) inherit(at attachmentPoint) {
	rule := s.Kind.Merge.Levels.Inherit
	if rule == nil || at.node == nil || hierarchy.LevelOf(at.node.Target.Group, at.node.Target.Kind) != hierarchy.LevelRoute {
		return
	}
	s.Route, s.Inherit = at.node.Target.ID, merge.Default
	chosen, known := rule.Values[""], false
	if at.node.Object != nil {
		if chosen, known = rule.Values[at.node.Object.Annotations()[rule.Annotation]]; !known {
			chosen = rule.Values[""]
		}
	}
	if chosen == catalogue.Overrides {
		s.Inherit = merge.Override
	}
}

// attachmentPoints are the places that a reference attaches to.
func (r *Reference) attachmentPoints() []attachmentPoint {
	k := r.Policy.Kind
	if r.Part == catalogue.OfNamespace || r.Part == catalogue.OfRoot {
		return []attachmentPoint{{kind: k, part: r.Part, namespace: r.Namespace}}
	}
	out := make([]attachmentPoint, 0, len(r.Nodes))
	for _, n := range r.Nodes {
		if n.Level == hierarchy.LevelListener && slices.Contains(k.Target.Inert, n.Value.Str("protocol")) {
			continue
		}
		out = append(out, attachmentPoint{kind: k, part: r.Part, node: n})
	}
	return out
}

// String is the name of the target.
func (s attachmentPoint) String() string {
	switch s.part {
	case catalogue.OfNamespace:
		return "Namespace/" + s.namespace
	case catalogue.OfRoot:
		return "every Namespace"
	case catalogue.Own, catalogue.Filter:
	}
	return s.node.String()
}

// Sets are all sets of the environment, sorted by kind and target.
func (a *Attachments) Sets() []*Set {
	out := make([]*Set, 0, len(a.sets))
	for _, s := range a.sets {
		out = append(out, s)
	}
	slices.SortFunc(out, func(x, y *Set) int {
		return cmp.Or(cmp.Compare(catalogue.SortKey(x.Kind), catalogue.SortKey(y.Kind)), cmp.Compare(x.At, y.At), cmp.Compare(x.Key, y.Key))
	})
	// A Service that is mesh parent and backend at once is one target.
	return slices.CompactFunc(out, func(x, y *Set) bool { return x.Kind == y.Kind && x.At == y.At && x.Key == y.Key })
}

// Namespaces are the Namespaces that policies target, sorted.
func (a *Attachments) Namespaces() []string {
	var out []string
	for at := range a.sets {
		if at.part == catalogue.OfNamespace {
			out = append(out, at.namespace)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// KindOf is the kind of a policy, or nil if the object is no policy.
func (a *Attachments) KindOf(id loader.ID) *catalogue.Kind {
	for _, k := range a.Kinds {
		if k.Group == id.Group && k.Entry.Kind == id.Kind {
			return k
		}
	}
	return nil
}
