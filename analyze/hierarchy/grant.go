package hierarchy

import "github.com/gwplan/gwplan/loader"

// grants indexes the ReferenceGrants of an environment by the namespace that
// they open.
type grants map[string][]grant

type grant struct {
	// from has no name, to perhaps none: then any object of the kind.
	from []loader.ID
	to   []loader.ID
}

func indexGrants(objects []*loader.Object) grants {
	g := grants{}
	for _, o := range objects {
		if o.ID.Group != Group || o.ID.Kind != "ReferenceGrant" {
			continue
		}
		var one grant
		for _, from := range o.Spec().List("from") {
			one.from = append(one.from, loader.ID{
				Group: from.Str("group"), Kind: from.Str("kind"), Namespace: from.Str("namespace"),
			})
		}
		for _, to := range o.Spec().List("to") {
			one.to = append(one.to, loader.ID{Group: to.Str("group"), Kind: to.Str("kind"), Name: to.Str("name")})
		}
		g[o.ID.Namespace] = append(g[o.ID.Namespace], one)
	}
	return g
}

// permits says whether some grant in the target's namespace has a matching
// `from` and a matching `to` (Gateway API, ReferenceGrant).
func (g grants) permits(from, to loader.ID) bool {
	for _, one := range g[to.Namespace] {
		if one.matchesFrom(from) && one.matchesTo(to) {
			return true
		}
	}
	return false
}

func (g grant) matchesFrom(from loader.ID) bool {
	for _, f := range g.from {
		if f.Group == from.Group && f.Kind == from.Kind && f.Namespace == from.Namespace {
			return true
		}
	}
	return false
}

func (g grant) matchesTo(to loader.ID) bool {
	for _, t := range g.to {
		if t.Group == to.Group && t.Kind == to.Kind && (t.Name == "" || t.Name == to.Name) {
			return true
		}
	}
	return false
}
