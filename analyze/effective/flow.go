package effective

import (
	"slices"

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
// as a target: what flows is the hierarchy itself.
func (j *Join) Flows(k *policy.Kind, visit func(*Joint, []Flow)) {
	for _, joint := range j.nodes {
		j.flow(k, joint)
		if len(joint.flows) > 0 && j.effectiveAt(k, joint) {
			visit(joint, joint.flows)
		}
	}
}

func (j *Join) flow(k *policy.Kind, joint *Joint) {
	joint.flows, joint.byKey = nil, nil
	if f, ok := j.root(k, joint); ok {
		joint.flows = append(joint.flows, f)
	}
	for _, in := range joint.in {
		for i := range in.parent.flows {
			from := &in.parent.flows[i]
			f := j.pass(k, from, in, joint)
			if f.States != [2]State{Absent, Absent} {
				joint.sample(joint.merge(f), from, in.via)
			}
		}
	}
}

// root is the flow that begins at a node: at what has nothing above it.
func (j *Join) root(k *policy.Kind, joint *Joint) (Flow, bool) {
	f := Flow{States: [2]State{Absent, Absent}, Certain: [2]bool{true, true}, Count: 1}
	found := false
	for side, n := range joint.Nodes {
		if n == nil || !j.isRoot(k, joint, Side(side)) {
			continue
		}
		found = true
		f.States[side] = j.step(k, Side(side), Start, n)
		f.Certain[side] = certainNode(n)
	}
	f.Samples = []*Path{{Node: joint}}
	return f, found
}

// isRoot says whether contexts begin at a node. GatewayClasses, Gateways and
// mesh Services do, if nothing is above them; so does the target of a Direct
// policy that no route leads to: the policy is there for whoever comes.
func (j *Join) isRoot(k *policy.Kind, joint *Joint, side Side) bool {
	for _, in := range joint.in {
		if in.open[side] {
			return false
		}
	}
	switch joint.Level {
	case hierarchy.LevelGatewayClass, hierarchy.LevelGateway, hierarchy.LevelFrontend, hierarchy.LevelApart:
		return true
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
	return n.Presence == hierarchy.True || n.Level == hierarchy.LevelGatewayClass || n.Level >= hierarchy.LevelBackend
}

func (j *Join) pass(k *policy.Kind, from *Flow, in jointEdge, to *Joint) Flow {
	f := Flow{States: [2]State{Absent, Absent}, Count: from.Count}
	for side := range f.States {
		if from.States[side] == Absent || !in.open[side] || to.Nodes[side] == nil {
			continue
		}
		s := from.States[side]
		if in.via != nil {
			s = j.step(k, Side(side), s, in.via.Nodes[side])
		}
		f.States[side] = j.step(k, Side(side), s, to.Nodes[side])
		f.Certain[side] = from.Certain[side] && in.certain[side] && certainNode(to.Nodes[side])
	}
	return f
}

// sample gives a flow the contexts of one that led to it, while there is room.
func (joint *Joint) sample(into *Flow, from *Flow, via *Joint) {
	for _, sample := range from.Samples[:min(len(from.Samples), maxSamples-len(into.Samples))] {
		if via != nil {
			sample = &Path{Node: via, Up: sample}
		}
		into.Samples = append(into.Samples, &Path{Node: joint, Up: sample})
	}
}

func (j *Join) step(k *policy.Kind, side Side, s State, n *hierarchy.Node) State {
	if k == nil || n == nil {
		return s
	}
	return j.Runs[side].step(s, k, n)
}

// manyFlows is where looking through a node's flows costs more than an index.
const manyFlows = 8

// merge adds a flow to those of a node that met the same policies, and gives
// the one that it became part of.
func (joint *Joint) merge(f Flow) *Flow {
	if i := joint.find(f.key()); i >= 0 {
		joint.flows[i].Count += f.Count
		return &joint.flows[i]
	}
	joint.flows = append(joint.flows, f)
	switch {
	case joint.byKey != nil:
		joint.byKey[f.key()] = len(joint.flows) - 1
	case len(joint.flows) > manyFlows:
		joint.byKey = make(map[flowKey]int, 2*len(joint.flows))
		for i := range joint.flows {
			joint.byKey[joint.flows[i].key()] = i
		}
	}
	return &joint.flows[len(joint.flows)-1]
}

type flowKey struct {
	states  [2]State
	certain [2]bool
}

func (f *Flow) key() flowKey { return flowKey{f.States, f.Certain} }

func (joint *Joint) find(key flowKey) int {
	if joint.byKey != nil {
		if i, ok := joint.byKey[key]; ok {
			return i
		}
		return -1
	}
	return slices.IndexFunc(joint.flows, func(f Flow) bool { return f.key() == key })
}

// effectiveAt says whether a kind augments the targets at a node. A kind whose
// effective level is not known is effective at its declared targets, and an
// assumed one also at a backend where one of its policies sits, on either side.
func (j *Join) effectiveAt(k *policy.Kind, joint *Joint) bool {
	if k == nil || slices.Contains(k.EffectiveLevels(), joint.Level) {
		return true
	}
	declared := j.attachedAt(k, joint)
	switch {
	case joint.Level == hierarchy.LevelApart:
		return declared
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

// Quiet are the nodes of a level that no context reached in the last walk.
func (j *Join) Quiet(level hierarchy.Level) []*Joint {
	var out []*Joint
	for _, joint := range j.nodes {
		if joint.Level == level && len(joint.flows) == 0 {
			out = append(out, joint)
		}
	}
	return out
}
