package analyze

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/analyze/status"
	"github.com/gwplan/gwplan/loader"
)

// ListPolicies lists what each policy affects, how many objects these are, and how much of the
// policy is in force.
func ListPolicies(s *loader.Snapshot, sel selection.Selection, o Options) *plan.PolicyList {
	list := &plan.PolicyList{SchemaVersion: plan.SchemaVersion}
	var undecided []plan.Problem
	list.Notes, list.Problems = o.each(s, func(r *effective.Run) {
		policies, exceeded := o.policiesOf(r, sel)
		if exceeded {
			undecided = append(undecided, manyPolicies(r.Environment.Name, ""))
		}
		list.Environments = append(list.Environments, plan.PolicyEnvironment{Name: r.Environment.Name, Policies: policies})
	})
	list.Problems = append(list.Problems, undecided...)
	return list
}

// policiesOf lists the selected policies of an environment. exceeded is true if there was too much to decide about network
// policies; then they are not listed.
func (o Options) policiesOf(r *effective.Run, sel selection.Selection) (out []plan.Policy, exceeded bool) {
	join := effective.Alone(r)
	words := status.Spoken(r)
	for _, k := range r.Attached.Kinds {
		wanted := func(p *policy.Policy) bool {
			return sel.Matches(hierarchy.Target{ID: p.ID()}) && o.Filter.node(p.ID().String())
		}
		tallies := join.Tallies(k, effective.Head, wanted)
		affected := affectedBy(join, k)
		for _, p := range r.Attached.Policies {
			if p.Kind == k && wanted(p) && !p.Object.Context {
				entry := policyEntry(r, p, tallies[p], affected[p])
				entry.Conditions = words(p)
				out = append(out, entry)
			}
		}
	}
	network, exceeded := o.networkPolicies(r, sel)
	out = append(append(out, network...), o.placedPolicies(r, sel)...)
	slices.SortFunc(out, func(a, b plan.Policy) int { return cmp.Compare(a.Policy, b.Policy) })
	return out, exceeded
}

// affectedBy returns the effective targets at which something of a policy is in force. A policy
// affects nothing where others override all of it (GEP-713, Example 2), where it sets nothing for
// such targets, or if it is a dry run.
func affectedBy(join *effective.Join, k *catalogue.Kind) map[*policy.Policy][]*hierarchy.Node {
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
				p := share.Policy
				if share.Enforcement != plan.Overridden && p.DryRun == "" && p.Touches(n.Level) {
					out[p] = append(out[p], n)
				}
			}
		}
	})
	return out
}

func policyEntry(r *effective.Run, p *policy.Policy, t *effective.Tally, targets []*hierarchy.Node) plan.Policy {
	v := r.VerdictOf(p, t)
	at := p.Object.First()
	out := plan.Policy{
		Policy: p.ID().String(), Class: string(p.Kind.Class()), Accepted: v.Accepted, Reason: v.Reason,
		Enforcement: v.Enforcement, Targets: v.Targets, EffectiveTargets: v.EffectiveTargets, Contexts: v.Contexts,
		AgeSensitive: v.AgeSensitive, DecidedBy: v.DecidedBy, AffectsByKind: map[string]int{}, File: at.File, Line: at.Line,
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

// backendsBelow returns the backends that a route or rule leads to.
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
