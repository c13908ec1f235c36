// Package generate adds the objects that controllers generate from other objects in the cluster and
// that take part in the hierarchy as if they were in the input. There is one file for each kind
// from which objects are generated.
package generate

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/loader"
)

// kind names a kind of object.
type kind struct{ group, name string }

// makers generate an object from one in the input; they return nil if there is none to generate.
var makers = map[kind]func(*loader.Object) *loader.Object{
	{"extensions.kuadrant.io", "OIDCPolicy"}: oidcPolicy,
	{"extensions.kuadrant.io", "PlanPolicy"}: planPolicy,
}

// With returns an environment with the objects generated from it. A generated object replaces an
// input object with the same identity.
func With(env *loader.Environment) *loader.Environment {
	made := map[loader.ID]*loader.Object{}
	for _, o := range env.Objects {
		if makes := makers[kind{o.ID.Group, o.ID.Kind}]; makes != nil {
			if one := makes(o); one != nil {
				made[one.ID] = one
			}
		}
	}
	if len(made) == 0 {
		return env
	}
	out := *env
	out.Objects = slices.DeleteFunc(slices.Clone(env.Objects), func(o *loader.Object) bool { return made[o.ID] != nil })
	for _, one := range made {
		out.Objects = append(out.Objects, one)
	}
	slices.SortFunc(out.Objects, func(a, b *loader.Object) int { return a.ID.Compare(b.ID) })
	return &out
}

// object returns an object of another kind with the name of one in the input. It belongs to the
// input object: it exists only together with it and has its places.
func object(from *loader.Object, group, version, name string, spec *loader.Value) *loader.Object {
	out := *from
	out.ID = loader.ID{Group: group, Kind: name, Namespace: from.ID.Namespace, Name: from.ID.Name}
	out.Version, out.GeneratedBy, out.NamespaceAssumed = version, from.ID, false
	root := from.Root
	metadata := mapping(root, field{"name", text(root, from.ID.Name)}, field{"namespace", text(root, from.ID.Namespace)})
	if created := root.Get("metadata", "creationTimestamp"); created != nil {
		metadata.Fields = append(metadata.Fields, loader.Field{Key: "creationTimestamp", Value: created})
	}
	if created := root.Get("metadata", "annotations", age.CreatedAt); created != nil {
		metadata.Fields = append(metadata.Fields, loader.Field{Key: "annotations", Value: mapping(root, field{age.CreatedAt, created})})
	}
	out.Root = mapping(root,
		field{"apiVersion", text(root, group+"/"+version)}, field{"kind", text(root, name)}, field{"metadata", metadata}, field{"spec", spec})
	out.Digest = loader.Digest(out.ID, out.Root)
	return &out
}

// field is an entry of a map under construction; an entry without a value is omitted.
type field struct {
	key   string
	value *loader.Value
}

// mapping returns a map at the place of a value.
func mapping(at *loader.Value, fields ...field) *loader.Value {
	out := &loader.Value{Shape: loader.Map, Mark: at.Mark}
	for _, f := range fields {
		if f.value != nil {
			out.Fields = append(out.Fields, loader.Field{Key: f.key, Value: f.value})
		}
	}
	return out
}

// text returns a string at the place of a value; it is opaque if the value is.
func text(at *loader.Value, s string) *loader.Value {
	return &loader.Value{Shape: loader.String, Text: s, Mark: at.Mark, Opaque: at.Opaque}
}

// list returns a list at the place of a value.
func list(at *loader.Value, items ...*loader.Value) *loader.Value {
	return &loader.Value{Shape: loader.List, Items: items, Mark: at.Mark}
}
