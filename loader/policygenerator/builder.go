package policygenerator

import (
	"strconv"

	"github.com/gwplan/gwplan/loader"
)

// builder makes values at the place that they come from.
type builder struct{ mark loader.Mark }

func (b builder) text(s string) *loader.Value {
	return &loader.Value{Shape: loader.String, Text: s, Mark: b.mark}
}

func (b builder) flag(v bool) *loader.Value {
	return &loader.Value{Shape: loader.Bool, Text: strconv.FormatBool(v), Mark: b.mark}
}

func (b builder) list(items []*loader.Value) *loader.Value {
	return &loader.Value{Shape: loader.List, Items: items, Mark: b.mark}
}

func (b builder) texts(list []string) *loader.Value {
	out := b.list(nil)
	for _, s := range list {
		out.Items = append(out.Items, b.text(s))
	}
	return out
}

// object returns a map of keys and values, in turn.
func (b builder) object(pairs ...any) *loader.Value {
	out := &loader.Value{Shape: loader.Map, Mark: b.mark}
	for i := 0; i+1 < len(pairs); i += 2 {
		key, _ := pairs[i].(string)
		value, _ := pairs[i+1].(*loader.Value)
		out.Fields = append(out.Fields, loader.Field{Key: key, Value: value})
	}
	return out
}
