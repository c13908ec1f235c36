package analyze

import (
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// ListEffective lists what applies to the selected objects, and which line set it. A selected
// object includes the targets below it: a Gateway includes those of its routes. What applies above
// the object is listed by name only.
func ListEffective(s *loader.Snapshot, sel selection.Selection, o Options) *plan.EffectiveList {
	list := &plan.EffectiveList{SchemaVersion: plan.SchemaVersion}
	missing := map[string]bool{}
	var undecided []plan.Problem
	var isolated []*loader.Environment
	list.Notes, list.Problems = o.each(s, func(r *effective.Run) {
		out := plan.EffectiveEnvironment{Name: r.Environment.Name}
		join := effective.Alone(r)
		near := aroundSelected(sel, r.Graph)
		for _, k := range r.Attached.Kinds {
			out.Effective = append(out.Effective, o.effectiveOf(join, k, sel, near, missing)...)
			out.Above = append(out.Above, aboveOf(join, k, near)...)
		}
		if o.Defaults {
			out.Effective = o.withDefaults(out.Effective, r, o.Table(s), sel, near)
		}
		var exceeded bool
		if out.Workloads, exceeded = o.workloads(r, sel); exceeded {
			undecided = append(undecided, manyPolicies(out.Name, ""))
		}
		if len(out.Workloads) > 0 {
			isolated = append(isolated, r.Environment)
		}
		list.Environments = append(list.Environments, out)
	})
	list.Problems = append(list.Problems, undecided...)
	list.Notes = append(list.Notes, hiddenPolicies(isolated...)...)
	if len(missing) > 0 {
		list.Notes = append(list.Notes, "settings that policies take from other objects are not shown, because these are missing: "+spelling.Few(slices.Sorted(maps.Keys(missing))))
	}
	return list
}

// effectiveOf lists the effective policies of a kind. It adds to missing why objects that they draw
// from are not available.
func (o Options) effectiveOf(join *effective.Join, k *catalogue.Kind, sel selection.Selection, near around, missing map[string]bool) []plan.Effective {
	var out []plan.Effective
	r := join.Runs[effective.Head]
	join.Flows(k, func(at *effective.Joint, flows []effective.Flow) {
		n := at.Nodes[effective.Head]
		asked := near.selected[n] || selects(sel, n, flows)
		if !o.Filter.node(n.String()) || !asked && !sel.MatchesKind(k.Group, k.Name()) && !drawnFrom(sel, k) {
			return
		}
		for _, f := range byState(flows) {
			e := r.Policy(k, f.States[effective.Head], n)
			if e == nil || e.Spec == nil && !slices.ContainsFunc(e.Shares, func(s effective.Share) bool { return s.Policy.Touches(n.Level) }) {
				continue
			}
			if !asked && !takesPart(sel, e) {
				continue
			}
			for _, d := range e.Drawn {
				if d.Object == nil {
					missing[d.Missing] = true
				}
			}
			out = append(out, effectiveEntry(k, n, f, e))
		}
	})
	return out
}

// drawnFrom reports whether policies of a kind may draw from objects of the selected kind.
func drawnFrom(s selection.Selection, k *catalogue.Kind) bool {
	return slices.ContainsFunc(k.Draws, func(d catalogue.DrawEntry) bool {
		return slices.ContainsFunc(d.Kinds, func(word string) bool {
			group, kind, _ := strings.Cut(word, "/")
			return s.MatchesKind(group, kind)
		})
	})
}

// takesPart reports whether a selection is a policy of an effective policy, or an object that it
// draws from.
func takesPart(s selection.Selection, e *effective.Policy) bool {
	return slices.ContainsFunc(e.Shares, func(share effective.Share) bool { return s.Matches(hierarchy.Target{ID: share.Policy.ID()}) }) ||
		slices.ContainsFunc(e.Drawn, func(d effective.Drawn) bool { return s.Matches(hierarchy.Target{ID: d.ID}) })
}

// selects reports whether a selection is the target itself, a node on one of its contexts, or its
// Namespace.
func selects(sel selection.Selection, n *hierarchy.Node, flows []effective.Flow) bool {
	if sel.Empty() || sel.IsNamespace(n.Namespace()) {
		return true
	}
	for _, f := range flows {
		for _, sample := range f.Samples {
			for p := sample; p != nil; p = p.Up {
				if sel.Matches(p.Node.Nodes[effective.Head].Target) {
					return true
				}
			}
		}
	}
	return false
}

// byState joins flows with equal states, which differ only in whether they are certain.
func byState(flows []effective.Flow) []effective.Flow {
	var out []effective.Flow
	for _, f := range flows {
		i := slices.IndexFunc(out, func(g effective.Flow) bool { return g.States == f.States })
		if i < 0 {
			out = append(out, f)
			continue
		}
		out[i].Count += f.Count
		out[i].Samples = append(slices.Clone(out[i].Samples), f.Samples...)
		out[i].Certain[effective.Head] = out[i].Certain[effective.Head] && f.Certain[effective.Head]
	}
	return out
}

func effectiveEntry(k *catalogue.Kind, n *hierarchy.Node, f effective.Flow, e *effective.Policy) plan.Effective {
	out := plan.Effective{
		PolicyKind: plan.GroupKind{Group: k.Group, Kind: k.Name()}, Target: n.String(),
		ContextCount: f.Count, Certain: f.Certain[effective.Head] && !e.Uncertain, AgeSensitive: e.AgeSensitive,
		Spec: specOf(k, e.Spec),
	}
	for _, sample := range f.Samples {
		out.Contexts = append(out.Contexts, sample.Context(effective.Head))
	}
	slices.SortFunc(out.Contexts, slices.Compare[[]string])
	out.Fields = change.Fields(k, e)
	shown := map[string]bool{}
	for _, y := range k.Merge.Yields {
		if own := y.By(n); own != nil && e.Yields(y.Path) && !shown[y.Path] {
			shown[y.Path] = true
			out.Fields = append(out.Fields, ownField(n, y.Path, own))
		}
	}
	for _, share := range e.Shares {
		if !share.Policy.Touches(n.Level) {
			continue
		}
		out.Policies = append(out.Policies, plan.PolicyShare{Policy: share.Policy.ID().String(), Enforcement: share.Enforcement, DryRun: share.Policy.DryRun})
	}
	return out
}

// ownField returns the value that a target sets itself in place of a field that yields to it, in
// the shape of the target.
func ownField(n *hierarchy.Node, path string, own *loader.Value) plan.EffectiveField {
	secrets := &catalogue.Secrecy{Secret: []string{"set.*.value", "add.*.value"}} // the values of header filters
	source := change.SourceOf(merge.New(own, &merge.Source{Object: n.Object, Role: merge.Object}, merge.Form{}))
	return plan.EffectiveField{Path: catalogue.Pointer(path), Value: effective.Redact(secrets, "", merge.JSON(own)), Source: *source}
}

// collected returns specs by the names of their policies. Specs that are grouped are first listed
// by group, then by name.
func collected(k *catalogue.Kind, t *merge.Tree) map[string]any {
	all := map[string]any{}
	for _, e := range t.Entries {
		if e.Tree.Kind == merge.Keyed {
			all[e.Key] = collected(k, e.Tree)
			continue
		}
		all[e.Key] = effective.Redact(k.Discloses(), "*", e.Tree.JSON())
	}
	return all
}

// specOf returns a merged spec proper as a spec of its kind: bare, or in the kind's first body if
// it has no bare form. Specs that all apply are side by side, each under the name of its policy.
func specOf(k *catalogue.Kind, t *merge.Tree) map[string]any {
	if t != nil && t.Kind == merge.Keyed {
		return collected(k, t)
	}
	spec, _ := effective.Redact(k.Discloses(), "", t.JSON()).(map[string]any)
	if spec == nil {
		spec = map[string]any{}
	}
	bodies := k.Spec.Bodies
	bare := len(bodies) == 0 || slices.ContainsFunc(bodies, func(b catalogue.Body) bool { return b.Path == "" })
	if bare {
		return spec
	}
	for _, key := range slices.Backward(strings.Split(bodies[0].Path, ".")) {
		spec = map[string]any{key: spec}
	}
	return spec
}
