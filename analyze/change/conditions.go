package change

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// conditions reports changes of the conditions that a controller sets on a GatewayClass, Gateway,
// ListenerSet or listener that both sides declare: a conflict, a certificate without a grant, or
// clients that are accepted without a check.
func (c *declarations) conditions(at *effective.Joint, flows []effective.Flow) {
	before, after := at.Nodes[effective.Base], at.Nodes[effective.Head]
	if !declared(before) || !declared(after) {
		return
	}
	c.verdict(at, flows, conditionFields("/conditions", before.Conditions, after.Conditions))
}

// conditionsAway does the same for objects that no context reaches on either side.
func (c *declarations) conditionsAway() {
	for _, level := range []hierarchy.Level{
		hierarchy.LevelGatewayClass, hierarchy.LevelGateway, hierarchy.LevelListenerSet, hierarchy.LevelListener,
	} {
		for _, at := range c.join.Unreached(level) {
			c.conditions(at, []effective.Flow{{Certain: [2]bool{true, true}}})
		}
	}
}

// judged contains the fields of conditions that differ, and the objects that they depend on.
type judged struct {
	fields  []plan.Field
	objects []loader.ID
	// granting are the namespaces whose ReferenceGrants a condition depends on.
	granting     []string
	ageSensitive bool
	unknown      bool
}

func (c *declarations) verdict(at *effective.Joint, flows []effective.Flow, v judged) {
	if len(v.fields) == 0 {
		return
	}
	f := total(flows)
	p := pair{before: f, after: f}
	var objects []*loader.Object
	for _, n := range at.Nodes {
		objects = appendObjects(objects, n)
	}
	objects = append(objects, c.objectsOf(v.objects)...)
	for _, namespace := range v.granting {
		objects = append(objects, c.grantsOf(namespace)...)
	}
	t := c.target(at, p, nil, nil)
	t.Certain = !t.Unreadable && !v.unknown
	t.AgeSensitive = t.AgeSensitive || v.ageSensitive
	c.outcomes.add(outcome{change: plan.VerdictChange, fields: v.fields, causes: c.causes(objects, nil, nil, p)}, t)
}

// conditionFields returns a field for each condition type that got better or worse. A condition
// that is not set counts as good.
func conditionFields(path string, before, after []hierarchy.Condition) judged {
	var out judged
	var types []string
	for _, list := range [][]hierarchy.Condition{before, after} {
		for i := range list {
			if !slices.Contains(types, list[i].Type) {
				types = append(types, list[i].Type)
			}
		}
	}
	slices.Sort(types)
	for _, kind := range types {
		b, a := find(before, kind), find(after, kind)
		if kind == hierarchy.Programmed || kind == hierarchy.Accepted && (follows(before, b) || follows(after, a)) {
			continue // another condition reports the cause
		}
		f := plan.Field{Path: path + "[" + kind + "]", Action: plan.FieldChanged, Before: conditionWord(b), After: conditionWord(a)}
		if f.Before == f.After {
			continue
		}
		f.BeforeSource, f.AfterSource = conditionSource(b), conditionSource(a)
		out.fields = append(out.fields, f)
		for _, one := range []*hierarchy.Condition{b, a} {
			if one != nil {
				out.objects = append(out.objects, one.Involves...)
				if one.Reason == hierarchy.NotPermitted && len(one.Involves) > 0 {
					out.granting = append(out.granting, one.Involves[0].Namespace)
				}
				out.ageSensitive = out.ageSensitive || one.AgeSensitive
				out.unknown = out.unknown || one.Status == fact.Unknown
			}
		}
	}
	return out
}

// follows reports whether a listener is not accepted because of a conflict.
func follows(list []hierarchy.Condition, accepted *hierarchy.Condition) bool {
	conflict := find(list, hierarchy.ConflictedIs)
	return accepted != nil && conflict != nil && conflict.Bad() && accepted.Bad() && accepted.Reason == conflict.Reason
}

func find(list []hierarchy.Condition, kind string) *hierarchy.Condition {
	for i := range list {
		if list[i].Type == kind {
			return &list[i]
		}
	}
	return nil
}

// conditionWord returns a condition as one word: ok, or the reason of the problem.
func conditionWord(c *hierarchy.Condition) any {
	switch {
	case c == nil, c.Reason == "ListenersNotResolved": // the listener reports it
		return "ok"
	case c.Type == hierarchy.InsecureTLS:
		return "AllowInsecureFallback"
	case c.Status == fact.Unknown:
		return "Unknown: " + c.Reason
	case c.Bad(), c.Reason == "ListenersNotValid":
		return c.Reason
	}
	return "ok"
}

func conditionSource(c *hierarchy.Condition) *plan.Source {
	if c == nil || c.Owner == nil {
		return nil
	}
	at := c.Position()
	return &plan.Source{Object: c.Owner.ID.String(), File: at.File, Line: at.Line, Column: at.Column, Role: string(merge.Object)}
}
