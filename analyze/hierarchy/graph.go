// Package hierarchy builds the graph of targets that policies attach to and
// traffic runs through:
//
//	GatewayClass > Gateway > [ListenerSet >] listener > Route > rule > backend > port
//
// and, for a mesh, Service > Route > rule > backend. Every edge carries a
// verdict: admitted, refused (with the reason that a controller would give) or
// unknown (with what is not known). Nothing is dropped: a parent that is not
// in the input becomes a placeholder.
//
// A Namespace is no node of this graph: it is a level right above each object
// in it, and policies find it by Node.Namespace.
package hierarchy

import (
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// Options are what the caller knows beyond the manifests.
type Options struct {
	// Complete says that what is not in the input does not exist. It never
	// overrides a gap: something that could not be rendered.
	Complete bool
	// NamespaceLabels are labels of namespaces whose manifests are not in the
	// input.
	NamespaceLabels map[string]map[string]string
	// External lists objects that live elsewhere: they exist, their content is
	// not known.
	External map[loader.ID]bool
	// Gone lists objects that are known not to exist: the other revision of a
	// comparison declares them.
	Gone map[loader.ID]bool
	// Granted are the ReferenceGrants of the other revision of a comparison: what one
	// of them permits, and none of this revision does, is not permitted elsewhere.
	Granted []*loader.Object
	// Unread counts the objects in the input that were not read, by GROUP/KIND: they
	// exist, whatever their names.
	Unread map[string]int
	// Controllers are controllerNames by GatewayClass, for classes that are not in
	// the input or that behave as another controller's.
	Controllers map[string]string
	// Ages decide among ListenerSets, and among routes with one match.
	Ages age.Ages
}

// Graph is the hierarchy of one environment. What it says does not change once it
// is built; some answers are made when they are first asked for, so it is for one
// reader at a time.
type Graph struct {
	// Nodes are sorted by level, then target, routes and their rules by depth before
	// that: a walk in this order meets every parent before its children.
	Nodes []*Node

	objects    map[loader.ID]*loader.Object
	nodes      map[nodeKey]*Node
	grants     grants
	namespaces map[string]Labels
	options    Options
	// revoked are the grants of the other revision that are gone or were edited.
	revoked   grants
	gaps      []loader.Gap
	producers map[string][]loader.Release
	selected  map[selection]Fact
	names     map[loader.ID][]string
	// places remembers what ObjectsOf gave, by kind and namespace.
	places map[loader.ID][]*loader.Object
	// similar remembers what Similar gave.
	similar map[loader.ID]string
	known   map[loader.ID]bool
	// owners remembers the listeners of Gateways by port and hostname.
	owners map[*Node]map[portHost][]*Node
	// parents remembers what Parents gave.
	parents map[*Node][]Parent
	// inhabitants are the namespaces of the input, nil until they are asked for.
	inhabitants []string
	// made are objects that something else in the input makes.
	made map[loader.ID]loader.ID
	// released are the Helm releases that were read in full, by namespace and name.
	released        map[loader.ID]bool
	implementations map[*Node]*implementation.Implementation
	meshOwn         *implementation.Implementation
	meshController  string
	dominant        *string
	// delegated are the parentRefs to other routes.
	delegated []*wantedParent
	// defaults are the Gateways that routes without a parent may ask for.
	defaults []*Node
}

type nodeKey struct {
	target Target
	level  Level
}

type selection struct {
	selector  *loader.Value
	namespace string
}

// Build makes the graph of an environment.
func Build(env *loader.Environment, options Options) *Graph {
	g := &Graph{
		objects:    make(map[loader.ID]*loader.Object, len(env.Objects)),
		nodes:      make(map[nodeKey]*Node, 2*len(env.Objects)),
		grants:     indexGrants(env.Objects),
		namespaces: map[string]Labels{},
		options:    options,
		gaps:       env.Gaps,
		producers:  map[string][]loader.Release{},
		selected:   map[selection]Fact{},

		known: map[loader.ID]bool{}, similar: map[loader.ID]string{}, made: map[loader.ID]loader.ID{},
		released: map[loader.ID]bool{}, implementations: map[*Node]*implementation.Implementation{}, parents: map[*Node][]Parent{}, owners: map[*Node]map[portHost][]*Node{},
	}
	for _, o := range env.Objects {
		g.objects[o.ID] = o
		g.know(o)
	}
	for _, release := range env.Releases {
		g.released[loader.ID{Namespace: release.Namespace, Name: release.Name}] = true
	}
	g.revoked = indexGrants(slices.DeleteFunc(slices.Clone(options.Granted), func(o *loader.Object) bool {
		return g.objects[o.ID] == nil && g.Absent(o.ID) != False // it may be there and unread
	}))
	g.addObjects(env.Objects)
	slices.SortFunc(g.Nodes, (*Node).compare)
	return g
}

// addObjects goes down the levels, so that each reference finds what it names.
func (g *Graph) addObjects(objects []*loader.Object) {
	byLevel := map[Level][]*loader.Object{}
	for _, o := range objects {
		level := LevelOf(o.ID.Group, o.ID.Kind)
		byLevel[level] = append(byLevel[level], o)
	}
	for _, o := range byLevel[LevelGatewayClass] {
		g.object(o.ID, LevelGatewayClass)
	}
	for _, o := range byLevel[LevelGateway] {
		g.addGateway(o)
	}
	for _, o := range byLevel[LevelListenerSet] {
		g.addListenerSet(o)
	}
	g.judgeGateways()
	for _, o := range byLevel[LevelBackend] {
		g.object(o.ID, LevelBackend)
	}
	for _, o := range byLevel[LevelRoute] {
		g.addRoute(o)
	}
	g.delegate()
	for _, o := range byLevel[LevelRoute] {
		for _, rule := range g.object(o.ID, LevelRoute).Sections {
			g.addBackends(rule)
		}
	}
	g.judge()
}

// judgeGateways judges the listeners of all Gateways, and which of these are
// there for routes without a parent.
func (g *Graph) judgeGateways() {
	var gateways []*Node
	for _, n := range g.Nodes {
		if isGateway(n) {
			gateways = append(gateways, n)
		}
	}
	for _, n := range gateways {
		g.judgeListeners(n)
		if textOf(n.Value.Get("defaultScope")) == "All" {
			g.defaults = append(g.defaults, n)
		}
	}
	g.judgeMerged(gateways)
	for _, n := range gateways {
		g.settleListeners(n)
	}
}

// isGateway says whether a node is a Gateway of the input, and not a parent of
// another kind, which stands at its level.
func isGateway(n *Node) bool {
	return n.Level == LevelGateway && n.Object != nil && LevelOf(n.Target.Group, n.Target.Kind) == LevelGateway
}

// judge says of each object what follows from its parts, from the top down.
func (g *Graph) judge() {
	for _, n := range g.Nodes {
		if n.Level == LevelGatewayClass && n.Object != nil {
			g.judgeClass(n)
		}
	}
	for _, n := range g.Nodes {
		if isGateway(n) {
			g.judgeGateway(n, g.Implementation(n))
		}
	}
	for _, n := range g.Nodes {
		if n.Level == LevelListenerSet && n.Object != nil {
			g.judgeListenerSet(n, g.Implementation(GatewayOf(n)))
		}
	}
	for _, n := range g.Nodes {
		n.Conditions.sort()
	}
}

// Object finds an object of the environment by identity, or nil.
func (g *Graph) Object(id loader.ID) *loader.Object { return g.objects[id] }

// ObjectsOf are the objects of a kind in a namespace, sorted by name.
func (g *Graph) ObjectsOf(group, kind, namespace string) []*loader.Object {
	if g.places == nil {
		g.places = map[loader.ID][]*loader.Object{}
		for _, id := range slices.SortedFunc(maps.Keys(g.objects), loader.ID.Compare) {
			at := loader.ID{Group: id.Group, Kind: id.Kind, Namespace: id.Namespace}
			g.places[at] = append(g.places[at], g.objects[id])
		}
	}
	return g.places[loader.ID{Group: group, Kind: kind, Namespace: namespace}]
}

// AllOf are the objects of a kind in every namespace, in order.
func (g *Graph) AllOf(group, kind string) []*loader.Object {
	g.ObjectsOf(group, kind, "") // fills the places
	var out []*loader.Object
	for at, list := range g.places {
		if at.Group == group && at.Kind == kind {
			out = append(out, list...)
		}
	}
	slices.SortFunc(out, func(a, b *loader.Object) int { return a.ID.Compare(b.ID) })
	return out
}

// Node finds a node by target and level, or nil.
func (g *Graph) Node(target Target, level Level) *Node { return g.nodes[nodeKey{target, level}] }

// object gives the node of an object, a placeholder if it is not in the input.
func (g *Graph) object(id loader.ID, level Level) *Node {
	n := g.node(Target{ID: id}, level)
	if n.Object == nil && n.Presence == Unknown {
		if n.Object = g.objects[id]; n.Object != nil {
			n.Presence = True
			n.Value = n.Object.Spec()
		} else {
			n.Presence = g.Absent(id)
		}
	}
	return n
}

// section gives the node of a part of an object.
func (g *Graph) section(owner *Node, name string, level Level) *Node {
	n := g.node(Target{ID: owner.Target.ID, Section: name}, level)
	if n.Owner == nil {
		n.Owner, n.Object, n.Presence = owner, owner.Object, owner.Presence
		owner.Sections = append(owner.Sections, n)
	}
	return n
}

func (g *Graph) node(target Target, level Level) *Node {
	key := nodeKey{target, level}
	if n := g.nodes[key]; n != nil {
		return n
	}
	n := &Node{Target: target, Level: level}
	g.nodes[key] = n
	g.Nodes = append(g.Nodes, n)
	return n
}

func (g *Graph) link(e *Edge) {
	e.Parent.Down = append(e.Parent.Down, e)
	e.Child.Up = append(e.Child.Up, e)
}

// Absent tells what is known of an object that is not in the input: unknown,
// unless the input is complete and nothing that could hold it was left out.
func (g *Graph) Absent(id loader.ID) Fact {
	if g.options.Gone[id] && !g.mayRender(id) {
		return False
	}
	if opaque(id.Name) || opaque(id.Namespace) {
		return Unknown
	}
	if _, made := g.maker(id); made || g.unread(id.Group, id.Kind) {
		return Unknown
	}
	if g.withoutIt(id) {
		return False
	}
	if !g.options.Complete || g.options.External[id] || len(g.producers[id.Namespace]) > 0 {
		return Unknown
	}
	for _, gap := range g.gaps {
		if gap.Namespace == "" || gap.Namespace == id.Namespace {
			return Unknown
		}
	}
	return False
}

// External says whether an object is declared to live elsewhere.
func (g *Graph) External(id loader.ID) bool { return g.options.External[id] }

// NamespaceLabels are the labels of a namespace, as far as they are known. The
// API server's own label always is.
func (g *Graph) NamespaceLabels(name string) Labels {
	if l, ok := g.namespaces[name]; ok {
		return l
	}
	id := loader.ID{Kind: "Namespace", Name: name}
	l := Labels{Values: map[string]string{}}
	if o := g.objects[id]; o != nil {
		for k, v := range o.Labels() {
			l.Values[k] = v
		}
	} else if configured, ok := g.options.NamespaceLabels[name]; ok {
		for k, v := range configured {
			l.Values[k] = v
		}
	} else {
		l.Partial = g.Absent(id) == Unknown
	}
	l.Values[nameLabel] = name
	g.namespaces[name] = l
	return l
}

// Selects says whether a `namespaces` stanza lets a namespace in by its labels.
func (g *Graph) Selects(stanza *loader.Value, namespace string) Fact {
	if stanza.Str("from") != "Selector" || stanza.Get("selector") == nil {
		return False
	}
	return g.selects(stanza.Get("selector"), namespace)
}

// selects evaluates a namespace selector once for each namespace.
func (g *Graph) selects(selector *loader.Value, namespace string) Fact {
	key := selection{selector, namespace}
	if f, ok := g.selected[key]; ok {
		return f
	}
	f := g.NamespaceLabels(namespace).Matches(selector)
	if opaque(namespace) {
		f = Unknown
	}
	g.selected[key] = f
	return f
}

// Permits says whether a reference may cross into the target's namespace. A
// grant is looked for beside the target: while the target itself is not in the
// input, its grants may not be either.
func (g *Graph) Permits(from, to loader.ID) Fact {
	switch {
	case from.Namespace == to.Namespace || to.Namespace == "":
		return True
	case g.grants.permits(from, to):
		return True
	case opaque(from.Namespace) || opaque(to.Namespace) || g.grants.vague(to.Namespace):
		return Unknown
	case g.objects[to] != nil, g.revoked.permits(from, to):
		return False
	}
	return g.Absent(loader.ID{Group: Group, Kind: "ReferenceGrant", Namespace: to.Namespace})
}

// allowedFrom evaluates a `namespaces` stanza (allowedRoutes and
// allowedListeners), given its default.
func (g *Graph) allowedFrom(stanza *loader.Value, byDefault, own, namespace string) Fact {
	from := stanza.Str("from")
	if from == "" {
		from = byDefault
	}
	switch from {
	case "All":
		return True
	case "Same":
		if opaque(own) || opaque(namespace) {
			return FactOf(own == namespace).Or(Unknown)
		}
		return FactOf(own == namespace)
	case "Selector":
		return g.selects(stanza.Get("selector"), namespace)
	}
	if opaque(from) {
		return Unknown
	}
	return False
}

// or gives the first text that is not empty.
func or(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// group reads a reference's group: absent is the default, empty is core.
func groupOf(ref *loader.Value, byDefault string) string {
	if g := ref.Get("group"); g != nil && g.Shape == loader.String {
		// A version behind the group is read kindly; policies note it.
		name, _, _ := strings.Cut(g.Text, "/")
		return name
	}
	return byDefault
}

// KnowsKind says whether the input has objects or the definition of a kind.
func (g *Graph) KnowsKind(group, kind string) bool {
	return g.known[loader.ID{Group: group, Kind: kind}] || g.unread(group, kind)
}

// unread says whether the input has objects of a kind that were not read.
func (g *Graph) unread(group, kind string) bool { return g.options.Unread[group+"/"+kind] > 0 }
