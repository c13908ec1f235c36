package protection

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// protectedField is one place that a pattern means, on both sides.
type protectedField struct {
	path string
	// by is the protection that it is of, for what is drawn from objects.
	by            *catalogue.Protection
	before, after *merge.Tree
	// inBefore and inAfter say whether what the field stands in is there.
	inBefore, inAfter bool
	// specBefore and specAfter are the specs that the field is in.
	specBefore, specAfter *merge.Tree
	// renamed says that an item which the field is, or is in, has another name now, alike that
	// the item which the field is says mostly what it said.
	renamed, alike bool
}

// open says that a value which would be compared holds a variable, so that no edit
// of it can be judged.
func (f *protectedField) open(p catalogue.Protection) bool {
	compared := len(p.Unset) > 0 || f.before != nil && f.after != nil
	return compared && (p.Loosens == catalogue.Lower || p.Loosens == catalogue.Higher) && slices.ContainsFunc([]*merge.Tree{f.before, f.after}, func(t *merge.Tree) bool {
		return t != nil && t.Value != nil && t.Value.Opaque
	})
}

// expand finds the places that the dotted pattern of a protection means in either
// tree; `*` is any key, or any item of a list.
func expand(before, after *merge.Tree, p catalogue.Protection) []protectedField {
	out := []protectedField{{before: before, after: after}}
	steps := strings.Split(p.Path, ".")
	for i, step := range steps {
		pairing := likeNames
		switch last := i+1 == len(steps); {
		case last && (p.Loosens == catalogue.Added || p.Loosens == catalogue.Admits):
			pairing = sameNames // what comes lets in by itself, whatever goes at the same time
		case p.What == authentication:
			pairing = anyNames
		}
		var next []protectedField
		for _, f := range out {
			for _, both := range f.below(step, pairing, p.Except) {
				next = append(next, protectedField{
					path: f.path + "/" + both.key, before: both.before, after: both.after,
					// Policies that stand side by side are a list, which may be empty.
					inBefore: f.before != nil || p.Path == "*", inAfter: f.after != nil || p.Path == "*",
					specBefore: before, specAfter: after, renamed: f.renamed || both.renamed, alike: both.alike,
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
func direction(p catalogue.Protection, f protectedField) int {
	switch {
	case f.open(p) && !merge.Equal(f.before, f.after):
		return -1
	case len(p.Unset) > 0 && p.None == p.Order[len(p.Order)-1] && (!f.inBefore || !f.inAfter):
		return 0 // without what it stands in, the field says nothing: that has a row of its own
	case len(p.Unset) > 0:
		return compareInts(wordOf(p, f.before, f.inBefore, f.specBefore), wordOf(p, f.after, f.inAfter, f.specAfter))
	case merge.Equal(f.before, f.after):
		return 0
	case p.Loosens == catalogue.Admits:
		return admission(p, f)
	case p.Loosens == catalogue.Gone:
		return presence(f.before, f.after)
	case strings.Contains(p.Path, "*.") && f.inBefore != f.inAfter:
		// The item as a whole came or went; the entry judges it by itself.
		return 0
	case p.Loosens == catalogue.Wider:
		return wider(f.before, f.after)
	case p.Loosens == catalogue.Changed:
		if f.before == nil {
			return 0 // nobody knows which way it goes
		}
		return -1
	case p.Loosens == catalogue.Removed:
		return presence(f.before, f.after)
	case p.Loosens == catalogue.Added:
		if !f.inBefore || !f.inAfter {
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

// admission is that of a list of which each item lets something in, as long as there
// is a list at all: at the first step of the path.
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

// wordOf ranks the word that a field has, or stands for where it is left out; within
// says that what it stands in is there.
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

// wider is -1 where a hostname or path lets in more than before: none at all is any.
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

// covers says whether a wildcard stands for a name: *.example.com for a.example.com, /api/*
// for /api and /api/pay.
func covers(wildcard, name string) bool {
	if prefix, ok := strings.CutSuffix(wildcard, "/*"); ok {
		return name == prefix || strings.HasPrefix(name, prefix+"/")
	}
	suffix, ok := strings.CutPrefix(wildcard, "*")
	return ok && len(name) > len(suffix) && strings.HasSuffix(name, suffix)
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
		return compareInts(i, j)
	}
	x, okX := quantity(b)
	y, okY := quantity(a)
	if !okX || !okY {
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
