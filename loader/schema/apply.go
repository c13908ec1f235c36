package schema

import "github.com/gwplan/gwplan/loader"

// The rules are those of apiextensions-apiserver,
// pkg/apiserver/schema/defaulting (Default and
// PruneNonNullableNullsWithoutDefaults): a default fills a field that is absent,
// or null where null is not allowed. Defaults are applied inside a default, too. A
// null that is not allowed and has no default is dropped, except in a list.

// apply never modifies v: it returns v itself, or a copy of the changed paths.
func (n *node) apply(v *loader.Value, b *budget) *loader.Value {
	switch {
	case n == nil || v == nil:
		return v
	case v.Shape == loader.Map:
		return n.applyMap(v, b)
	case v.Shape == loader.List && n.items != nil:
		return n.applyList(v, b)
	}
	return v
}

func (n *node) applyMap(v *loader.Value, b *budget) *loader.Value {
	var out []loader.Field
	for i, f := range v.Fields {
		value := n.key(f.Key).fold(f.Value, b)
		if value != f.Value && out == nil {
			out = append(make([]loader.Field, 0, len(v.Fields)+len(n.fields)), v.Fields[:i]...)
		}
		if out != nil && value != nil {
			out = append(out, loader.Field{Key: f.Key, Value: value})
		}
	}
	for _, f := range n.fields {
		if f.node.value == nil || b.left < 0 || v.Get(f.name) != nil {
			continue
		}
		if out == nil {
			out = append(make([]loader.Field, 0, len(v.Fields)+len(n.fields)), v.Fields...)
		}
		out = append(out, loader.Field{Key: f.name, Value: f.node.filled(v.Mark, b)})
	}
	if out == nil {
		return v
	}
	changed := *v
	changed.Fields = out
	return &changed
}

// fold is the value of a key as it counts, nil if the key goes.
func (n *node) fold(v *loader.Value, b *budget) *loader.Value {
	switch {
	case n == nil || v == nil:
		return v
	case v.Shape != loader.Null || n.nullable:
		return n.apply(v, b)
	case n.value == nil:
		return nil
	}
	return n.filled(v.Mark, b)
}

func (n *node) applyList(v *loader.Value, b *budget) *loader.Value {
	var out []*loader.Value
	for i, item := range v.Items {
		value := n.items.fold(item, b)
		if value == nil {
			value = item
		}
		if value != item && out == nil {
			out = append(make([]*loader.Value, 0, len(v.Items)), v.Items[:i]...)
		}
		if out != nil {
			out = append(out, value)
		}
	}
	if out == nil {
		return v
	}
	changed := *v
	changed.Items = out
	return &changed
}

// filled returns the default with the defaults inside it applied, marked with at.
func (n *node) filled(at loader.Mark, b *budget) *loader.Value {
	return n.apply(b.stamp(n.value, at), b)
}

// budget is how many values defaults may still add to an object.
type budget struct{ left int }

// stamp returns a deep copy of a default, marked with at. With the budget exhausted it copies
// nothing more.
func (b *budget) stamp(v *loader.Value, at loader.Mark) *loader.Value {
	if b.left--; b.left < 0 {
		return v
	}
	out := *v
	out.Mark, out.Defaulted = at, true
	if v.Fields != nil {
		out.Fields = make([]loader.Field, len(v.Fields))
		for i, f := range v.Fields {
			out.Fields[i] = loader.Field{Key: f.Key, Value: b.stamp(f.Value, at)}
		}
	}
	if v.Items != nil {
		out.Items = make([]*loader.Value, len(v.Items))
		for i, item := range v.Items {
			out.Items[i] = b.stamp(item, at)
		}
	}
	return &out
}
