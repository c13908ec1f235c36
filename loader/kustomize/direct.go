package kustomize

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/resid"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/tree"
)

// direct builds simple kustomizations without kustomize: those that only list resources and
// components, patch custom resources and set a namespace, as most do. Anything that kustomize might
// refuse or change is left to kustomize.
type direct struct {
	builder  *Builder
	view     *tree.View
	approved *Approved
	trace    *trace
	folders  map[string]*folder
	known    map[string]bool
	// omitted are the kinds of the objects that do not matter.
	omitted map[string]bool
}

// Direct returns the relevant objects, or false if the build needs kustomize.
func (b *Builder) Direct(p *Approved, v *tree.View, t *trace) ([]traced, bool) {
	if len(p.Inflated) > 0 || len(p.Folders) == 0 || p.patched() {
		return nil, false
	}
	for _, u := range p.Files {
		if u != useResource && u != usePatch {
			return nil, false
		}
	}
	d := direct{builder: b, view: v, approved: p, trace: t, folders: map[string]*folder{}, known: map[string]bool{}, omitted: map[string]bool{}}
	for _, f := range p.Folders {
		d.folders[f.dir] = f
	}
	return d.folder(p.Folders[0], nil, "Kustomization")
}

// folder adds the objects of a folder to those found so far. A component also changes the objects of
// the kustomization that lists it (kustomize api/internal/target/kusttarget.go, accumulateTarget).
func (d direct) folder(f *folder, out []traced, kind string) ([]traced, bool) {
	if !plainKustomization(f.edited, kind) {
		return nil, false
	}
	patches, ok := d.patches(f)
	if !ok {
		return nil, false
	}
	for _, entry := range f.edited.List("resources") {
		name, ok := tree.Target(f.dir, entry.Text)
		if !ok {
			return nil, false
		}
		if _, file := d.view.IDs[name]; file {
			out, ok = d.file(name, out)
		} else if below := d.folders[name]; below != nil {
			var more []traced
			more, ok = d.folder(below, nil, "Kustomization")
			out = append(out, more...)
		} else {
			ok = false
		}
		if !ok {
			return nil, false
		}
	}
	for _, entry := range f.edited.List("components") {
		name, ok := tree.Target(f.dir, entry.Text)
		below := d.folders[name]
		if !ok || below == nil {
			return nil, false
		}
		if out, ok = d.folder(below, out, "Component"); !ok {
			return nil, false
		}
	}
	for i := range patches {
		if out, ok = d.apply(&patches[i], out); !ok {
			return nil, false
		}
	}
	if namespace := f.edited.Str("namespace"); namespace != "" {
		for i := range out {
			out[i].Root = inNamespace(out[i].Root, namespace)
		}
	}
	return out, true
}

// apply applies a patch to the objects that it selects. What does not matter has been left out, so a patch
// that may select some of that needs kustomize.
func (d direct) apply(p *directPatch, out []traced) ([]traced, bool) {
	if d.omitted[p.kind] {
		return nil, false
	}
	for i := range out {
		if !p.matches(out[i].Root) {
			continue
		}
		root, ok := p.apply(out[i].Root)
		if !ok || !custom(out[i].Root) {
			return nil, false
		}
		out[i].Root = root
	}
	return out, true
}

// plainKustomization reports whether a kustomization of a kind has only resources, components, patches
// and a namespace, each in a form that kustomize accepts.
func plainKustomization(v *loader.Value, kind string) bool {
	version := "v1beta1"
	if kind == "Component" {
		version = "v1alpha1"
	}
	stated := v.Str("kind")
	if stated != kind && (stated != "" || kind == "Component") {
		return false
	}
	for _, f := range v.Fields {
		switch f.Key {
		case "kind":
		case "apiVersion":
			if f.Value.Text != "" && f.Value.Text != "kustomize.config.k8s.io/"+version {
				return false
			}
		case "namespace":
			if f.Value.Shape != loader.String {
				return false
			}
		case "patches":
			if f.Value.Shape != loader.List {
				return false
			}
		case "resources", "components":
			if f.Value.Shape != loader.List || slices.ContainsFunc(f.Value.Items, func(item *loader.Value) bool { return item.Shape != loader.String }) {
				return false
			}
		case "metadata":
			if slices.ContainsFunc(f.Value.FieldList(), func(m loader.Field) bool { return m.Key != "name" || m.Value.Shape != loader.String }) {
				return false
			}
		default:
			if !f.Value.IsEmpty() {
				return false
			}
		}
	}
	return true
}

// file adds the objects of a file.
func (d direct) file(name string, out []traced) ([]traced, bool) {
	store, place := d.builder.store, d.trace.inFile(name)
	for _, doc := range store.Parse(d.view.IDs[name]).Docs {
		if !d.admits(doc) {
			return nil, false
		}
		group, _ := tree.SplitVersion(doc.Str("apiVersion"))
		if !store.MayMatter(doc) || !store.Matters(group, doc.Str("kind"), doc) {
			d.omitted[doc.Str("kind")] = true
			continue
		}
		if doc.Str("kind") != tree.CrdKind && hasNull(doc) {
			return nil, false
		}
		out = append(out, traced{Root: doc.Copy(func(v *loader.Value) { v.Mark = place(v.Mark) }), origin: d.trace.number(doc, place)})
	}
	return out, true
}

// admits reports whether kustomize leaves an object unchanged: no other object has its kind and name,
// and it has no labels or annotations that kustomize interprets or would rewrite.
func (d direct) admits(object *loader.Value) bool {
	kind, meta := object.Str("kind"), object.Get("metadata")
	name := meta.Get("name")
	if object.Shape != loader.Map || kind == "" || object.Str("apiVersion") == "" || strings.HasSuffix(kind, "List") ||
		meta == nil || name == nil || name.Shape != loader.String || name.Text == "" {
		return false
	}
	if namespace := meta.Get("namespace"); namespace != nil && namespace.Shape != loader.String {
		return false
	}
	key := kind + "/" + name.Text
	if kind == "Namespace" && object.Str("apiVersion") == "v1" {
		key = kind // the namespace field renames all Namespaces
	}
	if d.known[key] {
		return false
	}
	d.known[key] = true
	for _, field := range []string{"labels", "annotations"} {
		texts := meta.Get(field)
		if texts == nil {
			continue
		}
		if texts.Shape != loader.Map || len(texts.Fields) == 0 {
			return false
		}
		for _, f := range texts.Fields {
			if f.Value.Shape != loader.String || strings.Contains(f.Key, "config.kubernetes.io/") || strings.Contains(f.Key, "kustomize.config.k8s.io/") {
				return false
			}
		}
	}
	return true
}

// hasNull reports whether some list in a value has a null item, which kustomize refuses.
func hasNull(v *loader.Value) bool {
	return slices.ContainsFunc(v.Items, func(item *loader.Value) bool { return item.IsNull() || hasNull(item) }) ||
		slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return hasNull(f.Value) })
}

// inNamespace sets the namespace of an object, or the name of a Namespace (kustomize
// api/filters/namespace/namespace.go, run). Attribution sets the positions of these values.
func inNamespace(root *loader.Value, namespace string) *loader.Value {
	apiVersion, kind := root.Str("apiVersion"), root.Str("kind")
	group, version := tree.SplitVersion(apiVersion)
	key := "namespace"
	if kind == "Namespace" && apiVersion == "v1" {
		key = "name"
	} else if resid.NewGvk(group, version, kind).IsClusterScoped() {
		return root
	}
	meta := root.Get("metadata")
	if meta.Str(key) == namespace {
		return root
	}
	return tree.ReplaceKey(root, "metadata", loader.Field{Key: "metadata", Value: tree.SetKey(meta, key, tree.Text(namespace))})
}
