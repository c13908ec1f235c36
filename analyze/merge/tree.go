// Package merge combines two specs into one. Every leaf of the result keeps the source that set
// it.
//
// The package depends on neither policies nor the hierarchy. The caller decides which spec wins,
// by its level and the merge strategy.
package merge

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Role is the part that a source plays in a merge.
type Role string

// The roles of a source.
const (
	Direct        Role = "direct"
	Default       Role = "default"
	Override      Role = "override"
	Object        Role = "object"
	SchemaDefault Role = "schema-default"
)

// Source is the object that set a value, and the role that it has.
type Source struct {
	Object *loader.Object
	Role   Role
}

// Tree is a spec in the course of merges. It is immutable: the result of a merge shares the
// parts that do not change.
type Tree struct {
	// Value is what the source wrote here. For a merged map or keyed list it only provides the
	// position.
	Value  *loader.Value
	Source *Source
	Kind   Shape
	// Entries are sorted by key in a Map and keep their order in a Keyed list.
	Entries []Entry
	// Slotted means that a Keyed list has a slot: the items that together count as one value,
	// under the key slot.
	Slotted bool
	// Adds means that values of different sources add up side by side here, see Form.Accumulate.
	Adds bool
}

// slot is the key of those items of a list that the controller does not count as items, see
// List.Slot.
const slot = "default"

// Shape tells how a Tree merges.
type Shape uint8

// The kinds of tree. A Leaf is a scalar, a list without keys, or an atomic unit. Deleted is an
// explicit null: a patch that removes what it covers. It stays until all specs are merged,
// because a null of higher precedence also removes values that are merged in later (RFC 7396).
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
	// Key is the dotted path of the field that identifies an item. Concat lists have none: items of different
	// sources add up.
	Key    string
	Concat bool
	// Slot is a field of Concat lists. The items without it together are one value. Only the
	// winner's value counts, even if the winner has none.
	Slot string
}

// Form defines how the values of a kind become trees.
type Form struct {
	Lists []List
	// Whole are dotted paths, `*` for any key, of maps that merge as one value. In the older
	// dialect of policy attachment these are string maps.
	Whole []string
	// Typed means that nulls and empty lists count as absent, because the controller decodes
	// specs into typed structures. At or below the paths of Kept they count as written.
	Typed bool
	Kept  []string
	// Accumulate are dotted paths at which the values of all sources count.
	Accumulate []string
}

// New builds the tree of a value that one source wrote.
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

// drops reports whether a value counts as absent.
func (b builder) drops(v *loader.Value, path string) bool {
	nothing := v == nil || v.Shape == loader.Null || v.Shape == loader.List && len(v.Items) == 0
	return b.form.Typed && nothing && !slices.ContainsFunc(b.form.Kept, func(kept string) bool { return matchesOrBelow(kept, path) })
}

// matchesOrBelow reports whether a path matches a pattern or is below a path that does.
func matchesOrBelow(pattern, path string) bool {
	for depth := strings.Count(path, ".") - strings.Count(pattern, "."); depth > 0; depth-- {
		path = path[:strings.LastIndexByte(path, '.')]
	}
	return MatchPath(pattern, path)
}

func (b builder) whole(path string) bool {
	return slices.ContainsFunc(b.form.Whole, func(pattern string) bool { return MatchPath(pattern, path) })
}

// MatchPath reports whether a dotted path matches a pattern, in which `*` is any key.
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

// items assigns a key to each item of a keyed list. For items without the key field, and for
// those of a concatenated list, the key consists of their source and position.
func (b builder) items(v *loader.Value, l List) []Entry {
	entries := make([]Entry, 0, len(v.Items))
	seen := make(map[string]bool, len(v.Items))
	slotted := false
	for i, item := range v.Items {
		own := l.Slot != "" && item.Get(l.Slot).IsNull()
		if own && !slotted {
			slotted = true
			entries = append(entries, Entry{slot, b.tree(item, l.Path+".*")})
			continue
		}
		key := item.At(l.Key)
		if own || l.Concat || key == nil || seen[key.Text] {
			entries = append(entries, Entry{b.source.Object.ID.String() + "/" + strconv.Itoa(i), b.tree(item, l.Path+".*")})
			continue
		}
		seen[key.Text] = true
		entries = append(entries, Entry{key.Text, b.tree(item, l.Path+".*")})
	}
	return entries
}

func byKey(a, b Entry) int { return cmp.Compare(a.Key, b.Key) }

// Dot replaces a dot inside a key of a dotted path, so that `*` matches the whole key and no key
// in a manifest looks like two.
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

// Put returns the tree with a value at a dotted path. It creates missing maps on the way.
func (t *Tree) Put(path string, child *Tree) *Tree {
	return t.With(child, strings.Split(path, ".")...)
}

// With puts a child at a path of separate keys, which may contain dots. A nil child changes
// nothing.
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

// Strip removes values that explicit nulls deleted, after all specs are merged. It returns nil
// for a tree that is itself deleted.
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

// Walk visits the leaves in the order of the entries: scalars, lists, atomic units, empty maps
// and nulls.
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

// Equal compares content. The source and position of a value do not matter.
func Equal(a, b *Tree) bool {
	switch {
	case a == b:
		return true
	case a == nil || b == nil || a.Kind != b.Kind || len(a.Entries) != len(b.Entries):
		return false
	case a.Kind == Leaf:
		return loader.Equal(a.Value, b.Value)
	case a.Adds && b.Adds: // in whatever order
		return !slices.ContainsFunc(a.Entries, func(e Entry) bool {
			other := b.Get(e.Key)
			return other == nil || !Equal(e.Tree, other)
		})
	}
	for i := range a.Entries {
		if a.Entries[i].Key != b.Entries[i].Key || !Equal(a.Entries[i].Tree, b.Entries[i].Tree) {
			return false
		}
	}
	return true
}

// IsEmpty reports whether a tree is absent or has no content.
func (t *Tree) IsEmpty() bool {
	if t == nil || t.Kind == Deleted {
		return true
	}
	return len(t.Entries) == 0 && t.Value.IsEmpty()
}

// Without returns the tree without the value at a dotted path.
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
