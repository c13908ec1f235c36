package analyze

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/loader"
)

// placedPolicies lists the policies and works that Open Cluster Management brings to the cluster of an
// environment, with the objects of theirs that it gets.
func (o Options) placedPolicies(r *effective.Run, sel selection.Selection) []plan.Policy {
	var out []plan.Policy
	for _, p := range r.Environment.Placed {
		if !sel.Matches(hierarchy.Target{ID: p.Object}) || !o.Filter.node(p.Object.String()) {
			continue
		}
		one := plan.Policy{Policy: p.Object.String(), Class: "Distributed", Accepted: plan.True, Enforcement: plan.Enforced, AffectsByKind: map[string]int{}, File: p.At.File, Line: p.At.Line}
		switch {
		case !p.Certain:
			one.Accepted, one.Reason, one.Enforcement = plan.Unknown, p.Why, plan.EnforcementUnknown
		case p.Action != "enforce":
			one.Reason, one.Enforcement = p.Action, plan.NotEnforced
		case slices.ContainsFunc(r.Environment.Gaps, func(g loader.Gap) bool { return g.Position == p.At }):
			one.Reason = "not all of its objects are known"
		}
		for _, node := range given(r, p) {
			one.Affects = append(one.Affects, node)
			one.AffectsByKind[loader.KindOf(node)]++
		}
		one.EffectiveTargets = len(one.Affects)
		out = append(out, one)
	}
	return out
}

// given names the objects that the cluster has and that a policy or a work gives it or changes.
func given(r *effective.Run, p loader.Placed) []string {
	gives := map[loader.ID]bool{}
	for _, id := range p.Gives {
		gives[id] = true
	}
	var out []string
	for _, o := range slices.Concat(r.Environment.Objects, r.Environment.Workloads) {
		if gives[o.ID] {
			out = append(out, o.ID.String())
		}
	}
	return out
}
