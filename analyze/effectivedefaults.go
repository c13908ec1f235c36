package analyze

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
)

// withDefaults adds the defaults of controllers to a list of effective policies: to those listed, and
// as entries of their own at targets without any policy of the kind.
func (o Options) withDefaults(list []plan.Effective, r *effective.Run, t *catalogue.Table, sel selection.Selection, near around) []plan.Effective {
	named := map[string]*hierarchy.Node{}
	for _, n := range r.Graph.Nodes {
		named[n.String()] = n
	}
	for _, k := range t.Kinds() {
		if len(k.ControllerDefaults) == 0 {
			continue
		}
		kind := plan.GroupKind{Group: k.Group, Kind: k.Name()}
		listed := map[string]bool{}
		for i := range list {
			if e := &list[i]; e.PolicyKind == kind {
				listed[e.Target] = true
				addDefaults(e, k, named[e.Target])
			}
		}
		served := servedBy(r.Graph, k)
		for _, n := range r.Graph.Nodes {
			asked := near.selected[n] || sel.Empty() || sel.MatchesKind(k.Group, k.Name())
			if !asked || listed[n.String()] || !o.Filter.node(n.String()) || !affects(k, n) || !served(n) {
				continue
			}
			e := plan.Effective{PolicyKind: kind, Target: n.String(), Contexts: [][]string{}, Spec: map[string]any{}, Policies: []plan.PolicyShare{}, Certain: true}
			addDefaults(&e, k, n)
			list = append(list, e)
		}
	}
	return list
}

// affects reports whether a node that the input declares may be an effective target of a kind.
func affects(k *catalogue.Kind, n *hierarchy.Node) bool {
	declared := n.Object
	if declared == nil && n.Owner != nil {
		declared = n.Owner.Object
	}
	return declared != nil && !declared.Context && n.Value != nil && slices.Contains(k.EffectiveLevels(), n.Level) &&
		(len(k.EffectiveKinds) == 0 || slices.Contains(k.EffectiveKinds, n.Target.Kind))
}

// servedBy returns a function that reports whether a Gateway above a node is known to be the kind's controller's. It looks at
// each node once.
func servedBy(g *hierarchy.Graph, k *catalogue.Kind) func(*hierarchy.Node) bool {
	known := map[*hierarchy.Node]bool{}
	var serves func(n *hierarchy.Node) bool
	serves = func(n *hierarchy.Node) bool {
		if n.Level == hierarchy.LevelGateway {
			return g.Controller(n) != "" && k.Controllers.Governs(g, n)
		}
		served, seen := known[n]
		if seen {
			return served
		}
		known[n] = false // routes may delegate to each other
		up := n.Up
		if n.Owner != nil {
			up = slices.Concat(up, n.Owner.Up)
		}
		known[n] = slices.ContainsFunc(up, func(e *hierarchy.Edge) bool { return serves(e.Parent) })
		return known[n]
	}
	return serves
}

// addDefaults adds the defaults of a kind to an effective policy, and what the target sets itself in
// place of them.
func addDefaults(e *plan.Effective, k *catalogue.Kind, n *hierarchy.Node) {
	set := func(path string) bool {
		return slices.ContainsFunc(e.Fields, func(f plan.EffectiveField) bool {
			return f.Path == path || strings.HasPrefix(f.Path, path+"/") || strings.HasPrefix(path, f.Path+"/")
		})
	}
	for _, d := range k.ControllerDefaults {
		path := catalogue.Pointer(d.Path)
		if n == nil || set(path) || d.In != "" && !set(catalogue.Pointer(d.In)) || !d.Holds(n) {
			continue
		}
		if own, at := ownOf(k, n, d.Path); own != nil {
			if !set(catalogue.Pointer(at)) {
				e.Fields = append(e.Fields, *own)
			}
			continue
		}
		e.Fields = append(e.Fields, plan.EffectiveField{Path: path, Value: d.Value, Source: plan.Source{Role: plan.ControllerDefault}})
	}
}

// ownOf returns what a target sets itself in place of a field, and the path of it, or nil.
func ownOf(k *catalogue.Kind, n *hierarchy.Node, path string) (*plan.EffectiveField, string) {
	for _, y := range k.Merge.Yields {
		if y.Path != path && !strings.HasPrefix(path, y.Path+".") {
			continue
		}
		if own := y.By(n); own != nil {
			field := ownField(n, y.Path, own)
			return &field, y.Path
		}
	}
	return nil, ""
}
