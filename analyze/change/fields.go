package change

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// fieldDiff compares two specs. Maps and keyed lists are compared by key, lists of maps of equal
// length by position, and everything else as one value.
type fieldDiff struct {
	redactor effective.Redactor
	// names maps the names of renamed policies in base to those in head. Values of several policies
	// side by side have these names as keys.
	names map[string]string
	// defaults are those of the CRD of a policy kind.
	defaults []catalogue.Default
	fields   []plan.Field
	// sources are the objects that set a differing value on either side.
	sources []*loader.Object
}

// path is a position in a spec: in the form that is shown, and dotted for the patterns of a
// catalogue entry. hidden means that the value is a secret because of the name next to it.
type path struct {
	shown, dotted string
	hidden        bool
}

// pointer escapes a key for a JSON Pointer.
var pointer = strings.NewReplacer("~", "~0", "/", "~1")

func (p path) key(k string) path {
	return path{p.shown + "/" + pointer.Replace(k), merge.Join(p.dotted, k), p.hidden}
}

func (p path) item(k string) path {
	return path{p.shown + "[" + k + "]", merge.Join(p.dotted, "*"), p.hidden}
}

func diffTrees(k *catalogue.Kind, before, after *merge.Tree) fieldDiff {
	d := fieldDiff{redactor: effective.Redactor{Secrecy: k.Discloses()}}
	d.walk(path{}, before, after)
	return d
}

// diff compares the specs and, for each reference, the settings drawn from its object.
func (c *effects) diff(k *catalogue.Kind, before, after *effective.Policy) fieldDiff {
	return diffPolicies(k, c.policyNames(k), before, after)
}

func diffPolicies(k *catalogue.Kind, names map[string]string, before, after *effective.Policy) fieldDiff {
	before = effective.Aligned(before, after)
	d := fieldDiff{redactor: effective.Redactor{Secrecy: k.Discloses()}, names: names, defaults: defaultsOf(k)}
	d.walk(path{}, specOf(before), specOf(after))
	EachDrawn(before, after, func(p []effective.Step, b, a *effective.Drawn) {
		d.redactor = effective.Redactor{Secrecy: &cmp.Or(a, b).Secrecy}
		d.walk(path{shown: pathOf(p).shown}, b.Content(), a.Content())
	})
	return d
}

// EachDrawn visits the objects that two effective policies draw settings from. It visits the
// objects at the same place together. One of the two may be nil.
func EachDrawn(before, after *effective.Policy, visit func(place []effective.Step, before, after *effective.Drawn)) {
	there := map[string]*effective.Drawn{}
	for _, d := range drawnOf(after) {
		there[pathOf(d.Place).shown] = &d
	}
	for _, d := range drawnOf(before) {
		shown := pathOf(d.Place).shown
		visit(d.Place, &d, there[shown])
		delete(there, shown)
	}
	for _, d := range drawnOf(after) {
		if there[pathOf(d.Place).shown] != nil {
			visit(d.Place, nil, &d)
		}
	}
}

func drawnOf(p *effective.Policy) []effective.Drawn {
	if p == nil {
		return nil
	}
	return p.Drawn
}

func pathOf(place []effective.Step) path {
	var p path
	for _, step := range place {
		if step.Item {
			p = p.item(step.Key)
		} else {
			p = p.key(step.Key)
		}
	}
	return p
}

// Leaves returns the fields of an effective policy with their sources, as if all were added.
func Leaves(k *catalogue.Kind, p *effective.Policy) []plan.Field {
	if spec := specOf(p); spec != nil && setsNothing(spec) {
		d := fieldDiff{redactor: effective.Redactor{Secrecy: k.Discloses()}}
		d.leaf(path{}, nil, spec)
		return d.fields
	}
	return diffPolicies(k, nil, nil, p).fields
}

func (d *fieldDiff) walk(p path, before, after *merge.Tree) {
	switch {
	case merge.Equal(before, after), merge.SameAmount(p.shown, before, after):
	case p.shown == "" && setsNothing(before) && setsNothing(after):
	case before == nil:
		d.each(p, after, func(p path, leaf *merge.Tree) { d.leaf(p, nil, leaf) })
	case after == nil:
		d.each(p, before, func(p path, leaf *merge.Tree) { d.leaf(p, leaf, nil) })
	case before.Kind == after.Kind && (before.Kind == merge.Map || before.Kind == merge.Keyed):
		d.entries(p, before, after)
	case before.Kind == merge.Leaf && after.Kind == merge.Leaf:
		d.values(p, before, after)
	default:
		d.leaf(p, before, after)
	}
}

// setsNothing reports whether a spec is absent or empty.
func setsNothing(spec *merge.Tree) bool {
	return spec == nil || spec.Kind == merge.Map && len(spec.Entries) == 0
}

func (d *fieldDiff) entries(p path, before, after *merge.Tree) {
	if before.Kind == merge.Keyed && len(before.Entries) != len(after.Entries) && merge.Numbered(before.Entries) && merge.Numbered(after.Entries) {
		// An item that is added or removed shifts the items after it, which are still the same items.
		aligned := *after
		aligned.Entries = merge.Alongside(before.Entries, after.Entries)
		after = &aligned
	}
	step := func(key string) path { return d.below(p, key, before, after) }
	met := map[string]bool{}
	for _, e := range before.Entries {
		key := e.Key
		if after.Get(key) == nil {
			key = d.name(key)
		}
		met[key] = true
		if after.Get(key) == nil && d.isDefault(p, e) {
			continue
		}
		d.walk(step(key), e.Tree, after.Get(key))
	}
	for _, e := range after.Entries {
		if !met[e.Key] && !d.isDefault(p, e) {
			d.walk(step(e.Key), nil, e.Tree)
		}
	}
}

// isDefault reports whether an entry of a map that both sides have is a default of the CRD, which the API server sets
// on the other side, too. Policies that count as a whole do without it.
func (d *fieldDiff) isDefault(p path, e merge.Entry) bool {
	return e.Tree.Value != nil && e.Tree.Value.Defaulted && slices.ContainsFunc(d.defaults, func(by catalogue.Default) bool {
		return by.Parent == p.dotted && by.Field == e.Key && by.Value.Text == e.Tree.Value.Text
	})
}

func defaultsOf(k *catalogue.Kind) []catalogue.Default {
	if k == nil {
		return nil
	}
	return k.Defaults
}

// name returns the key in head for a key of base that is a policy's name, or its name followed by /
// and a number.
func (d *fieldDiff) name(key string) string {
	for base, head := range d.names {
		if rest, ok := strings.CutPrefix(key, base); ok && (rest == "" || rest[0] == '/') {
			return head + rest
		}
	}
	return key
}

// each visits the leaves of a tree that one side does not have.
func (d *fieldDiff) each(p path, t *merge.Tree, visit func(path, *merge.Tree)) {
	if len(t.Entries) == 0 {
		visit(p, t)
		return
	}
	for _, e := range t.Entries {
		d.each(d.below(p, e.Key, t, t), e.Tree, visit)
	}
}

// below is the path of an entry of two trees of one kind.
func (d *fieldDiff) below(p path, key string, before, after *merge.Tree) path {
	if before.Kind == merge.Keyed {
		return p.item(key)
	}
	next := p.key(key)
	next.hidden = p.hidden || (key == "value" || key == "values") && (d.secretBy(p, before) || d.secretBy(p, after))
	return next
}

// secretBy reports whether the value in a map is a secret because of the other keys of the map.
func (d *fieldDiff) secretBy(p path, t *merge.Tree) bool {
	return (t.Get("value") != nil || t.Get("values") != nil) && effective.NamesSecret(d.redactor.Secrecy, p.dotted, func(key string) string {
		if leaf := t.Get(key); leaf != nil && leaf.Value != nil {
			return leaf.Value.Text
		}
		return ""
	})
}

// values compares two leaves. Lists of maps of equal length are compared item by item, so that one
// edited item does not show the whole list.
func (d *fieldDiff) values(p path, before, after *merge.Tree) {
	b, a := before.Value, after.Value
	if loader.SameAddresses(strings.Split(p.dotted, "."), b, a) {
		return
	}
	if !listOfMaps(b) || !listOfMaps(a) || len(b.Items) != len(a.Items) {
		d.leaf(p, before, after)
		return
	}
	for i := range b.Items {
		at := p.item(strconv.Itoa(i))
		x := merge.New(b.Items[i], before.Source, merge.Form{})
		y := merge.New(a.Items[i], after.Source, merge.Form{})
		// The name in a {name, value} map can mark the value as a secret.
		if d.secretBy(at, x) || d.secretBy(at, y) {
			if !merge.Equal(x, y) {
				d.leaf(at, x, y)
			}
			continue
		}
		d.walk(at, x, y)
	}
}

func listOfMaps(v *loader.Value) bool {
	return v != nil && v.Shape == loader.List && len(v.Items) > 0 &&
		!slices.ContainsFunc(v.Items, func(i *loader.Value) bool { return i.Shape != loader.Map })
}

func (d *fieldDiff) leaf(p path, before, after *merge.Tree) {
	f := plan.Field{Path: p.shown, Action: plan.FieldChanged}
	if f.Path == "" {
		f.Path = "/"
	}
	switch {
	case before == nil:
		f.Action = plan.FieldAdded
	case after == nil:
		f.Action = plan.FieldRemoved
	}
	if before != nil {
		f.Before, f.BeforeSource = d.shown(p, before), d.source(before)
	}
	if after != nil {
		f.After, f.AfterSource = d.shown(p, after), d.source(after)
	}
	d.fields = append(d.fields, f)
}

// shown is a value without its secrets.
func (d *fieldDiff) shown(p path, t *merge.Tree) any {
	if p.hidden {
		return loader.Redacted
	}
	return d.redactor.Redact(p.dotted, t.JSON())
}

func (d *fieldDiff) source(t *merge.Tree) *plan.Source {
	if t.Source == nil || t.Source.Object == nil {
		return nil
	}
	if !slices.Contains(d.sources, t.Source.Object) {
		d.sources = append(d.sources, t.Source.Object)
	}
	return SourceOf(t)
}

// SourceOf returns the object that set a value and its position.
func SourceOf(t *merge.Tree) *plan.Source {
	o := t.Source.Object
	at := o.Position(t.Value)
	role := t.Source.Role
	if t.Value != nil && t.Value.Defaulted {
		role = merge.SchemaDefault
	}
	return &plan.Source{Object: o.ID.String(), File: at.File, Line: at.Line, Column: at.Column, Role: string(role)}
}

// Fields lists the leaves of an effective policy with the lines that set them.
func Fields(k *catalogue.Kind, e *effective.Policy) []plan.EffectiveField {
	var out []plan.EffectiveField
	for _, leaf := range Leaves(k, e) {
		field := plan.EffectiveField{Path: leaf.Path, Value: leaf.After}
		if leaf.AfterSource != nil {
			field.Source = *leaf.AfterSource
		}
		out = append(out, field)
	}
	return out
}
