package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// bodyReader reads what a policy sets, and how it merges, from its object.
type bodyReader struct{ *Policy }

// read makes a policy from an object: its spec proper, direction and algorithm. The targets are
// read later, when the policy is attached.
func read(k *catalogue.Kind, o *loader.Object) *Policy {
	p := &Policy{Kind: k, Object: o, Algorithm: k.LevelAlgorithm, Direction: merge.Default}
	if k.Class() == catalogue.Direct {
		p.Direction = merge.Direct
	}
	if k.Merge.Levels.Direction == catalogue.Overrides {
		p.Direction = merge.Override
	}
	r := bodyReader{p}
	if k.Older() {
		r.readOlder()
		return p
	}
	bodies := r.bodies()
	if len(bodies) == 0 {
		return p
	}
	if len(bodies) > 1 {
		p.Invalid = fmt.Sprintf("spec has %s and %s; a policy declares one merge strategy", written(bodies[0]), written(bodies[1]))
	}
	body := bodies[0]
	if body.Direction == catalogue.Overrides || r.mode() == catalogue.Overrides {
		p.Direction = merge.Override
	}
	p.Spec = r.proper(body)
	r.selectAlgorithm(body)
	r.fillDefaults()
	if k.Spec.Empty != "" && p.Spec.At(k.Spec.Empty).IsEmpty() || k.Spec.Disabled != "" && r.written().At(k.Spec.Disabled).IsTrue() {
		p.Spec = nil
	}
	p.Spec = r.under(p.Spec)
	r.readDryRun()
	return p
}

// written is the spec as written: the field spec, or the fields of an object without one.
func (r bodyReader) written() *loader.Value {
	if !r.Kind.Spec.Root {
		return r.Object.Spec()
	}
	root := r.Object.Root
	out := &loader.Value{Shape: loader.Map, Mark: root.Mark}
	for _, f := range root.FieldList() {
		if !slices.Contains([]string{"apiVersion", "kind", "metadata", "status"}, f.Key) {
			out.Fields = append(out.Fields, f)
		}
	}
	return out
}

// under puts a spec below the name that it has in one of its fields. A spec without a name counts
// as absent, because the API server rejects it.
func (r bodyReader) under(spec *merge.Tree) *merge.Tree {
	if r.Kind.Spec.Under == "" || spec == nil {
		return spec
	}
	name := spec.At(r.Kind.Spec.Under)
	if name == nil || name.Value == nil || name.Value.Text == "" {
		return nil
	}
	return (*merge.Tree)(nil).With(spec, name.Value.Text)
}

// readDryRun removes the spec of a policy whose annotation requests evaluation without effect.
func (r bodyReader) readDryRun() {
	name := r.Kind.Spec.DryRun
	if name == "" {
		return
	}
	if dry, err := strconv.ParseBool(r.Object.Annotations()[name]); err == nil && dry {
		r.Spec, r.DryRun = nil, name+"="+r.Object.Annotations()[name]
	}
}

// mode is the direction that the policy's own field chooses, if its kind has one.
func (r bodyReader) mode() catalogue.Direction {
	m := r.Kind.Merge.Levels.Mode
	if m == nil {
		return ""
	}
	chosen := ""
	if v := r.written().At(m.Field); !v.IsNull() {
		chosen = v.Text
	}
	return m.Values[chosen]
}

func written(b catalogue.Body) string {
	if b.Path == "" {
		return "bare fields"
	}
	return b.Path
}

// bodies are the bodies that the spec contains. The bare spec is one of them if it has fields
// besides the common ones and the other bodies.
func (r bodyReader) bodies() []catalogue.Body {
	if len(r.Kind.Spec.Bodies) == 0 {
		return []catalogue.Body{{Direction: r.Kind.Merge.Levels.Direction}}
	}
	var out []catalogue.Body
	for _, b := range r.Kind.Spec.Bodies {
		if b.Path == "" {
			// If the kind has no other body, an empty bare spec still counts.
			if bare := r.proper(b); bare != nil && (len(bare.Entries) > 0 || len(r.Kind.Spec.Bodies) == 1) {
				out = append(out, b)
			}
			continue
		}
		if !r.written().At(b.Path).IsNull() {
			out = append(out, b)
		}
	}
	return out
}

// readOlder reads the older dialect, in which one policy may have both default(s) and
// override(s). If it has neither, its spec proper counts as its defaults.
func (r bodyReader) readOlder() {
	spec := r.written()
	bodies := r.Kind.Spec.Bodies
	if len(bodies) == 0 {
		bodies = []catalogue.Body{
			{Path: "default", Direction: catalogue.Defaults},
			{Path: "defaults", Direction: catalogue.Defaults},
			{Path: "override", Direction: catalogue.Overrides},
			{Path: "overrides", Direction: catalogue.Overrides},
		}
	}
	for _, b := range bodies {
		if b.Path == "" || spec.At(b.Path).IsNull() {
			continue
		}
		if b.Direction == catalogue.Overrides {
			r.Overrides = r.tree(spec.At(b.Path), merge.Override)
		} else {
			r.Defaults = r.tree(spec.At(b.Path), merge.Default)
		}
	}
	bare := r.proper(catalogue.Body{})
	switch {
	case r.Defaults == nil && r.Overrides == nil:
		r.Defaults = bare
	case bare != nil && len(bare.Entries) > 0:
		r.Invalid = fmt.Sprintf("spec has %s next to defaults or overrides; the controller ignores it", bare.Entries[0].Key)
	}
}

func (r bodyReader) tree(v *loader.Value, role merge.Role) *merge.Tree {
	return merge.New(v, &merge.Source{Object: r.Object, Role: role}, r.Kind.Form)
}

// proper is the spec proper of a body: without targets, strategy and other
// common fields (GEP-713, Policy structure).
func (r bodyReader) proper(b catalogue.Body) *merge.Tree {
	value := r.written().At(b.Path)
	if value == nil || value.Shape != loader.Map {
		return nil
	}
	kept := &loader.Value{Shape: loader.Map, Mark: value.Mark}
	for _, f := range value.Fields {
		if r.keeps(b, f.Key) {
			kept.Fields = append(kept.Fields, f)
		}
	}
	role := r.Direction
	if b.Direction == catalogue.Overrides {
		role = merge.Override
	}
	t := r.tree(kept, role)
	for _, word := range r.Kind.Spec.Unset {
		path, value, _ := strings.Cut(word, "=")
		if leaf := t.At(path); leaf != nil && leaf.Value != nil && leaf.Value.Text == value {
			t = t.Without(path)
		}
	}
	return t
}

func (r bodyReader) keeps(b catalogue.Body, key string) bool {
	spec := r.Kind.Spec
	if len(spec.Proper) > 0 {
		return slices.Contains(spec.Proper, key)
	}
	if key == "strategy" && r.Kind.Assumed() {
		return false
	}
	if b.Path != "" {
		return b.Path+"."+key != b.Strategy
	}
	isBody := slices.ContainsFunc(spec.Bodies, func(other catalogue.Body) bool { return other.Path == key })
	return !isBody && !slices.Contains(spec.Common, key) && key != b.Strategy
}

// selectAlgorithm reads the field by which policies choose how they merge.
func (r bodyReader) selectAlgorithm(b catalogue.Body) {
	sel := r.Kind.Merge.Levels.Select
	if sel == nil {
		return
	}
	chosen, place := r.strategy(b, sel)
	algorithm, known := sel.Values[chosen]
	switch {
	case known:
		r.Algorithm = merge.Algorithm(algorithm)
	case sel.Unknown != "" && !place.Opaque && !loader.Placeholder(chosen):
		r.Unmergeable = place
	case chosen != "":
		r.Notes = append(r.Notes, Note{
			Text: fmt.Sprintf("strategy %q is not defined by GEP-713; %s is assumed", chosen, r.Algorithm), At: place,
		})
	}
}

func (r bodyReader) strategy(b catalogue.Body, sel *catalogue.Select) (string, *loader.Value) {
	if literal, ok := strings.CutPrefix(b.Strategy, "="); ok {
		return literal, nil
	}
	paths := []string{b.Strategy, sel.Field}
	if r.Kind.Assumed() {
		paths = []string{strings.TrimPrefix(b.Path+".strategy", "."), "strategy"}
	}
	for _, path := range paths {
		if v := r.written().At(path); path != "" && v != nil {
			return v.Text, v
		}
	}
	return "", nil
}
