package effective

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/policy"
)

// maxSamples is how many contexts of a flow are kept to be shown; Count is
// exact.
const maxSamples = 8

// Flow is a group of contexts that lead to one node and have met the same
// policies on each side. A context that one side does not have is Absent
// there.
type Flow struct {
	States [2]State
	// Certain says, for each side, that nothing unknown is on the way.
	Certain [2]bool
	Count   int
	// Samples are some of the contexts. A flow of a kind's policies that are the
	// same on both sides has none: nobody shows it.
	Samples []*Path
}

// Path is a context, from its last node up.
type Path struct {
	Node *Joint
	Up   *Path
}

// Context lists the nodes of a path on one side, from the root down, without
// Namespaces.
func (p *Path) Context(side Side) []string {
	var out []string
	for ; p != nil; p = p.Up {
		n := p.Node.Nodes[side]
		if n == nil {
			n = p.Node.Any()
		}
		out = append(out, n.String())
	}
	slices.Reverse(out)
	return out
}

// Flows lets the contexts of a kind flow down the joined hierarchies and calls
// visit for each effective target. A nil kind has no policies and every node
// as a target: what flows is the hierarchy itself. The flows are the visitor's
// until it returns.
func (j *Join) Flows(k *policy.Kind, visit func(*Joint, []Flow)) {
	w := walk{join: j, kind: k, sampled: true}
	w.run(func(at *Joint) bool {
		visit(at, w.show(at))
		return true
	})
}

// States is Flows without samples, for who only asks what policies are met; it
// ends when visit says false.
func (j *Join) States(k *policy.Kind, visit func(*Joint, []Flow) bool) {
	w := walk{join: j, kind: k}
	w.run(func(at *Joint) bool { return visit(at, w.show(at)) })
}

// isRoot says whether contexts begin at a node. GatewayClasses, Gateways and
// mesh Services do, if nothing is above them; so does the target of a Direct
// policy that no route leads to: the policy is there for whoever comes.
func (j *Join) isRoot(k *policy.Kind, joint *Joint, side Side) bool {
	if k != nil && k.PerObject && joint.Nodes[side].Owner == nil {
		return true
	}
	for _, in := range joint.in {
		if in.open[side] {
			return false
		}
	}
	switch joint.Level {
	case hierarchy.LevelGatewayClass, hierarchy.LevelGateway, hierarchy.LevelFrontend, hierarchy.LevelOutside:
		return true
	case hierarchy.LevelListenerSet:
		if joint.Nodes[side].Object == nil && joint.Nodes[side].Presence != fact.False {
			return true
		}
	default:
	}
	if k == nil || k.Class() != policy.Direct || len(joint.Nodes[side].Up) > 0 {
		return false
	}
	return j.Runs[side].Attached.At(joint.Nodes[side], k) != nil
}

// certainNode says whether nothing that is not in the input could stand at a
// node. A class that is not in the input is assumed to be there; policies on
// it are rare and come with it.
func certainNode(n *hierarchy.Node) bool {
	return n.Presence == fact.True || n.Level == hierarchy.LevelGatewayClass || n.Level >= hierarchy.LevelBackend
}

// effectiveAt says whether a kind augments the targets at a node. A kind whose
// effective level is not known is effective at its declared targets, and an
// assumed one also at a backend where one of its policies sits, on either side.
func (j *Join) effectiveAt(k *policy.Kind, joint *Joint) bool {
	if k == nil {
		return true
	}
	if kinds := k.EffectiveKinds; len(kinds) > 0 && !slices.Contains(kinds, joint.Any().Target.Kind) {
		return false
	}
	if slices.Contains(k.EffectiveLevels(), joint.Level) {
		return true
	}
	if joint.Level == hierarchy.LevelPort && k.Settling.Fold != nil && slices.Contains(k.EffectiveLevels(), hierarchy.LevelBackend) {
		return j.attachedAt(k, joint) // a port with settings of its own is no longer what its backend is
	}
	declared := j.attachedAt(k, joint)
	switch {
	case joint.Level == hierarchy.LevelOutside:
		id := joint.Any().Target.ID
		return (declared || j.reachedAt(k, joint)) && (k.Class() == policy.Direct || hierarchy.LevelOf(id.Group, id.Kind) == hierarchy.LevelOutside)
	case len(k.EffectiveLevels()) == 0:
		return declared
	case k.Assumed() && joint.Level >= hierarchy.LevelBackend:
		return declared
	}
	return declared && k.Class() == policy.Direct && !j.hasEffectiveSections(k, joint)
}

func (j *Join) attachedAt(k *policy.Kind, joint *Joint) bool {
	for side, n := range joint.Nodes {
		if n != nil && j.Runs[side].Attached.At(n, k) != nil {
			return true
		}
	}
	return false
}

// reachedAt says whether policies on a Namespace reach what stands there outside the
// hierarchy.
func (j *Join) reachedAt(k *policy.Kind, joint *Joint) bool {
	for side, n := range joint.Nodes {
		if n != nil && k.Reaches(n) && j.Runs[side].Attached.AtNamespace(n.Namespace(), k) != nil {
			return true
		}
	}
	return false
}

func (j *Join) hasEffectiveSections(k *policy.Kind, joint *Joint) bool {
	for _, n := range joint.Nodes {
		if n == nil {
			continue
		}
		for _, section := range n.Sections {
			if slices.Contains(k.EffectiveLevels(), section.Level) {
				return true
			}
		}
	}
	return false
}

// Differ says whether equal states may come to other specs at the two nodes of a
// joint.
func Differ(k *policy.Kind, at *Joint) bool {
	return k.Beyond || k.Differs(at.Nodes[Base]) != k.Differs(at.Nodes[Head])
}

// Quiet are the nodes of a level that no context reached in the last walk.
func (j *Join) Quiet(level hierarchy.Level) []*Joint {
	var out []*Joint
	for _, joint := range j.nodes {
		if joint.Level == level && !joint.reached {
			out = append(out, joint)
		}
	}
	return out
}
