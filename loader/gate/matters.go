package gate

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/tree"
)

// Matters reports whether a build may result in a relevant object. Patches that change kinds and
// generators that are plugins may result in any kind.
func (p *Approved) Matters(s *tree.Store, v *tree.View) bool {
	for name, u := range p.Files {
		if u == UseConfig || u == UseResource && s.AnyMatters(v.IDs[name]) {
			return true
		}
	}
	for _, in := range p.Inflated {
		if slices.ContainsFunc(in.Docs, s.MayMatter) {
			return true
		}
	}
	for _, f := range p.Folders {
		for _, field := range f.Value.Fields {
			switch field.Key {
			case "configMapGenerator":
				if s.Generates(field.Value) {
					return true
				}
			case "secretGenerator":
				if s.Relevance("", "Secret") != manifest.Irrelevant {
					return true
				}
			case "generators":
				return true
			case "patches":
				if ChangesKind(field.Value) {
					return true
				}
			}
		}
	}
	return false
}

// ChangesKind reports whether a patch of a list may change kinds.
func ChangesKind(patches *loader.Value) bool {
	for _, item := range patches.Items {
		if item.Get("options", "allowKindChange") != nil {
			return true
		}
	}
	return false
}
