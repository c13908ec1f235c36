package kustomize

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/gate"
	"github.com/gwplan/gwplan/loader/tree"
)

// directPatch is a patch that direct builds apply.
type directPatch struct {
	selects func(*item) bool
	// one means that it must select exactly one object.
	one bool
	// merges means that it is a strategic-merge patch, which leaves the kind of an object alone.
	merges bool
	// apply returns an object of a schema with the patch, or false if kustomize may refuse it or has rules of its own
	// for it.
	apply func(object *loader.Value, of mergeSchema) (*loader.Value, bool)
}

// directTarget selects objects as the target of a patch does (kustomize api/resmap/reswrangler.go, Select).
type directTarget struct {
	group, version, kind, name *regexp.Regexp
	// labels is a selector, or "".
	labels string
}

// target reads a target. It returns false if it selects by anything else, or if kustomize may refuse it.
func target(v *loader.Value) (t directTarget, ok bool) {
	if !only(v, "group", "version", "kind", "name", "labelSelector") {
		return t, false
	}
	for _, f := range v.Fields {
		if f.Value.Shape != loader.String || booleans[strings.ToLower(f.Value.Text)] {
			return t, false
		}
	}
	for key, re := range map[string]**regexp.Regexp{"group": &t.group, "version": &t.version, "kind": &t.kind, "name": &t.name} {
		if *re = anchored(v.Str(key)); *re == nil && v.Get(key) != nil {
			return t, false
		}
	}
	t.labels = v.Str("labelSelector")
	_, err := labelled(nil, t.labels)
	return t, err == nil
}

// matches reports whether the target selects an object, by its name or by that of its document.
func (t directTarget) matches(i *item) bool {
	group, version := tree.SplitVersion(i.Root.Str("apiVersion"))
	fits := func(re *regexp.Regexp, texts ...string) bool {
		return re == nil || slices.ContainsFunc(texts, re.MatchString)
	}
	if !fits(t.group, group) || !fits(t.version, version) || !fits(t.kind, i.Root.Str("kind")) ||
		!fits(t.name, i.Root.Str("metadata", "name"), i.doc.Str("metadata", "name")) {
		return false
	}
	if t.labels == "" {
		return true
	}
	ok, err := labelled(i.Root.Get("metadata", "labels").FieldList(), t.labels)
	return err == nil && ok
}

// labelled reports whether a selector matches labels.
func labelled(labels []loader.Field, selector string) (bool, error) {
	texts := make(map[string]string, len(labels))
	for _, f := range labels {
		texts[f.Key] = f.Value.Text
	}
	node := yaml.NewMapRNode(nil)
	if err := node.SetLabels(texts); err != nil {
		return false, fmt.Errorf("setting labels: %w", err)
	}
	return node.MatchesLabelSelector(selector)
}

// patches returns those of a folder in the order in which kustomize applies them, or false if one of them needs kustomize
// (kustomize api/internal/target/kusttarget_configplugin.go).
func (d *direct) patches(f *gate.Folder) ([]directPatch, bool) {
	var out []directPatch
	for _, entry := range f.Edited.List("patchesStrategicMerge") {
		list, ok := ownPatches(d.patchFile(f, entry.Text))
		if !ok {
			return nil, false
		}
		out = append(out, list...)
	}
	for _, entry := range f.Edited.List("patches") {
		list, ok := d.patch(f, entry)
		if !ok {
			return nil, false
		}
		out = append(out, list...)
	}
	return out, true
}

// patchFile returns the documents of a file of patches, none if there is no such file.
func (d *direct) patchFile(f *gate.Folder, reference string) ([]*loader.Value, deploy.Placing) {
	name, ok := tree.Target(f.Dir, reference)
	if !ok {
		return nil, nil
	}
	if in, inline := d.approved.Inline[name]; inline {
		return in.Docs, d.trace.inText(in)
	}
	return d.builder.store.Parse(d.view.IDs[name]).Docs, d.trace.inFile(name)
}

// patch returns the patches of one entry: one with a target, or several that select by their own identity.
func (d *direct) patch(f *gate.Folder, entry *loader.Value) ([]directPatch, bool) {
	if !only(entry, "path", "target") {
		return nil, false
	}
	docs, place := d.patchFile(f, entry.Str("path"))
	of := entry.Get("target")
	if of == nil {
		return ownPatches(docs, place)
	}
	t, ok := target(of)
	if !ok || len(docs) != 1 {
		return nil, false
	}
	p := directPatch{selects: t.matches}
	if docs[0].Shape == loader.List {
		p.apply, ok = operations(docs[0], place)
		return []directPatch{p}, ok
	}
	kind := docs[0].Str("kind")
	p.merges = true
	p.apply, ok = merging(docs[0], place)
	return []directPatch{p}, ok && of.Str("kind") == kind && regexp.QuoteMeta(kind) == kind
}

// ownPatches returns strategic-merge patches that select by their own identity.
func ownPatches(docs []*loader.Value, place deploy.Placing) (out []directPatch, ok bool) {
	for _, doc := range docs {
		apply, ok := merging(doc, place)
		if !ok {
			return nil, false
		}
		out = append(out, directPatch{selects: ownTarget(doc), one: true, merges: true, apply: apply})
	}
	return out, len(out) > 0
}

// ownTarget selects the object that has, or had, the identity of a patch (kustomize api/resmap/reswrangler.go,
// GetMatchingResourcesByAnyId).
func ownTarget(doc *loader.Value) func(*item) bool {
	id := identityOf(doc)
	return func(i *item) bool {
		return identityOf(i.Root) == id || slices.ContainsFunc(i.former, func(former *loader.Value) bool { return identityOf(former) == id })
	}
}

// booleans are the words that kustomize reads as booleans in a kustomization, where it expects a text.
var booleans = map[string]bool{"y": true, "n": true, "yes": true, "no": true, "on": true, "off": true}

// only reports whether a map has no other keys than these, with values of any form.
func only(v *loader.Value, keys ...string) bool {
	return v != nil && v.Shape == loader.Map && !slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return !slices.Contains(keys, f.Key) })
}

// mergesPlainly reports whether a patch has neither directives nor anything for which kustomize has rules of its
// own: nulls, empty texts, maps and lists.
func mergesPlainly(v *loader.Value) bool {
	switch v.Shape {
	case loader.Map:
		return len(v.Fields) > 0 && !slices.ContainsFunc(v.Fields, func(f loader.Field) bool {
			return f.Key == "" || f.Key == "<<" || strings.HasPrefix(f.Key, "$") || !mergesPlainly(f.Value)
		})
	case loader.List:
		return len(v.Items) > 0 && !slices.ContainsFunc(v.Items, func(item *loader.Value) bool { return !mergesPlainly(item) })
	case loader.Null:
		return false
	case loader.Bool, loader.Int, loader.Float, loader.String:
	}
	return v.Text != ""
}

// merging returns what applies a strategic-merge patch, such as those that Flux Kustomizations add to every HelmRelease
// or overlays to a Deployment. It merges maps, and lists whose items have a key, and replaces everything else (kyaml
// yaml/merge2/merge2.go).
func merging(doc *loader.Value, place deploy.Placing) (apply func(*loader.Value, mergeSchema) (*loader.Value, bool), ok bool) {
	patch, ok := withoutIdentity(doc)
	if !ok || !mergesPlainly(doc) {
		return nil, false
	}
	return func(object *loader.Value, of mergeSchema) (*loader.Value, bool) {
		if !of.plain(object, "") || !of.plain(patch, "") {
			return nil, false
		}
		out, _, ok := merge{place: place, schema: of}.merge(object, patch, "")
		return withoutBlanks(out), ok
	}, true
}

// withoutBlanks returns a value without the keys that have nothing written after them, which kustomize drops from all
// maps of an object that it merges a patch into, not from those in lists (kyaml yaml/merge2/merge2.go, VisitMap).
func withoutBlanks(v *loader.Value) *loader.Value {
	if v == nil || v.Shape != loader.Map {
		return v
	}
	out, changed := *v, false
	out.Fields = nil
	for _, f := range v.Fields {
		if f.Value.Blank {
			changed = true
			continue
		}
		value := withoutBlanks(f.Value)
		changed = changed || value != f.Value
		out.Fields = append(out.Fields, loader.Field{Key: f.Key, Value: value})
	}
	if !changed {
		return v
	}
	return &out
}

// withoutIdentity returns a patch without what it is named by, which an object keeps as its own (kustomize
// api/resource/resource.go, ApplySmPatch). It returns false if kustomize might refuse the patch.
func withoutIdentity(doc *loader.Value) (*loader.Value, bool) {
	meta := doc.Get("metadata")
	if doc.Str("apiVersion") == "" || doc.Str("kind") == "" || strings.HasSuffix(doc.Str("kind"), "List") || meta.Str("name") == "" || !only(meta, "name", "namespace", "labels", "annotations") {
		return nil, false
	}
	if !labelsPlainly(meta) {
		return nil, false
	}
	rest, out := *meta, *doc
	rest.Fields = slices.DeleteFunc(slices.Clone(meta.Fields), func(f loader.Field) bool { return f.Key == "name" || f.Key == "namespace" })
	out.Fields = nil
	for _, f := range doc.Fields {
		switch {
		case f.Key == "apiVersion", f.Key == "kind", f.Key == "metadata" && len(rest.Fields) == 0:
		case f.Key == "metadata":
			out.Fields = append(out.Fields, loader.Field{Key: f.Key, Value: &rest})
		default:
			out.Fields = append(out.Fields, f)
		}
	}
	return &out, true
}

// merge merges values of an object, which it places by their positions in the patch.
type merge struct {
	place  deploy.Placing
	schema mergeSchema
}

// merge returns the value at a path with what a patch sets in it. own is true if something in it is the object's own:
// then a map, or a list that is merged, has the object's position, else that of the patch.
func (m merge) merge(to, patch *loader.Value, path string) (out *loader.Value, own, ok bool) {
	switch {
	case to.Shape == loader.String && patch.Shape != loader.String: // with the quotes that the string may have, it becomes one
		return nil, false, false
	case to.Shape == loader.Null, (to.Shape == loader.List) != (patch.Shape == loader.List), (to.Shape == loader.Map) != (patch.Shape == loader.Map):
		return nil, false, false
	case to.Shape != loader.Map:
		switch keys := m.schema.mergeKeys(path); {
		case to.Shape != loader.List || keys == nil:
			return m.placed(patch), false, true
		case len(keys) == 1:
			return m.items(to, patch, path, keys[0])
		}
		return nil, false, false
	}
	merged := *to
	merged.Fields = slices.Clone(to.Fields)
	for i, f := range merged.Fields {
		by := patch.Get(f.Key)
		if by == nil {
			own = true
			continue
		}
		value, kept, ok := m.merge(f.Value, by, path+"/"+f.Key)
		if !ok {
			return nil, false, false
		}
		merged.Fields[i].Value, own = value, own || kept
	}
	for _, f := range patch.Fields {
		if to.Get(f.Key) == nil {
			merged.Fields = append(merged.Fields, loader.Field{Key: f.Key, Value: m.placed(f.Value)})
		}
	}
	if !own {
		merged.Mark = m.place(patch.Mark)
	}
	return &merged, own, true
}

// placed is a value of the patch with its position.
func (m merge) placed(v *loader.Value) *loader.Value {
	return v.Copy(func(v *loader.Value) { v.Mark = m.place(v.Mark) })
}
