package policy

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
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
	// Fields are those of the object that count; none means its spec.
	Fields []string `json:"fields,omitempty"`
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

// Draw is an object that a policy draws settings from.
type Draw struct {
	*DrawEntry
	ID loader.ID
	// Object is nil where there is none in the input: Missing says so, and Absent is true
	// where it is known not to exist.
	Object  *loader.Object
	Missing string
	Absent  hierarchy.Fact
	// Ref is the reference, in Owner.
	Ref   *loader.Value
	Owner *loader.Object
	// Tree has what counts of the object, by its fields.
	Tree *merge.Tree
}

// draws finds what a policy draws from, in the order of the entry, under the value
// that names it in a reference.
func (r reader) draws() (named map[*loader.Value]*Draw, all []*Draw) {
	d := drawing{reader: r, named: map[*loader.Value]*Draw{}}
	for i := range r.policy.Kind.Draws {
		d.follow(&r.policy.Kind.Draws[i], r.policy.Object.Spec(), r.policy.Object, strings.Split(r.policy.Kind.Draws[i].Path, "."))
	}
	return d.named, d.all
}

type drawing struct {
	reader
	named map[*loader.Value]*Draw
	all   []*Draw
}

// follow goes down a path from a value that an object writes.
func (d *drawing) follow(entry *DrawEntry, v *loader.Value, owner *loader.Object, path []string) {
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
		d.follow(entry, through.Object.Root.Get(path[0]), through.Object, path[1:])
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

func (d *drawing) draw(entry *DrawEntry, ref *loader.Value, owner *loader.Object) {
	name := naming(ref)
	if name == nil || name.Shape != loader.String || d.named[name] != nil {
		return
	}
	id := entry.names(ref, name.Text, owner)
	if id.Name == "" {
		return
	}
	found := &Draw{DrawEntry: entry, ID: id, Object: d.graph.Object(id), Absent: hierarchy.False, Ref: ref, Owner: owner}
	d.named[name] = found
	d.all = append(d.all, found)
	if found.Object == nil {
		resolution := d.graph.Resolve(id, id)
		found.Missing, found.Absent = resolution.Message, hierarchy.Unknown
		if resolution.Resolved == hierarchy.False {
			found.Absent = hierarchy.True
		}
		return
	}
	source := &merge.Source{Object: found.Object, Role: merge.Object}
	found.Tree = &merge.Tree{Value: found.Object.Root, Source: source, Kind: merge.Map}
	for _, field := range entry.Fields {
		if v := found.Object.Root.Get(field); v != nil {
			found.Tree = found.Tree.With(merge.New(v, source, merge.Form{}), field)
		}
	}
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
