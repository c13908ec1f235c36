package effective

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/policy"
)

// yield takes from a spec what yields to policies of other kinds at the target,
// and gives these. Where some ports of it have such a policy and others have not,
// the spec counts at the others, and stays.
func (r *Run) yield(k *policy.Kind, spec *merge.Tree, target *hierarchy.Node) (left *merge.Tree, to []*policy.Policy) {
	for _, y := range k.Merge.Yields {
		if spec.At(y.Path) == nil {
			continue
		}
		if others, everywhere := r.policiesAt(target, y.To); everywhere {
			spec = spec.Without(y.Path)
			to = append(to, others...)
		}
	}
	return spec, to
}

// YieldsTo are the policies of other kinds to which something of a policy yields
// at a target, at some port of it at least.
func (r *Run) YieldsTo(p *policy.Policy, target *hierarchy.Node) []*policy.Policy {
	var out []*policy.Policy
	for _, y := range p.Kind.Merge.Yields {
		if p.Spec.At(y.Path) != nil {
			others, _ := r.policiesAt(target, y.To)
			out = append(out, others...)
		}
	}
	return out
}

// policiesAt are the policies of a kind, GROUP/KIND, at a node, at what it is a
// part of, or at its own parts, and whether no part of it is without one.
func (r *Run) policiesAt(n *hierarchy.Node, kind string) (out []*policy.Policy, everywhere bool) {
	if n == nil {
		return nil, false
	}
	for _, k := range r.Attached.Kinds {
		if k.Group+"/"+k.Name() != kind {
			continue
		}
		at := func(n *hierarchy.Node) bool {
			set := r.Attached.At(n, k)
			if set == nil || len(set.Policies) == 0 {
				return false
			}
			out = append(out, set.Policies...)
			return true
		}
		everywhere = at(n)
		if n.Owner != nil {
			everywhere = at(n.Owner) || everywhere
		}
		covered := 0
		for _, section := range n.Sections {
			if at(section) {
				covered++
			}
		}
		ports := len(n.Value.List("ports"))
		everywhere = everywhere || covered > 0 && covered >= ports
	}
	return out, everywhere
}
