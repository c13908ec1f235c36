package loader

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Shape is the type of content that a Value holds.
type Shape uint8

// The shapes of a YAML or JSON value. Plain scalars resolve as
// sigs.k8s.io/yaml resolves them: `y` and `on` are booleans.
const (
	Null Shape = iota
	Bool
	Int
	Float
	String
	Map
	List
)

// Mark is a place inside an object: File indexes Object.Files (0 is the file that declares the
// object), Line and Column count from 1 and columns count Unicode code points. The zero Line means
// that the place is unknown.
//
// A Value holds a Mark instead of a file name because one blob may be in many files.
// Object.Position resolves it.
type Mark struct {
	File, Line, Column uint32
}

// Value is one decoded YAML or JSON value. It is immutable and shared between revisions: to change
// a value, build a new one.
//
// The mark of a scalar is that of its first character. A map or list in a map has the mark of its
// key. An item of a list has its own mark.
type Value struct {
	Shape Shape
	// Text is the resolved scalar: "true" or "false" for a Bool, a JSON number for Int and Float,
	// the string itself for a String.
	Text string
	// Fields are the entries of a Map in document order; keys are unique.
	Fields []Field
	// Items are the items of a List.
	Items []*Value
	Mark  Mark
	// Defaulted means that no manifest contains this value: it comes from the `default:` of a CRD
	// schema, and Mark is that of the nearest written value.
	Defaulted bool
	// Opaque means that the text holds an unresolved ${VAR}. The value is equal to itself and
	// otherwise unknown.
	Opaque bool
	// Blank means that nothing is written for a Null, as in `key:`. Kustomize drops such a key from an
	// object that it merges a patch into.
	Blank bool
	// Word means that a Bool is written as a word other than true and false, such as on. Kustomize reads
	// that as a text.
	Word bool
}

// Field is one entry of a Map.
type Field struct {
	Key   string
	Value *Value
}

// Copy returns a deep copy of the value, with edit applied to each copied value after those in it. What edit does not put in
// place of another value is not shared with the original.
func (v *Value) Copy(edit func(*Value)) *Value {
	out := *v
	out.Fields, out.Items = slices.Clone(v.Fields), slices.Clone(v.Items)
	for i := range out.Fields {
		out.Fields[i].Value = out.Fields[i].Value.Copy(edit)
	}
	for i := range out.Items {
		out.Items[i] = out.Items[i].Copy(edit)
	}
	edit(&out)
	return &out
}

// Get returns the value at a path of keys, or nil. A nil Value has no fields,
// so calls may be chained without checks.
func (v *Value) Get(path ...string) *Value {
	for _, key := range path {
		v = v.field(key)
	}
	return v
}

// At returns the value at a dotted path such as tls.mode, or nil. An empty path is the value itself.
func (v *Value) At(path string) *Value {
	if path == "" {
		return v
	}
	return v.Get(strings.Split(path, ".")...)
}

func (v *Value) field(key string) *Value {
	if v == nil || v.Shape != Map {
		return nil
	}
	for i := range v.Fields {
		if v.Fields[i].Key == key {
			return v.Fields[i].Value
		}
	}
	return nil
}

// Str returns the text of a String at a path, or "".
func (v *Value) Str(path ...string) string {
	if s := v.Get(path...); s != nil && s.Shape == String {
		return s.Text
	}
	return ""
}

// List returns the items of a List at a path, or nil.
func (v *Value) List(path ...string) []*Value {
	if l := v.Get(path...); l != nil && l.Shape == List {
		return l.Items
	}
	return nil
}

// FieldList is the entries of a Map, or nothing.
func (v *Value) FieldList() []Field {
	if v == nil || v.Shape != Map {
		return nil
	}
	return v.Fields
}

// IsNull reports whether a value is absent or an explicit null.
func (v *Value) IsNull() bool { return v == nil || v.Shape == Null }

// IsEmpty reports whether a value is absent, null, or has no content: an empty string, list or map.
func (v *Value) IsEmpty() bool {
	if v.IsNull() {
		return true
	}
	switch v.Shape {
	case String:
		return v.Text == ""
	case Map:
		return len(v.Fields) == 0
	case List:
		return len(v.Items) == 0
	case Null, Bool, Int, Float:
	}
	return false
}

// Equal compares content; marks, order of keys and whether a value was
// defaulted do not matter.
func Equal(a, b *Value) bool {
	switch {
	case a == b:
		return true
	case a == nil || b == nil || a.Shape != b.Shape:
		return false
	}
	switch a.Shape {
	case Map:
		return equalFields(a, b)
	case List:
		if len(a.Items) != len(b.Items) {
			return false
		}
		for i := range a.Items {
			if !Equal(a.Items[i], b.Items[i]) {
				return false
			}
		}
		return true
	case Null, Bool, Int, Float, String:
	}
	return a.Text == b.Text
}

func equalFields(a, b *Value) bool {
	if len(a.Fields) != len(b.Fields) {
		return false
	}
	for i := range a.Fields {
		key := a.Fields[i].Key
		// Maps compared with each other mostly come from the same text in two
		// revisions, so the same index is tried before a search.
		other := b.Fields[i].Value
		if b.Fields[i].Key != key {
			if other = b.field(key); other == nil {
				return false
			}
		}
		if !Equal(a.Fields[i].Value, other) {
			return false
		}
	}
	return true
}

// ItemList is the items of a List, or nothing.
func (v *Value) ItemList() []*Value {
	if v == nil || v.Shape != List {
		return nil
	}
	return v.Items
}

// Plain returns a value in the form of encoding/json, with numbers as json.Number.
func (v *Value) Plain() any {
	return v.Convert(func(v *Value) any {
		if v.Shape == Int || v.Shape == Float {
			return json.Number(v.Text)
		}
		return v.scalar()
	})
}

// Decoded is a value as sigs.k8s.io/yaml would read it, with numbers as float64.
func (v *Value) Decoded() any { return v.Convert((*Value).scalar) }

// Convert is a value as Go's maps, lists and what scalar returns for the rest.
func (v *Value) Convert(scalar func(*Value) any) any {
	if v == nil {
		return nil
	}
	switch v.Shape {
	case Map:
		out := make(map[string]any, len(v.Fields))
		for _, f := range v.Fields {
			out[f.Key] = f.Value.Convert(scalar)
		}
		return out
	case List:
		out := make([]any, len(v.Items))
		for i, item := range v.Items {
			out[i] = item.Convert(scalar)
		}
		return out
	case Null, Bool, Int, Float, String:
	}
	return scalar(v)
}

func (v *Value) scalar() any {
	switch v.Shape {
	case Bool:
		return v.Text == "true"
	case Int, Float:
		if n, err := strconv.ParseFloat(v.Text, 64); err == nil {
			return n
		}
	case String:
		return v.Text
	case Null, Map, List:
	}
	return nil
}

// holds reports whether a scalar in the value has a text.
func (v *Value) holds(text string) bool {
	if v == nil {
		return false
	}
	return v.Text == text || slices.ContainsFunc(v.Fields, func(f Field) bool { return f.Value.holds(text) }) ||
		slices.ContainsFunc(v.Items, func(item *Value) bool { return item.holds(text) })
}

// What is kept of an entry of a Secret that should hold certificates, or users with their passwords: whether it does, and whether
// each password is hashed as {SHA}.
const (
	SomeCertificate = "certificate"
	NoCertificate   = "no certificate"
	HashedUsers     = "hashed users"
	OtherUsers      = "other users"
)

// IsKept reports whether a text is one that is kept of an entry of a Secret.
func IsKept(text string) bool {
	return slices.Contains([]string{SomeCertificate, NoCertificate, HashedUsers, OtherUsers}, text)
}

// IsTrue says whether a value is the boolean true.
func (v *Value) IsTrue() bool { return v != nil && v.Shape == Bool && v.Text == "true" }

// IsFalse says whether a value is the boolean false.
func (v *Value) IsFalse() bool { return v != nil && v.Shape == Bool && v.Text == "false" }
