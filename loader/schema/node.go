package schema

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// node is the relevant part of one node of a structural schema. The content of oneOf, anyOf,
// allOf and not is omitted, but for the patterns of allOf: there a structural schema only validates, and the API server
// rejects defaults (apiextensions-apiserver, pkg/apiserver/schema: ValueValidation).
type node struct {
	// text means that the type is string.
	text     bool
	nullable bool
	// value is the default, or nil.
	value *loader.Value
	// fields are sorted by name.
	fields []field
	// items is the schema of list items, extra that of the values of other keys of a map.
	items, extra *node
	// open means that fields which are not in the schema stay (x-kubernetes-preserve-unknown-fields).
	open bool
	// checks is what the schema says about valid values, or nil.
	checks *checks
}

type field struct {
	name string
	node *node
}

// key returns the schema of the value at a key of a map, or nil if it is unknown.
func (n *node) key(name string) *node {
	i, found := slices.BinarySearchFunc(n.fields, name, func(f field, name string) int { return cmp.Compare(f.name, name) })
	if found {
		return n.fields[i].node
	}
	return n.extra
}

// compile converts an openAPIV3Schema. It ignores invalid parts.
func compile(v *loader.Value) *node {
	n := &node{text: v.Str("type") == "string", checks: compileChecks(v)}
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
	n.open = v.Get("x-kubernetes-preserve-unknown-fields").IsTrue() || v.Get("x-kubernetes-embedded-resource").IsTrue() || v.Get("additionalProperties").IsTrue()
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

// fits reports whether a default has the declared type. The API server rejects a CRD with
// any other default.
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

// object returns the schema of a whole object. The metadata schema is the same for all
// objects. Status is omitted, so it gets no defaults.
func object(n *node) *node {
	out := &node{extra: n.extra, fields: []field{{"metadata", metadata()}}, checks: n.checks, open: n.open}
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

// metadata returns the schema of the meta/v1 ObjectMeta fields that manifests may contain.
// Its only effect is that nulls are dropped.
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
