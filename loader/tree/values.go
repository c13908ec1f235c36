package tree

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Text returns a text as a value.
func Text(s string) *loader.Value { return &loader.Value{Shape: loader.String, Text: s} }

// MapOf returns a map of one field.
func MapOf(key string, v *loader.Value) *loader.Value {
	return &loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: key, Value: v}}}
}

// SetKey returns a map with one field replaced or added.
func SetKey(v *loader.Value, key string, by *loader.Value) *loader.Value {
	if v.Get(key) != nil {
		return ReplaceKey(v, key, loader.Field{Key: key, Value: by})
	}
	out := *v
	out.Fields = append(slices.Clone(v.Fields), loader.Field{Key: key, Value: by})
	return &out
}

// ReplaceKey returns a map with one field replaced by another.
func ReplaceKey(v *loader.Value, key string, by loader.Field) *loader.Value {
	out := &loader.Value{Shape: loader.Map, Mark: v.Mark}
	for _, field := range v.Fields {
		if field.Key == key {
			field = by
		}
		out.Fields = append(out.Fields, field)
	}
	return out
}

// Nested reports whether a value is a non-empty map or list.
func Nested(v *loader.Value) bool {
	return v != nil && (v.Shape == loader.Map && len(v.Fields) > 0 || v.Shape == loader.List && len(v.Items) > 0)
}

// Listed returns the objects of a document: itself, or the items of a list.
func Listed(doc *loader.Value) []*loader.Value {
	if list := doc.Get("items"); list != nil && list.Shape == loader.List && strings.HasSuffix(doc.Str("kind"), "List") {
		return list.Items
	}
	return []*loader.Value{doc}
}
