package inventory

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// grants are the ReferenceGrants of an environment, each pair of a `from` and a
// `to` by itself: grants add up (Gateway API, ReferenceGrant).
type grants map[grant]bool

// vague says whether a grant of a namespace holds a variable.
func (g grants) vague(namespace string) bool { return g[grant{to: loader.ID{Namespace: namespace}}] }

// grant lets the objects of a kind in one namespace refer to an object of another
// one, or, without a name, to all of a kind.
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
		})
	}
	return g
}

// eachGrant visits each pair of a `from` and a `to` of a ReferenceGrant.
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

// Grant is what a ReferenceGrant permits: the objects of a kind in one namespace may refer
// to an object of another one, or, without a name, to all of a kind there.
type Grant struct {
	From, To loader.ID
	// Object permits it, at the place of To.
	Object *loader.Object
	At     loader.Position
}

// Grants are what those objects permit that are ReferenceGrants, in a stable order.
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

// permits says whether some grant in the target's namespace has a matching
// `from` and a matching `to`.
func (g grants) permits(from, to loader.ID) bool {
	from.Name = ""
	any := to
	any.Name = ""
	return g[grant{from, to}] || g[grant{from, any}]
}
