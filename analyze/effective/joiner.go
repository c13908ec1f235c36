package effective

import (
	"cmp"
	"iter"
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// joiner builds a Join.
type joiner struct{ *Join }

// NewJoin joins two runs. counterpart returns the base node that corresponds to a head node, or
// nil. Nodes of the same target and level are also matched without it, except rules if counterpart
// is given.
func NewJoin(base, head *Run, counterpart func(*hierarchy.Node) *hierarchy.Node) *Join {
	j := joiner{&Join{Runs: [2]*Run{base, head}, leafwise: map[*catalogue.Kind]*leafwise{}}}
	j.index[Base], j.index[Head] = map[*hierarchy.Node]*Joint{}, map[*hierarchy.Node]*Joint{}
	for _, n := range j.all(Base) {
		j.add(Base, n, &Joint{Level: n.Level})
	}
	for _, n := range j.all(Head) {
		joint := j.index[Base][j.match(n, counterpart)]
		if joint == nil || joint.Nodes[Head] != nil {
			joint = &Joint{Level: n.Level}
		}
		j.add(Head, n, joint)
	}
	j.sink()
	slices.SortStableFunc(j.nodes, func(a, b *Joint) int {
		return cmp.Or(cmp.Compare(a.Level.Rank(a.depth), b.Level.Rank(b.depth)), a.Any().Target.Compare(b.Any().Target))
	})
	known := map[edgeKey]int{}
	for _, joint := range j.nodes {
		clear(known)
		j.connect(joint, known)
	}
	return j.Join
}

// all returns the nodes of a side, with those outside the hierarchy last.
func (j joiner) all(side Side) []*hierarchy.Node {
	r := j.Runs[side]
	if r == nil {
		return nil
	}
	return slices.Concat(r.Graph.Nodes, r.Attached.Outside)
}

func (j joiner) match(n *hierarchy.Node, counterpart func(*hierarchy.Node) *hierarchy.Node) *hierarchy.Node {
	base := j.Runs[Base]
	if base == nil {
		return nil
	}
	if counterpart != nil {
		if m := counterpart(n); m != nil {
			return m
		}
		if n.Level == hierarchy.LevelRule {
			return nil
		}
	}
	if m := base.Graph.Node(n.Target, n.Level); m != nil {
		return m
	}
	for _, m := range base.Attached.Outside {
		if m.Target == n.Target && n.Level == hierarchy.LevelOutside {
			return m
		}
	}
	return nil
}

func (j joiner) add(side Side, n *hierarchy.Node, joint *Joint) {
	if joint.Nodes[Base] == nil && joint.Nodes[Head] == nil {
		j.nodes = append(j.nodes, joint)
	}
	joint.Nodes[side] = n
	joint.depth = max(joint.depth, n.Depth)
	j.index[side][n] = joint
}

// sink sets the depths of routes so that each is below the rules that delegate to it, on either
// side. If base and head delegate in opposite directions, no order fits both. The nodes of such
// routes become two joints.
func (j joiner) sink() {
	turned := j.rank()
	for _, joint := range turned {
		j.part(joint)
	}
	if len(turned) > 0 {
		j.rank()
	}
}

// rank sets the depths of joints, parents first. It returns the joints for which this is
// impossible, because the delegations of both sides together form a cycle.
func (j joiner) rank() []*Joint {
	var deep []*Joint
	for _, joint := range j.nodes {
		if joint.depth > 0 {
			deep = append(deep, joint)
		}
	}
	above, below := map[*Joint][]*Joint{}, map[*Joint][]*Joint{}
	for _, joint := range deep {
		for parent := range j.passing(joint) {
			above[joint] = append(above[joint], parent)
			below[parent] = append(below[parent], joint)
		}
	}
	left := peel(deep, below, func(joint *Joint) {
		for parent, steps := range j.passing(joint) {
			joint.depth = max(joint.depth, parent.depth+steps)
		}
	})
	return peel(left, above, func(*Joint) {}) // drop the joints that are only below a circle
}

// peel visits each joint after all joints that lead to it. It returns the joints that it could not
// visit: they are on a circle, or are reachable from one.
func peel(joints []*Joint, leads map[*Joint][]*Joint, visit func(*Joint)) []*Joint {
	waits := make(map[*Joint]int, len(joints))
	for _, joint := range joints {
		for _, next := range leads[joint] {
			waits[next]++
		}
	}
	ready := slices.DeleteFunc(slices.Clone(joints), func(joint *Joint) bool { return waits[joint] > 0 })
	for len(ready) > 0 {
		joint := ready[0]
		ready = ready[1:]
		visit(joint)
		for _, next := range leads[joint] {
			if waits[next]--; waits[next] == 0 {
				ready = append(ready, next)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(joints), func(joint *Joint) bool { return waits[joint] == 0 })
}

// passing yields the joints right above a route or rule that set its depth, and how much deeper it
// is: 1 for a route below a rule that delegates to it, 0 for a rule.
func (j joiner) passing(joint *Joint) iter.Seq2[*Joint, int] {
	return func(yield func(*Joint, int) bool) {
		for side, n := range joint.Nodes {
			if n == nil {
				continue
			}
			for _, e := range n.Up {
				steps := 0
				switch {
				case !e.Open():
					continue
				case n.Level == hierarchy.LevelRoute && e.Parent.Level == hierarchy.LevelRule:
					steps = 1
				case n.Level != hierarchy.LevelRule:
					continue
				}
				if !yield(j.index[side][e.Parent], steps) {
					return
				}
			}
		}
	}
}

// part splits a joint into one for each side.
func (j joiner) part(joint *Joint) {
	base, head := joint.Nodes[Base], joint.Nodes[Head]
	if base == nil || head == nil {
		joint.depth = joint.Any().Depth
		return
	}
	joint.Nodes[Head], joint.depth = nil, base.Depth
	j.add(Head, head, &Joint{Level: head.Level})
}

// connect collects the edges into a node from both sides. Several references from one parent to one
// child are one edge; known, which must be empty, finds it.
func (j joiner) connect(joint *Joint, known map[edgeKey]int) {
	edges := 0
	for _, n := range joint.Nodes {
		if n != nil {
			edges = max(edges, len(n.Up))
		}
	}
	joint.in = make([]jointEdge, 0, edges)
	for side, n := range joint.Nodes {
		if n == nil {
			continue
		}
		for _, e := range n.Up {
			if e.Open() {
				j.connectEdge(joint, Side(side), e, known)
			}
		}
	}
}

// edgeKey identifies an edge into a node: edges with equal keys are one.
type edgeKey struct{ parent, via *Joint }

func (j joiner) connectEdge(joint *Joint, side Side, e *hierarchy.Edge, known map[edgeKey]int) {
	in := jointEdge{edgeKey: edgeKey{parent: j.index[side][e.Parent]}}
	if e.Via != nil {
		in.via = j.index[side][e.Via]
	}
	at, ok := known[in.edgeKey]
	if !ok {
		at = len(joint.in)
		known[in.edgeKey] = at
		joint.in = append(joint.in, in)
	}
	joint.in[at].open[side] = true
	joint.in[at].certain[side] = joint.in[at].certain[side] || e.Admitted == fact.True
}
