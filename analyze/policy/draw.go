package policy

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// Draw is an object that a policy draws settings from.
type Draw struct {
	*DrawEntry
	ID loader.ID
	// Object is nil if the reference does not resolve (no such object in the input, or no
	// grant). Missing explains it, and Absent is true if it is known.
	Object  *loader.Object
	Missing string
	Absent  fact.Fact
	// Ref is the reference; Owner is the object that contains it.
	Ref   *loader.Value
	Owner *loader.Object
	// Tree holds the fields of the object that count.
	Tree *merge.Tree
}

// draws finds the objects that a policy draws settings from: named by the value that names each
// in a reference, and all in the order of the entry.
func (r needs) draws() (named map[*loader.Value]*Draw, all []*Draw) {
	d := follower{needs: r, named: map[*loader.Value]*Draw{}, gone: map[passage]bool{}}
	for i := range r.policy.Kind.Draws {
		d.follow(&r.policy.Kind.Draws[i], r.policy.Object.Spec(), r.policy.Object, strings.Split(r.policy.Kind.Draws[i].Path, "."))
	}
	return d.named, d.all
}

// follower follows the references of one policy.
type follower struct {
	needs
	named map[*loader.Value]*Draw
	all   []*Draw
	// gone are the objects already visited, with the number of path steps that remained.
	gone map[passage]bool
}

type passage struct {
	entry *DrawEntry
	to    *loader.Object
	left  int
}

// content identifies the part of an object that counts for an entry and a key. Policies share
// its tree.
type content struct {
	entry *DrawEntry
	of    *loader.Object
	key   string
}

// follow walks down a path from a value in the object owner, to the references at its end.
func (d *follower) follow(entry *DrawEntry, v *loader.Value, owner *loader.Object, path []string) {
	switch {
	case v.IsNull():
		return
	case len(path) == 0:
		d.draw(entry, v, owner)
		return
	case path[0] == "*":
		for _, f := range v.FieldList() {
			d.follow(entry, f.Value, owner, path[1:])
		}
		for _, item := range v.ItemList() {
			d.follow(entry, item, owner, path[1:])
		}
		return
	}
	if through := d.named[naming(v)]; through != nil && through.Object != nil && slices.Contains(through.Fields, path[0]) {
		if at := (passage{entry, through.Object, len(path)}); !d.gone[at] {
			d.gone[at] = true
			d.follow(entry, through.Object.Root.Get(path[0]), through.Object, path[1:])
		}
		return
	}
	d.follow(entry, v.Get(path[0]), owner, path[1:])
}

// naming is the value in a reference that names the object: its field name, or the reference
// itself if it is not a map.
func naming(ref *loader.Value) *loader.Value {
	if ref.Shape == loader.Map {
		return ref.Get("name")
	}
	return ref
}

func (d *follower) draw(entry *DrawEntry, ref *loader.Value, owner *loader.Object) {
	name := naming(ref)
	if name == nil || name.Shape != loader.String || d.named[name] != nil {
		return
	}
	id := entry.names(ref, name.Text, owner)
	if id.Name == "" {
		return
	}
	found := &Draw{DrawEntry: entry, ID: id, Object: d.graph.Object(id), Absent: fact.False, Ref: ref, Owner: owner}
	d.named[name] = found
	d.all = append(d.all, found)
	from := id
	if entry.Grant {
		from = owner.ID
	}
	if resolution := d.graph.Resolve(from, id); found.Object == nil || resolution.Resolved == fact.False {
		found.Object, found.Missing, found.Absent = nil, resolution.Message, resolution.Resolved.Not()
		return
	}
	at := content{entry, found.Object, ref.Str("key")}
	if d.contents[at] == nil {
		d.contents[at] = at.tree()
	}
	found.Tree = d.contents[at]
}

// tree holds the fields of the object that count.
func (c content) tree() *merge.Tree {
	source := &merge.Source{Object: c.of, Role: merge.Object}
	out := &merge.Tree{Value: c.of.Root, Source: source, Kind: merge.Map}
	keys := c.entry.Keys
	if c.key != "" {
		keys = []string{c.key}
	}
	for _, field := range c.entry.Fields {
		v := c.of.Root.Get(field)
		if v != nil && v.Shape == loader.Map && len(keys) > 0 && field != "spec" {
			kept := *v
			kept.Fields = slices.DeleteFunc(slices.Clone(v.Fields), func(f loader.Field) bool { return !slices.Contains(keys, f.Key) })
			v = &kept
		}
		if v != nil {
			out = out.With(merge.New(v, source, merge.Form{}), field)
		}
	}
	return out
}

// coreGroups are names that users write for the core group and that some controllers accept
// (Envoy Gateway, api/v1alpha1/lua_types.go; Linkerd).
var coreGroups = []string{"core", "v1"}

// names is the ID of the object that a reference in owner names, or the zero ID if the reference
// names another kind.
func (e *DrawEntry) names(ref *loader.Value, name string, owner *loader.Object) loader.ID {
	i := 0
	if written := ref.Str("kind"); written != "" || !e.Implied {
		// Some controllers compare kinds case-insensitively (linkerd2, targets_kind).
		i = slices.IndexFunc(e.Kinds, func(word string) bool { return strings.EqualFold(word[strings.Index(word, "/")+1:], written) })
	}
	if i < 0 {
		return loader.ID{}
	}
	group, kind, _ := strings.Cut(e.Kinds[i], "/")
	if written := ref.Str("group"); written != "" && written != group && (group != "" || !slices.Contains(coreGroups, written)) {
		return loader.ID{}
	}
	namespace := ref.Str("namespace")
	if namespace == "" {
		namespace = owner.ID.Namespace
	}
	return loader.ID{Group: group, Kind: kind, Namespace: namespace, Name: name}
}
