package hierarchy

import "github.com/gwplan/gwplan/loader"

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
		if o.ID.Group != Group || o.ID.Kind != "ReferenceGrant" {
			continue
		}
		for _, from := range o.Spec().List("from") {
			for _, to := range o.Spec().List("to") {
				one := grant{
					from: loader.ID{Group: from.Str("group"), Kind: from.Str("kind"), Namespace: from.Str("namespace")},
					to:   loader.ID{Group: to.Str("group"), Kind: to.Str("kind"), Namespace: o.ID.Namespace, Name: to.Str("name")},
				}
				g[one] = true
				if opaque(one.from.Namespace) || opaque(one.from.Kind) || opaque(one.to.Kind) || opaque(one.to.Name) {
					g[grant{to: loader.ID{Namespace: o.ID.Namespace}}] = true
				}
			}
		}
	}
	return g
}

// permits says whether some grant in the target's namespace has a matching
// `from` and a matching `to`.
func (g grants) permits(from, to loader.ID) bool {
	from.Name = ""
	any := to
	any.Name = ""
	return g[grant{from, to}] || g[grant{from, any}]
}
