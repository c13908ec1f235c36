package effective

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/policy"
)

// yield takes from a spec what yields to policies of other kinds at the target,
// and gives these.
func (r *Run) yield(k *policy.Kind, spec *merge.Tree, target *hierarchy.Node) (left *merge.Tree, to []*policy.Policy) {
	for _, y := range k.Merge.Yields {
		if spec.At(y.Path) == nil {
			continue
		}
		if others := r.policiesAt(target, y.To); len(others) > 0 {
			spec = spec.Without(y.Path)
			to = append(to, others...)
		}
	}
	return spec, to
}

// Yields says whether something of a policy yields to policies of another kind
// at a target.
func (r *Run) Yields(p *policy.Policy, target *hierarchy.Node) bool {
	_, to := r.yield(p.Kind, p.Spec, target)
	return len(to) > 0
}

// policiesAt are the policies of a kind, GROUP/KIND, at a node or a part of it, or
// at what it is a part of.
func (r *Run) policiesAt(n *hierarchy.Node, kind string) []*policy.Policy {
	if n == nil {
		return nil
	}
	nodes := slices.Concat([]*hierarchy.Node{n}, n.Sections)
	if n.Owner != nil {
		nodes = append(nodes, n.Owner)
	}
	var out []*policy.Policy
	for _, k := range r.Attached.Kinds {
		if k.Group+"/"+k.Name() != kind {
			continue
		}
		for _, at := range nodes {
			if set := r.Attached.At(at, k); set != nil {
				out = append(out, set.Policies...)
			}
		}
	}
	return out
}
