package protection

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// byDefaults compares a field that one side does not set with what the controller uses then: the minimum
// TLS version 1.0 where nobody set one lowers it, and one of 1.2 that is removed changes nothing if 1.2 is
// the default.
func (s *Shift) byDefaults(p catalogue.Protection, before, after *merge.Tree, k *catalogue.Kind) {
	if list, items := strings.CutSuffix(p.Path, ".*"); items && p.Loosens == catalogue.Added {
		s.byDefaultItems(p, list, before, after, k)
		return
	}
	if p.Loosens != catalogue.Lower && p.Loosens != catalogue.Higher || len(p.Unset) > 0 || strings.Contains(p.Path, "*") {
		return
	}
	b, a := before.At(p.Path), after.At(p.Path)
	value, known := k.DefaultOf(p.Path)
	if !known || (b == nil) == (a == nil) {
		return
	}
	unset := &merge.Tree{Value: &loader.Value{Shape: loader.String, Text: value}}
	if b == nil {
		b = unset
	} else {
		a = unset
	}
	f := protectedField{path: catalogue.Pointer(p.Path), before: b, after: a, inBefore: true, inAfter: true}
	if list := s.list(p, f); list != nil {
		*list = append(*list, f.field(p))
	}
}

// withUsual returns a field that one side does not set with the value that it has then.
func (f protectedField) withUsual(p catalogue.Protection) protectedField {
	if p.Usual == "" || (!f.inBefore || !f.inAfter) && strings.Contains(p.Path, ".") {
		return f
	}
	usual := &merge.Tree{Value: &loader.Value{Shape: loader.String, Text: p.Usual}}
	sets := func(t *merge.Tree) bool { return t != nil && t.Value != nil && t.Value.Text != p.Usual }
	switch {
	case f.before == nil && sets(f.after):
		f.before = usual
	case f.after == nil && sets(f.before):
		f.after = usual
	}
	return f
}

// byDefaultItems compares a list that one side does not set with the one that the controller uses then: an item that
// only the set one has admits something.
func (s *Shift) byDefaultItems(p catalogue.Protection, list string, before, after *merge.Tree, k *catalogue.Kind) {
	b, a := before.At(list), after.At(list)
	usual := k.DefaultItems(list)
	if len(usual) == 0 || (b == nil) == (a == nil) {
		return
	}
	isUsual := func(e merge.Entry) bool { return slices.Contains(usual, e.Key) }
	more := slices.DeleteFunc(slices.Concat(entries(b), entries(a)), isUsual)
	switch {
	case b != nil && len(more) > 0, b == nil && len(more) == 0:
		s.Tightened = append(s.Tightened, Field{Path: catalogue.Pointer(list), What: p.What, Before: b, After: a})
	case b == nil:
		for _, e := range more {
			s.LetIn = append(s.LetIn, Field{Path: catalogue.Pointer(list + "." + e.Key), What: p.What, After: e.Tree})
		}
	}
}

// isUsual reports whether a field is an item that a list has by default, too: to list it admits nothing more.
func isUsual(p catalogue.Protection, f protectedField, k *catalogue.Kind) bool {
	list, items := strings.CutSuffix(p.Path, ".*")
	if !items || p.Loosens != catalogue.Added || f.before != nil {
		return false
	}
	return slices.Contains(k.DefaultItems(list), strings.TrimPrefix(f.path, catalogue.Pointer(list)+"/"))
}

// onlyOfDefaults reports whether the controller uses something else in the place of each field of a map where nobody sets it:
// without the map its fields change, and nothing is lost.
func onlyOfDefaults(k *catalogue.Kind, path string, t *merge.Tree) bool {
	if t == nil || t.Kind != merge.Map || len(t.Entries) == 0 {
		return false
	}
	return !slices.ContainsFunc(t.Entries, func(e merge.Entry) bool {
		_, known := k.DefaultOf(path + "." + e.Key)
		return !known && !onlyOfDefaults(k, path+"."+e.Key, e.Tree)
	})
}

// sameButDefaults reports whether two values of a dotted path differ only in fields that one of them sets to what the controller
// uses where nobody sets them.
func sameButDefaults(k *catalogue.Kind, path string, before, after *merge.Tree) bool {
	switch {
	case merge.Equal(before, after):
		return true
	case before == nil || after == nil:
		set := cmp.Or(before, after)
		return set.Kind != merge.Map && set.Value != nil && k.IsDefault(path, set.Value.Text)
	case before.Kind != merge.Map || after.Kind != merge.Map:
		return false
	}
	for _, e := range slices.Concat(before.Entries, after.Entries) {
		if !sameButDefaults(k, path+"."+e.Key, before.Get(e.Key), after.Get(e.Key)) {
			return false
		}
	}
	return true
}
