// Package merge combines two specs into one. Every leaf of the result keeps
// the source that set it.
//
// It knows no policies and no hierarchy: winner and loser are decided by the
// caller, who knows which one is higher and what the merge strategy says.
package merge

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Role says in which part a source speaks.
type Role string

// The roles of a source.
const (
	Direct        Role = "direct"
	Default       Role = "default"
	Override      Role = "override"
	Object        Role = "object"
	SchemaDefault Role = "schema-default"
)

// Source is the object that set a value, and the part it spoke in.
type Source struct {
	Object *loader.Object
	Role   Role
}

// Tree is a spec on its way through merges. It is immutable: a merge shares
// what it does not change.
type Tree struct {
	// Value is what the source wrote here; for a map or keyed list that was
	// merged it only gives the place.
	Value  *loader.Value
	Source *Source
	Kind   Shape
	// Entries are sorted by key in a Map and keep their order in a Keyed list.
	Entries []Entry
	// Slotted says that a Keyed list has a slot: its items that count as one value
	// of their own, under the key slot.
	Slotted bool
	// Adds says that values of different sources stand side by side here, see
	// Form.Accumulate.
	Adds bool
}

// slot is the key of the items of a list that are no items for whoever reads it,
// see List.Slot.
const slot = "default"

// Shape tells how a Tree merges.
type Shape uint8

// The kinds of tree. A Leaf is a scalar, a list without keys, or an atomic
// unit. Deleted is an explicit null: a patch that removes what it covers, kept
// to the end of the fold because a higher null must also remove what is merged
// in later (RFC 7396).
const (
	Leaf Shape = iota
	Map
	Keyed
	Deleted
)

// Entry is one child of a Map or Keyed tree.
type Entry struct {
	Key  string
	Tree *Tree
}

// List names a list that does not merge as one value.
type List struct {
	// Path is dotted, from the root of the spec.
	Path string
	// Key is the field that identifies an item; Concat lists have none: items
	// of different sources add up.
	Key    string
	Concat bool
	// Slot is a field of Concat lists: the items without it are one value, of which
	// only that of the winner counts, even if it has none.
	Slot string
}

// Form says how the values of a kind become trees.
type Form struct {
	Lists []List
	// Whole are dotted paths, `*` for any key, of maps that merge as one value:
	// string maps, in the older dialect of policy attachment.
	Whole []string
	// Typed says that the controller reads specs into types of its own in which nulls
	// and empty lists are as if they were not written, but for those at or below the
	// paths of Kept.
	Typed bool
	Kept  []string
	// Accumulate are dotted paths at which the values of all sources count.
	Accumulate []string
}

// New makes the tree of a value that one source wrote.
func New(v *loader.Value, source *Source, form Form) *Tree {
	b := builder{source: source, form: form}
	return b.tree(v, "")
}

type builder struct {
	source *Source
	form   Form
}

func (b builder) tree(v *loader.Value, path string) *Tree {
	t := &Tree{Value: v, Source: b.source}
	if v != nil && v.Shape == loader.Map && slices.Contains(b.form.Accumulate, path) {
		alone := b
		alone.form.Accumulate = nil
		t.Kind, t.Adds, t.Entries = Keyed, true, []Entry{{b.source.Object.ID.String(), alone.tree(v, path)}}
		return t
	}
	switch {
	case v == nil:
		return nil
	case v.Shape == loader.Null:
		t.Kind = Deleted
	case v.Shape == loader.Map && !b.whole(path):
		t.Kind = Map
		t.Entries = make([]Entry, 0, len(v.Fields))
		for _, f := range v.Fields {
			if below := Join(path, f.Key); !b.drops(f.Value, below) {
				t.Entries = append(t.Entries, Entry{f.Key, b.tree(f.Value, below)})
			}
		}
		slices.SortFunc(t.Entries, byKey)
	case v.Shape == loader.List:
		if l := b.list(path); l != nil {
			t.Kind, t.Slotted = Keyed, l.Slot != ""
			t.Entries = b.items(v, *l)
		}
	}
	return t
}

// drops says whether a value is as if it were not written.
func (b builder) drops(v *loader.Value, path string) bool {
	nothing := v == nil || v.Shape == loader.Null || v.Shape == loader.List && len(v.Items) == 0
	return b.form.Typed && nothing && !slices.ContainsFunc(b.form.Kept, func(kept string) bool { return within(kept, path) })
}

// within says whether a path is the one that a pattern means, or below it.
func within(pattern, path string) bool {
	for depth := strings.Count(path, ".") - strings.Count(pattern, "."); depth > 0; depth-- {
		path = path[:strings.LastIndexByte(path, '.')]
	}
	return MatchPath(pattern, path)
}

func (b builder) whole(path string) bool {
	return slices.ContainsFunc(b.form.Whole, func(pattern string) bool { return MatchPath(pattern, path) })
}

// MatchPath says whether a dotted path is the one that a pattern means; `*` in
// the pattern is any key.
func MatchPath(pattern, path string) bool {
	for {
		p, restPattern, morePattern := strings.Cut(pattern, ".")
		k, restPath, morePath := strings.Cut(path, ".")
		if p != "*" && p != k || morePattern != morePath {
			return false
		}
		if !morePath {
			return true
		}
		pattern, path = restPattern, restPath
	}
}

func (b builder) list(path string) *List {
	for i := range b.form.Lists {
		if b.form.Lists[i].Path == path {
			return &b.form.Lists[i]
		}
	}
	return nil
}

// items identifies each item of a keyed list. Items without the key, and those
// of a concatenated list, are identified by their source and place.
func (b builder) items(v *loader.Value, l List) []Entry {
	entries := make([]Entry, 0, len(v.Items))
	seen := make(map[string]bool, len(v.Items))
	for i, item := range v.Items {
		if l.Slot != "" && item.Get(l.Slot).IsNull() {
			entries = append(entries, Entry{slot, b.tree(item, l.Path+".*")})
			continue
		}
		key := item.Get(l.Key)
		if l.Concat || key == nil || seen[key.Text] {
			entries = append(entries, Entry{b.source.Object.ID.String() + "/" + strconv.Itoa(i), b.tree(item, l.Path+".*")})
			continue
		}
		seen[key.Text] = true
		entries = append(entries, Entry{key.Text, b.tree(item, l.Path+".*")})
	}
	return entries
}

func byKey(a, b Entry) int { return cmp.Compare(a.Key, b.Key) }

// Dot stands for a dot of a key in a dotted path, where `*` must match the whole
// key and nothing a manifest writes may look like two.
const Dot = "\x1f"

// Join is the dotted path of a key below a path.
func Join(path, key string) string {
	key = strings.ReplaceAll(key, ".", Dot)
	if path == "" {
		return key
	}
	return path + "." + key
}

// Get is the child with a key, or nil.
func (t *Tree) Get(key string) *Tree {
	if t == nil {
		return nil
	}
	if t.Kind == Map {
		if i, ok := slices.BinarySearchFunc(t.Entries, key, func(e Entry, k string) int { return cmp.Compare(e.Key, k) }); ok {
			return t.Entries[i].Tree
		}
		return nil
	}
	for _, e := range t.Entries {
		if e.Key == key {
			return e.Tree
		}
	}
	return nil
}

// At is the tree at a dotted path, or nil.
func (t *Tree) At(path string) *Tree {
	if path == "" {
		return t
	}
	for key := range strings.SplitSeq(path, ".") {
		t = t.Get(key)
	}
	return t
}

// Put gives the tree with a value at a dotted path, maps being made on the way.
func (t *Tree) Put(path string, child *Tree) *Tree {
	return t.With(child, strings.Split(path, ".")...)
}

// With is Put by keys, which may have dots; without a child nothing is put.
func (t *Tree) With(child *Tree, keys ...string) *Tree {
	if child == nil {
		return t
	}
	key := keys[0]
	if deeper := keys[1:]; len(deeper) > 0 {
		child = t.Get(key).With(child, deeper...)
	}
	out := &Tree{Value: child.Value, Source: child.Source, Kind: Map}
	if t != nil && t.Kind == Map {
		out.Value, out.Source = t.Value, t.Source
		out.Entries = slices.DeleteFunc(slices.Clone(t.Entries), func(e Entry) bool { return e.Key == key })
	}
	out.Entries = append(out.Entries, Entry{key, child})
	slices.SortFunc(out.Entries, byKey)
	return out
}

// Strip removes what explicit nulls deleted, at the end of a fold. It gives
// nil for a tree that is itself deleted.
func (t *Tree) Strip() *Tree {
	if t == nil || t.Kind == Deleted {
		return nil
	}
	if t.Kind == Leaf || !t.hasDeleted() {
		return t
	}
	out := &Tree{Value: t.Value, Source: t.Source, Kind: t.Kind}
	for _, e := range t.Entries {
		if child := e.Tree.Strip(); child != nil {
			out.Entries = append(out.Entries, Entry{e.Key, child})
		}
	}
	return out
}

func (t *Tree) hasDeleted() bool {
	for _, e := range t.Entries {
		if e.Tree.Kind == Deleted || e.Tree.hasDeleted() {
			return true
		}
	}
	return false
}

// Walk visits the leaves in order of their paths: scalars, lists, atomic
// units, empty maps and nulls.
func (t *Tree) Walk(visit func(path []string, leaf *Tree)) {
	if t != nil {
		t.walk(nil, visit)
	}
}

func (t *Tree) walk(path []string, visit func([]string, *Tree)) {
	if len(t.Entries) == 0 {
		visit(path, t)
		return
	}
	for _, e := range t.Entries {
		e.Tree.walk(append(path[:len(path):len(path)], e.Key), visit)
	}
}

// Equal compares content: who set a value and where does not matter.
func Equal(a, b *Tree) bool {
	switch {
	case a == b:
		return true
	case a == nil || b == nil || a.Kind != b.Kind || len(a.Entries) != len(b.Entries):
		return false
	case a.Kind == Leaf:
		return loader.Equal(a.Value, b.Value)
	}
	for i := range a.Entries {
		if a.Entries[i].Key != b.Entries[i].Key || !Equal(a.Entries[i].Tree, b.Entries[i].Tree) {
			return false
		}
	}
	return true
}

// IsEmpty says whether a tree is absent or has no content.
func (t *Tree) IsEmpty() bool {
	if t == nil || t.Kind == Deleted {
		return true
	}
	return len(t.Entries) == 0 && t.Value.IsEmpty()
}

// Without gives the tree without what lies at a dotted path.
func (t *Tree) Without(path string) *Tree {
	key, rest, deeper := strings.Cut(path, ".")
	child := t.Get(key)
	if child == nil {
		return t
	}
	out := &Tree{Value: t.Value, Source: t.Source, Kind: t.Kind, Entries: slices.Clone(t.Entries)}
	i := slices.IndexFunc(out.Entries, func(e Entry) bool { return e.Key == key })
	if deeper {
		out.Entries[i].Tree = child.Without(rest)
		return out
	}
	out.Entries = slices.Delete(out.Entries, i, i+1)
	return out
}
