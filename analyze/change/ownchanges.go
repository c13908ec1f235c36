package change

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// ownChanges compares the effective configuration that is not in policies: added and removed
// objects, attachment, hostnames, rules, backends, listeners and conditions.
func (c *declarations) ownChanges() {
	c.join.Flows(nil, func(at *effective.Joint, flows []effective.Flow) {
		d := pairFlows(flows)
		c.renamed(at, flows)
		switch {
		case cameOrWent(at):
			c.presence(at, flows)
		case at.Level == hierarchy.LevelRoute:
			c.attachment(at, flows)
			c.filterVerdicts(at, flows)
			c.ownFields(at, d)
		case at.Nodes[effective.Base] != nil && at.Nodes[effective.Head] != nil:
			c.ownFields(at, d)
		}
		if at.Level == hierarchy.LevelRule {
			c.rehung(at, flows)
			c.backendVerdicts(at, flows)
		}
		if at.Level < hierarchy.LevelRoute {
			c.conditions(at, flows)
		}
	})
	c.conditionsAway()
	c.detachedEverywhere()
	c.unreached()
}

// unreached reports the routes and rules that are added, removed or changed although no listener
// accepts them. They have no effect now, but a plan without them would show no change.
func (c *declarations) unreached() {
	empty := effective.Flow{Certain: [2]bool{true, true}}
	for _, level := range []hierarchy.Level{hierarchy.LevelRoute, hierarchy.LevelRule} {
		for _, at := range c.join.Unreached(level) {
			switch {
			case cameOrWent(at):
				c.presence(at, nil)
			case declared(at.Any()):
				c.ownFields(at, pairing{pairs: []pair{{before: empty, after: empty}}})
			}
		}
	}
}

// renamed reports an object, listener or rule that has another name but serves the same requests.
func (c *declarations) renamed(at *effective.Joint, flows []effective.Flow) {
	before, after := at.Nodes[effective.Base], at.Nodes[effective.Head]
	if !declared(before) || !declared(after) || before.Target == after.Target || before.Object.Context {
		return
	}
	switch at.Level {
	case hierarchy.LevelGateway, hierarchy.LevelListenerSet, hierarchy.LevelRoute:
	case hierarchy.LevelBackend:
		if before.Owner != nil {
			return
		}
	case hierarchy.LevelListener:
		if before.Target.Section == after.Target.Section {
			return // the owner's rename covers it
		}
	case hierarchy.LevelRule:
		if c.join.Of(effective.Base, before.Owner) == c.join.Of(effective.Head, after.Owner) {
			return // in one route, a name or index has no effect
		}
	default:
		return
	}
	f := total(flows)
	p := pair{before: f, after: f}
	field := plan.Field{
		Path: "/name", Action: plan.FieldChanged, Before: before.String(), After: after.String(),
		BeforeSource: nameSource(before, after), AfterSource: nameSource(after, before),
	}
	t := c.target(at, p, nil, nil)
	t.Certain = !t.Unreadable
	c.outcomes.add(outcome{change: plan.Renamed, fields: []plan.Field{field}, causes: c.causes([]*loader.Object{before.Object, after.Object}, nil, nil, p)}, t)
}

// nameSource returns the place of the name of a node, or of its namespace if only the namespace differs between the
// sides.
func nameSource(n, other *hierarchy.Node) *plan.Source {
	name := n.Object.Root.Get("metadata", "name")
	switch {
	case n.Target.Section != "":
		name = n.Value.Get("name")
	case n.Target.Name == other.Target.Name:
		name = n.Object.Root.Get("metadata", "namespace")
	}
	if name == nil {
		return nodeSource(n)
	}
	return sourceAt(n, n.Object.Position(name))
}

func nodeSource(n *hierarchy.Node) *plan.Source { return sourceAt(n, n.Position()) }

func sourceAt(n *hierarchy.Node, at loader.Position) *plan.Source {
	return &plan.Source{Object: n.Object.ID.String(), File: at.File, Line: at.Line, Column: at.Column, Role: string(merge.Object)}
}

// cameOrWent reports whether a node is declared on one side only.
func cameOrWent(at *effective.Joint) bool {
	return declared(at.Nodes[effective.Base]) != declared(at.Nodes[effective.Head])
}

// has reports whether a side has the object of a node of the other side.
func (c *sides) has(side effective.Side, n *hierarchy.Node) bool {
	return c.runs[side] != nil && c.runs[side].Graph.Object(n.Target.ID) != nil
}

func declared(n *hierarchy.Node) bool { return n != nil && n.Object != nil }

// presence reports an object, listener or rule that was added or removed. The report of an object
// covers its listeners and rules.
func (c *declarations) presence(at *effective.Joint, flows []effective.Flow) {
	side := effective.Base
	change := plan.Removed
	if declared(at.Nodes[effective.Head]) {
		side, change = effective.Head, plan.Added
	}
	n := at.Nodes[side]
	if at.Level == hierarchy.LevelOutside && c.has(1-side, n) {
		return // on both sides, but a node only while a policy targets it
	}
	if n.Owner != nil {
		owner := c.join.Of(side, n.Owner)
		if owner == nil || cameOrWent(owner) || n.Level == hierarchy.LevelPort || n.Level == hierarchy.LevelFrontendPort {
			return
		}
	}
	if at.Level == hierarchy.LevelFrontend {
		return // the Service is reported as a backend
	}
	f := total(flows)
	p := pair{before: f, after: f}
	o := outcome{change: change, causes: c.causes([]*loader.Object{n.Object}, nil, nil, p)}
	switch at.Level {
	case hierarchy.LevelRule, hierarchy.LevelListener:
		o.fields = c.ownDiff(at).fields
	case hierarchy.LevelRoute:
		o.fields = slices.Concat(c.hostnameFields(at), c.parentFields(at), routeBackends(at))
	default:
	}
	t := c.target(at, p, nil, nil)
	// The object is declared on one side, whatever its ancestors are.
	t.Certain = !t.Unreadable && !c.mayBeUnrendered(at)
	c.outcomes.add(o, t)
}

// total combines the flows of a node into one, for changes that concern all of them.
func total(flows []effective.Flow) effective.Flow {
	sum := effective.Flow{States: [2]effective.State{effective.Absent, effective.Absent}, Certain: [2]bool{true, true}}
	for _, f := range flows {
		sum.Count += f.Count
		sum.Samples = append(sum.Samples, f.Samples...)
		for side := range f.States {
			if f.States[side] != effective.Absent {
				sum.States[side] = f.States[side]
				sum.Certain[side] = sum.Certain[side] && f.Certain[side]
			}
		}
	}
	return sum
}

func (c *declarations) ownDiff(at *effective.Joint) fieldDiff {
	if before, after := at.Nodes[effective.Base], at.Nodes[effective.Head]; before != nil && after != nil && before.Target == after.Target {
		if _, edited := c.edits[after.Target.ID]; !edited {
			return fieldDiff{}
		}
	}
	diff := diffTrees(nil, ownConfig(at.Nodes[effective.Base], c.pairs.after), ownConfig(at.Nodes[effective.Head], same))
	if at.Level == hierarchy.LevelRule {
		diff.fields = slices.DeleteFunc(diff.fields, func(f plan.Field) bool { return matchesAlike(c.runs, at, f) || ofLoneBackend(c.runs, at, f) })
	}
	return diff
}

// ownFields reports the fields that differ in a node that both sides have.
func (c *declarations) ownFields(at *effective.Joint, d pairing) {
	if at.Nodes[effective.Base] == nil || at.Nodes[effective.Head] == nil {
		return
	}
	diff := c.ownDiff(at)
	if len(diff.fields) == 0 {
		return
	}
	for _, p := range d.pairs {
		t := c.target(at, p, nil, nil)
		// The fields of an object itself do not depend on its ancestors.
		t.Certain = !t.Unreadable
		c.outcomes.add(outcome{change: plan.FieldChange, fields: diff.fields, causes: c.causes(diff.sources, nil, nil, p)}, t)
	}
}

// routeBackends returns the backends of a route that was added or removed.
func routeBackends(at *effective.Joint) []plan.Field {
	var fields []plan.Field
	for side, n := range at.Nodes {
		if !declared(n) {
			continue
		}
		seen := map[string]bool{}
		for _, rule := range n.Sections {
			for _, e := range rule.Down {
				name := e.Child.String()
				if e.Via != nil || seen[name] {
					continue
				}
				seen[name] = true
				edges := [2]*hierarchy.Edge{}
				edges[side] = e
				f, _ := edgeField("/backendRefs["+name+"]", edges[effective.Base], edges[effective.Head])
				for _, word := range []*any{&f.Before, &f.After} {
					if *word == hierarchy.ResolvedRefs && e.Child.Object == nil {
						*word = "Unknown: " + hierarchy.NotInInput
					}
				}
				fields = append(fields, f)
			}
		}
	}
	return fields
}

// backendVerdicts reports references to backends whose verdict changed although the reference
// itself did not, for example because a ReferenceGrant or Service was removed.
func (c *declarations) backendVerdicts(at *effective.Joint, flows []effective.Flow) {
	before, after := at.Nodes[effective.Base], at.Nodes[effective.Head]
	if before == nil || after == nil {
		return
	}
	var fields []plan.Field
	var backends []*loader.Object
	for _, b := range before.Down {
		for _, a := range after.Down {
			if b.Via != nil || a.Via != nil || c.join.Of(effective.Base, b.Child) != c.join.Of(effective.Head, a.Child) {
				continue
			}
			if f, differs := edgeField("/backendRefs["+a.Child.String()+"]", b, a); differs {
				fields = append(fields, f)
				backends = appendObjects(backends, b.Child, a.Child)
				if b.Reason == hierarchy.NotPermitted || a.Reason == hierarchy.NotPermitted {
					backends = append(backends, c.grantsOf(a.Child.Namespace())...)
				}
			}
		}
	}
	if len(fields) == 0 {
		return
	}
	f := total(flows)
	p := pair{before: f, after: f}
	c.outcomes.add(outcome{change: plan.VerdictChange, fields: fields, causes: c.causes(backends, nil, nil, p)}, c.target(at, p, nil, nil))
}

// filterVerdicts reports a route whose filters reference an object that no longer exists or is no
// longer permitted, or is available again.
func (c *declarations) filterVerdicts(at *effective.Joint, flows []effective.Flow) {
	before, after := at.Nodes[effective.Base], at.Nodes[effective.Head]
	if !declared(before) || !declared(after) || !before.HasFilterReferences() && !after.HasFilterReferences() {
		return
	}
	b, a := c.runs[effective.Base].Graph.FilterReferences(before), c.runs[effective.Head].Graph.FilterReferences(after)
	c.verdict(at, flows, conditionFields("/filters", []hierarchy.Condition{b}, []hierarchy.Condition{a}))
}

func appendObjects(to []*loader.Object, nodes ...*hierarchy.Node) []*loader.Object {
	for _, n := range nodes {
		if n.Object != nil {
			to = append(to, n.Object)
		}
	}
	return to
}

// detachedEverywhere reports verdicts that change on routes without a context on either side. The
// change affects no traffic, but the owner of the route needs to see it.
func (c *declarations) detachedEverywhere() {
	for _, at := range c.join.Unreached(hierarchy.LevelRoute) {
		if cameOrWent(at) || at.Nodes[effective.Base] == nil {
			continue
		}
		fields := c.parentFields(at)
		if len(fields) == 0 {
			continue
		}
		empty := effective.Flow{Certain: [2]bool{true, true}}
		p := pair{before: empty, after: empty}
		c.outcomes.add(outcome{
			change: plan.VerdictChange, fields: fields, causes: c.causes([]*loader.Object{at.Any().Object}, nil, nil, p),
		}, c.target(at, p, nil, nil))
	}
}
