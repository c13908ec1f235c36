// Package protection judges what an edit does to protection: whether requests are asked
// for less than before, or for more. Which fields protect is data: the entries of policy
// kinds say it of their specs, and a table here of the objects of Gateway API themselves.
//
// It is judged by kind of protection, not by name: a provider, rule or extension that has
// another name is the same one, and an authentication that takes the place of another
// replaces it.
package protection

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// Field is a place that protects.
type Field struct {
	// Path is that of the field, with the keys of lists as steps.
	Path string
	// What it protects by: authentication, authorisation, tls, limits and the like.
	What string
	// Before and After are what the field says on the two sides, nil where it is not there.
	Before, After *merge.Tree
}

// String is the field as messages name it: "/jwt (authentication)".
func (f Field) String() string { return f.Path + " (" + f.What + ")" }

// Text is what the field says on the two sides, where that is one word.
func (f Field) Text() (before, after string) {
	text := func(t *merge.Tree) string {
		if t == nil || t.Value == nil || t.Value.Shape == loader.Map || t.Value.Shape == loader.List {
			return ""
		}
		return t.Value.Text
	}
	return text(f.Before), text(f.After)
}

// Shift is what an edit does to protection, as lists of fields: lost outright, given up for
// another of its kind, with a lower mode or a weaker value, let in, edited in a way that
// cannot be judged, tightened. Each field stands in one of them, the first that fits.
type Shift struct {
	Lost, Lowered, Weakened, LetIn, Replaced, Edited, Tightened []Field
}

// Loosens says whether targets are protected less for certain.
func (s Shift) Loosens() bool {
	return len(s.Lost)+len(s.Lowered)+len(s.Weakened)+len(s.LetIn) > 0
}

// Empty says whether nothing that protects is touched.
func (s Shift) Empty() bool {
	return !s.Loosens() && len(s.Replaced)+len(s.Edited)+len(s.Tightened) == 0
}

// lists are those of a shift, worst first.
func (s *Shift) lists() []*[]Field {
	return []*[]Field{&s.Lost, &s.Lowered, &s.Weakened, &s.LetIn, &s.Replaced, &s.Edited, &s.Tightened}
}

// And is two shifts together, of different things.
func (s Shift) And(other Shift) Shift {
	for i, list := range s.lists() {
		*list = slices.Concat(*list, *other.lists()[i])
	}
	return s
}

// Only is a shift without the fields that keep says no of.
func (s Shift) Only(keep func(Field) bool) Shift {
	for _, list := range s.lists() {
		*list = slices.DeleteFunc(slices.Clone(*list), func(f Field) bool { return !keep(f) })
	}
	return s
}

// Between judges the effective policies of a kind at a target; either may be nil.
func Between(k *catalogue.Kind, before, after *effective.Policy) Shift {
	var s Shift
	if k == nil {
		return s
	}
	before = effective.Aligned(before, after)
	b, a := spec(before), spec(after)
	for _, p := range k.Protects {
		// What yields to others, or to the target, is judged there.
		if before.Yields(p.Path) || after.Yields(p.Path) {
			continue
		}
		s.judge(p, b, a, k)
	}
	if a == nil && b != nil && !admits(k) {
		s.vanished(k, b)
	}
	for _, fields := range drawnFields(before, after) {
		for _, f := range unmoved(fields) {
			s.add(*f.by, f)
		}
	}
	return s.worstOfEach()
}

// vanished says that lists are lost which have protecting fields in their items and of which
// no row tells whether an item more or less protects: without any policy nothing does.
func (s *Shift) vanished(k *catalogue.Kind, before *merge.Tree) {
	for _, p := range k.Protects {
		list, _, inItem := strings.Cut(p.Path, ".*.")
		if !inItem || p.Loosens == catalogue.Added || p.Loosens == catalogue.Changed || p.Loosens == catalogue.Admits || p.Unless != "" && holds(before, p.Unless) {
			continue
		}
		judged := slices.ContainsFunc(k.Protects, func(other catalogue.Protection) bool {
			return other.Path == list+".*" || other.Path == list || strings.HasPrefix(list, other.Path+".")
		})
		if judged {
			continue
		}
		protects := func(f protectedField) bool {
			return f.before != nil && (len(p.Order) == 0 || wordOf(p, f.before, true, before) > 0)
		}
		if slices.ContainsFunc(expand(before, nil, p), protects) {
			s.Lost = append(s.Lost, Field{Path: "/" + strings.ReplaceAll(list, ".", "/"), What: p.What, Before: before.At(list)})
		}
	}
}

// admits says whether each policy of a kind lets something in.
func admits(k *catalogue.Kind) bool {
	return slices.ContainsFunc(k.Protects, func(p catalogue.Protection) bool { return p.Path == "*" && p.Loosens == catalogue.Added })
}

// judge adds what one row says of two trees.
func (s *Shift) judge(p catalogue.Protection, before, after *merge.Tree, k *catalogue.Kind) {
	if p.Unless != "" && (holds(before, p.Unless) || holds(after, p.Unless)) {
		return
	}
	if f, ok := emptied(p, before, after); ok {
		s.Edited = append(s.Edited, f)
		return
	}
	for _, f := range unmoved(expand(before, after, p)) {
		if k != nil {
			f.path = sayable(k.Discloses(), p, f.path)
			// The rows for what is in an item say what differs in one with another name.
			if f.renamed && f.alike && (p.Loosens == catalogue.Removed || p.Loosens == catalogue.Gone) && inside(k, p) {
				continue
			}
		}
		s.add(p, f)
	}
}

// inside says whether a kind has rows for what is in the items of another one.
func inside(k *catalogue.Kind, p catalogue.Protection) bool {
	return slices.ContainsFunc(k.Protects, func(q catalogue.Protection) bool { return strings.HasPrefix(q.Path, p.Path+".") })
}

// emptied says that of several ways to authenticate none is left while what they stand in
// stays: one of several less asks for more, but without any nobody knows what is asked.
func emptied(p catalogue.Protection, before, after *merge.Tree) (Field, bool) {
	list, ofItems := strings.CutSuffix(p.Path, ".*")
	if !ofItems || p.What != authentication || p.Loosens != catalogue.Added || strings.Contains(list, "*") {
		return Field{}, false
	}
	around := ""
	if i := strings.LastIndexByte(list, '.'); i >= 0 {
		around = list[:i]
	}
	if len(entries(before.At(list))) == 0 || len(entries(after.At(list))) > 0 || around != "" && after.At(around) == nil || after == nil {
		return Field{}, false
	}
	return Field{Path: "/" + strings.ReplaceAll(list, ".", "/"), What: p.What, Before: before.At(list), After: after.At(list)}, true
}

// add puts a field where it belongs.
func (s *Shift) add(p catalogue.Protection, f protectedField) {
	field := Field{f.path, p.What, f.before, f.after}
	if f.renamed && !merge.Equal(f.before, f.after) && (p.Loosens == catalogue.Removed || p.Loosens == catalogue.Gone) {
		s.Edited = append(s.Edited, field)
		return
	}
	switch direction(p, f) {
	case -1:
		list := &s.Weakened
		switch {
		case p.Loosens == catalogue.Removed, p.Loosens == catalogue.Gone:
			list = &s.Lost
		case p.Loosens == catalogue.Changed && everybody(f.after) && !everybody(f.before):
			list = &s.Lowered
		case p.Loosens == catalogue.Changed, p.Loosens == catalogue.Admits && f.before != nil, f.open(p):
			list = &s.Edited
		case p.Loosens == catalogue.Added, p.Loosens == catalogue.Admits, p.Loosens == catalogue.Wider:
			list = &s.LetIn
		case len(p.Order) > 0:
			list = &s.Lowered
		}
		*list = append(*list, field)
	case 1:
		s.Tightened = append(s.Tightened, field)
	}
}

// worstOfEach says each field once, at its worst: neither what lies below one that is worse nor
// an edit of something with one in it. Authentication that is lost while another kind of it
// comes is replaced.
func (s Shift) worstOfEach() Shift {
	s.replace()
	worse, around := map[string]bool{}, map[string]bool{}
	for _, fields := range s.lists() {
		*fields = slices.DeleteFunc(topmost(*fields), func(f Field) bool {
			return worse[f.Path] || slices.ContainsFunc(Above(f.Path), func(above string) bool { return worse[above] }) ||
				fields == &s.Edited && around[f.Path]
		})
		for _, f := range *fields {
			worse[f.Path] = true
			for _, above := range Above(f.Path) {
				around[above] = true
			}
		}
	}
	return s
}

// authentication is the one protection of which one kind stands for another.
const authentication = "authentication"

// replace takes authentication that another one takes the place of out of what is lost, and
// that other one out of what is tightened. Only whole settings count: a provider that goes
// while an option comes is lost.
func (s *Shift) replace() {
	whole := func(f Field) bool { return f.What == authentication && strings.Count(f.Path, "/") == 1 }
	gone, come := slices.IndexFunc(s.Lost, whole), slices.IndexFunc(s.Tightened, whole)
	if gone < 0 || come < 0 {
		return
	}
	for _, f := range s.Lost {
		if whole(f) {
			s.Replaced = append(s.Replaced, f)
		}
	}
	s.Lost = slices.DeleteFunc(s.Lost, whole)
	s.Tightened = slices.DeleteFunc(s.Tightened, whole)
}

// topmost leaves out the fields below another one of the list.
func topmost(fields []Field) []Field {
	slices.SortFunc(fields, func(a, b Field) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.What, b.What)) })
	fields = slices.CompactFunc(fields, func(a, b Field) bool { return a.Path == b.Path })
	there := map[string]bool{}
	for _, f := range fields {
		there[f.Path] = true
	}
	return slices.DeleteFunc(fields, func(f Field) bool {
		return slices.ContainsFunc(Above(f.Path), func(above string) bool { return there[above] })
	})
}

// Above are the paths above a path.
func Above(path string) []string {
	var out []string
	for i := range path {
		if i > 0 && path[i] == '/' {
			out = append(out, path[:i])
		}
	}
	return out
}

// sayable is the path of a field as it may be said: an item of a list goes by its own
// text, which may be a secret. Objects of Gateway API, which have no secrecy, hold none
// there.
func sayable(s *catalogue.Secrecy, p catalogue.Protection, path string) string {
	if s != nil && effective.Redact(s, strings.TrimSuffix(p.Path, ".*"), "x") == effective.Redacted {
		return "/" + strings.ReplaceAll(p.Path, ".", "/")
	}
	return path
}

func spec(e *effective.Policy) *merge.Tree {
	if e == nil {
		return nil
	}
	return e.Spec
}

// holds says whether a spec has a value at a path, written PATH=VALUE.
func holds(t *merge.Tree, condition string) bool {
	path, value, _ := strings.Cut(condition, "=")
	at := t.At(path)
	return at != nil && at.Value != nil && at.Value.Text == value
}
