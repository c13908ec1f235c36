package policy

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// DrawEntry is a reference of policies to objects that say more of what the
// policies set: an extension, a list of identities, an authority's certificates.
type DrawEntry struct {
	// Path is that of the references in the spec as it is written; * is any key or item.
	// It goes on into an object by one of its fields.
	Path string `json:"path"`
	// Kinds are the words GROUP/KIND that may be named; Implied says that the first is
	// meant where a reference has no kind.
	Kinds   []string `json:"kinds"`
	Implied bool     `json:"implied,omitempty"`
	// Fields are those of the object that count; none means its spec. Of a map of texts
	// only the key counts that the reference names, or else only Keys, if there are any.
	Fields []string `json:"fields,omitempty"`
	Keys   []string `json:"keys,omitempty"`
	// Grant says that a reference to another namespace needs a ReferenceGrant there.
	Grant bool `json:"grant,omitempty"`
	// Broken is the reason for which a policy is rejected whose object does not exist. It
	// keeps its targets all the same: nothing takes its place.
	Broken string `json:"broken,omitempty"`
	// Protects are fields of the object whose loss is a loss of protection, their paths
	// beginning with one of Fields.
	Protects []Protection `json:"protects,omitempty"`
	// The paths of Secrecy begin with one of Fields, too.
	Secrecy
}

// DrawsFrom are the kinds that policies draw from, GROUP/KIND.
func (e *Entry) DrawsFrom(groups map[string]string) []string {
	var out []string
	for _, d := range compileDraws(e.Draws, groups) {
		out = append(out, d.Kinds...)
	}
	return out
}

// compileDraws writes out what draws say in short.
func compileDraws(draws []DrawEntry, groups map[string]string) []DrawEntry {
	var out []DrawEntry
	for _, d := range draws {
		if len(d.Fields) == 0 {
			d.Fields = []string{"spec"}
		}
		kinds := make([]string, len(d.Kinds))
		for i, word := range d.Kinds {
			allowed := readAllowance(word, groups)
			kinds[i] = allowed.group + "/" + allowed.kind
		}
		d.Kinds, d.Protects = kinds, eachProtection(d.Protects)
		d.Public, d.Secret = eachAlternative(d.Public), eachAlternative(d.Secret)
		for _, path := range alternatives(d.Path) {
			d.Path = path
			out = append(out, d)
		}
	}
	return out
}

// Draw is an object that a policy draws settings from.
type Draw struct {
	*DrawEntry
	ID loader.ID
	// Object is nil where there is none in the input: Missing says so, and Absent is true
	// where it is known not to exist.
	Object  *loader.Object
	Missing string
	Absent  fact.Fact
	// Ref is the reference, in Owner.
	Ref   *loader.Value
	Owner *loader.Object
	// Tree has what counts of the object, by its fields.
	Tree *merge.Tree
}

// draws finds what a policy draws from, in the order of the entry, under the value
// that names it in a reference.
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
	// gone are the objects that were gone through already, with what was left of the path.
	gone map[passage]bool
}

type passage struct {
	entry *DrawEntry
	to    *loader.Object
	left  int
}

// content is what counts of an object by an entry and a key; policies share it.
type content struct {
	entry *DrawEntry
	of    *loader.Object
	key   string
}

// follow goes down a path from a value that an object writes.
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

// naming is the value that names the object in a reference: the reference itself
// where it is no map.
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

// tree is what counts of the object, by its fields.
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

// coreGroups are what people write for the core group, and some controllers take
// (Envoy Gateway, api/v1alpha1/lua_types.go; Linkerd).
var coreGroups = []string{"core", "v1"}

// names is the object that a reference of an owner names, the zero one where it is of
// another kind.
func (e *DrawEntry) names(ref *loader.Value, name string, owner *loader.Object) loader.ID {
	i := 0
	if written := ref.Str("kind"); written != "" || !e.Implied {
		// Some controllers compare kinds in any case (linkerd2, targets_kind).
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
