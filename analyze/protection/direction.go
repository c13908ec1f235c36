package protection

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/internal/dns"
	"github.com/gwplan/gwplan/loader"
)

// protectedField is one place that a pattern matches, on both sides.
type protectedField struct {
	path string
	// by is the protection that lists the field, for fields of referenced objects.
	by            *catalogue.Protection
	before, after *merge.Tree
	// around are the parents of the field, before and after.
	around [2]*merge.Tree
	// inBefore and inAfter are true if the parent of the field exists.
	inBefore, inAfter bool
	// specBefore and specAfter are the specs that contain the field.
	specBefore, specAfter *merge.Tree
	// inList is true for an item of a list that restricts nothing if it is empty.
	inList bool
	// renamed is true if the field, or an item that contains it, has another name now. alike is
	// true if the field is an item with mostly the same content.
	renamed, alike bool
}

// open reports whether a value to be compared contains a variable, so that an edit of it cannot be
// judged.
func (f *protectedField) open(p catalogue.Protection) bool {
	compared := len(p.Unset) > 0 || f.before != nil && f.after != nil
	return compared && (p.Loosens == catalogue.Lower || p.Loosens == catalogue.Higher) && slices.ContainsFunc([]*merge.Tree{f.before, f.after}, func(t *merge.Tree) bool {
		return t != nil && t.Value != nil && t.Value.Opaque
	})
}

// depends reports whether it depends on what is behind the target which of the two words of a field protects more.
func (f *protectedField) depends(p catalogue.Protection) bool {
	word := func(field *merge.Tree, within bool, spec *merge.Tree) bool {
		at := wordOf(p, field, within, spec)
		return at >= 0 && slices.Contains(p.Perhaps, p.Order[at])
	}
	return len(p.Perhaps) > 0 && word(f.before, f.inBefore, f.specBefore) && word(f.after, f.inAfter, f.specAfter)
}

// expand finds the places that the dotted pattern of a protection matches in either tree. `*`
// matches any key or list item. If restricts is true, an empty list is none.
func expand(before, after *merge.Tree, p catalogue.Protection, restricts bool) []protectedField {
	out := []protectedField{{before: before, after: after}}
	steps := strings.Split(p.Path, ".")
	for i, step := range steps {
		pairing := likeNames
		switch last := i+1 == len(steps); {
		case last && (p.Loosens == catalogue.Added || p.Loosens == catalogue.Admits):
			pairing = sameNames // an added item admits requests, whatever is removed at the same time
		case p.What == Authentication:
			pairing = anyNames
		}
		var next []protectedField
		for _, f := range out {
			if restricts && i+1 == len(steps) && step == "*" {
				f = f.withoutEmpty()
				f.inList = true
			}
			for _, both := range f.below(step, pairing, p.Except) {
				next = append(next, protectedField{
					path: f.path + "/" + both.key, before: both.before, after: both.after, around: [2]*merge.Tree{f.before, f.after},
					// Policies that are side by side form a list, which may be empty.
					inBefore: f.before != nil || p.Path == "*", inAfter: f.after != nil || p.Path == "*",
					specBefore: before, specAfter: after, renamed: f.renamed || both.renamed, alike: both.alike, inList: f.inList,
				})
			}
		}
		out = next
	}
	if restricts && !strings.HasSuffix(p.Path, "*") {
		for i := range out {
			out[i] = out[i].withoutEmpty()
		}
	}
	return out
}

// restricts reports whether the field of a row is a list, or an item of a list, that admits only what it names, and
// everything if it is empty: another one of the rows says that protection is lost without it.
func restricts(rows []catalogue.Protection, p catalogue.Protection) bool {
	list, ofItems := strings.CutSuffix(p.Path, ".*")
	gone := func(q catalogue.Protection) bool {
		return q.Path == list && (q.Loosens == catalogue.Removed || q.Loosens == catalogue.Gone)
	}
	if ofItems {
		return p.Loosens == catalogue.Added && slices.ContainsFunc(rows, gone)
	}
	return gone(p) && slices.ContainsFunc(rows, func(q catalogue.Protection) bool { return q.Path == list+".*" && q.Loosens == catalogue.Added })
}

// withoutEmpty returns a field as if empty lists were not there.
func (f protectedField) withoutEmpty() protectedField {
	if isEmpty(f.before) {
		f.before = nil
	}
	if isEmpty(f.after) {
		f.after = nil
	}
	return f
}

func isEmpty(t *merge.Tree) bool {
	return t != nil && len(entries(t)) == 0 && t.Value != nil && t.Value.Shape == loader.List
}

// direction is -1 if the edit of a field loosens protection, 1 if it tightens it. A field that is
// added or removed together with the protection that it would loosen does not loosen: new
// Authentication with an exemption protects more than none.
func direction(p catalogue.Protection, f protectedField) int {
	if r, ok := f.rates(p); ok {
		return r.direction()
	}
	switch {
	case p.Of != "" && !merge.Equal(beside(f.around[0], p.Of), beside(f.around[1], p.Of)) && f.inBefore && f.inAfter:
		return 0 // the row of the amount judges both
	case f.open(p) && !merge.Equal(f.before, f.after):
		return -1
	case len(p.Unset) > 0 && p.Within != "" && !strings.Contains(p.Within, "*") && (f.specBefore.At(p.Within) == nil || f.specAfter.At(p.Within) == nil):
		return 0
	case len(p.Unset) > 0 && p.None == "" && f.before == nil && f.after == nil:
		return 0 // it is nowhere set, and what goes or comes around it has rows of its own
	case len(p.Unset) > 0 && !p.Bare && p.None == p.Order[len(p.Order)-1] && (!f.inBefore || !f.inAfter):
		return 0 // without its parent, the field has no effect; another row judges the parent
	case len(p.Unset) > 0:
		return cmp.Compare(wordOf(p, f.after, f.inAfter, f.specAfter), wordOf(p, f.before, f.inBefore, f.specBefore))
	case merge.Equal(f.before, f.after), merge.SameAmount(f.path, f.before, f.after), p.Loosens == catalogue.Changed && sameInAnyOrder(f.before, f.after):
		return 0
	case p.Loosens == catalogue.Admits:
		return admission(p, f)
	case p.Loosens == catalogue.Gone:
		return presence(f.before, f.after)
	case f.opensBeside(p):
		return -1
	case strings.Contains(p.Path, "*.") && f.inBefore != f.inAfter:
		// The whole item was added or removed, which another row judges.
		return 0
	case p.Loosens == catalogue.Wider:
		return wider(f.before, f.after)
	case p.Loosens == catalogue.Changed:
		if f.before == nil {
			return 0 // the direction is unknown
		}
		return -1
	case p.Loosens == catalogue.Removed:
		if f.comesOrGoes(p) {
			return 0
		}
		return presence(f.before, f.after)
	case p.Loosens == catalogue.Added:
		if !f.onBoth(p) {
			return 0
		}
		return presence(turnedOn(f.after), turnedOn(f.before))
	case f.before == nil || f.after == nil:
		return 0
	}
	up := compareScalars(p, f.before, f.after)
	if p.Loosens == catalogue.Higher {
		return -up
	}
	return up
}

// comesOrGoes reports whether the protection around a field comes or goes as a whole, which its own row judges.
func (f *protectedField) comesOrGoes(p catalogue.Protection) bool {
	return p.Within != "" && !strings.Contains(p.Within, "*") && (f.specBefore.At(p.Within) == nil) != (f.specAfter.At(p.Within) == nil)
}

// sameInAnyOrder reports whether two values are equal but for the order of plain values in lists: of addresses, methods or
// scopes it decides nothing.
func sameInAnyOrder(before, after *merge.Tree) bool {
	if before == nil || after == nil || before.Kind != after.Kind || len(before.Entries) != len(after.Entries) {
		return false
	}
	for i := range before.Entries {
		if before.Entries[i].Key != after.Entries[i].Key || !sameInAnyOrder(before.Entries[i].Tree, after.Entries[i].Tree) {
			return false
		}
	}
	if len(before.Entries) > 0 || before.Value == nil || after.Value == nil {
		return len(before.Entries) > 0
	}
	return loader.Equal(inOrder(before.Value), inOrder(after.Value))
}

// inOrder returns a value with the plain values of its lists sorted, and JSON in its texts without spaces.
func inOrder(v *loader.Value) *loader.Value {
	out := *v
	switch v.Shape {
	case loader.Map:
		out.Fields = slices.Clone(v.Fields)
		for i := range out.Fields {
			out.Fields[i].Value = inOrder(v.Fields[i].Value)
		}
	case loader.List:
		out.Items = make([]*loader.Value, len(v.Items))
		plain := true
		for i, item := range v.Items {
			out.Items[i] = inOrder(item)
			plain = plain && item.Shape == loader.String
		}
		if plain {
			slices.SortFunc(out.Items, func(a, b *loader.Value) int { return strings.Compare(a.Text, b.Text) })
		}
	case loader.String:
		out.Text = withoutSpace(v.Text)
	case loader.Null, loader.Bool, loader.Int, loader.Float:
	}
	return &out
}

// withoutSpace returns a JSON object in its shortest form, and any other text as it is.
func withoutSpace(text string) string {
	var short bytes.Buffer
	if !strings.HasPrefix(strings.TrimSpace(text), "{") || json.Compact(&short, []byte(text)) != nil {
		return text
	}
	return short.String()
}

// opensBeside reports whether a field belongs to a new list item that lets everybody in, in a list in which one item is
// enough.
func (f *protectedField) opensBeside(p catalogue.Protection) bool {
	return p.Opens && p.Alternative && !f.inBefore && f.before == nil && turnedOn(f.after) != nil &&
		f.specBefore.At(strings.TrimSuffix(p.Within, ".*")) != nil
}

// onBoth reports whether both sides have the protection that a field loosens: the one around it, or the item that it is in. A
// field that is in neither loosens by itself.
func (f *protectedField) onBoth(p catalogue.Protection) bool {
	if p.Within != "" && !strings.Contains(p.Within, "*") && !f.inList {
		return f.specBefore.At(p.Within) != nil && f.specAfter.At(p.Within) != nil
	}
	if p.Within == "" && !strings.Contains(p.Path, "*") {
		return true
	}
	return f.inBefore && f.inAfter
}

// admission is the direction for a list whose items each admit something. It is 0 unless the list
// at the first step of the path exists on both sides.
func admission(p catalogue.Protection, f protectedField) int {
	list, _, _ := strings.Cut(p.Path, ".")
	switch {
	case f.specBefore.Get(list) == nil || f.specAfter.Get(list) == nil:
		return 0
	case f.before != nil && f.after != nil:
		return -1
	}
	return presence(f.after, f.before)
}

// wordOf returns the rank of a field's word, or of the word that applies if the field is unset.
// within is true if its parent exists.
func wordOf(p catalogue.Protection, field *merge.Tree, within bool, spec *merge.Tree) int {
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

// wider is -1 if a hostname or path admits more than before. An empty one admits all.
func wider(before, after *merge.Tree) int {
	name := func(t *merge.Tree) string {
		if t == nil || t.Value == nil {
			return ""
		}
		return t.Value.Text
	}
	b, a := name(before), name(after)
	switch {
	case b == a:
		return 0
	case a == "" || covers(a, b):
		return -1
	case b == "" || covers(b, a):
		return 1
	}
	return 0
}

// covers reports whether a wildcard matches a name: *.example.com matches a.example.com, /api/*
// matches /api and /api/pay.
func covers(wildcard, name string) bool {
	if prefix, ok := strings.CutSuffix(wildcard, "/*"); ok {
		return name == prefix || strings.HasPrefix(name, prefix+"/")
	}
	return dns.Covers(wildcard, name)
}

// presence is -1 if something is removed and 1 if it is added.
func presence(before, after *merge.Tree) int {
	switch {
	case before != nil && after == nil:
		return -1
	case before == nil && after != nil:
		return 1
	}
	return 0
}

// turnedOn returns nil for a boolean other than true.
func turnedOn(t *merge.Tree) *merge.Tree {
	if t != nil && t.Value != nil && t.Value.Shape == loader.Bool && t.Value.Text != "true" {
		return nil
	}
	return t
}

// compareScalars is 1 if a field grows: in the order of words, or as a number or quantity.
func compareScalars(p catalogue.Protection, before, after *merge.Tree) int {
	if before.Value == nil || after.Value == nil {
		return 0
	}
	b, a := before.Value.Text, after.Value.Text
	if len(p.Order) > 0 {
		i, j := slices.Index(p.Order, b), slices.Index(p.Order, a)
		if i < 0 || j < 0 {
			return 0
		}
		return cmp.Compare(j, i)
	}
	if p.Zero && (a == "0") != (b == "0") { // no limit is more than any
		return map[bool]int{true: 1, false: -1}[a == "0"]
	}
	if p.Size {
		return compareSizes(b, a)
	}
	order, _ := merge.CompareAmounts(a, b)
	return order
}
