package rule

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// shift is what a change does to protection, as lists of fields: lost outright,
// with a lower mode or a weaker value, let in, edited in a way that cannot be
// judged, tightened.
type shift struct {
	lost, lowered, weakened, letIn, edited, tightened []string
}

// protection compares the protecting fields of the effective policies behind a
// change, as the kind's entry lists them.
func protection(c *change.Change) shift {
	var out shift
	k, before, after := c.Effective()
	if k == nil {
		return out
	}
	for _, p := range k.Protects {
		// What yields to others, or to the target, is judged there.
		if before.Yields(p.Path) || after.Yields(p.Path) {
			continue
		}
		if p.Unless != "" && (holds(specOf(before), p.Unless) || holds(specOf(after), p.Unless)) {
			continue
		}
		for _, f := range unmoved(expand(specOf(before), specOf(after), p)) {
			f.path = sayable(k.Discloses(), p, f.path)
			out.add(p, f)
		}
	}
	for _, fields := range drawnFields(before, after) {
		for _, f := range unmoved(fields) {
			out.add(*f.by, f)
		}
	}
	// Each field is said once, at its worst: neither what lies below one that is worse
	// nor an edit of something with one in it.
	worse := map[string]bool{}
	around := map[string]bool{}
	for _, fields := range []*[]string{&out.lost, &out.lowered, &out.weakened, &out.letIn, &out.edited, &out.tightened} {
		*fields = slices.DeleteFunc(topmost(*fields), func(field string) bool {
			path := pathOf(field)
			return worse[path] || slices.ContainsFunc(ancestors(path), func(above string) bool { return worse[above] }) ||
				fields == &out.edited && around[path]
		})
		for _, field := range *fields {
			worse[pathOf(field)] = true
			for _, above := range ancestors(pathOf(field)) {
				around[above] = true
			}
		}
	}
	return out
}

// sayable is the path of a field as it may be said: an item of a list goes by its own
// text, which may be a secret.
func sayable(s *policy.Secrecy, p policy.Protection, path string) string {
	if effective.Redact(s, strings.TrimSuffix(p.Path, ".*"), "x") == effective.Redacted {
		return "/" + strings.ReplaceAll(p.Path, ".", "/")
	}
	return path
}

// pathOf is the path of a field that stands with a word in brackets.
func pathOf(field string) string {
	path, _, _ := strings.Cut(field, " (")
	return path
}

// ancestors are the paths above a path.
func ancestors(path string) []string {
	var out []string
	for i := range path {
		if i > 0 && path[i] == '/' {
			out = append(out, path[:i])
		}
	}
	return out
}

// Loosens says whether targets of a change are protected less for certain.
func Loosens(c *change.Change) bool {
	s := protection(c)
	return !staysBehind(c) && len(s.lost)+len(s.lowered)+len(s.weakened)+len(s.letIn) > 0
}

func specOf(e *effective.Policy) *merge.Tree {
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

func (s *shift) add(p policy.Protection, f protectedField) {
	text := f.path + " (" + p.What + ")"
	switch direction(p, f) {
	case -1:
		list := &s.weakened
		switch {
		case p.Loosens == "removed", p.Loosens == "gone":
			list = &s.lost
		case p.Loosens == "changed", p.Loosens == "admits" && f.before != nil, f.open(p):
			list = &s.edited
		case p.Loosens == "added", p.Loosens == "admits":
			list = &s.letIn
		case len(p.Order) > 0:
			list = &s.lowered
		}
		*list = append(*list, text)
	case 1:
		s.tightened = append(s.tightened, text)
	}
}

// topmost leaves out the fields below another one of the list.
func topmost(fields []string) []string {
	slices.Sort(fields)
	fields = slices.Compact(fields)
	there := map[string]bool{}
	for _, field := range fields {
		there[pathOf(field)] = true
	}
	return slices.DeleteFunc(fields, func(field string) bool {
		return slices.ContainsFunc(ancestors(pathOf(field)), func(above string) bool { return there[above] })
	})
}

// protectedField is one place that a pattern means, on both sides.
type protectedField struct {
	path string
	// by is the protection that it is of, for what is drawn from objects.
	by            *policy.Protection
	before, after *merge.Tree
	// inBefore and inAfter say whether what the field stands in is there.
	inBefore, inAfter bool
	// specBefore and specAfter are the specs that the field is in.
	specBefore, specAfter *merge.Tree
}

// open says that a value which would be compared holds a variable, so that no edit
// of it can be judged.
func (f *protectedField) open(p policy.Protection) bool {
	compared := len(p.Unset) > 0 || f.before != nil && f.after != nil
	return compared && (p.Loosens == "lower" || p.Loosens == "higher") && slices.ContainsFunc([]*merge.Tree{f.before, f.after}, func(t *merge.Tree) bool {
		return t != nil && t.Value != nil && t.Value.Opaque
	})
}

// expand finds the places that the dotted pattern of a protection means in either
// tree; `*` is any key, or any item of a list.
func expand(before, after *merge.Tree, p policy.Protection) []protectedField {
	out := []protectedField{{before: before, after: after}}
	for step := range strings.SplitSeq(p.Path, ".") {
		var next []protectedField
		for _, f := range out {
			for _, both := range f.below(step) {
				if step == "*" && both.key == p.Except {
					continue
				}
				next = append(next, protectedField{
					path: f.path + "/" + both.key, before: both.before, after: both.after,
					// Policies that stand side by side are a list, which may be empty.
					inBefore: f.before != nil || p.Path == "*", inAfter: f.after != nil || p.Path == "*",
					specBefore: before, specAfter: after,
				})
			}
		}
		out = next
	}
	return out
}

// direction is -1 where the edit of a field loosens, 1 where it tightens.
// What comes or goes together with the protection that it would loosen is no
// loosening: new authentication with an exemption protects more than none.
func direction(p policy.Protection, f protectedField) int {
	switch {
	case f.open(p) && !merge.Equal(f.before, f.after):
		return -1
	case len(p.Unset) > 0:
		return compareInts(wordOf(p, f.before, f.inBefore, f.specBefore), wordOf(p, f.after, f.inAfter, f.specAfter))
	case merge.Equal(f.before, f.after):
		return 0
	case p.Loosens == "admits":
		return admission(p, f)
	case p.Loosens == "gone":
		return presence(f.before, f.after)
	case strings.Contains(p.Path, "*.") && f.inBefore != f.inAfter:
		// The item as a whole came or went; the entry judges it by itself.
		return 0
	case p.Loosens == "changed":
		if f.before == nil {
			return 1
		}
		return -1
	case p.Loosens == "removed":
		return presence(f.before, f.after)
	case p.Loosens == "added":
		if !f.inBefore || !f.inAfter {
			return 0
		}
		return presence(turnedOn(f.after), turnedOn(f.before))
	case f.before == nil || f.after == nil:
		return 0
	}
	up := compareScalars(p, f.before, f.after)
	if p.Loosens == "higher" {
		return -up
	}
	return up
}

// admission is that of a list of which each item lets something in, as long as there
// is a list at all: at the first step of the path.
func admission(p policy.Protection, f protectedField) int {
	list, _, _ := strings.Cut(p.Path, ".")
	switch {
	case f.specBefore.Get(list) == nil || f.specAfter.Get(list) == nil:
		return 0
	case f.before != nil && f.after != nil:
		return -1
	}
	return presence(f.after, f.before)
}

// wordOf ranks the word that a field has, or stands for where it is left out; within
// says that what it stands in is there.
func wordOf(p policy.Protection, field *merge.Tree, within bool, spec *merge.Tree) int {
	if spec == nil {
		return slices.Index(p.Order, p.None)
	}
	rank := func(t *merge.Tree) int {
		if t == nil || t.Value == nil {
			return -1
		}
		return slices.Index(p.Order, t.Value.Text)
	}
	if at := rank(field); at >= 0 {
		return at
	}
	for _, other := range p.Unset {
		if word, literal := strings.CutPrefix(other, "="); literal {
			return slices.Index(p.Order, word)
		}
		if at := rank(spec.At(other)); at >= 0 && !within {
			return at
		}
	}
	return -1
}

// presence is -1 where something goes and 1 where it comes.
func presence(before, after *merge.Tree) int {
	switch {
	case before != nil && after == nil:
		return -1
	case before == nil && after != nil:
		return 1
	}
	return 0
}

// turnedOn counts a boolean as there only while it is true.
func turnedOn(t *merge.Tree) *merge.Tree {
	if t != nil && t.Value != nil && t.Value.Shape == loader.Bool && t.Value.Text != "true" {
		return nil
	}
	return t
}

// compareScalars is 1 where a field grows: along the entry's order of words,
// or as a number or quantity.
func compareScalars(p policy.Protection, before, after *merge.Tree) int {
	if before.Value == nil || after.Value == nil {
		return 0
	}
	b, a := before.Value.Text, after.Value.Text
	if len(p.Order) > 0 {
		i, j := slices.Index(p.Order, b), slices.Index(p.Order, a)
		if i < 0 || j < 0 {
			return 0
		}
		return compareInts(i, j)
	}
	x, errX := resource.ParseQuantity(b)
	y, errY := resource.ParseQuantity(a)
	if errX != nil || errY != nil {
		return 0
	}
	return y.Cmp(x)
}

func compareInts(before, after int) int {
	switch {
	case after > before:
		return 1
	case after < before:
		return -1
	}
	return 0
}
