// Package schema applies CRD schemas to objects like an API server: it fills in defaults and
// drops nulls that the schema does not allow. So writing a default value explicitly is not a
// change.
//
// It contains the schemas of the Gateway API kinds, as a compact form of the CRDs that
// gateway-api ships, and reads others from the CRDs of a tree. It also validates objects against
// them, with the expressions of x-kubernetes-validations. It does not touch status, because status
// is not kept in Git.
package schema

import (
	"math"
	"sync"

	"github.com/gwplan/gwplan/loader"
)

// Set holds schemas by group, version and kind. It is immutable, and safe for
// use by several goroutines.
type Set struct {
	// kinds are compiled at their first use, because a repository may have large CRDs and
	// few objects.
	kinds map[key]func() *node
	// served are the versions that the definitions serve.
	served map[kindOf][]string
	// below is the set for keys that are not in kinds; nil means the built-in schemas.
	below *Set
}

type key struct{ group, version, kind string }

// Builtin returns the set of the Gateway API kinds and a few fields of core kinds.
func Builtin() *Set { return &Set{} }

// With returns a new set in which the CustomResourceDefinitions of a tree override the set.
// It ignores other objects and invalid definitions.
func (s *Set) With(crds []*loader.Value) *Set {
	out := &Set{kinds: map[key]func() *node{}, served: map[kindOf][]string{}, below: s}
	for _, crd := range crds {
		of := kindOf{crd.Str("spec", "group"), crd.Str("spec", "names", "kind")}
		if list := servedVersions(crd); out.served[of] == nil {
			out.served[of] = list
		} else {
			out.served[of] = append(out.served[of], list...)
		}
		for k, schema := range versions(crd) {
			out.kinds[k] = sync.OnceValue(func() *node {
				n := object(compile(schema))
				n.open = n.open || crd.Str("apiVersion") != "apiextensions.k8s.io/v1" // of older ones, unknown fields stay by default
				return n
			})
		}
	}
	return out
}

// versions returns the schemas of a definition: one per version, or one for all versions in
// the format of v1beta1.
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

// Apply fills in defaults and drops nulls. It returns root itself if nothing changes. An
// added value is Defaulted and has the mark of the nearest value in the manifest. For a kind
// without a schema it handles the metadata only.
func (s *Set) Apply(group, version, kind string, root *loader.Value) *loader.Value {
	out, _ := s.ApplyWithin(math.MaxInt, group, version, kind, root)
	return out
}

// ApplyWithin is Apply for objects and schemas from strangers. Where defaults would add more than
// limit values, it returns the object as it is written, and false.
func (s *Set) ApplyWithin(limit int, group, version, kind string, root *loader.Value) (*loader.Value, bool) {
	if root == nil || root.Shape != loader.Map {
		return root, true
	}
	b := budget{left: limit}
	out := s.find(key{group, version, kind}).apply(root, &b)
	if b.left < 0 {
		return root, false
	}
	return out, true
}

func (s *Set) find(k key) *node {
	for ; s != nil; s = s.below {
		if compiled, ok := s.kinds[k]; ok {
			return compiled()
		}
	}
	return builtin(k)
}
