package chart

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// Values are the values given to a chart, with the files that their marks refer to.
type Values struct {
	Root  *loader.Value
	Files []string
}

// Over merges other values over these, as Helm merges several values files. Maps are merged,
// everything else replaces the old value. A null is kept and removes a default of the chart (helm
// pkg/chart/v2/loader, MergeMaps).
func (v Values) Over(other Values) Values {
	if other.Root == nil || other.Root.Shape != loader.Map {
		return v
	}
	shift := uint32(len(v.Files))
	over := Moved(other.Root, shift)
	out := Values{Root: over, Files: slices.Concat(v.Files, other.Files)}
	if v.Root != nil {
		out.Root = Overlaid(v.Root, over)
	}
	return out
}

// Set merges one value at a path of keys over the other values.
func (v Values) Set(path []string, value *loader.Value, file string) Values {
	for i := len(path) - 1; i >= 0; i-- {
		value = &loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: path[i], Value: value}}, Mark: value.Mark}
	}
	return v.Over(Values{value, []string{file}})
}

// Overlaid returns base with the values of over put over it: maps are merged key by key, and any
// other value of over replaces that of base.
func Overlaid(base, over *loader.Value) *loader.Value {
	if base == nil || base.Shape != loader.Map || over.Shape != loader.Map {
		return over
	}
	out := *base
	out.Fields = slices.Clone(base.Fields)
	for _, f := range over.Fields {
		i := slices.IndexFunc(out.Fields, func(own loader.Field) bool { return own.Key == f.Key })
		if i < 0 {
			out.Fields = append(out.Fields, f)
			continue
		}
		out.Fields[i].Value = Overlaid(out.Fields[i].Value, f.Value)
	}
	return &out
}

// Moved returns a copy of a value whose marks refer to later files.
func Moved(v *loader.Value, by uint32) *loader.Value {
	if by == 0 {
		return v
	}
	return v.Copy(func(v *loader.Value) { v.Mark.File += by })
}

// Plain returns the values as Go's own maps and lists. leaf converts the values that are neither;
// without it they are decoded.
func (v Values) Plain(leaf func(*loader.Value) any) map[string]any {
	if v.Root == nil {
		return map[string]any{}
	}
	decoded := v.Root.Decoded
	if leaf != nil {
		decoded = func() any {
			return v.Root.Convert(func(v *loader.Value) any {
				if by := leaf(v); by != nil {
					return by
				}
				return v.Decoded()
			})
		}
	}
	if m, ok := decoded().(map[string]any); ok {
		return m
	}
	return map[string]any{}
}
