package change

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// hostnames reports changes of the hostnames that a route serves after intersection: for each
// listener that is on both sides, and for all lost listeners against all gained ones.
func (c *declarations) hostnames(at *effective.Joint, flows []effective.Flow) {
	before, after := c.served(at, effective.Base), c.served(at, effective.Head)
	var lost, gained served
	for _, f := range flows {
		for _, sample := range f.Samples {
			if sample.Up == nil {
				continue
			}
			parent := sample.Up.Node
			b, a := before[parent.Nodes[effective.Base]], after[parent.Nodes[effective.Head]]
			switch {
			case f.States[effective.Head] == effective.Absent:
				lost.add(b)
			case f.States[effective.Base] == effective.Absent:
				gained.add(a)
			default:
				one := f
				one.Samples = []*effective.Path{sample}
				c.hostnameField(at, pair{before: one, after: one}, b, a)
			}
		}
	}
	if len(lost.edges) > 0 && len(gained.edges) > 0 {
		c.hostnameField(at, pair{before: total(side(flows, effective.Head)), after: total(side(flows, effective.Base))}, &lost, &gained)
	}
}

// hostnameFields returns the hostnames of a route that was added or removed.
func (c *declarations) hostnameFields(at *effective.Joint) []plan.Field {
	f := plan.Field{Path: "/hostnames", Action: plan.FieldAdded}
	for s, n := range at.Nodes {
		if !declared(n) || len(n.Value.List("hostnames")) == 0 {
			continue
		}
		names := hostList(inventory.Strings(n.Value.List("hostnames")))
		if effective.Side(s) == effective.Base {
			f.Action, f.Before, f.BeforeSource = plan.FieldRemoved, names, hostSource(n)
			return []plan.Field{f}
		}
		f.After, f.AfterSource = names, hostSource(n)
		return []plan.Field{f}
	}
	return nil
}

// served contains the edges from a route to some of its parents, with the hostnames there.
type served struct {
	edges []*hierarchy.Edge
}

func (s *served) add(t *served) {
	if t != nil {
		s.edges = append(s.edges, t.edges...)
	}
}

func (s *served) names() []string {
	if s == nil {
		return nil
	}
	var names []string
	for _, e := range s.edges {
		if len(e.Hostnames) == 0 {
			return nil // one parent serves all hostnames
		}
		names = append(names, e.Hostnames...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (c *declarations) served(at *effective.Joint, side effective.Side) map[*hierarchy.Node]*served {
	out := map[*hierarchy.Node]*served{}
	if at.Nodes[side] == nil {
		return out
	}
	for _, e := range at.Nodes[side].Up {
		if e.Open() {
			if out[e.Parent] == nil {
				out[e.Parent] = &served{}
			}
			out[e.Parent].edges = append(out[e.Parent].edges, e)
		}
	}
	return out
}

func (c *declarations) hostnameField(at *effective.Joint, p pair, before, after *served) {
	b, a := before.names(), after.names()
	if slices.Equal(b, a) {
		return
	}
	f := plan.Field{Path: "/hostnames", Action: plan.FieldChanged, Before: hostList(b), After: hostList(a)}
	f.BeforeSource = hostSource(at.Nodes[effective.Base])
	f.AfterSource = hostSource(at.Nodes[effective.Head])
	objects := []*loader.Object{at.Any().Object}
	for _, s := range []*served{before, after} {
		for _, e := range s.edges {
			objects = append(objects, e.Parent.Object)
		}
	}
	objects = slices.DeleteFunc(objects, func(o *loader.Object) bool { return o == nil })
	c.outcomes.add(outcome{
		change: plan.FieldChange, fields: []plan.Field{f}, causes: c.causes(objects, nil, nil, p),
	}, c.target(at, p, nil, nil))
}

// hostList returns hostnames as a field value. None means all: *.
func hostList(names []string) any {
	if len(names) == 0 {
		return []any{"*"}
	}
	out := make([]any, 0, len(names))
	for _, n := range names {
		out = append(out, n)
	}
	return out
}

func hostSource(n *hierarchy.Node) *plan.Source {
	if n == nil || n.Object == nil {
		return nil
	}
	v := n.Value.Get("hostnames")
	return SourceOf(&merge.Tree{Value: v, Source: &merge.Source{Object: n.Object, Role: merge.Object}})
}
