package world

import (
	"maps"
	"slices"
)

// String is the text at a path of an object, or "".
func (o Object) String(path ...string) string {
	var v any = fields(o)
	for _, key := range path {
		m, _ := v.(fields)
		v = m[key]
	}
	s, _ := v.(string)
	return s
}

// Less are the objects that have one field or item less than o, the largest parts first. What names an object stays.
func (o Object) Less() []Object {
	var out []Object
	for _, less := range without(fields(o), 0) {
		out = append(out, Object(less.(fields)))
	}
	return out
}

func without(v any, depth int) []any {
	var here, below []any
	switch v := v.(type) {
	case fields:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if depth == 0 && (key == "kind" || key == "apiVersion" || key == "metadata") {
				continue
			}
			less := maps.Clone(v)
			delete(less, key)
			here = append(here, less)
			for _, inner := range without(v[key], depth+1) {
				changed := maps.Clone(v)
				changed[key] = inner
				below = append(below, changed)
			}
		}
	case list:
		for i := range v {
			here = append(here, slices.Delete(slices.Clone(v), i, i+1))
			for _, inner := range without(v[i], depth+1) {
				changed := slices.Clone(v)
				changed[i] = inner
				below = append(below, changed)
			}
		}
	}
	return append(here, below...)
}
