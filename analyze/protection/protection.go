// Package protection judges the effect of an edit on protection: whether requests are checked less
// than before, or more. Data defines which fields protect: the catalogue entries of policy kinds
// for their specs, and a table in this package for the objects of Gateway API themselves.
//
// Fields are compared by kind of protection, not by name. A provider, rule or extension with a new
// name stays the same one, and an authentication that takes the place of another replaces it.
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

// Field is a protecting field.
type Field struct {
	// Path is the path of the field, with list keys as steps.
	Path string
	// What is the kind of protection: authentication, authorisation, tls, limits and others.
	What string
	// Before and After are the field on the two sides, nil if it does not exist there.
	Before, After *merge.Tree
	// Needed is true if clients rely on what the field admits.
	Needed bool
	// Rates are an amount and its time on the two sides, " from 10 per minute to 1 per second", where both differ; else empty.
	Rates string
	// by is the row of the catalogue that judged it, or nil.
	by *catalogue.Protection
}

// IsTimeOf reports whether a path is that of the time of the field's rates.
func (f Field) IsTimeOf(at string) bool {
	if f.Rates == "" {
		return false
	}
	time := f
	time.Path = f.Path[:strings.LastIndexByte(f.Path, '/')+1] + f.by.Per
	return time.IsAt(at)
}

// Admits reports whether a field decides whose requests are admitted.
func (f Field) Admits() bool { return f.What == Authentication || f.What == Authorisation }

// Trusts reports whether a field decides whose certificates TLS accepts: it names authorities.
func (f Field) Trusts() bool {
	path := strings.ToLower(f.Path)
	return f.What == TLS && (strings.Contains(path, "cacert") || strings.Contains(path, "authorit") || strings.Contains(path, "trust"))
}

// Withdrawn reports whether clients relied on a field that is gone: they are refused now.
func (f Field) Withdrawn() bool { return f.Needed && f.Before != nil && f.After == nil }

// IsPart reports whether a field is a setting of a protection that another row of the catalogue has as a whole, such as the audiences
// of a token.
func (f Field) IsPart() bool {
	return f.by != nil && f.After == nil && f.by.Within != "" && !strings.HasSuffix(f.by.Path, "*")
}

// IsAt reports whether the field is at a path, in which the positions of items may stand for their names.
func (f Field) IsAt(path string) bool {
	own, more := f.Path, true
	for more {
		var name, step string
		var other bool
		name, own, more = strings.Cut(own, "/")
		step, path, other = strings.Cut(path, "/")
		if more != other || name != step && !isPosition(step) {
			return false
		}
	}
	return true
}

// Place is the path of the field with a * for each item of a list that its row of the catalogue has.
func (f Field) Place() string {
	if f.by == nil {
		return f.Path
	}
	steps, pattern := strings.Split(f.Path, "/"), strings.Split(f.by.Path, ".")
	for i, step := range pattern {
		if at := len(steps) - len(pattern) + i; step == "*" && at > 0 {
			steps[at] = "*"
		}
	}
	return strings.Join(steps, "/")
}

// PlaceOf is a path with a * for each position in a list, as Place has them.
func PlaceOf(path string) string {
	steps := strings.Split(path, "/")
	for i, step := range steps {
		if isPosition(step) {
			steps[i] = "*"
		}
	}
	return strings.Join(steps, "/")
}

func isPosition(step string) bool {
	return step != "" && strings.Trim(step, "0123456789") == ""
}

// String is the field as messages name it: "/jwt (authentication)".
func (f Field) String() string { return f.Path + " (" + f.What + ")" }

// Text returns the field's values on the two sides, "" for a map or list.
func (f Field) Text() (before, after string) {
	text := func(t *merge.Tree) string {
		if t == nil || t.Value == nil || t.Value.Shape == loader.Map || t.Value.Shape == loader.List {
			return ""
		}
		return t.Value.Text
	}
	return text(f.Before), text(f.After)
}

// Shift is the effect of an edit on protection, as lists of fields: lost, with a lower mode,
// with a weaker value, newly admitting, replaced by another field of the same kind, edited in a way
// that cannot be judged, tightened. Each field is in one list, the first that fits.
type Shift struct {
	Lost, Lowered, Weakened, LetIn, Replaced, Edited, Tightened []Field
	// Replacing are the fields that take the place of Replaced.
	Replacing []Field
}

// Loosens reports whether targets are known to be protected less.
func (s Shift) Loosens() bool {
	return len(s.Lost)+len(s.Lowered)+len(s.Weakened)+len(s.LetIn) > 0
}

// Empty reports whether no protecting field changes.
func (s Shift) Empty() bool {
	return !s.Loosens() && len(s.Replaced)+len(s.Edited)+len(s.Tightened) == 0
}

// lists returns the lists of a shift, worst first.
func (s *Shift) lists() []*[]Field {
	return []*[]Field{&s.Lost, &s.Lowered, &s.Weakened, &s.LetIn, &s.Replaced, &s.Edited, &s.Tightened}
}

// And returns the union of two shifts of different things.
func (s Shift) And(other Shift) Shift {
	for i, list := range s.lists() {
		*list = slices.Concat(*list, *other.lists()[i])
	}
	s.Replacing = slices.Concat(s.Replacing, other.Replacing)
	return s
}

// Only returns a shift with only the fields that keep accepts.
func (s Shift) Only(keep func(Field) bool) Shift {
	for _, list := range s.lists() {
		*list = slices.DeleteFunc(slices.Clone(*list), func(f Field) bool { return !keep(f) })
	}
	return s
}

// Between compares two effective policies of a kind at a target. Either may be nil.
func Between(k *catalogue.Kind, before, after *effective.Policy) Shift {
	var s Shift
	if k == nil {
		return s
	}
	before = effective.Aligned(before, after)
	b, a := spec(before), spec(after)
	for _, p := range k.Protects {
		// A field that yields to another policy, or to the target, is judged there.
		if before.Yields(p.Path) || after.Yields(p.Path) {
			continue
		}
		s.judge(p, b, a, k)
		s.byDefaults(p, b, a, k)
	}
	if a == nil && b != nil && !admits(k) {
		s.vanished(k, b)
	}
	s.displace(k, b, a)
	for _, fields := range drawnFields(before, after) {
		for _, f := range unmoved(fields) {
			if list := s.list(*f.by, f); list != nil {
				*list = append(*list, f.field(*f.by))
			}
		}
	}
	if before.Failing() != after.Failing() {
		// On one side requests fail, and limits protect nothing there. What lets requests in counts all the same: it is in
		// force as soon as they do not fail any more.
		s = s.Only(func(f Field) bool { return f.What != Limits })
	}
	return s.worstOfEach()
}

// vanished reports lists with protecting fields in their items as lost, if no row judges the items
// themselves. It handles the removal of the whole policy, after which nothing protects.
func (s *Shift) vanished(k *catalogue.Kind, before *merge.Tree) {
	for _, p := range k.Protects {
		list, _, inItem := strings.Cut(p.Path, ".*.")
		if !inItem || p.Loosens == catalogue.Added || p.Loosens == catalogue.Changed || p.Loosens == catalogue.Admits || p.Unless != "" && effective.Holds(before, p.Unless) {
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
		if slices.ContainsFunc(expand(before, nil, p, false), protects) {
			s.Lost = append(s.Lost, Field{Path: catalogue.Pointer(list), What: p.What, Before: before.At(list)})
		}
	}
}

// admits reports whether each policy of a kind admits something.
func admits(k *catalogue.Kind) bool {
	return slices.ContainsFunc(k.Protects, func(p catalogue.Protection) bool { return p.Path == "*" && p.Loosens == catalogue.Added })
}

// judge adds the result of one row for two trees.
func (s *Shift) judge(p catalogue.Protection, before, after *merge.Tree, k *catalogue.Kind) {
	if p.Unless != "" && (effective.Holds(before, p.Unless) || effective.Holds(after, p.Unless)) {
		return
	}
	if unchanged(p, before, after) {
		return
	}
	if f, ok := emptied(k, p, before, after); ok {
		s.Edited = append(s.Edited, f)
		return
	}
	open := k != nil && p.Loosens == catalogue.Added && openBefore(k, p, before)
	for _, f := range unmoved(expand(before, after, p, k == nil && p.Loosens == catalogue.Removed || k != nil && restricts(k.Protects, p))) {
		if open && f.before == nil || k != nil && f.after == nil && p.Loosens == catalogue.Changed && (admitsItems(k, p) || isDefault(k, p, f.before)) {
			continue
		}
		if k != nil && (f.comesOrGoesOpen(k, p) || p.Loosens == catalogue.Removed && onlyOfDefaults(k, p.Path, cmp.Or(f.before, f.after))) {
			continue
		}
		f = f.withUsual(p)
		if k != nil && p.Loosens == catalogue.Changed && f.before != nil && f.after != nil && sameButDefaults(k, p.Path, f.before, f.after) {
			continue
		}
		// The rows for the content of an item report what differs in a renamed one.
		if k != nil && f.renamed && f.alike && (p.Loosens == catalogue.Removed || p.Loosens == catalogue.Gone) && inside(k, p) {
			continue
		}
		if p.Rules != "" && !f.renamed && (f.before != nil || f.inBefore) && (f.after != nil || f.inAfter) {
			if list, judged := s.byRules(p, f); judged {
				if list != nil {
					*list = append(*list, f.field(p))
				}
				continue
			}
		}
		list := s.list(p, f)
		if list == nil && k != nil && f.exchanged(p) && !inside(k, p) && !judgesEdits(k, p) {
			list = &s.LetIn
		}
		list = s.besideWays(p, f, list)
		if list == nil || isUsual(p, f, k) {
			continue // as nearly always, and what a secret is takes long to say
		}
		if list == &s.Tightened && f.before == nil && k != nil && switchedOff(k, p, after) {
			list = &s.Edited // it turns off what another policy may do
		}
		if k != nil {
			f.path = sayable(k.Discloses(), p, f.path)
		}
		*list = append(*list, f.field(p))
	}
}

// unchanged reports whether all that a row may match is equal in two trees, as nearly always. A row
// that has words for unset fields looks at other fields, too.
func unchanged(p catalogue.Protection, before, after *merge.Tree) bool {
	first, _, _ := strings.Cut(p.Path, ".")
	return first != "*" && len(p.Unset) == 0 && (neither(p.Path, before, after) || merge.Equal(before.Get(first), after.Get(first)))
}

// neither reports whether neither of two specs has a field, as far as its path is without positions.
func neither(path string, before, after *merge.Tree) bool {
	for step := range strings.SplitSeq(path, ".") {
		if step == "*" {
			break
		}
		if before, after = before.Get(step), after.Get(step); before == nil && after == nil {
			return true
		}
	}
	return false
}

// openBefore reports whether everybody got in before by an item of the list of which another item admits some.
func openBefore(k *catalogue.Kind, p catalogue.Protection, before *merge.Tree) bool {
	return slices.ContainsFunc(k.Protects, func(q catalogue.Protection) bool {
		return q.Opens && q.Alternative && q.Within == p.Path && slices.ContainsFunc(expand(before, nil, q, false), func(f protectedField) bool { return turnedOn(f.before) != nil })
	})
}

// comesOrGoesOpen reports whether a protection that comes or goes as a whole refuses nobody, as one of its alternative ways in
// admits everybody.
func (f *protectedField) comesOrGoesOpen(k *catalogue.Kind, p catalogue.Protection) bool {
	if p.Loosens != catalogue.Removed || (f.before == nil) == (f.after == nil) {
		return false
	}
	return slices.ContainsFunc(entries(cmp.Or(f.before, f.after)), func(way merge.Entry) bool {
		return isOpen(k, p.Path+".*", way.Tree)
	})
}

// isOpen reports whether an item of a list, in which one item is enough, admits everybody, and under no condition.
func isOpen(k *catalogue.Kind, list string, item *merge.Tree) bool {
	open := false
	for _, p := range k.Protects {
		field, inItem := strings.CutPrefix(p.Path, list+".")
		if !inItem || p.Within != list || !p.Alternative || turnedOn(item.At(field)) == nil {
			continue
		}
		if p.Loosens == catalogue.Removed && !isEmpty(item.At(field)) {
			return false
		}
		open = open || p.Opens
	}
	return open
}

// switchedOff reports whether a field that comes has a switch in it with which it protects nothing.
func switchedOff(k *catalogue.Kind, p catalogue.Protection, after *merge.Tree) bool {
	return slices.ContainsFunc(k.Protects, func(q catalogue.Protection) bool {
		return q.Opens && strings.HasPrefix(q.Path, p.Path+".") && slices.ContainsFunc(expand(after, nil, q, false), func(f protectedField) bool { return turnedOn(f.before) != nil })
	})
}

// admitsItems reports whether each item of the list of a row loosens by being there, as another row says: one that goes
// protects more.
func admitsItems(k *catalogue.Kind, p catalogue.Protection) bool {
	return strings.HasSuffix(p.Path, ".*") && slices.ContainsFunc(k.Protects, func(q catalogue.Protection) bool { return q.Path == p.Path && q.Loosens == catalogue.Added })
}

// isDefault reports whether a value is the one that the controller uses where nobody sets one.
func isDefault(k *catalogue.Kind, p catalogue.Protection, t *merge.Tree) bool {
	return t != nil && t.Value != nil && k.IsDefault(p.Path, t.Value.Text)
}

// judgesEdits reports whether another row judges edits of the items of a row.
func judgesEdits(k *catalogue.Kind, p catalogue.Protection) bool {
	return slices.ContainsFunc(k.Protects, func(q catalogue.Protection) bool { return q.Path == p.Path && q.Loosens == catalogue.Changed })
}

// inside reports whether a kind has rows for the content of another row's items.
func inside(k *catalogue.Kind, p catalogue.Protection) bool {
	return slices.ContainsFunc(k.Protects, func(q catalogue.Protection) bool { return strings.HasPrefix(q.Path, p.Path+".") })
}

// emptied reports whether the last of several ways to authenticate is removed while their parent
// stays. One of several less requires more, but it is not known what applies without any.
func emptied(k *catalogue.Kind, p catalogue.Protection, before, after *merge.Tree) (Field, bool) {
	list, ofItems := strings.CutSuffix(p.Path, ".*")
	if !ofItems || p.What != Authentication || p.Loosens != catalogue.Added || strings.Contains(list, "*") {
		return Field{}, false
	}
	around := ""
	if i := strings.LastIndexByte(list, '.'); i >= 0 {
		around = list[:i]
	}
	if len(entries(before.At(list))) == 0 || len(entries(after.At(list))) > 0 || around != "" && after.At(around) == nil || after == nil {
		return Field{}, false
	}
	if k != nil && slices.ContainsFunc(entries(before.At(list)), func(way merge.Entry) bool { return isOpen(k, p.Path, way.Tree) }) {
		return Field{}, false
	}
	return Field{Path: catalogue.Pointer(list), What: p.What, Before: before.At(list), After: after.At(list)}, true
}

// list returns the list that a field belongs to, or nil.
func (s *Shift) list(p catalogue.Protection, f protectedField) *[]Field {
	if f.renamed && !merge.Equal(f.before, f.after) && (p.Loosens == catalogue.Removed || p.Loosens == catalogue.Gone) {
		return &s.Edited
	}
	switch direction(p, f) {
	case -1:
		if r, ok := f.rates(p); ok && r.bursts() {
			return &s.Edited
		}
		switch {
		case p.Instead != "" && f.specAfter.At(p.Instead) != nil:
			return &s.Edited
		case p.Loosens == catalogue.Removed, p.Loosens == catalogue.Gone:
			return &s.Lost
		case p.Zero && f.after != nil && f.after.Value != nil && f.after.Value.Text == "0": // no limit
			return &s.Lost
		case p.Opens, p.Loosens == catalogue.Changed && admittance(p, f) && everybody(f.after) && !everybody(f.before):
			return &s.Lowered
		case p.Loosens == catalogue.Changed, p.Loosens == catalogue.Admits && f.before != nil, f.open(p), f.depends(p):
			return &s.Edited
		case p.Loosens == catalogue.Added, p.Loosens == catalogue.Admits, p.Loosens == catalogue.Wider:
			if admittance(p, f) && everybody(f.after) && !everybody(f.before) {
				return &s.Lowered
			}
			return &s.LetIn
		case len(p.Order) > 0:
			return &s.Lowered
		}
		return &s.Weakened
	case 1:
		if p.Instead != "" && f.specBefore.At(p.Instead) != nil {
			return &s.Edited
		}
		return &s.Tightened
	}
	return nil
}

// field returns what is said of a protected field.
func (f protectedField) field(p catalogue.Protection) Field {
	return Field{Path: f.path, What: p.What, Before: f.before, After: f.after, Needed: p.Needed, Rates: f.rateWords(p), by: &p}
}

// worstOfEach keeps each field once, in its worst list. It removes a field below one in a worse
// list, and an edit or an addition of what contains one. Authentication that another kind of it replaces
// is Replaced.
func (s Shift) worstOfEach() Shift {
	s.replace()
	s.exchange()
	worse, around := map[string]bool{}, map[string]bool{}
	for _, fields := range s.lists() {
		*fields = slices.DeleteFunc(topmost(*fields), func(f Field) bool {
			return worse[f.Path] || slices.ContainsFunc(Above(f.Path), func(above string) bool { return worse[above] }) ||
				(fields == &s.Edited || fields == &s.LetIn) && around[f.Path]
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

// Authentication is the only protection of which one kind may replace another. Authorisation decides who
// is let in.
const (
	Authentication = "authentication"
	Authorisation  = "authorisation"
	Limits         = "limits"
)

// replace moves replaced authentication from Lost to Replaced and removes the replacement from
// Tightened. Only whole settings count: a provider is lost if only an option is added.
func (s *Shift) replace() {
	whole := func(f Field) bool { return f.What == Authentication && strings.Count(f.Path, "/") == 1 }
	gone, come := slices.IndexFunc(s.Lost, whole), slices.IndexFunc(s.Tightened, whole)
	if gone < 0 || come < 0 {
		return
	}
	for _, f := range s.Lost {
		if whole(f) {
			s.Replaced = append(s.Replaced, f)
		}
	}
	for _, f := range s.Tightened {
		if whole(f) {
			s.Replacing = append(s.Replacing, f)
		}
	}
	s.Lost = slices.DeleteFunc(s.Lost, whole)
	s.Tightened = slices.DeleteFunc(s.Tightened, whole)
}

// exchange drops the items that a list no longer admits where it admits others instead: that another origin may call, or
// that there is another way to authenticate, is no more protection.
func (s *Shift) exchange() {
	lists := map[string]bool{}
	for _, f := range s.LetIn {
		if list, isItem := listOf(f.Path, f.After); isItem {
			lists[list] = true
		}
	}
	opened := map[string]bool{}
	for _, f := range slices.Concat(s.Lowered, s.LetIn) {
		if f.What == Authentication && f.Before == nil {
			for _, above := range Above(f.Path) {
				opened[above] = true
			}
		}
	}
	s.Tightened = slices.DeleteFunc(s.Tightened, func(f Field) bool {
		list, isItem := listOf(f.Path, f.Before)
		return isItem && lists[list] || f.What == Authentication && f.After == nil && opened[f.Path[:strings.LastIndexByte(f.Path, '/')]]
	})
}

// listOf is the path of the list that has a value as an item: the value is the last step of the item's path.
func listOf(path string, item *merge.Tree) (list string, isItem bool) {
	if item == nil || item.Value == nil || item.Value.Text == "" {
		return "", false
	}
	return strings.CutSuffix(path, "/"+item.Value.Text)
}

// topmost removes the fields below another one in the list. Of two with one path an exposure goes, which says less.
func topmost(fields []Field) []Field {
	exposing := func(f Field) int {
		if f.What == Exposure {
			return 1
		}
		return 0
	}
	slices.SortFunc(fields, func(a, b Field) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(exposing(a), exposing(b)), cmp.Compare(a.What, b.What))
	})
	fields = slices.CompactFunc(fields, func(a, b Field) bool { return a.Path == b.Path })
	there := map[string]bool{}
	for _, f := range fields {
		there[f.Path] = true
	}
	return slices.DeleteFunc(fields, func(f Field) bool {
		return slices.ContainsFunc(Above(f.Path), func(above string) bool { return there[above] })
	})
}

// Above returns the paths above a path.
func Above(path string) []string {
	var out []string
	for i := range path {
		if i > 0 && path[i] == '/' {
			out = append(out, path[:i])
		}
	}
	return out
}

// sayable returns the path of a field without secrets: the key of a list item may be its text,
// which may be a secret. Objects of Gateway API have no Secrecy, because they contain no secrets
// there.
func sayable(s *catalogue.Secrecy, p catalogue.Protection, path string) string {
	if s != nil && effective.Redact(s, strings.TrimSuffix(p.Path, ".*"), "x") == loader.Redacted {
		return catalogue.Pointer(p.Path)
	}
	return path
}

func spec(e *effective.Policy) *merge.Tree {
	if e == nil {
		return nil
	}
	return e.Spec
}
