package schema

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// node is what matters of one place in a structural schema. What stands under
// oneOf, anyOf, allOf and not is left out: there a structural schema only
// validates, and the API server refuses defaults (apiextensions-apiserver,
// pkg/apiserver/schema: ValueValidation).
type node struct {
	// text says that the type is string.
	text     bool
	nullable bool
	// value is the default, or nil.
	value *loader.Value
	// fields are sorted by name.
	fields []field
	// items is for lists, extra for the values of a map without fixed keys.
	items, extra *node
}

type field struct {
	name string
	node *node
}

// key is the schema of a map's value; nil is unknown.
func (n *node) key(name string) *node {
	i, found := slices.BinarySearchFunc(n.fields, name, func(f field, name string) int { return cmp.Compare(f.name, name) })
	if found {
		return n.fields[i].node
	}
	return n.extra
}

// at is key, or the items of a list, which stand for each of them.
func (n *node) at(name string) *node {
	if n.items != nil {
		return n.items
	}
	return n.key(name)
}

// compile reads an openAPIV3Schema. What makes no sense there is left out.
func compile(v *loader.Value) *node {
	n := &node{text: v.Str("type") == "string"}
	if nullable := v.Get("nullable"); nullable != nil {
		n.nullable = nullable.Shape == loader.Bool && nullable.Text == "true"
	}
	if value := v.Get("default"); !value.IsNull() && fits(v.Str("type"), value.Shape) {
		n.value = value
	}
	if properties := v.Get("properties"); properties != nil && properties.Shape == loader.Map {
		for _, f := range properties.Fields {
			n.fields = append(n.fields, field{f.Key, compile(f.Value)})
		}
		n.sort()
	}
	n.items = compileMap(v.Get("items"))
	n.extra = compileMap(v.Get("additionalProperties"))
	return n
}

func compileMap(v *loader.Value) *node {
	if v == nil || v.Shape != loader.Map {
		return nil
	}
	return compile(v)
}

func (n *node) sort() {
	slices.SortFunc(n.fields, func(a, b field) int { return cmp.Compare(a.name, b.name) })
}

// fits says whether a default is of the type it is for; a CRD whose default is
// not does not reach a cluster.
func fits(declared string, shape loader.Shape) bool {
	switch declared {
	case "string":
		return shape == loader.String
	case "boolean":
		return shape == loader.Bool
	case "integer":
		return shape == loader.Int
	case "number":
		return shape == loader.Int || shape == loader.Float
	case "object":
		return shape == loader.Map
	case "array":
		return shape == loader.List
	}
	return true
}

// object is the schema of a whole object: its metadata is that of all objects,
// and its status is nobody's to default.
func object(n *node) *node {
	out := &node{extra: n.extra, fields: []field{{"metadata", metadata()}}}
	for _, f := range n.fields {
		switch f.name {
		case "apiVersion", "kind", "metadata", "status":
		default:
			out.fields = append(out.fields, f)
		}
	}
	out.sort()
	return out
}

// metadata is meta/v1 ObjectMeta, as far as manifests write it: a null is the
// same as nothing.
func metadata() *node {
	texts := &node{extra: &node{text: true}}
	out := &node{fields: []field{{"labels", texts}, {"annotations", texts}}}
	for _, name := range []string{
		"creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "finalizers", "generateName", "generation",
		"managedFields", "name", "namespace", "ownerReferences", "resourceVersion", "selfLink", "uid",
	} {
		out.fields = append(out.fields, field{name, &node{}})
	}
	out.sort()
	return out
}
