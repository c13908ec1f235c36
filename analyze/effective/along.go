package effective

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/policy"
)

// Along returns the effective policies of a kind in one context, by level. The context lists the
// nodes of a side from the root down. Only the levels of effective targets that have met a policy
// are in the result. It is nil if a node is not in the join or is a Gateway of another controller.
func (j *Join) Along(k *catalogue.Kind, side Side, context []*hierarchy.Node) map[hierarchy.Level]*Policy {
	r := j.Runs[side]
	out := map[hierarchy.Level]*Policy{}
	s := Start
	for _, n := range context {
		joint := j.index[side][n]
		if joint == nil || n.Level == hierarchy.LevelGateway && len(k.Controllers) > 0 && k.Controllers.Foreign(r.Graph, n) {
			return nil
		}
		if k.PerObject && n.Owner == nil {
			s = Start // nothing passes from the object before
		}
		steps := r.stepsAt(n, k)
		if n.Level >= hierarchy.LevelBackend && r.Attached.At(n, k) != nil && behindGateway(context) && policy.GoesPast(r.Graph, k, n) {
			steps.sets[slices.Index(catalogue.Parts[:], catalogue.Own)] = r.past(n, k)
		}
		s = r.take(s, steps)
		if s == Start || !j.effectiveAt(k, joint) {
			continue
		}
		if p := r.Policy(k, s, n); p != nil {
			out[n.Level] = p
		}
	}
	return out
}

// Lowest returns the nodes of a context for which Along has an effective policy: of several at one level, where routes pass requests
// on to others, the last one.
func Lowest(context []*hierarchy.Node) []*hierarchy.Node {
	var out []*hierarchy.Node
	for i, n := range context {
		if !slices.ContainsFunc(context[i+1:], func(later *hierarchy.Node) bool { return later.Level == n.Level }) {
			out = append(out, n)
		}
	}
	return out
}

// behindGateway reports whether a context leads through a Gateway, and not through a Service of a mesh.
func behindGateway(context []*hierarchy.Node) bool {
	return slices.ContainsFunc(context, func(n *hierarchy.Node) bool { return n.Level == hierarchy.LevelGateway })
}

// past returns the set of a backend that requests meet which go past the proxy to which it is bound.
func (r *Run) past(n *hierarchy.Node, k *catalogue.Kind) setID {
	place := catalogue.Level{Level: n.Level, Part: catalogue.Own}
	switch set := r.Attached.At(n, k); {
	case set.Past == nil:
		return r.id(set, place)
	case len(set.Past.Policies) == 0:
		return none
	default:
		return r.id(set.Past, place)
	}
}
