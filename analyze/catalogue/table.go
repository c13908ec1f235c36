package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// Table is the kinds of one plan: from the config, the catalogue, and the CRDs and objects of
// both revisions. Both revisions share it so that a kind has the same semantics in each.
type Table struct {
	kinds map[GroupKind]*Kind
	// Changed are kinds that base and head would classify differently; the classification of
	// base applies to both.
	Changed []*Kind
	// Suspects are CRDs of base and head, outside the catalogue, that define a policy kind but
	// do not follow the GEP.
	Suspects []Suspect

	settings map[string]string
}

// GroupKind names a kind.
type GroupKind struct{ Group, Kind string }

// NewTable collects the kinds of the given revisions, base first, each as all of its objects.
// Configured entries win over the catalogue, the catalogue over CRDs, and CRDs over objects. A
// kind that a later revision would classify differently keeps its first classification and is in
// Changed.
func NewTable(c *Catalogue, configured []Entry, revisions ...[]*loader.Object) *Table {
	t := c.table(configured, nil)
	for i, objects := range revisions {
		own := c.table(configured, objects)
		if i == 0 {
			t = own
			continue
		}
		t.join(own)
	}
	return t
}

// table is the kinds of one revision.
func (c *Catalogue) table(configured []Entry, objects []*loader.Object) *Table {
	t := &Table{kinds: map[GroupKind]*Kind{}, settings: c.Settings}
	for _, e := range configured {
		t.add(compile(e, c.Groups, FromConfig))
	}
	for _, k := range c.kinds() {
		t.add(k)
	}
	t.addCRDs(objects)
	t.addObjects(objects)
	t.addReferred(objects)
	t.findDialects(objects)
	return t
}

// join adds what only another revision has.
func (t *Table) join(later *Table) {
	for _, k := range later.Kinds() {
		key := GroupKind{k.Group, k.Entry.Kind}
		known := t.kinds[key]
		switch {
		case known == nil:
			t.kinds[key] = k
		case known.Assumed() && known.Class() != k.Class():
			t.Changed = append(t.Changed, known)
		case known.Assumed() && k.Older() && !known.Older():
			// Policies with only one body do not show the dialect. If one revision shows the
			// older dialect, it applies to both.
			speakOlder(known)
		}
	}
	for _, s := range later.Suspects {
		if !slices.ContainsFunc(t.Suspects, func(known Suspect) bool { return known.CRD.ID == s.CRD.ID }) {
			t.Suspects = append(t.Suspects, s)
		}
	}
}

// add adds a kind unless the table has it.
func (t *Table) add(k *Kind) {
	key := GroupKind{k.Group, k.Entry.Kind}
	if t.kinds[key] == nil {
		t.kinds[key] = k
	}
}

// Kind finds a policy kind, or nil.
func (t *Table) Kind(group, kind string) *Kind { return t.kinds[GroupKind{group, kind}] }

// Kinds are all kinds, sorted by group and kind.
func (t *Table) Kinds() []*Kind {
	out := make([]*Kind, 0, len(t.kinds))
	for _, k := range t.kinds {
		out = append(out, k)
	}
	slices.SortFunc(out, CompareKinds)
	return out
}

// CompareKinds orders kinds by group and name.
func CompareKinds(a, b *Kind) int { return strings.Compare(SortKey(a), SortKey(b)) }

// SortKey is the text by which a kind is sorted.
func SortKey(k *Kind) string { return k.Group + "\x00" + k.Entry.Kind }

// addObjects finds kinds for which there are only objects: a spec with fields like targetRef
// that name kinds of the hierarchy.
func (t *Table) addObjects(objects []*loader.Object) {
	for _, o := range objects {
		key := GroupKind{o.ID.Group, o.ID.Kind}
		if t.kinds[key] != nil || Describes(o.ID.Group, o.ID.Kind) || hierarchy.Needs(o.ID.Group, o.ID.Kind) || !targetsHierarchy(o) {
			continue
		}
		e := assume(o.ID.Group, o.ID.Kind, "")
		k := compile(e, nil, FromObject)
		k.Notes = append(k.Notes, fmt.Sprintf(
			"%s is in neither the catalogue nor a CRD of the repository: GEP-713's defaults are assumed", k))
		t.kinds[key] = k
	}
}

func targetsHierarchy(o *loader.Object) bool {
	for _, ref := range genericRefs(o.Spec()) {
		kind := ref.Str("kind")
		if slices.ContainsFunc(WellKnown, func(w loader.ID) bool { return strings.EqualFold(w.Kind, kind) }) {
			return true
		}
	}
	return false
}

// genericRefs are the target references of a policy in any of the GEP's forms.
func genericRefs(spec *loader.Value) []*loader.Value {
	var refs []*loader.Value
	if ref := spec.Get("targetRef"); ref != nil && ref.Shape == loader.Map {
		refs = append(refs, ref)
	}
	refs = append(refs, spec.List("targetRefs")...)
	return append(refs, spec.List("targetSelectors")...)
}

// findDialects finds the assumed kinds of which some policy holds defaults
// and overrides at once: that is the older dialect, for the whole kind.
func (t *Table) findDialects(objects []*loader.Object) {
	for _, o := range objects {
		k := t.Kind(o.ID.Group, o.ID.Kind)
		if k == nil || !k.Assumed() || k.Older() {
			continue
		}
		spec := o.Spec()
		hasDefault := !spec.Get("default").IsNull() || !spec.Get("defaults").IsNull()
		hasOverride := !spec.Get("override").IsNull() || !spec.Get("overrides").IsNull()
		if hasDefault && hasOverride {
			speakOlder(k)
		}
	}
}

// speakOlder switches an assumed kind to the older dialect.
func speakOlder(k *Kind) {
	k.Merge.Levels.Algorithm = string(merge.DefaultOverride)
	k.Merging = compileMerging(&k.Entry)
	k.Form.Whole = k.Merge.Units
	k.Notes = append(k.Notes, fmt.Sprintf(
		"a policy of %s has both defaults and overrides: merged by the older rules of policy attachment (GEP-713 before defaults and overrides were separated)", k))
}
