package analyze

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/loader"
)

// ListTree returns the hierarchy with policies, from its roots or from the selected objects down.
func ListTree(s *loader.Snapshot, sel selection.Selection, o Options) *plan.Tree {
	tree := &plan.Tree{SchemaVersion: plan.SchemaVersion}
	tree.Notes, tree.Problems = o.each(s, func(r *effective.Run) {
		tree.Environments = append(tree.Environments, plan.TreeEnvironment{Name: r.Environment.Name, Roots: o.roots(r, sel)})
	})
	return tree
}

func (o Options) roots(r *effective.Run, sel selection.Selection) []plan.TreeNode {
	d := drawer{run: r, kinds: r.Attached.Kinds}
	var out []plan.TreeNode
	for _, n := range r.Graph.Nodes {
		selected := isRoot(n)
		switch {
		case sel.Empty():
		case sel.IsNamespace(n.Namespace()):
			selected = isTopIn(n, n.Namespace())
		default:
			selected = sel.Matches(n.Target) && (sel.Section() != "" || n.Target.Section == "") && !shadowed(n)
		}
		if selected && o.Filter.node(n.String()) {
			out = append(out, d.draw(n, nil))
		}
	}
	for _, k := range r.Attached.Kinds {
		if set := r.Attached.AtRoot(k); set != nil && sel.Empty() {
			out = append(out, plan.TreeNode{Node: set.At, Admitted: plan.True, Policies: names(set)})
		}
	}
	for _, ns := range r.Attached.Namespaces() {
		if n := (hierarchy.Target{ID: loader.ID{Kind: "Namespace", Name: ns}}); sel.Empty() || sel.Matches(n) {
			out = append(out, plan.TreeNode{Node: n.String(), Admitted: plan.True, Policies: d.onNamespace(ns)})
		}
	}
	for _, n := range r.Attached.Outside {
		if sel.Empty() || sel.Matches(n.Target) {
			out = append(out, d.draw(n, nil))
		}
	}
	return out
}

// isRoot reports whether a node is at the top of the tree: nothing is above it, and it is above the
// level of backends. Services that no route names are therefore left out.
func isRoot(n *hierarchy.Node) bool {
	if len(n.Up) > 0 {
		return false
	}
	return n.Level < hierarchy.LevelBackend
}

// isTopIn reports whether an object of a namespace has no other object of the namespace above it.
func isTopIn(n *hierarchy.Node, namespace string) bool {
	return n.Object != nil && n.Target.Section == "" && !shadowed(n) && !within(n, namespace, map[*hierarchy.Node]bool{})
}

// within reports whether something above a node is in a namespace.
func within(n *hierarchy.Node, namespace string, seen map[*hierarchy.Node]bool) bool {
	return slices.ContainsFunc(n.Up, func(e *hierarchy.Edge) bool {
		if seen[e.Parent] {
			return false
		}
		seen[e.Parent] = true
		return e.Parent.Object != nil && e.Parent.Namespace() == namespace || within(e.Parent, namespace, seen)
	})
}

// shadowed reports whether a node is only the second place of an object: a Service as a mesh parent
// without routes, which is also a backend.
func shadowed(n *hierarchy.Node) bool {
	return n.Level == hierarchy.LevelFrontend && len(n.Down) == 0
}

type drawer struct {
	run   *effective.Run
	kinds []*catalogue.Kind
}

func (d drawer) draw(n *hierarchy.Node, e *hierarchy.Edge) plan.TreeNode {
	out := plan.TreeNode{Node: n.String(), Admitted: plan.True, Missing: n.Object == nil, Policies: d.on(n)}
	if e != nil {
		out.Admitted, out.Hostnames, out.Callers = e.Admitted.String(), e.Hostnames, e.Callers
		if e.Admitted != fact.True {
			out.Reason = e.Reason
			if e.Message != "" {
				out.Reason += ": " + e.Message
			}
		}
	}
	out.Conditions = conditionsOf(n, e)
	if e != nil && !e.Open() && n.Level != hierarchy.LevelListener && n.Level != hierarchy.LevelListenerSet {
		return out // a refused listener still shows its routes
	}
	for _, down := range n.Down {
		switch {
		case down.Via != nil: // a port is reached through its Service, which is already shown
		case takenElsewhere(down):
			out.Elsewhere++
		default:
			out.Children = append(out.Children, d.draw(down.Child, down))
		}
	}
	return out
}

// takenElsewhere reports whether an edge is refused of a reference that something else accepts, such as another listener: a
// parentRef that names no listener is accepted if one of them takes it (Gateway API, ParentReference.sectionName).
func takenElsewhere(e *hierarchy.Edge) bool {
	return !e.Open() && e.Ref != nil && slices.ContainsFunc(e.Child.Up, func(other *hierarchy.Edge) bool {
		return other.Ref == e.Ref && other.Admitted == fact.True
	})
}

// conditionsOf returns the bad or unknown conditions of a node, except those that the edge to it
// already reports.
func conditionsOf(n *hierarchy.Node, e *hierarchy.Edge) []plan.NodeCondition {
	var out []plan.NodeCondition
	for i := range n.Conditions {
		c := &n.Conditions[i]
		if c.Type == hierarchy.Programmed || !c.Bad() && c.Status != fact.Unknown || e != nil && c.Reason == e.Reason {
			continue
		}
		out = append(out, plan.NodeCondition{Type: c.Type, Reason: c.Reason, Message: c.Message, Unknown: c.Status == fact.Unknown})
	}
	return out
}

// on returns the policies at a node, with the rejected ones marked.
func (d drawer) on(n *hierarchy.Node) []string {
	var out []string
	for _, k := range d.kinds {
		if set := d.run.Attached.At(n, k); set != nil {
			out = append(out, names(set)...)
		}
		if set := d.run.Attached.AtPart(n, catalogue.Filter, k); set != nil && n.Level == hierarchy.LevelRule {
			for _, name := range names(set) {
				out = append(out, name+" (filter)")
			}
		}
	}
	if n.Level == hierarchy.LevelBackend {
		for _, port := range n.Sections {
			for _, p := range d.on(port) {
				out = append(out, p+" (port "+port.Target.Section+")")
			}
		}
	}
	return out
}

func (d drawer) onNamespace(ns string) []string {
	var out []string
	for _, k := range d.kinds {
		if set := d.run.Attached.AtNamespace(ns, k); set != nil {
			out = append(out, names(set)...)
		}
	}
	return out
}

func names(set *policy.Set) []string {
	var out []string
	for _, p := range set.Policies {
		out = append(out, p.ID().String())
	}
	for _, p := range set.Losers {
		out = append(out, p.ID().String()+" (rejected: "+policy.Conflicted+")")
	}
	return slices.Clip(out)
}
