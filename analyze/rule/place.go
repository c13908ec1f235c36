package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/loader"
)

// place finds the line of head that a finding about a change points at: the
// edited line if it is in head, else (something was deleted) the first
// affected target, else the old place in base.
func (p *Pair) place(c *change.Change) (at loader.Position, inBase bool, related []Related) {
	for _, cause := range c.Causes {
		if cause.Side == "base" {
			related = append(related, Related{
				Message: cause.Object + " before the change", Side: "base", File: cause.File, Line: cause.Line, Column: cause.Column,
			})
		}
	}
	for _, cause := range c.Causes {
		if cause.Side == "head" {
			return loader.Position{File: cause.File, Line: cause.Line, Column: cause.Column}, false, related
		}
	}
	// Something was deleted inside an object that stays: its spec is the nearest
	// place that head still has.
	for _, cause := range c.Causes {
		if o := p.survivor(cause.Object); o != nil {
			return o.Position(o.Spec()), false, related
		}
	}
	for _, t := range c.Targets {
		id := loader.ID{Group: t.Target.Group, Kind: t.Target.Kind, Namespace: t.Target.Namespace, Name: t.Target.Name}
		if p.Head == nil {
			break
		}
		if o := p.Head.Run.Graph.Object(id); o != nil {
			return o.First(), false, related
		}
	}
	if len(c.Causes) > 0 {
		first := c.Causes[0]
		return loader.Position{File: first.File, Line: first.Line, Column: first.Column}, true, nil
	}
	return loader.Position{}, true, nil
}

// survivor is the object of head that a node names, or nil.
func (p *Pair) survivor(node string) *loader.Object {
	if p.Head == nil {
		return nil
	}
	for _, o := range p.Head.Run.Environment.Objects {
		if o.ID.String() == node {
			return o
		}
	}
	return nil
}

// byEdit gathers the changes of policy that one edit brought about and of which
// say makes the same words, so that one edit gives one finding. What could not
// be read on one side gives none.
func (p *Pair) byEdit(say func(*change.Change) string, found func(h Hit, what string, c *change.Change, where string)) {
	type edit struct{ kind, causes, what string }
	var order []edit
	changes := map[edit][]*change.Change{}
	for i := range p.Difference.Changes {
		c := &p.Difference.Changes[i]
		if c.PolicyKind == nil || c.Unreadable() {
			continue
		}
		if what := say(c); what != "" {
			e := edit{c.PolicyKind.Kind + "." + c.PolicyKind.Group, fmt.Sprint(c.Causes), what}
			if changes[e] == nil {
				order = append(order, e)
			}
			changes[e] = append(changes[e], c)
		}
	}
	for _, e := range order {
		found(p.hit(changes[e]), e.what, changes[e][0], reach(changes[e]))
	}
}

// hit is a finding about changes that one edit brought about.
func (p *Pair) hit(changes []*change.Change) Hit {
	c := changes[0]
	at, inBase, related := p.place(c)
	target := ""
	switch {
	case len(c.Causes) > 0:
		target = c.Causes[0].Object
	case len(c.Policies) > 0:
		target = c.Policies[0]
	}
	var where, fields []string
	for _, change := range changes {
		for _, t := range change.Targets {
			where = append(where, t.Target.Kind+"/"+t.Target.Namespace)
		}
		for _, f := range change.Fields {
			fields = append(fields, f.Path)
		}
	}
	slices.Sort(where)
	slices.Sort(fields)
	key := slices.Concat([]string{c.PolicyKind.Kind, c.PolicyKind.Group}, slices.Compact(where), slices.Compact(fields))
	return Hit{Target: target, Key: key, At: at, InBase: inBase, Related: related}
}

// reach says where changes are, counting targets by their object.
func reach(changes []*change.Change) string {
	type object struct{ kind, namespace, name string }
	seen := map[object]bool{}
	kinds := map[string]int{}
	for _, c := range changes {
		for _, t := range c.Targets {
			o := object{t.Target.Kind, t.Target.Namespace, t.Target.Name}
			if !seen[o] {
				seen[o] = true
				kinds[t.Target.Kind]++
			}
		}
	}
	if len(seen) == 1 {
		t := changes[0].Targets[0].Target
		return strings.TrimSuffix(fmt.Sprintf("%s %s/%s", t.Kind, t.Namespace, t.Name), "/")
	}
	var parts []string
	for kind, n := range kinds {
		parts = append(parts, fmt.Sprintf("%d %s", n, Plural(kind, n)))
	}
	slices.Sort(parts)
	return strings.Join(parts, " and ")
}

// Plural writes a kind for n objects.
func Plural(kind string, n int) string {
	switch {
	case n == 1:
		return kind
	case strings.HasSuffix(kind, "s"):
		return kind + "es"
	case strings.HasSuffix(kind, "Policy"):
		return strings.TrimSuffix(kind, "y") + "ies"
	}
	return kind + "s"
}

// fieldNames lists the paths of some fields, at most four.
func fieldNames(fields []change.Field) string {
	var names []string
	for _, f := range fields {
		names = append(names, f.Path)
	}
	if len(names) > 4 {
		return strings.Join(names[:4], ", ") + fmt.Sprintf(" and %d more", len(names)-4)
	}
	return strings.Join(names, ", ")
}
