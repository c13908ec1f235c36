package effective

import (
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// walk is one pass of a kind down the joined hierarchies. Contexts that reach a node with equal
// states become one flow before the node's own step is applied. Sixty listeners without policies
// therefore cost one step.
type walk struct {
	join *Join
	kind *catalogue.Kind
	// sampled is true if the origins of flows are recorded, to show some contexts.
	sampled bool

	// at is the node whose flows are collected. last is the flow that matched last there: the next
	// match is often its neighbour. byKey is built only for many flows.
	at    *Joint
	last  int32
	byKey map[flowKey]int32
	// The following buffers are reused from node to node: index for byKey, spare for the flows of
	// nodes with nothing below them.
	index map[flowKey]int32
	spare []flow
	shown []Flow
}

// flow is a Flow during the walk. It records its origins. Samples are built from them when it is
// shown.
type flow struct {
	states  [2]State
	certain [2]bool
	samples uint8
	// first and last are the ends of the linked list of its origins.
	first, last int32
	count       int
}

// origin is the source of contexts of a flow: a flow of a parent, through an edge, or the node
// itself if edge is negative.
type origin struct{ edge, from, next int32 }

const none = -1

type flowKey struct {
	states  [2]State
	certain [2]bool
}

func (f *flow) key() flowKey { return flowKey{states: f.states, certain: f.certain} }

// steps are the sets of policies that one side meets at a node. At a fresh node the policies met
// above no longer count.
type steps struct {
	// sets are indexed by part; none means that there is no set. above is true if one of them
	// belongs to a Namespace or to the root namespace.
	sets         [len(catalogue.Parts)]setID
	above, fresh bool
}

func noSteps() steps { return steps{sets: [...]setID{none, none, none, none}} }

func (s *steps) any() bool { return s.fresh || s.sets != noSteps().sets }

// run visits the effective targets until visit returns false. It skips nodes with no effective
// target at or below them.
func (w *walk) run(visit func(*Joint) bool) {
	w.mark()
	w.join.visits = 0
	for _, joint := range w.join.nodes {
		w.prepare(joint)
		if joint.effective || joint.inner {
			w.gather(joint)
			w.join.visits += len(joint.flows)
		}
		if joint.effective && joint.reached && !visit(joint) {
			break
		}
		if !joint.inner {
			w.spare = joint.flows[:0]
			joint.forget()
		}
	}
	for _, joint := range w.join.nodes {
		joint.forget()
	}
}

// mark finds the effective targets and the nodes above them.
func (w *walk) mark() {
	nodes := w.join.nodes
	for _, joint := range nodes {
		joint.inner, joint.reached = false, false
	}
	for i := len(nodes) - 1; i >= 0; i-- {
		joint := nodes[i]
		joint.effective = w.join.effectiveAt(w.kind, joint)
		if !joint.effective && !joint.inner {
			continue
		}
		for e := range joint.in {
			joint.in[e].parent.inner = true
		}
	}
}

func (w *walk) prepare(joint *Joint) {
	for side, n := range joint.Nodes {
		joint.steps[side] = noSteps()
		if w.kind != nil && n != nil {
			joint.steps[side] = w.join.Runs[side].stepsAt(n, w.kind)
		}
	}
}

// gather collects the flows that come from a node's parents.
func (w *walk) gather(joint *Joint) {
	w.at, w.last, w.byKey = joint, none, nil
	if !joint.inner {
		joint.flows = w.spare
	}
	w.begin()
	if !w.isolated(joint) {
		for e := range joint.in {
			w.pass(int32(e))
		}
	}
	w.arrive()
	joint.reached = len(joint.flows) > 0
}

// isolated reports whether a node takes no flows from above. This is so for each object if the kind
// has no inheritance between objects.
func (w *walk) isolated(joint *Joint) bool {
	return w.kind != nil && w.kind.PerObject && joint.Any().Owner == nil
}

// foreign reports whether no policies of the kind act at a node or below it, because it is a
// Gateway of another controller.
func (w *walk) foreign(side Side, n *hierarchy.Node) bool {
	return w.at.Level == hierarchy.LevelGateway && w.kind != nil && len(w.kind.Controllers) > 0 && w.kind.Controllers.Foreign(w.join.Runs[side].Graph, n)
}

// begin adds the flow that begins at a node, if the node is a root.
func (w *walk) begin() {
	f := flow{states: [2]State{Absent, Absent}, certain: [2]bool{true, true}, count: 1, first: none, last: none}
	found := false
	for side, n := range w.at.Nodes {
		if n == nil || !w.join.isRoot(w.kind, w.at, Side(side)) {
			continue
		}
		found = true
		if w.foreign(Side(side), n) {
			continue
		}
		f.states[side] = Start
		f.certain[side] = certainNode(n)
	}
	if found {
		w.trace(w.merge(&f), origin{edge: none, from: none, next: none}, 1)
	}
}

// pass moves the flows of a parent through one edge.
func (w *walk) pass(edge int32) {
	in := &w.at.in[edge]
	var certain [2]bool
	for side, n := range w.at.Nodes {
		certain[side] = n != nil && in.certain[side] && certainNode(n)
	}
	for i := range in.parent.flows {
		from := &in.parent.flows[i]
		f := flow{states: [2]State{Absent, Absent}, count: from.count, first: none, last: none}
		for side, s := range from.states {
			if s == Absent || !in.open[side] || w.foreign(Side(side), w.at.Nodes[side]) {
				continue
			}
			if in.via != nil && in.via.Nodes[side] != nil {
				s = w.take(Side(side), s, in.via)
			}
			f.states[side] = s
			f.certain[side] = from.certain[side] && certain[side]
		}
		if f.states != [2]State{Absent, Absent} {
			w.trace(w.merge(&f), origin{edge: edge, from: int32(i), next: none}, from.samples)
		}
	}
}

// arrive applies the node's own step. Flows may then have equal states, and are merged: those that
// met the policies of the Namespace before and those that did not, or all flows at a fresh node.
func (w *walk) arrive() {
	regroup := false
	for side := range w.at.Nodes {
		at := &w.at.steps[side]
		regroup = regroup || at.above || at.fresh
		if !at.any() {
			continue
		}
		for i := range w.at.flows {
			if f := &w.at.flows[i]; f.states[side] != Absent {
				f.states[side] = w.take(Side(side), f.states[side], w.at)
			}
		}
	}
	if regroup {
		w.regroup()
	}
}

func (w *walk) take(side Side, s State, at *Joint) State {
	return w.join.Runs[side].take(s, at.steps[side])
}

func (w *walk) regroup() {
	flows := w.at.flows
	w.at.flows, w.last, w.byKey = nil, none, nil
	for i := range flows {
		f := flows[i]
		known := len(w.at.flows)
		at := w.merge(&f)
		if int(at) == known {
			continue // the flow is new and keeps its origins
		}
		into := &w.at.flows[at]
		if f.first != none && into.samples < maxSamples {
			w.at.origins[into.last].next = f.first
			into.last, into.samples = f.last, min(maxSamples, into.samples+f.samples)
		}
	}
}

// manyFlows is the number of flows above which an index is faster than a search through all of
// them.
const manyFlows = 16

// merge adds a flow to the node's flow that met the same policies, or appends it if there is none.
// It returns the index of that flow.
func (w *walk) merge(f *flow) int32 {
	key := f.key()
	at := w.find(key)
	if at != none {
		w.at.flows[at].count += f.count
		w.last = at
		return at
	}
	at = int32(len(w.at.flows))
	w.at.flows = append(w.at.flows, *f)
	switch {
	case w.byKey != nil:
		w.byKey[key] = at
	case len(w.at.flows) > manyFlows:
		w.reindex()
		for i := range w.at.flows {
			w.byKey[w.at.flows[i].key()] = int32(i)
		}
	}
	w.last = at
	return at
}

func (w *walk) reindex() {
	if w.index == nil {
		w.index = map[flowKey]int32{}
	}
	clear(w.index)
	w.byKey = w.index
}

func (w *walk) find(key flowKey) int32 {
	flows := w.at.flows
	for i := max(w.last, 0); i <= w.last+1 && int(i) < len(flows); i++ {
		if flows[i].key() == key {
			return i
		}
	}
	if w.byKey != nil {
		if i, ok := w.byKey[key]; ok {
			return i
		}
		return none
	}
	for i := range flows {
		if flows[i].key() == key {
			return int32(i)
		}
	}
	return none
}
