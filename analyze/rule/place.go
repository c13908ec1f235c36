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

// hit is a finding about a change.
func (p *Pair) hit(c *change.Change, message string) Hit {
	at, inBase, related := p.place(c)
	target := ""
	if len(c.Policies) > 0 {
		target = c.Policies[0]
	} else if len(c.Causes) > 0 {
		target = c.Causes[0].Object
	}
	return Hit{Target: target, Key: []string{c.Fingerprint}, At: at, InBase: inBase, Message: message, Related: related}
}

// reach says where a change is, counting targets by their object.
func reach(c *change.Change) string {
	type object struct{ kind, namespace, name string }
	seen := map[object]bool{}
	kinds := map[string]int{}
	for _, t := range c.Targets {
		o := object{t.Target.Kind, t.Target.Namespace, t.Target.Name}
		if !seen[o] {
			seen[o] = true
			kinds[t.Target.Kind]++
		}
	}
	if len(seen) == 1 {
		t := c.Targets[0].Target
		return strings.TrimSuffix(fmt.Sprintf("%s %s/%s", t.Kind, t.Namespace, t.Name), "/")
	}
	var parts []string
	for kind, n := range kinds {
		parts = append(parts, fmt.Sprintf("%d %s", n, plural(kind, n)))
	}
	slices.Sort(parts)
	return strings.Join(parts, " and ")
}

func plural(kind string, n int) string {
	switch {
	case n == 1:
		return kind
	case strings.HasSuffix(kind, "s"):
		return kind + "es"
	case strings.HasSuffix(kind, "y"):
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
