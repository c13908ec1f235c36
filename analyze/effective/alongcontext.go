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
		if n.Level >= hierarchy.LevelBackend && r.Attached.At(n, k) != nil && goPast(r.Graph, k, context, n) {
			steps.sets[slices.Index(catalogue.Parts[:], catalogue.Own)] = r.past(n, k)
		}
		addressed := k.Target.Bound != "" && n.Level == hierarchy.LevelFrontend
		if addressed {
			steps = r.through(n, k)
		}
		s = r.take(s, steps)
		if s == Start || !addressed && !j.effectiveAt(k, joint) {
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

// goPast reports whether the requests of a context go past the proxy to which a backend is bound: those from Gateways often do, and
// those of a mesh meet only the proxy of the Service that they address (Istio pilot/pkg/networking/core/listener_waypoint.go,
// buildWaypointInternal, policies of a Service are in the filter chain of its own addresses).
func goPast(g *hierarchy.Graph, k *catalogue.Kind, context []*hierarchy.Node, backend *hierarchy.Node) bool {
	through := func(level hierarchy.Level) bool {
		return slices.ContainsFunc(context, func(n *hierarchy.Node) bool { return n.Level == level })
	}
	if through(hierarchy.LevelFrontend) {
		return k.Target.Bound != ""
	}
	return through(hierarchy.LevelGateway) && policy.GoesPast(g, k, backend)
}

// past returns the set of a backend for requests that bypass the proxy to which the backend is bound.
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

// through returns the steps of a Service that requests of a mesh address: its policies that the proxy applies to which it
// is bound.
func (r *Run) through(service *hierarchy.Node, k *catalogue.Kind) steps {
	out := noSteps()
	backend := r.Graph.Node(service.Target, hierarchy.LevelBackend)
	if backend == nil {
		return out
	}
	if set := r.Attached.At(backend, k); set != nil && set.Through != nil && len(set.Through.Policies) > 0 {
		out.sets[slices.Index(catalogue.Parts[:], catalogue.Own)] = r.id(set.Through, catalogue.Level{Level: backend.Level, Part: catalogue.Own})
		out.fresh = k.Class() == catalogue.Direct
	}
	return out
}
