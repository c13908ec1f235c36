package analyze

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// ListEffective says what applies to the selected objects, and which line set
// it. An object selects the targets below it, too: a Gateway those of its
// routes.
func ListEffective(s *loader.Snapshot, sel Selection, o Options) *EffectiveList {
	t := o.Table(s)
	list := &EffectiveList{SchemaVersion: SchemaVersion, Problems: problems(s.Problems, "")}
	var counts counter
	for _, env := range s.Environments {
		if !o.Filter.environment(env.Name) {
			continue
		}
		r := o.single(env, t)
		counts.run(r)
		out := EffectiveEnvironment{Name: env.Name}
		join := effective.Alone(r)
		for _, k := range r.Attached.Kinds {
			out.Effective = append(out.Effective, o.effectiveOf(join, k, sel)...)
		}
		list.Environments = append(list.Environments, out)
	}
	list.Notes = notes(o, t, &counts, s)
	return list
}

func (o Options) effectiveOf(join *effective.Join, k *policy.Kind, sel Selection) []Effective {
	var out []Effective
	r := join.Runs[effective.Head]
	join.Flows(k, func(at *effective.Joint, flows []effective.Flow) {
		n := at.Nodes[effective.Head]
		if !o.Filter.node(n.String()) || !selects(sel, flows) {
			return
		}
		for _, f := range byState(flows) {
			e := r.Policy(k, f.States[effective.Head], n)
			if e == nil {
				continue
			}
			out = append(out, effectiveEntry(k, n, f, e))
		}
	})
	return out
}

// selects says whether a selection is the target itself or on one of its
// contexts.
func selects(sel Selection, flows []effective.Flow) bool {
	if sel.Empty() {
		return true
	}
	for _, f := range flows {
		for _, sample := range f.Samples {
			for p := sample; p != nil; p = p.Up {
				if sel.matches(p.Node.Nodes[effective.Head].Target) {
					return true
				}
			}
		}
	}
	return false
}

// byState joins flows that differ only in what is certain about them.
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

func effectiveEntry(k *policy.Kind, n *hierarchy.Node, f effective.Flow, e *effective.Policy) Effective {
	out := Effective{
		PolicyKind: change.GroupKind{Group: k.Group, Kind: k.Name()}, Target: n.String(),
		ContextCount: f.Count, Certain: f.Certain[effective.Head] && !e.Uncertain, AgeSensitive: e.AgeSensitive,
		Spec: specOf(k, e.Spec),
	}
	for _, sample := range f.Samples {
		out.Contexts = append(out.Contexts, sample.Context(effective.Head))
	}
	slices.SortFunc(out.Contexts, slices.Compare[[]string])
	for _, leaf := range change.Leaves(k, e.Spec) {
		field := EffectiveField{Path: leaf.Path, Value: leaf.After}
		if leaf.AfterSource != nil {
			field.Source = *leaf.AfterSource
		}
		out.Fields = append(out.Fields, field)
	}
	for _, share := range e.Shares {
		out.Policies = append(out.Policies, PolicyShare{Policy: share.Policy.ID().String(), Enforcement: share.Enforcement})
	}
	return out
}

// specOf is a merged spec proper as a spec of its kind: bare, or in the kind's
// first body where it has no bare form.
func specOf(k *policy.Kind, t *merge.Tree) map[string]any {
	spec, _ := effective.Redact(k, "", t.JSON()).(map[string]any)
	if spec == nil {
		spec = map[string]any{}
	}
	bodies := k.Spec.Bodies
	bare := len(bodies) == 0 || slices.ContainsFunc(bodies, func(b policy.Body) bool { return b.Path == "" })
	if bare {
		return spec
	}
	for _, key := range slices.Backward(strings.Split(bodies[0].Path, ".")) {
		spec = map[string]any{key: spec}
	}
	return spec
}

// ListPolicies says what each policy affects, how many things, and how much of
// it is in force.
func ListPolicies(s *loader.Snapshot, sel Selection, o Options) *PolicyList {
	t := o.Table(s)
	list := &PolicyList{SchemaVersion: SchemaVersion, Problems: problems(s.Problems, "")}
	var counts counter
	for _, env := range s.Environments {
		if !o.Filter.environment(env.Name) {
			continue
		}
		r := o.single(env, t)
		counts.run(r)
		list.Environments = append(list.Environments, PolicyEnvironment{Name: env.Name, Policies: o.policiesOf(r, sel)})
	}
	list.Notes = notes(o, t, &counts, s)
	return list
}

func (o Options) policiesOf(r *effective.Run, sel Selection) []Policy {
	var out []Policy
	join := effective.Alone(r)
	for _, k := range r.Attached.Kinds {
		wanted := func(p *policy.Policy) bool {
			return sel.matches(hierarchy.Target{ID: p.ID()}) && o.Filter.node(p.ID().String())
		}
		tallies := join.Tallies(k, effective.Head, wanted)
		affected := affectedBy(join, k)
		for _, p := range r.Attached.Policies {
			if p.Kind == k && wanted(p) && !p.Object.Context {
				out = append(out, policyEntry(r, p, tallies[p], affected[p]))
			}
		}
	}
	slices.SortFunc(out, func(a, b Policy) int { return cmp.Compare(a.Policy, b.Policy) })
	return out
}

// affectedBy are the effective targets where something of a policy is in force:
// where others override all of it, it affects nothing (GEP-713, Example 2).
func affectedBy(join *effective.Join, k *policy.Kind) map[*policy.Policy][]*hierarchy.Node {
	out := map[*policy.Policy][]*hierarchy.Node{}
	r := join.Runs[effective.Head]
	join.Flows(k, func(at *effective.Joint, flows []effective.Flow) {
		n := at.Nodes[effective.Head]
		for _, f := range flows {
			e := r.Policy(k, f.States[effective.Head], n)
			if e == nil {
				continue
			}
			for _, share := range e.Shares {
				if share.Enforcement != effective.Overridden {
					out[share.Policy] = append(out[share.Policy], n)
				}
			}
		}
	})
	return out
}

func policyEntry(r *effective.Run, p *policy.Policy, t *effective.Tally, targets []*hierarchy.Node) Policy {
	v := r.VerdictOf(p, t)
	at := p.Object.First()
	out := Policy{
		Policy: p.ID().String(), Class: string(p.Kind.Class()), Accepted: v.Accepted, Reason: v.Reason,
		Enforcement: v.Enforcement, Targets: v.Targets, EffectiveTargets: v.EffectiveTargets, Contexts: v.Contexts,
		AgeSensitive: v.AgeSensitive, AffectsByKind: map[string]int{}, File: at.File, Line: at.Line,
	}
	for _, ref := range p.References {
		out.DeclaredTargets = append(out.DeclaredTargets, ref.Target.String())
	}
	affected := map[string]*hierarchy.Node{}
	for _, n := range targets {
		affected[n.String()] = n
		for _, below := range backendsBelow(n) {
			affected[below.String()] = below
		}
	}
	objects := map[string]bool{}
	for name, n := range affected {
		out.Affects = append(out.Affects, name)
		if object := n.Target.ID.String(); !objects[object] {
			objects[object] = true
			out.AffectsByKind[n.Target.Kind]++
		}
	}
	slices.Sort(out.Affects)
	return out
}

// backendsBelow are the backends that a route or rule leads to.
func backendsBelow(n *hierarchy.Node) []*hierarchy.Node {
	var out []*hierarchy.Node
	for _, e := range n.Down {
		switch {
		case !e.Open():
		case e.Child.Level == hierarchy.LevelBackend:
			out = append(out, e.Child)
		case n.Level == hierarchy.LevelRoute:
			out = append(out, backendsBelow(e.Child)...)
		}
	}
	return out
}
