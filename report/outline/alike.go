package outline

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
)

// joinAlike joins groups of edits that do the same to different targets, such as the removal of one setting from each
// of ten policies. The joined group keeps the place of the first one. A field that the edits write at different places
// has none.
func joinAlike(list []*Group) []*Group {
	var out []*Group
	first := map[string]*Group{}
	for _, g := range list {
		work := g.work()
		if with := first[work]; with != nil && work != "" {
			with.join(g)
			continue
		}
		first[work] = g
		g.Causes = slices.Clip(g.Causes) // the plan's, which appending must not write to
		out = append(out, g)
	}
	return out
}

// work identifies what a group does, independent of its causes and targets. It is empty if the group has more to say
// than that.
func (g *Group) work() string {
	if len(g.Outcomes) == 0 || len(g.Causes) == 0 || len(g.Kept) > 0 {
		return ""
	}
	kind, _, _ := strings.Cut(g.Causes[0].Object, "/")
	parts := []any{kind}
	for _, p := range g.Policies {
		parts = append(parts, PolicyAction(p.Change), p.Environments, p.Uncertain)
	}
	for _, o := range g.Outcomes {
		if o.Change.Kind != plan.FieldChange {
			return ""
		}
		parts = append(parts, o.Change.PolicyKind, withoutPlaces(o.Change.Fields), o.Environments, o.Unread)
	}
	return key(parts...)
}

func (g *Group) join(other *Group) {
	g.Causes = append(g.Causes, other.Causes...)
	g.Policies = append(g.Policies, other.Policies...)
	for i, o := range other.Outcomes {
		g.Outcomes[i].join(o)
	}
}

// join adds the targets of an outcome that has the same fields.
func (o *Outcome) join(other *Outcome) {
	same := *o.Change
	same.Fields = withoutPlaces(same.Fields)
	o.Change, o.exact = &same, ""
	o.Shared = slices.DeleteFunc(slices.Clone(o.Shared), func(p string) bool { return !slices.Contains(other.Shared, p) })
	for _, p := range other.Policies {
		o.Policies = AppendNew(o.Policies, p)
	}
	o.Targets = append(o.Targets, other.Targets...)
}
