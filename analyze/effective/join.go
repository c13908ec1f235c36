package effective

import (
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// Side is a revision: base or head. A run that is not compared is head.
type Side int

// The sides.
const (
	Base Side = iota
	Head
)

// Joint is one node of the joined hierarchies of two runs: the same target in
// base and head, or in one of them.
type Joint struct {
	Nodes [2]*hierarchy.Node
	Level hierarchy.Level
	in    []jointEdge
	// depth is the greater depth of the route or rule on the two sides, see hierarchy.Node.Depth.
	depth int

	// The following fields belong to the current walk. effective means that the node is an
	// effective target, inner that a node below it is one, reached that a context leads to it.
	effective, inner, reached bool
	steps                     [2]steps
	flows                     []flow
	origins                   []origin
	paths                     [][]*Path
}

// Any returns the node in head, or in base if head has none.
func (j *Joint) Any() *hierarchy.Node {
	if n := j.Nodes[Head]; n != nil {
		return n
	}
	return j.Nodes[Base]
}

type jointEdge struct {
	edgeKey
	open    [2]bool
	certain [2]bool
}

// Join is the joined hierarchies of two runs, of which one may be nil. One walk over both finds out
// which context of base corresponds to which of head.
type Join struct {
	Runs [2]*Run
	// nodes are sorted by level: parents come before children.
	nodes []*Joint
	index [2]map[*hierarchy.Node]*Joint
	// leafwise holds the fast evaluation of each kind, nil for kinds that have none.
	leafwise map[*catalogue.Kind]*leafwise
	visits   int
}

// Visits returns the number of flows in the last walk, summed over all nodes. It is the cost of the
// walk, not counting the edges.
func (j *Join) Visits() int { return j.visits }

// Alone returns a join of one run, as head.
func Alone(r *Run) *Join { return NewJoin(nil, r, nil) }

// Of returns the joint of a node of one side, or nil.
func (j *Join) Of(side Side, n *hierarchy.Node) *Joint { return j.index[side][n] }

// Nodes visits the joined nodes, parents before children. A nil Join has none.
func (j *Join) Nodes(visit func(*Joint)) {
	if j == nil {
		return
	}
	for _, joint := range j.nodes {
		visit(joint)
	}
}

// Routes returns the joined nodes of routes.
func (j *Join) Routes() []*Joint {
	var out []*Joint
	for _, joint := range j.nodes {
		if joint.Level == hierarchy.LevelRoute {
			out = append(out, joint)
		}
	}
	return out
}
