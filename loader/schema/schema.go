// Package schema does to an object what an API server does before anyone reads
// it: it fills in the defaults of the CRD's schema and drops the nulls that the
// schema does not allow. So adding a default by hand is no change.
//
// It knows the Gateway API kinds by itself, in a compact form of the CRDs that
// gateway-api ships, and others from the CRDs of a tree. It does not validate.
// Status is left alone: nobody writes it in Git.
package schema

import (
	"sync"

	"github.com/gwplan/gwplan/loader"
)

// Set holds schemas by group, version and kind. It is immutable, and safe for
// use by several goroutines.
type Set struct {
	// kinds are compiled when they are first asked for: the CRDs of a repository
	// may be large and its objects few.
	kinds map[key]func() *node
	// below is asked for what is not in kinds; nil means the built-in schemas.
	below *Set
}

type key struct{ group, version, kind string }

// Builtin is the set of the Gateway API kinds and a few facts of core.
func Builtin() *Set { return &Set{} }

// With lays the CustomResourceDefinitions of a tree over the set. What is not
// such a definition, or a broken one, adds nothing.
func (s *Set) With(crds []*loader.Value) *Set {
	out := &Set{kinds: map[key]func() *node{}, below: s}
	for _, crd := range crds {
		for k, schema := range versions(crd) {
			out.kinds[k] = sync.OnceValue(func() *node { return object(compile(schema)) })
		}
	}
	return out
}

// versions are the schemas that a definition holds: one per version, or one for
// all in the shape of v1beta1.
func versions(crd *loader.Value) map[key]*loader.Value {
	spec := crd.Get("spec")
	k := key{group: spec.Str("group"), kind: spec.Str("names", "kind")}
	if crd.Str("kind") != "CustomResourceDefinition" || k.group == "" || k.kind == "" {
		return nil
	}
	shared := spec.Get("validation", "openAPIV3Schema")
	out := map[key]*loader.Value{}
	add := func(version string, schema *loader.Value) {
		if schema == nil {
			schema = shared
		}
		if k.version = version; version != "" && schema != nil {
			out[k] = schema
		}
	}
	add(spec.Str("version"), nil)
	for _, v := range spec.List("versions") {
		add(v.Str("name"), v.Get("schema", "openAPIV3Schema"))
	}
	return out
}

// Apply fills in defaults and drops nulls. It returns root itself where there is
// nothing to do; a value that it adds is Defaulted and has the mark of the
// nearest value written. Of a kind without a schema only the metadata is known.
func (s *Set) Apply(group, version, kind string, root *loader.Value) *loader.Value {
	if root == nil || root.Shape != loader.Map {
		return root
	}
	return s.find(key{group, version, kind}).apply(root)
}

// StringMap says whether a schema declares the value at a path to be a map from
// strings to strings. Where the path meets a list, any key stands for an item.
func (s *Set) StringMap(group, version, kind string, path ...string) bool {
	n := s.find(key{group, version, kind})
	for _, k := range path {
		if n = n.at(k); n == nil {
			return false
		}
	}
	return n.extra != nil && n.extra.text
}

func (s *Set) find(k key) *node {
	for ; s != nil; s = s.below {
		if compiled, ok := s.kinds[k]; ok {
			return compiled()
		}
	}
	return builtin(k)
}
