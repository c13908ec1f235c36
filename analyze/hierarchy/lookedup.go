package hierarchy

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// mirrorCondition evaluates the backend of a mirror. A controller that does not look it up, because the route is of the wrong
// kind, finds it only if something else refers to it.
func (r *referring) mirrorCondition(ref *loader.Value) Condition {
	c := r.backendCondition(ref)
	id := named(BackendID(ref, r.route.Namespace()), r.own)
	found := c.Status == fact.True || c.Reason == r.own.Routes.PortNotFound || c.Reason == r.own.Routes.ExternalName
	if !found || !slices.Contains(r.own.Routes.UnreadMirrors, r.route.Target.Kind) || r.lookedUp(r.own)[id] {
		return c
	}
	status := fact.False
	if !r.Whole() {
		status = fact.Unknown
	}
	c = r.route.condition(ResolvedRefs, status, BackendNotFound, fmt.Sprintf(
		"%s does not look up the backends of mirrors of a %s, and nothing else in the input refers to %s", r.own.Name, r.route.Target.Kind, id.Spoken()), ref)
	c.Involves = []loader.ID{id}
	return c
}

// lookedUp returns the backends that a controller looks up: those of routes, of mirrors where it reads these, and of policies.
func (r *references) lookedUp(own *implementation.Implementation) map[loader.ID]bool {
	if r.looked[own] != nil {
		return r.looked[own]
	}
	found := map[loader.ID]bool{}
	for _, n := range r.Nodes {
		if n.Level != LevelRoute {
			continue
		}
		for _, rule := range n.Value.List("rules") {
			for _, ref := range rule.List("backendRefs") {
				found[named(BackendID(ref, n.Namespace()), own)] = true
			}
			for _, filter := range rule.List("filters") {
				if ref := filter.Get("requestMirror", "backendRef"); ref != nil && !slices.Contains(own.Routes.UnreadMirrors, n.Target.Kind) {
					found[named(BackendID(ref, n.Namespace()), own)] = true
				}
			}
		}
	}
	for _, kind := range own.Routes.BackendReaders {
		for _, o := range r.AllOf(kind.Group, kind.Name) {
			backendsIn(o.Spec(), func(ref *loader.Value) { found[named(BackendID(ref, o.ID.Namespace), own)] = true })
		}
	}
	r.looked[own] = found
	return found
}

// backendsIn visits the backends that are written anywhere in a value.
func backendsIn(v *loader.Value, found func(ref *loader.Value)) {
	for _, f := range v.FieldList() {
		switch f.Key {
		case "backendRef":
			found(f.Value)
		case "backendRefs":
			for _, ref := range f.Value.ItemList() {
				found(ref)
			}
		default:
			backendsIn(f.Value, found)
		}
	}
	for _, item := range v.ItemList() {
		backendsIn(item, found)
	}
}
