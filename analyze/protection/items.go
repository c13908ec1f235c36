package protection

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// both is the content of two trees below one key, or below both keys of a renamed item. alike is
// true if the two are mostly equal.
type both struct {
	key            string
	before, after  *merge.Tree
	renamed, alike bool
}

// below returns what a step of a pattern matches. Items of a list are paired by their keys. Items
// without names are first paired by equal content, so that reordering alone is no change. What
// remains on the two sides is then paired according to by. An item with the key except is skipped.
func (f protectedField) below(step string, by pairing, except string) []both {
	before, after := entries(f.before), entries(f.after)
	if dotted := strings.ReplaceAll(step, "~", "."); dotted != step && (valueOf(before, dotted) != nil || valueOf(after, dotted) != nil) {
		step = dotted // rows write ~ for a dot in a key
	}
	if step != "*" {
		return []both{{key: step, before: valueOf(before, step), after: valueOf(after, step)}}
	}
	if except != "" {
		is := func(e merge.Entry) bool { return e.Key == except }
		before, after = slices.DeleteFunc(slices.Clone(before), is), slices.DeleteFunc(slices.Clone(after), is)
	}
	if plainItems(f.before) && plainItems(f.after) || merge.Numbered(before) && merge.Numbered(after) {
		after = merge.Alongside(before, after)
	}
	var out []both
	for _, e := range before {
		out = append(out, both{key: e.Key, before: e.Tree, after: valueOf(after, e.Key)})
	}
	for _, e := range after {
		if valueOf(before, e.Key) == nil {
			out = append(out, both{key: e.Key, after: e.Tree})
		}
	}
	out = slices.DeleteFunc(out, func(b both) bool {
		return b.after == nil && covered(b.before, after, by) || b.before == nil && covered(b.after, before, by)
	})
	out = renamed(out, by)
	slices.SortStableFunc(out, func(a, b both) int { return cmp.Compare(a.key, b.key) })
	return out
}

// pairing defines which items that exist on one side only are renamed items.
type pairing int

const (
	// sameNames pairs none.
	sameNames pairing = iota
	// likeNames pairs items with mostly equal content.
	likeNames
	// anyNames pairs any: one way to authenticate may replace another.
	anyNames
)

// renamed pairs items that exist on one side only: equal ones first, then those with the most
// content in common. The pair has the new name.
func renamed(list []both, by pairing) []both {
	if by == sameNames {
		return list
	}
	var gone, come []int
	for i, b := range list {
		switch {
		case b.after == nil:
			gone = append(gone, i)
		case b.before == nil:
			come = append(come, i)
		}
	}
	if len(gone) == 0 || len(come) == 0 || len(gone)*len(come) > maxPaired>>6 {
		return list
	}
	type candidate struct{ gone, come, score int }
	var found []candidate
	for _, i := range gone {
		for _, j := range come {
			score := merge.Similarity(list[i].before, list[j].after)
			if merge.OnlyAmountsDiffer(list[i].before, list[j].after) { // a limit with another name and another rate
				score = max(score, merge.Alike)
			}
			if by == anyNames || score >= merge.Alike {
				found = append(found, candidate{i, j, score})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	taken := map[int]bool{}
	for _, f := range found {
		if !taken[f.gone] && !taken[f.come] {
			taken[f.gone], taken[f.come] = true, true
			list[f.come].before, list[f.come].renamed, list[f.come].alike = list[f.gone].before, true, f.score >= merge.Alike
			list[f.gone].key = ""
		}
	}
	return slices.DeleteFunc(list, func(b both) bool { return b.key == "" && b.after == nil })
}

// exchanged reports whether a field is an item without a name of a list each of whose items admits something, and is
// another item now.
func (f protectedField) exchanged(p catalogue.Protection) bool {
	_, err := strconv.Atoi(f.path[strings.LastIndexByte(f.path, '/')+1:])
	return err == nil && p.Loosens == catalogue.Added && strings.HasSuffix(p.Path, ".*") && f.before != nil && f.after != nil && !merge.Equal(f.before, f.after)
}

// displace moves rules of authorisation that all others replace from Lost to Edited, and those others out of Tightened: what a
// policy that takes over denies may be more or less than what the one before it did.
func (s *Shift) displace(k *catalogue.Kind, before, after *merge.Tree) {
	for _, p := range k.Protects {
		list, ofItems := strings.CutSuffix(p.Path, ".*")
		if !ofItems || p.What != Authorisation || p.Loosens != catalogue.Removed || strings.Contains(list, "*") {
			continue
		}
		was, is := entries(before.At(list)), entries(after.At(list))
		if len(was) == 0 || len(is) == 0 || slices.ContainsFunc(was, func(e merge.Entry) bool { return valueOf(is, e.Key) != nil }) {
			continue
		}
		below := func(f Field) bool { return strings.HasPrefix(f.Path, catalogue.Pointer(list)+"/") }
		if !slices.ContainsFunc(s.Tightened, below) {
			continue // what comes protects nothing, such as an item that switches off the others
		}
		for _, f := range s.Lost {
			if below(f) {
				s.Edited = append(s.Edited, f)
			}
		}
		s.Lost, s.Tightened = slices.DeleteFunc(s.Lost, below), slices.DeleteFunc(s.Tightened, below)
	}
}

// plainItems reports whether a tree is a list of maps without names.
func plainItems(t *merge.Tree) bool {
	return t != nil && t.Kind == merge.Leaf && t.Value != nil && t.Value.Shape == loader.List && len(t.Value.Items) > 0 &&
		!slices.ContainsFunc(t.Value.Items, func(item *loader.Value) bool { return item.Shape != loader.Map || item.Str("name") != "" })
}

func valueOf(entries []merge.Entry, key string) *merge.Tree {
	for _, e := range entries {
		if e.Key == key {
			return e.Tree
		}
	}
	return nil
}

// maxPaired limits the work on long lists: longer ones are paired by key only.
const maxPaired = 1 << 16

func entries(t *merge.Tree) []merge.Entry { return t.Children() }

// referring are the fields of a reference: two references with other names are not one item.
var referring = []string{"group", "kind", "namespace", "name", "port", "sectionName", "weight"}

// onlyRenamed reports whether two items with content of their own, such as providers of tokens, differ in their names alone.
func onlyRenamed(a, b *merge.Tree) bool {
	content := func(t *merge.Tree) bool {
		return slices.ContainsFunc(entries(t), func(e merge.Entry) bool { return !slices.Contains(referring, e.Key) })
	}
	return content(a) && content(b) && merge.Equal(nameless(a), nameless(b))
}

func nameless(t *merge.Tree) *merge.Tree {
	return &merge.Tree{Kind: merge.Map, Entries: slices.DeleteFunc(slices.Clone(entries(t)), func(e merge.Entry) bool { return e.Key == "name" })}
}

// unmoved removes fields that disappear at one place of a pattern and appear unchanged at another:
// a policy or an item was renamed.
func unmoved(fields []protectedField) []protectedField {
	if len(fields) > maxPaired>>8 {
		return fields
	}
	moved := make([]bool, len(fields))
	for i, went := range fields {
		if went.before == nil || went.after != nil {
			continue
		}
		for j, came := range fields {
			if came.before == nil && came.after != nil && !moved[j] && (merge.Equal(went.before, came.after) || onlyRenamed(went.before, came.after)) {
				moved[i], moved[j] = true, true
				break
			}
		}
	}
	var out []protectedField
	for i, f := range fields {
		if !moved[i] {
			out = append(out, f)
		}
	}
	return out
}

// besideWays returns the list of an item that comes or goes and is a way in: one more admits more, and one less admits less, as long
// as there is another one. The first and the last one protect.
func (s *Shift) besideWays(p catalogue.Protection, f protectedField, list *[]Field) *[]Field {
	item := cmp.Or(f.before, f.after)
	if p.Ways == "" || list != &s.Lost && list != &s.Tightened || f.before != nil && f.after != nil || !isWay(p, item) {
		return list
	}
	others := func(e merge.Entry) bool { return e.Tree != item && isWay(p, e.Tree) }
	switch side := f.around; {
	case !slices.ContainsFunc(entries(side[0]), others) || !slices.ContainsFunc(entries(side[1]), others):
		return list
	case f.before == nil:
		return &s.LetIn
	}
	return &s.Tightened
}

// isWay reports whether an item is a way in.
func isWay(p catalogue.Protection, item *merge.Tree) bool {
	path, value, _ := strings.Cut(p.Ways, "=")
	at := item.At(path)
	return at == nil || at.Value == nil || at.Value.Text == value
}
