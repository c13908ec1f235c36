package merge

import (
	"encoding/json"
	"strconv"

	"github.com/gwplan/gwplan/loader"
)

// JSON is the tree as JSON values; keyed lists become lists.
func (t *Tree) JSON() any {
	if t == nil {
		return nil
	}
	switch t.Kind {
	case Map:
		out := make(map[string]any, len(t.Entries))
		for _, e := range t.Entries {
			out[e.Key] = e.Tree.JSON()
		}
		return out
	case Keyed:
		out := make([]any, 0, len(t.Entries))
		for _, e := range t.Entries {
			out = append(out, e.Tree.JSON())
		}
		return out
	case Leaf, Deleted:
	}
	return JSON(t.Value)
}

// JSON is a value as a JSON value: string, bool, int64, json.Number, nil, list or map.
func JSON(v *loader.Value) any {
	if v == nil {
		return nil
	}
	switch v.Shape {
	case loader.Bool:
		return v.Text == "true"
	case loader.Int:
		if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			return n
		}
		return json.Number(v.Text)
	case loader.Float:
		return json.Number(v.Text)
	case loader.String:
		return v.Text
	case loader.List:
		out := make([]any, 0, len(v.Items))
		for _, item := range v.Items {
			out = append(out, JSON(item))
		}
		return out
	case loader.Map:
		out := make(map[string]any, len(v.Fields))
		for _, f := range v.Fields {
			out[f.Key] = JSON(f.Value)
		}
		return out
	case loader.Null:
	}
	return nil
}
