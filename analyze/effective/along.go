package effective

import (
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
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
		s = r.take(s, r.stepsAt(n, k))
		if s == Start || !j.effectiveAt(k, joint) {
			continue
		}
		if p := r.Policy(k, s, n); p != nil {
			out[n.Level] = p
		}
	}
	return out
}
