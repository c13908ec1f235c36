package effective

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// maxSamples limits the contexts of a flow that are kept for display; Count is exact.
const maxSamples = 8

// Flow is a group of contexts that lead to one node and have met the same policies on each side. On
// a side that does not have these contexts the state is Absent.
type Flow struct {
	States [2]State
	// Certain is true, for each side, if all nodes and edges on the way are known.
	Certain [2]bool
	Count   int
	// Samples are some of the contexts. There are none if the policies of the kind have the same
	// result on both sides, because such flows are not shown.
	Samples []*Path
}

// Path is a context as a linked list, from its last node up.
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

// Flows walks the contexts of a kind down the joined hierarchies and calls visit for each effective
// target. With a nil kind there are no policies and every node is a target: the walk then covers
// the hierarchy itself. The flows are valid only until visit returns.
func (j *Join) Flows(k *catalogue.Kind, visit func(*Joint, []Flow)) {
	w := walk{join: j, kind: k, sampled: true}
	w.run(func(at *Joint) bool {
		visit(at, w.show(at))
		return true
	})
}

// States calls visit with the flows at each effective target, without samples, for callers that
// need only the states. It stops when visit returns false.
func (j *Join) States(k *catalogue.Kind, visit func(*Joint, []Flow) bool) {
	w := walk{join: j, kind: k}
	w.run(func(at *Joint) bool { return visit(at, w.show(at)) })
}

// isRoot reports whether contexts begin at a node. They begin at nodes with nothing above them:
// GatewayClasses, Gateways, mesh Services, nodes outside the hierarchy, ListenerSets that may exist
// outside the input, and targets that a Direct policy has in either revision, because it applies to any request there. For
// kinds without inheritance between objects they begin at every object.
func (j *Join) isRoot(k *catalogue.Kind, joint *Joint, side Side) bool {
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
	if k == nil || k.Class() != catalogue.Direct || len(joint.Nodes[side].Up) > 0 {
		return false
	}
	for s, n := range joint.Nodes {
		if n != nil && j.Runs[s].Attached.At(n, k) != nil {
			return true
		}
	}
	return false
}

// certainNode reports whether a node counts as known. A node that may exist outside the input does
// not. GatewayClasses always count: one that is not in the input is assumed to exist, and policies
// on it are rare and ship with it. Backends and their ports always count, too.
func certainNode(n *hierarchy.Node) bool {
	return n.Presence == fact.True || n.Level == hierarchy.LevelGatewayClass || n.Level >= hierarchy.LevelBackend
}

// effectiveAt reports whether a node is an effective target of a kind. A kind whose effective level
// is not known is effective at its declared targets. An assumed kind is also effective at a backend
// to which one of its policies attaches, on either side.
func (j *Join) effectiveAt(k *catalogue.Kind, joint *Joint) bool {
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
		return j.attachedAt(k, joint) // a port with separate settings differs from its backend
	}
	declared := j.attachedAt(k, joint)
	switch {
	case joint.Level == hierarchy.LevelOutside:
		id := joint.Any().Target.ID
		return (declared || j.reachedAt(k, joint)) && (k.Class() == catalogue.Direct || hierarchy.LevelOf(id.Group, id.Kind) == hierarchy.LevelOutside)
	case len(k.EffectiveLevels()) == 0:
		return declared
	case k.Assumed() && joint.Level >= hierarchy.LevelBackend:
		return declared
	}
	return declared && k.Class() == catalogue.Direct && !j.hasEffectiveSections(k, joint)
}

func (j *Join) attachedAt(k *catalogue.Kind, joint *Joint) bool {
	for side, n := range joint.Nodes {
		if n != nil && j.Runs[side].Attached.At(n, k) != nil {
			return true
		}
	}
	return false
}

// reachedAt reports whether policies on a Namespace reach a node in it that is outside the
// hierarchy.
func (j *Join) reachedAt(k *catalogue.Kind, joint *Joint) bool {
	for side, n := range joint.Nodes {
		if n != nil && k.Reaches(n) && j.Runs[side].Attached.AtNamespace(n.Namespace(), k) != nil {
			return true
		}
	}
	return false
}

func (j *Join) hasEffectiveSections(k *catalogue.Kind, joint *Joint) bool {
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

// Differ reports whether equal states may result in different specs at the two nodes of a joint.
func (j *Join) Differ(k *catalogue.Kind, at *Joint) bool {
	return k.Beyond || differs(j.Runs[Base], k, at.Nodes[Base]) != differs(j.Runs[Head], k, at.Nodes[Head])
}

// Unreached returns the nodes of a level that no context reached in the last walk.
func (j *Join) Unreached(level hierarchy.Level) []*Joint {
	var out []*Joint
	for _, joint := range j.nodes {
		if joint.Level == level && !joint.reached {
			out = append(out, joint)
		}
	}
	return out
}
