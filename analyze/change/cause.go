package change

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// causes returns the edits that caused a change. It uses the first group that contains edited
// objects: the sources of the fields, the policies of both sides, the objects of the contexts, the
// objects that decide admission, or else all objects of the hierarchy.
func (c *sides) causes(sources []*loader.Object, before, after *effective.Policy, p pair) []plan.Cause {
	if found := c.edited(sources); len(found) > 0 {
		return found
	}
	var policies []*loader.Object
	for _, e := range []*effective.Policy{before, after} {
		if e == nil {
			continue
		}
		for _, share := range e.Shares {
			policies = append(append(policies, share.Policy.Object), c.objectsOf(share.Policy.Involves())...)
		}
		for _, yielded := range e.Yielded {
			for _, other := range yielded.To {
				policies = append(policies, other.Object)
			}
		}
	}
	if found := c.edited(policies); len(found) > 0 {
		return found
	}
	return c.contextCauses(p)
}

// contextCauses returns the edited objects of the contexts of a pair. A Gateway or ListenerSet that is edited where it
// admits nothing is a cause only if no other object is.
func (c *sides) contextCauses(p pair) []plan.Cause {
	var objects []*loader.Object
	for _, f := range [2]effective.Flow{p.before, p.after} {
		for _, sample := range f.Samples {
			for step := sample; step != nil; step = step.Up {
				for _, n := range step.Node.Nodes {
					if n != nil && n.Object != nil {
						objects = append(objects, n.Object)
					}
				}
			}
		}
	}
	admitting := slices.DeleteFunc(slices.Clone(objects), func(o *loader.Object) bool { return !c.edits[o.ID].admitsOthers() })
	for _, list := range [][]*loader.Object{admitting, objects} {
		if found := c.edited(list); len(found) > 0 {
			return found
		}
	}
	return c.anyCause()
}

// admissionCauses returns the edited objects that decide what may attach. Most of them are not in
// any context.
func (c *sides) admissionCauses() []plan.Cause {
	var found []plan.Cause
	for id := range c.edits {
		switch id.Kind {
		case "Namespace", "ReferenceGrant", "CustomResourceDefinition", "GatewayClass":
			found = append(found, c.causeOf(id))
		}
	}
	return sortedCauses(found)
}

// objectsOf returns the edited objects among ids, as in head, or in base if head has none.
func (c *sides) objectsOf(ids []loader.ID) []*loader.Object {
	var out []*loader.Object
	for _, id := range ids {
		if e, ok := c.edits[id]; ok {
			out = append(out, firstOf(e.after, e.before))
		}
	}
	return out
}

// grantsOf returns the edited ReferenceGrants of a namespace.
func (c *sides) grantsOf(namespace string) []*loader.Object {
	var ids []loader.ID
	for id := range c.edits {
		if id.Group == loader.GatewayGroup && id.Kind == "ReferenceGrant" && id.Namespace == namespace {
			ids = append(ids, id)
		}
	}
	return c.objectsOf(ids)
}

// causeOf returns the position of an edit. It caches the result, because many targets may depend on
// it.
func (c *sides) causeOf(id loader.ID) plan.Cause {
	cause, ok := c.causesOf[id]
	if !ok {
		cause = c.edits[id].cause()
		c.causesOf[id] = cause
	}
	return cause
}

// edited returns the edits of the given objects.
func (c *sides) edited(objects []*loader.Object) []plan.Cause {
	var found []plan.Cause
	for _, o := range objects {
		if _, ok := c.edits[o.ID]; ok {
			found = append(found, c.causeOf(o.ID))
		}
	}
	return sortedCauses(found)
}

func sortedCauses(causes []plan.Cause) []plan.Cause {
	slices.SortFunc(causes, compareCauses)
	return slices.Compact(causes)
}

func compareCauses(a, b plan.Cause) int {
	return cmp.Or(
		cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Side, b.Side), cmp.Compare(a.Object, b.Object),
	)
}

// CauseOf returns the position of the edit of an object that differs between two revisions; one of the
// sides is nil if the object came or went.
func CauseOf(before, after *loader.Object, o Options) plan.Cause {
	id := firstOf(after, before).ID
	one := edits{id: edit{before: before, after: after}}
	one.elsewhere(o)
	return one[id].cause()
}
