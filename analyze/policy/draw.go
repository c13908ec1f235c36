package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// Draw is an object that a policy draws settings from.
type Draw struct {
	*catalogue.DrawEntry
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
	entry *catalogue.DrawEntry
	to    *loader.Object
	left  int
}

// content identifies the part of an object that counts for an entry and a key. Policies share
// its tree.
type content struct {
	entry *catalogue.DrawEntry
	of    *loader.Object
	key   string
	// as is the key that it stands for, if it is another.
	as string
}

func lacksAll(data *loader.Value, keys []string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool { return data.Get(key) != nil })
}

// follow walks down a path from a value in the object owner, to the references at its end.
func (d *follower) follow(entry *catalogue.DrawEntry, v *loader.Value, owner *loader.Object, path []string) {
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

func (d *follower) draw(entry *catalogue.DrawEntry, ref *loader.Value, owner *loader.Object) {
	name := naming(ref)
	if name == nil || name.Shape != loader.String || d.named[name] != nil {
		return
	}
	id := entry.Names(ref, name.Text, owner)
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
	if missing := empty(entry, found.Object, ref.Str("key")); missing != "" {
		found.Object, found.Missing, found.Absent = nil, missing, fact.True
		return
	}
	at := content{entry: entry, of: found.Object, key: ref.Str("key")}
	if data, known := held(found.Object); known && entry.SoleKey && d.graph.Dominant().Gateways.AuthorityKeys == nil && lacksAll(data, entry.Keys) {
		switch fields := data.FieldList(); {
		case len(fields) == 1:
			at.key, at.as = fields[0].Key, entry.Keys[0]
		case entry.Broken != "":
			found.Object, found.Absent = nil, fact.True
			found.Missing = fmt.Sprintf("%s has no key %s, and not exactly one key", id.Spoken(), strings.Join(entry.Keys, " or "))
			return
		}
	}
	if d.contents[at] == nil {
		d.contents[at] = at.tree()
	}
	found.Tree = d.contents[at]
}

// held returns the entries of a ConfigMap or a Secret, and whether they are known: those of a Secret without any are filled in by others.
func held(o *loader.Object) (data *loader.Value, known bool) {
	data = o.Root.Get("data")
	if o.ID.Kind != "Secret" {
		return data, true
	}
	texts := o.Root.Get("stringData")
	all := &loader.Value{Shape: loader.Map, Fields: slices.Concat(data.FieldList(), texts.FieldList())}
	return all, len(all.Fields) > 0 && !hidesKeys(data) && !hidesKeys(texts)
}

// empty says what an object without which a policy is rejected has not, or is empty: the key that the reference names, a Secret the
// keys that are needed, a ConfigMap any data (Envoy Gateway internal/gatewayapi/securitypolicy.go, buildBasicAuth, buildOIDC,
// buildLocalJWKS and getContextExtensionValueFromRef;
// envoyextensionpolicy.go, getLuaBodyFromLocalObjectReference and buildWasm; backendtrafficpolicy.go, getCustomResponseBody).
func empty(entry *catalogue.DrawEntry, o *loader.Object, key string) string {
	switch {
	case entry.Broken == "" || o.ID.Group != "":
	case o.ID.Kind == "Secret":
		if key != "" {
			return lackingAny(o, []string{key})
		}
		return lackingAny(o, entry.Needs)
	case o.ID.Kind == "ConfigMap" && o.Root.Get("data").IsEmpty() && o.Root.Get("binaryData").IsEmpty():
		if data := o.Root.Get("data"); data == nil || !data.Opaque {
			return o.ID.Spoken() + " has no data"
		}
	case o.ID.Kind == "ConfigMap" && key != "" && o.Root.Get("data", key) == nil && !o.Root.Get("data").IsEmpty() && !hidesKeys(o.Root.Get("data")):
		return o.ID.Spoken() + " has no key " + key
	}
	return ""
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
			if c.as != "" && len(kept.Fields) > 0 {
				kept.Fields[0].Key = c.as
			}
			v = &kept
		}
		if v != nil {
			out = out.With(merge.New(v, source, merge.Form{}), field)
		}
	}
	return out
}
