package inventory

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// grants is the set of ReferenceGrant permissions of an environment, one element for each pair of a
// `from` and a `to`: grants are additive (Gateway API, ReferenceGrant).
type grants map[grant]bool

// vague reports whether a ReferenceGrant of the namespace contains a variable.
func (g grants) vague(namespace string) bool { return g[grant{to: loader.ID{Namespace: namespace}}] }

// someName is the name in a permission for objects of a kind that are named one by one.
const someName = "\x00"

// named reports whether a ReferenceGrant in the target's namespace is for such a reference, to other names.
func (g grants) named(from, to loader.ID) bool {
	from.Name, to.Name = "", someName
	return g[grant{from, to}]
}

// grant permits objects of one kind in one namespace to reference an object of another namespace,
// or, if to.Name is empty, all objects of that kind there.
type grant struct {
	from, to loader.ID
}

func indexGrants(objects []*loader.Object) grants {
	g := grants{}
	for _, o := range objects {
		if o.ID.Group != loader.GatewayGroup || o.ID.Kind != "ReferenceGrant" {
			continue
		}
		eachGrant(o, func(one grant, _, _ *loader.Value) {
			g[one] = true
			if loader.Placeholder(one.from.Namespace) || loader.Placeholder(one.from.Kind) || loader.Placeholder(one.to.Kind) || loader.Placeholder(one.to.Name) {
				g[grant{to: loader.ID{Namespace: o.ID.Namespace}}] = true
			}
			if one.to.Name != "" {
				one.to.Name = someName
				g[one] = true
			}
		})
	}
	return g
}

// eachGrant calls visit for each combination of a `from` and a `to` entry of a ReferenceGrant.
func eachGrant(o *loader.Object, visit func(one grant, from, to *loader.Value)) {
	for _, from := range o.Spec().List("from") {
		for _, to := range o.Spec().List("to") {
			visit(grant{
				from: loader.ID{Group: from.Str("group"), Kind: from.Str("kind"), Namespace: from.Str("namespace")},
				to:   loader.ID{Group: to.Str("group"), Kind: to.Str("kind"), Namespace: o.ID.Namespace, Name: to.Str("name")},
			}, from, to)
		}
	}
}

// Grant is one permission of a ReferenceGrant: objects of one kind in one namespace may reference
// an object in another namespace. If To.Name is empty, they may reference all objects of that kind
// there.
type Grant struct {
	From, To loader.ID
	// Object is the ReferenceGrant, At the position of its `to` entry.
	Object *loader.Object
	At     loader.Position
}

// Grants returns the permissions of all ReferenceGrants among the objects, in a stable order.
func Grants(objects []*loader.Object) []Grant {
	var out []Grant
	for _, o := range objects {
		if o.ID.Group != loader.GatewayGroup || o.ID.Kind != "ReferenceGrant" {
			continue
		}
		eachGrant(o, func(one grant, _, to *loader.Value) {
			out = append(out, Grant{one.from, one.to, o, o.Position(to)})
		})
	}
	slices.SortStableFunc(out, func(a, b Grant) int { return cmp.Or(a.From.Compare(b.From), a.To.Compare(b.To)) })
	return out
}

// permits reports whether a ReferenceGrant in the target's namespace has a matching `from` and a
// matching `to` entry.
func (g grants) permits(from, to loader.ID) bool {
	from.Name = ""
	all := to
	all.Name = ""
	return g[grant{from, to}] || g[grant{from, all}]
}
