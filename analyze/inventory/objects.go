package inventory

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// Objects holds the objects of an environment, and what is known about objects that are not in it.
type Objects struct {
	byID map[loader.ID]*loader.Object
	// sorted holds the objects by kind and namespace. It is nil until first use.
	sorted map[loader.ID][]*loader.Object
	// kinds holds each kind of which the input has objects or the definition.
	kinds map[loader.ID]bool
	// gaps lists what could not be rendered, nearby those of each namespace, once they are asked for.
	gaps     []loader.Gap
	nearby   map[string]*nearGaps
	makers   *makers
	complete bool
	external map[loader.ID]bool
	gone     map[loader.ID]bool
	supposed map[loader.ID]bool
	unread   map[string]int
}

func newObjects(env *loader.Environment, options Options) *Objects {
	o := &Objects{
		byID: make(map[loader.ID]*loader.Object, len(env.Objects)), kinds: map[loader.ID]bool{}, gaps: env.Gaps, makers: newMakers(env),
		complete: options.Complete, external: options.External, gone: options.Gone, supposed: options.Supposed, unread: options.Unread,
	}
	for _, one := range env.Objects {
		o.byID[one.ID] = one
		o.kinds[loader.ID{Group: one.ID.Group, Kind: one.ID.Kind}] = true
		if one.ID.Kind == "CustomResourceDefinition" {
			o.kinds[loader.ID{Group: one.Spec().Str("group"), Kind: one.Spec().Str("names", "kind")}] = true
		}
	}
	return o
}

// Object returns the object of the environment with this identity, or nil.
func (o *Objects) Object(id loader.ID) *loader.Object { return o.byID[id] }

// ObjectsOf returns the objects of a kind in a namespace, sorted by name.
func (o *Objects) ObjectsOf(group, kind, namespace string) []*loader.Object {
	if o.sorted == nil {
		o.sorted = map[loader.ID][]*loader.Object{}
		for _, id := range slices.SortedFunc(maps.Keys(o.byID), loader.ID.Compare) {
			at := loader.ID{Group: id.Group, Kind: id.Kind, Namespace: id.Namespace}
			o.sorted[at] = append(o.sorted[at], o.byID[id])
		}
	}
	return o.sorted[loader.ID{Group: group, Kind: kind, Namespace: namespace}]
}

// AllOf returns the objects of a kind in all namespaces, in order.
func (o *Objects) AllOf(group, kind string) []*loader.Object {
	o.ObjectsOf(group, kind, "") // fills o.sorted
	var out []*loader.Object
	for at, list := range o.sorted {
		if at.Group == group && at.Kind == kind {
			out = append(out, list...)
		}
	}
	slices.SortFunc(out, func(a, b *loader.Object) int { return a.ID.Compare(b.ID) })
	return out
}

// External reports whether an object is declared to be defined elsewhere.
func (o *Objects) External(id loader.ID) bool { return o.external[id] }

// KnowsKind reports whether the input has objects or the definition of a kind.
func (o *Objects) KnowsKind(group, kind string) bool {
	return o.kinds[loader.ID{Group: group, Kind: kind}] || o.Unread(group, kind)
}

// Unread reports whether the input has objects of a kind that were not read.
func (o *Objects) Unread(group, kind string) bool { return o.unread[group+"/"+kind] > 0 }

// Gone reports whether only the other revision of a comparison has an object, so that it is known not to exist, or is
// supposed not to.
func (o *Objects) Gone(id loader.ID) bool {
	return o.supposed[id] || o.gone[id] && len(o.makers.mayRender(id)) == 0
}

// ExistsOutside reports whether an object exists that is not in the input. The result is unknown, unless
// the input is complete and no part was omitted that could contain the object.
func (o *Objects) ExistsOutside(id loader.ID) fact.Fact {
	if o.Gone(id) {
		return fact.False
	}
	if loader.Placeholder(id.Name) || loader.Placeholder(id.Namespace) {
		return fact.Unknown
	}
	if _, made := o.makers.maker(id); made || o.Unread(id.Group, id.Kind) {
		return fact.Unknown
	}
	if o.makers.withoutIt(id) {
		return fact.False
	}
	if !o.complete || o.external[id] || o.makers.rendersIn(id.Namespace) {
		return fact.Unknown
	}
	for _, gap := range o.gaps {
		if gap.Namespace == "" || gap.Namespace == id.Namespace {
			return fact.Unknown
		}
	}
	return fact.False
}

// ExistsOutsideWhy returns the result of ExistsOutside for an object that is not in the input, and a message.
func (o *Objects) ExistsOutsideWhy(id loader.ID) (fact.Fact, string) {
	if o.ExistsOutside(id) == fact.False {
		return fact.False, id.Spoken() + " does not exist"
	}
	return fact.Unknown, o.notInInput(id)
}

// notInInput returns a message that names what may create the missing object.
func (o *Objects) notInInput(id loader.ID) string {
	message := id.Spoken() + " is not in the input"
	if by, made := o.makers.maker(id); made {
		return message + "; it is made by " + by.Spoken()
	}
	if p := o.Producer(id); p != "" {
		message += "; it may be rendered by " + p
	}
	return message
}

// Present reports whether an object exists. The message says what is unknown or wrong.
func (o *Objects) Present(id loader.ID) (fact.Fact, string) {
	if o.Exists(id) {
		return fact.True, ""
	}
	return o.ExistsOutsideWhy(id)
}

// Exists reports whether an object is in the input or declared to be defined elsewhere.
func (o *Objects) Exists(id loader.ID) bool { return o.byID[id] != nil || o.external[id] }

// Whole reports whether no object can exist outside the input: it is complete and fully rendered.
func (o *Objects) Whole() bool { return o.complete && len(o.gaps) == 0 }
