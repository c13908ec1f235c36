package analyze

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/loader"
)

// workloads lists the rules of network policies in force at the selected workloads: those of a Namespace,
// and those that a selected policy selects.
func (o Options) workloads(r *effective.Run, sel selection.Selection) (list []plan.WorkloadRules, exceeded bool) {
	side := network.Of(r.Environment, r.Graph)
	if !side.HasPolicies() {
		return nil, false
	}
	w := network.New(side)
	if w.Exceeded() {
		return nil, true
	}
	var out []plan.WorkloadRules
	for _, object := range side.Objects {
		i, ok := w.Workload(object.ID)
		if !network.Workload(object.ID.Group, object.ID.Kind) || !ok || !o.Filter.node(object.ID.String()) || !selectsWorkload(sel, w, object, i) {
			continue
		}
		out = append(out, plan.WorkloadRules{
			Workload: object.ID.String(), Ingress: directionRules(w, i, network.Ingress), Egress: directionRules(w, i, network.Egress),
		})
	}
	return out, false
}

func selectsWorkload(sel selection.Selection, w *network.World, object *loader.Object, i int) bool {
	if sel.Empty() || sel.Matches(hierarchy.Target{ID: object.ID}) || sel.IsNamespace(object.ID.Namespace) {
		return true
	}
	return slices.ContainsFunc(w.Policies, func(p *network.Policy) bool {
		return sel.Matches(hierarchy.Target{ID: p.Object.ID}) && w.Selects(p, i)
	})
}

func directionRules(w *network.World, i int, d network.Direction) plan.DirectionRules {
	out := plan.DirectionRules{Rules: []plan.NetworkRule{}, Isolating: []string{}, Otherwise: "allow"}
	in := w.InForce(i, d)
	for _, f := range in.Rules {
		at := f.Policy.Object.Position(f.Rule.At)
		out.Rules = append(out.Rules, plan.NetworkRule{
			Policy: f.Policy.Object.ID.String(), Tier: f.Policy.Tier.Name, Priority: f.Policy.Priority(), Rule: f.Rule.Name, Action: f.Rule.Action.String(),
			Peers: f.Rule.PeersText(), Ports: f.Rule.PortsText(), Only: f.Rule.Only, Doubt: f.Rule.Doubt, Certain: f.Sure && f.Rule.Doubt == "",
			File: at.File, Line: at.Line, Column: at.Column,
		})
	}
	for _, p := range in.Isolating {
		if name := p.Object.ID.String(); !slices.Contains(out.Isolating, name) {
			out.Isolating = append(out.Isolating, name)
		}
	}
	switch {
	case in.Isolated > 0:
		out.Otherwise = "deny"
	case len(in.Isolating) > 0:
		out.Otherwise = "unknown"
	}
	return out
}

// networkPolicies lists the selected network policies with the workloads that they select.
func (o Options) networkPolicies(r *effective.Run, sel selection.Selection) []plan.Policy {
	side := network.Of(r.Environment, r.Graph)
	if !side.HasPolicies() {
		return nil
	}
	w := network.New(side)
	if w.Exceeded() {
		return nil // the list of effective rules and a diff say so
	}
	var out []plan.Policy
	for _, p := range w.Policies {
		id := p.Object.ID
		if p.Object.Context || !sel.Matches(hierarchy.Target{ID: id}) || !o.Filter.node(id.String()) {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Policy == id.String() {
			out = out[:n-1] // the parts of a policy select the same workloads
		}
		at := p.Object.First()
		one := plan.Policy{Policy: id.String(), Class: "Network", Accepted: "true", Enforcement: plan.Enforced, AffectsByKind: map[string]int{}, File: at.File, Line: at.Line}
		if p.Invalid != "" {
			one.Accepted, one.Reason, one.Enforcement = "false", "Invalid: "+p.Invalid, plan.NotEnforced
		}
		for _, object := range side.Objects {
			if i, ok := w.Workload(object.ID); ok && network.Workload(object.ID.Group, object.ID.Kind) && w.Selects(p, i) {
				one.Affects = append(one.Affects, object.ID.String())
				one.AffectsByKind[object.ID.Kind]++
			}
		}
		one.EffectiveTargets = len(one.Affects)
		out = append(out, one)
	}
	return out
}
