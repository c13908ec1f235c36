package kustomize

import (
	"regexp"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/tree"
)

// stubs decides which objects kustomize reads without their bodies: those that are not relevant, whose
// bodies are most of the input. They keep their kind and name, so that a build which fails because of
// such an object fails here, too.
type stubs struct {
	store *tree.Store
	// never means that all bodies are needed, because values are copied between objects.
	never bool
	// patched are the kinds, as regular expressions, that JSON6902 patches target. Such a patch fails
	// if a field is missing.
	patched []*regexp.Regexp
}

// stubs returns the decision for a build.
func (p *Approved) stubs(s *tree.Store) stubs {
	out := stubs{store: s}
	for _, f := range p.Folders {
		for _, field := range f.value.FieldList() {
			switch field.Key {
			case "replacements", "vars", "generators", "transformers", "validators", "openapi", "configurations", "crds":
				out.never = out.never || !field.Value.IsEmpty()
			case "configMapGenerator", "secretGenerator":
				out.never = out.never || slices.ContainsFunc(field.Value.ItemList(), func(g *loader.Value) bool { return g.Str("behavior") != "" })
			case "patches":
				out.never = out.never || changesKind(field.Value)
			}
		}
		for _, patch := range f.patches {
			kind, err := regexp.Compile("^(?:" + patch.target.Str("kind") + ")$")
			if err != nil || patch.target.Str("kind") == "" {
				out.never = true
				continue
			}
			out.patched = append(out.patched, kind)
		}
	}
	return out
}

// of returns an object in the form that the build needs, and whether its body was removed.
func (s stubs) of(object *loader.Value) (*loader.Value, bool) {
	kind := object.Str("kind")
	definition := kind == tree.CrdKind
	if s.never || object.Shape != loader.Map || s.store.MayMatter(object) && !definition ||
		slices.ContainsFunc(s.patched, func(re *regexp.Regexp) bool { return re.MatchString(kind) }) {
		return object, false
	}
	out := &loader.Value{Shape: loader.Map, Mark: object.Mark}
	for _, f := range object.Fields {
		if f.Key == "apiVersion" || f.Key == "kind" || f.Key == "metadata" {
			out.Fields = append(out.Fields, f)
		}
	}
	return out, true
}
