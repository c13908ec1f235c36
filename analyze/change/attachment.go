package change

import (
	"iter"
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// attachment reports the listeners that a route attached to or detached from, as one change per
// route, and changes of its hostnames after intersection.
func (c *declarations) attachment(at *effective.Joint, flows []effective.Flow) {
	lost, gained := side(flows, effective.Head), side(flows, effective.Base)
	if len(lost)+len(gained) > 0 {
		o := outcome{change: plan.Moved}
		p := pair{before: total(lost), after: total(gained)}
		switch {
		case len(gained) == 0:
			o.change, p.after = plan.Detached, p.before
		case len(lost) == 0:
			o.change, p.before = plan.Attached, p.after
		}
		o.fields = slices.Concat(c.attaching(at), c.parentFields(at))
		o.causes = c.causes([]*loader.Object{at.Any().Object}, nil, nil, p)
		t := c.target(at, p, nil, nil)
		t.Remains = o.change == plan.Detached && slices.ContainsFunc(flows, attachedOnBoth)
		c.outcomes.add(o, t)
	} else {
		doubts(c, at, flows)
	}
	c.hostnames(at, flows)
}

// doubts reports a route with the same contexts on both sides that listeners accepted of which manifests no longer tell whether they do,
// such as by the labels of its Namespace: it may be detached.
func doubts(c *declarations, at *effective.Joint, flows []effective.Flow) {
	admits := func(e *hierarchy.Edge) fact.Fact {
		if e = decisive(e); e == nil {
			return fact.False
		}
		return e.Admitted
	}
	var fields []plan.Field
	remains := false
	for name, edges := range c.pairs.parents(at) {
		before, after := admits(edges[effective.Base]), admits(edges[effective.Head])
		remains = remains || after == fact.True
		if before == fact.True && after == fact.Unknown {
			f, _ := edgeField("/parents["+name+"]", edges[effective.Base], edges[effective.Head])
			fields = append(fields, f)
		}
	}
	if len(fields) == 0 || cameOrWent(at) {
		return
	}
	p := pair{before: total(flows), after: total(flows)}
	t := c.target(at, p, nil, nil)
	t.Certain, t.Remains = false, remains
	c.outcomes.add(outcome{change: plan.Detached, fields: fields, causes: c.causes([]*loader.Object{at.Any().Object}, nil, nil, p)}, t)
}

// attaching returns the edits of the fields by which a route attaches, which may be what detached it.
func (c *declarations) attaching(at *effective.Joint) []plan.Field {
	before, after := at.Nodes[effective.Base], at.Nodes[effective.Head]
	if !declared(before) || !declared(after) {
		return nil
	}
	if _, edited := c.edits[after.Target.ID]; !edited {
		return nil
	}
	tree := func(n *hierarchy.Node) *merge.Tree {
		return merge.New(only(n.Value, "parentRefs", "hostnames"), &merge.Source{Object: n.Object, Role: merge.Object}, merge.Form{})
	}
	return diffTrees(nil, tree(before), tree(after)).fields
}

// rehung reports the listeners that a rule gained or lost because it moved to another route.
func (c *declarations) rehung(at *effective.Joint, flows []effective.Flow) {
	before, after := at.Nodes[effective.Base], at.Nodes[effective.Head]
	if !declared(before) || !declared(after) || before.Owner == nil || after.Owner == nil ||
		c.join.Of(effective.Base, before.Owner) == c.join.Of(effective.Head, after.Owner) {
		return
	}
	routes := &effective.Joint{Level: hierarchy.LevelRoute, Nodes: [2]*hierarchy.Node{before.Owner, after.Owner}}
	fields := slices.DeleteFunc(c.parentFields(routes), func(f plan.Field) bool {
		return f.Before != hierarchy.Accepted && f.After != hierarchy.Accepted
	})
	lost, gained := side(flows, effective.Head), side(flows, effective.Base)
	if len(fields) == 0 || len(lost)+len(gained) == 0 {
		return
	}
	p := pair{before: total(lost), after: total(gained)}
	c.outcomes.add(outcome{change: plan.Moved, fields: fields, causes: c.causes([]*loader.Object{after.Object}, nil, nil, p)}, c.target(at, p, nil, nil))
}

func attachedOnBoth(f effective.Flow) bool {
	return f.States[effective.Base] != effective.Absent && f.States[effective.Head] != effective.Absent
}

// side returns the flows that do not exist on a side.
func side(flows []effective.Flow, absent effective.Side) []effective.Flow {
	var out []effective.Flow
	for _, f := range flows {
		if f.States[absent] == effective.Absent {
			out = append(out, f)
		}
	}
	return out
}

// parentFields returns a field for each listener or Service above a route whose verdict on the
// route differs, with the reason of a rejection.
func (c *declarations) parentFields(at *effective.Joint) []plan.Field {
	var fields []plan.Field
	for name, edges := range c.pairs.parents(at) {
		before, after := edges[effective.Base], edges[effective.Head]
		if !cameOrWent(at) && (before == nil && besides(after) || after == nil && besides(before)) {
			continue // a listener that never accepted the route was added or removed
		}
		if after == nil {
			name = before.Parent.String() // only base has it, so use its name in base
		}
		if f, differs := edgeField("/parents["+name+"]", before, after); differs {
			fields = append(fields, f)
		}
	}
	return fields
}

// parents yields the listeners and Services above a route, in the order of their names, with the verdict of each side.
func (p *pairs) parents(at *effective.Joint) iter.Seq2[string, [2]*hierarchy.Edge] {
	verdicts := map[string][2]*hierarchy.Edge{}
	for s, n := range at.Nodes {
		if n == nil {
			continue
		}
		for _, e := range n.Up {
			name := p.name(s, e.Parent)
			known := verdicts[name]
			if known[s] == nil || e.Admitted > known[s].Admitted {
				known[s] = e
			}
			verdicts[name] = known
		}
	}
	return func(yield func(string, [2]*hierarchy.Edge) bool) {
		for _, name := range slices.Sorted(maps.Keys(verdicts)) {
			if !yield(name, verdicts[name]) {
				return
			}
		}
	}
}

// besides reports whether a listener rejects a route that names no listener, while another listener
// may accept the same reference, or rejects it for the same reason. The route is then not meant for this listener, or its status
// does not show which of them it is.
func besides(e *hierarchy.Edge) bool {
	return e != nil && e.Admitted == fact.False && e.Ref.Get("sectionName") == nil && slices.ContainsFunc(e.Child.Up, func(other *hierarchy.Edge) bool {
		return other != e && other.Ref == e.Ref && (other.Admitted != fact.False || other.Reason == e.Reason)
	})
}

// edgeField compares the verdicts on one reference; false means equal.
func edgeField(path string, before, after *hierarchy.Edge) (plan.Field, bool) {
	f := plan.Field{Path: path, Action: plan.FieldChanged, Before: edgeWord(before), After: edgeWord(after)}
	if f.Before == f.After {
		return f, false
	}
	f.BeforeSource, f.AfterSource = edgeSource(before), edgeSource(after)
	switch {
	case before == nil:
		f.Action = plan.FieldAdded
	case after == nil:
		f.Action = plan.FieldRemoved
	}
	return f, true
}

func edgeWord(e *hierarchy.Edge) any {
	e = decisive(e)
	switch {
	case e == nil:
		return nil
	case e.Admitted == fact.True && e.Child.Level > hierarchy.LevelRoute:
		return hierarchy.ResolvedRefs
	case e.Admitted == fact.True:
		return hierarchy.Accepted
	case e.Admitted == fact.Unknown:
		return "Unknown: " + e.Reason
	}
	return e.Reason
}

// decisive returns the edge that decides whether a route is reached. It is the given edge, or a
// closed edge above it if no edge above its parent is open.
func decisive(e *hierarchy.Edge) *hierarchy.Edge {
	if e == nil || !e.Open() || len(e.Parent.Up) == 0 || e.Child.Level > hierarchy.LevelRoute {
		return e
	}
	var closed *hierarchy.Edge
	for _, up := range e.Parent.Up {
		above := decisive(up)
		if above.Open() {
			return e
		}
		closed = above
	}
	return closed
}

func edgeSource(e *hierarchy.Edge) *plan.Source {
	if e == nil || e.Owner == nil {
		return nil
	}
	at := e.Position()
	return &plan.Source{Object: e.Owner.ID.String(), File: at.File, Line: at.Line, Column: at.Column, Role: string(merge.Object)}
}
