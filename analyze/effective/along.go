package effective

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/policy"
)

// Along gives the effective policies of a kind on one context, which is the nodes of a side
// from the root down, by the levels of the nodes that are effective targets and met a policy.
func (j *Join) Along(k *policy.Kind, side Side, context []*hierarchy.Node) map[hierarchy.Level]*Policy {
	r := j.Runs[side]
	out := map[hierarchy.Level]*Policy{}
	s := Start
	for _, n := range context {
		joint := j.index[side][n]
		if joint == nil || n.Level == hierarchy.LevelGateway && len(k.Controllers) > 0 && k.Controllers.Foreign(r.Graph, n) {
			return nil
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
