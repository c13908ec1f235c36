package policy

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// Attachments are the policies of an environment and where they hang.
type Attachments struct {
	// Policies are sorted by identity; those that attach nowhere are among them.
	Policies []*Policy
	// Kinds are the kinds of which there are policies, sorted.
	Kinds []*Kind
	// Apart are targets outside the hierarchy, sorted.
	Apart []*hierarchy.Node

	nodes      map[nodeKind]*Set
	namespaces map[namespaceKind]*Set
}

type nodeKind struct {
	node *hierarchy.Node
	kind *Kind
}

type namespaceKind struct {
	namespace string
	kind      *Kind
}

// At is the set of a kind's policies at a node, or nil.
func (a *Attachments) At(n *hierarchy.Node, k *Kind) *Set { return a.nodes[nodeKind{n, k}] }

// AtNamespace is the set of a kind's policies at a Namespace, or nil.
func (a *Attachments) AtNamespace(namespace string, k *Kind) *Set {
	return a.namespaces[namespaceKind{namespace, k}]
}

// Attach hangs the policies of an environment on its hierarchy. Policies whose
// targets are missing stay in sight.
func Attach(env *loader.Environment, g *hierarchy.Graph, t *Table, ages age.Ages) *Attachments {
	a := &Attachments{nodes: map[nodeKind]*Set{}, namespaces: map[namespaceKind]*Set{}}
	c := collector{graph: g, apart: map[hierarchy.Target]*hierarchy.Node{}}
	for _, o := range env.Objects {
		k := t.Kind(o.ID.Group, o.ID.Kind)
		if k == nil {
			continue
		}
		p := read(k, o)
		p.checkValues()
		p.countLeaves()
		p.References = c.references(p)
		a.Policies = append(a.Policies, p)
		if !slices.Contains(a.Kinds, k) {
			a.Kinds = append(a.Kinds, k)
		}
	}
	a.Apart = c.nodes()
	a.hang(ages)
	return a
}

// collector reads references and keeps the nodes made for targets outside the
// hierarchy.
type collector struct {
	graph *hierarchy.Graph
	apart map[hierarchy.Target]*hierarchy.Node
}

func (c collector) references(p *Policy) []*Reference {
	target := p.Kind.Target
	if s, ok := p.Kind.Shapes[p.Object.Version]; ok && s.Target != nil {
		target = *s.Target
		if target.Namespace == "" {
			target.Namespace = p.Kind.Target.Namespace
		}
	}
	r := reader{policy: p, graph: c.graph, target: target, apart: c.node}
	refs := r.references()
	if target.Via == "parametersRef" {
		refs = append(refs, r.parameters()...)
	}
	if reason, message := r.objects(); reason != "" {
		for _, ref := range refs {
			ref.refuse(reason, message)
		}
	}
	if p.Invalid != "" {
		for _, ref := range refs {
			ref.refuse(Invalid, p.Invalid)
		}
	}
	return refs
}

func (c collector) node(target hierarchy.Target) *hierarchy.Node {
	if n := c.apart[target]; n != nil {
		return n
	}
	n := &hierarchy.Node{Target: target, Level: hierarchy.LevelApart, Object: c.graph.Object(target.ID)}
	if n.Object != nil {
		n.Presence, n.Value = hierarchy.True, n.Object.Spec()
	}
	c.apart[target] = n
	return n
}

func (c collector) nodes() []*hierarchy.Node {
	out := make([]*hierarchy.Node, 0, len(c.apart))
	for _, n := range c.apart {
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b *hierarchy.Node) int { return a.Target.Compare(b.Target) })
	return out
}

// hang gathers the references to each target and settles conflicts there.
func (a *Attachments) hang(ages age.Ages) {
	nodes := map[nodeKind][]*Reference{}
	namespaces := map[namespaceKind][]*Reference{}
	for _, p := range a.Policies {
		for _, ref := range p.References {
			if ref.Accepted == hierarchy.False {
				continue
			}
			for _, n := range ref.Nodes {
				key := nodeKind{n, p.Kind}
				nodes[key] = append(nodes[key], ref)
			}
			if ref.IsNamespace() {
				key := namespaceKind{ref.Namespace, p.Kind}
				namespaces[key] = append(namespaces[key], ref)
			}
		}
	}
	for key, refs := range nodes {
		s := resolve(key.kind, refs, ages)
		s.At = key.node.String()
		a.nodes[key] = s
	}
	for key, refs := range namespaces {
		s := resolve(key.kind, refs, ages)
		s.At = "Namespace/" + key.namespace
		a.namespaces[key] = s
	}
}

// parameters finds the objects whose parametersRef names the policy: a
// GatewayClass, or a Gateway by its infrastructure (Gateway API,
// GatewayClass.spec.parametersRef, Gateway.spec.infrastructure.parametersRef).
func (r reader) parameters() []*Reference {
	id := r.policy.Object.ID
	var out []*Reference
	for _, n := range r.graph.Nodes {
		var ref *loader.Value
		switch {
		case n.Object == nil || n.Target.Section != "":
			continue
		case n.Level == hierarchy.LevelGatewayClass:
			ref = n.Value.Get("parametersRef")
		case n.Level == hierarchy.LevelGateway:
			ref = n.Value.Get("infrastructure", "parametersRef")
		}
		if ref == nil || ref.Str("group") != id.Group || ref.Str("kind") != id.Kind || ref.Str("name") != id.Name {
			continue
		}
		namespace := ref.Str("namespace")
		if n.Level == hierarchy.LevelGateway {
			namespace = n.Namespace()
		}
		if namespace == id.Namespace {
			out = append(out, &Reference{
				Policy: r.policy, Target: n.Target, Ref: r.policy.Object.Root, Nodes: []*hierarchy.Node{n},
				Accepted: hierarchy.True, Reason: Accepted,
			})
		}
	}
	return out
}

// Sets are all sets of the environment, sorted by kind and target.
func (a *Attachments) Sets() []*Set {
	out := make([]*Set, 0, len(a.nodes)+len(a.namespaces))
	for _, s := range a.nodes {
		out = append(out, s)
	}
	for _, s := range a.namespaces {
		out = append(out, s)
	}
	slices.SortFunc(out, func(x, y *Set) int {
		return cmp.Or(cmp.Compare(x.Kind.sortKey(), y.Kind.sortKey()), cmp.Compare(x.At, y.At))
	})
	// A Service that is mesh parent and backend at once is one target.
	return slices.CompactFunc(out, func(x, y *Set) bool { return x.Kind == y.Kind && x.At == y.At })
}

// Namespaces are the Namespaces that policies target, sorted.
func (a *Attachments) Namespaces() []string {
	var out []string
	for key := range a.namespaces {
		out = append(out, key.namespace)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// KindOf is the kind of a policy, nil for objects that are none.
func (a *Attachments) KindOf(id loader.ID) *Kind {
	for _, k := range a.Kinds {
		if k.Group == id.Group && k.Entry.Kind == id.Kind {
			return k
		}
	}
	return nil
}
