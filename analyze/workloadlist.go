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
			Peers: f.Rule.PeersText(), Ports: f.Rule.PortsText(), Only: network.Unmarked(f.Rule.Only), Doubt: network.Unmarked(f.Rule.Doubt), Certain: f.Sure && f.Rule.Doubt == "",
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
		out.Otherwise = plan.Unknown
	}
	return out
}

// networkPolicies lists the selected network policies with the workloads that they select. exceeded is true if there was too
// much to decide; then there are none.
func (o Options) networkPolicies(r *effective.Run, sel selection.Selection) (out []plan.Policy, exceeded bool) {
	side := network.Of(r.Environment, r.Graph)
	if !side.HasPolicies() {
		return nil, false
	}
	w := network.New(side)
	if w.Exceeded() {
		return nil, true
	}
	for _, p := range w.Policies {
		id := p.Object.ID
		if p.Object.Context || !sel.Matches(hierarchy.Target{ID: id}) || !o.Filter.node(id.String()) {
			continue
		}
		i := slices.IndexFunc(out, func(one plan.Policy) bool { return one.Policy == id.String() })
		if i < 0 { // else it is another part of the policy
			i = len(out)
			out = append(out, networkPolicy(p, side))
		}
		one := &out[i]
		for _, object := range side.Objects {
			at, ok := w.Workload(object.ID)
			name := object.ID.String()
			if ok && network.Workload(object.ID.Group, object.ID.Kind) && w.Selects(p, at) && !slices.Contains(one.Affects, name) {
				one.Affects = append(one.Affects, name)
				one.AffectsByKind[object.ID.Kind]++
			}
		}
		one.EffectiveTargets = len(one.Affects)
		if p.Invalid == "" && (one.EffectiveTargets > 0 || network.SelectsOthers(w, p)) {
			one.Reason, one.Enforcement = "", plan.Enforced
		}
	}
	for i := range out {
		slices.Sort(out[i].Affects)
	}
	return out, false
}

// networkPolicy is the entry of a network policy for which no selected workload is known yet.
func networkPolicy(p *network.Policy, side network.Side) plan.Policy {
	at := p.Object.First()
	out := plan.Policy{Policy: p.Object.ID.String(), Class: "Network", Accepted: plan.True, AffectsByKind: map[string]int{}, File: at.File, Line: at.Line}
	switch {
	case p.Invalid != "":
		out.Accepted, out.Reason, out.Enforcement = plan.False, "Invalid: "+p.Invalid, plan.NotEnforced
	case side.Complete:
		out.Reason, out.Enforcement = "NoPods: it selects no pod", plan.NotEnforced
	default:
		out.Reason, out.Enforcement = "NoPods: it selects no known pod", plan.EnforcementUnknown
	}
	return out
}
