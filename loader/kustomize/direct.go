package kustomize

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/resid"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/gate"
	"github.com/gwplan/gwplan/loader/tree"
)

// direct builds simple kustomizations without kustomize: those that only list resources and
// components, patch custom resources and workloads, edit objects by JSON6902, generate ConfigMaps and set a namespace,
// labels and images, as most do. Anything that kustomize might refuse or change is left to kustomize.
type direct struct {
	builder  *Builder
	view     *tree.View
	approved *gate.Approved
	trace    *trace
	folders  map[string]*gate.Folder
	// hashed means that some generated ConfigMap gets a name that kustomize writes into the objects
	// that refer to it.
	hashed bool
}

// item is an object of a direct build. One that does not matter is kept for its identity and for
// patches, which may make it matter; its values have their positions only once a patch selects it.
type item struct {
	traced
	doc   *loader.Value
	place deploy.Placing
	// former is the object before each change of its namespace, or of its name for a Namespace.
	former []*loader.Value
	// omitted means that the object does not matter so far, changed that a patch selected it, and hashed
	// that its name ends in a hash of its content.
	omitted, changed, hashed bool
	// merged means that a patch was merged into it without regard to the schema of its kind.
	merged bool
}

// Direct returns the relevant objects, or false if the build needs kustomize.
func (b *Builder) Direct(p *gate.Approved, v *tree.View, t *trace) ([]traced, bool) {
	if len(p.Inflated) > 0 || len(p.Folders) == 0 {
		return nil, false
	}
	d := direct{builder: b, view: v, approved: p, trace: t, folders: map[string]*gate.Folder{}}
	for _, f := range p.Folders {
		d.folders[f.Dir] = f
	}
	items, ok := d.folder(p.Folders[0], nil, "Kustomization")
	if !ok {
		return nil, false
	}
	var out []traced
	for _, i := range items {
		if i.changed {
			if !b.limits().AdmitDepth(i.Root) {
				return nil, false
			}
			i.omitted = !d.matters(i.Root)
		}
		if i.omitted {
			continue
		}
		if d.hashed && namesConfigMaps(i.Root) {
			return nil, false
		}
		if i.hashed {
			if i.Root, ok = withHash(i.Root); !ok || i.changed {
				return nil, false
			}
		}
		out = append(out, i.traced)
	}
	return out, true
}

func (d *direct) matters(object *loader.Value) bool {
	group, _ := tree.SplitVersion(object.Str("apiVersion"))
	return d.builder.store.MayMatter(object) && d.builder.store.Matters(group, object.Str("kind"), object)
}

// folder adds the objects of a folder to those found so far. A component also changes the objects of
// the kustomization that lists it (kustomize api/internal/target/kusttarget.go, accumulateTarget).
func (d *direct) folder(f *gate.Folder, out []item, kind string) ([]item, bool) {
	if !plainKustomization(f.Edited, kind) {
		return nil, false
	}
	patches, ok := d.patches(f)
	if !ok {
		return nil, false
	}
	for _, entry := range f.Edited.List("resources") {
		name, ok := tree.Target(f.Dir, entry.Text)
		if !ok {
			return nil, false
		}
		if _, file := d.view.IDs[name]; file {
			out, ok = d.file(name, out)
		} else if below := d.folders[name]; below != nil {
			var more []item
			more, ok = d.folder(below, nil, "Kustomization")
			out = append(out, more...)
		} else {
			ok = false
		}
		if !ok {
			return nil, false
		}
	}
	if out, ok = d.generate(f, out); !ok || !distinct(out) {
		return nil, false
	}
	for _, entry := range f.Edited.List("components") {
		name, ok := tree.Target(f.Dir, entry.Text)
		below := d.folders[name]
		if !ok || below == nil {
			return nil, false
		}
		if out, ok = d.folder(below, out, "Component"); !ok {
			return nil, false
		}
	}
	for _, p := range patches {
		if !d.apply(p, out) {
			return nil, false
		}
	}
	return d.transform(f, out)
}

// transform gives the objects of a folder the namespace, labels and images of its kustomization.
func (d *direct) transform(f *gate.Folder, out []item) ([]item, bool) {
	if namespace := f.Edited.Str("namespace"); namespace != "" {
		for i := range out {
			if placed := inNamespace(out[i].Root, namespace); placed != out[i].Root {
				out[i].former, out[i].Root = append(out[i].former, out[i].Root), placed
			}
		}
		if !distinct(out) {
			return nil, false
		}
	}
	for _, labels := range f.Edited.List("labels") {
		for i := range out {
			out[i].Root = withLabels(out[i].Root, labels.Get("pairs"))
		}
	}
	images, ok := plainImages(f.Edited.Get("images"))
	for i := range out {
		may := !out[i].omitted || d.builder.store.MayMatter(out[i].Root)
		if ok && len(images) > 0 && may && out[i].Root.Str("kind") != tree.CrdKind {
			out[i].Root, ok = withImages(out[i].Root, "", images)
		}
	}
	return out, ok
}

// apply applies a patch to the objects that it selects.
func (d *direct) apply(p directPatch, out []item) bool {
	selected := 0
	for n := range out {
		i := &out[n]
		if !p.selects(i) {
			continue
		}
		selected++
		// What no patch makes matter is only looked at for whether the patch fits.
		remains := p.merges && i.omitted && !d.builder.store.MayMatter(i.Root)
		of, known := mergeSchemaOf(i.Root)
		if i.merged && !p.merges || p.merges && !remains && !known {
			return false
		}
		if remains {
			of = mergeSchema{}
		}
		if i.omitted && !i.changed && !remains {
			if isOdd(i.Root) {
				return false
			}
			i.Root, i.origin = deploy.Remarked(i.Root, i.place), d.trace.number(i.doc, i.place)
		}
		root, ok := p.apply(i.Root, of)
		if !ok {
			return false
		}
		i.Root, i.changed, i.merged = root, i.changed || !remains, i.merged || remains && !custom(i.Root)
	}
	return selected == 1 || !p.one
}

// identity is what kustomize tells objects apart by (kustomize kyaml/resid/resid.go, Equals).
type identity struct{ apiVersion, kind, namespace, name string }

func identityOf(object *loader.Value) identity {
	meta := object.Get("metadata")
	id := identity{object.Str("apiVersion"), object.Str("kind"), meta.Str("namespace"), meta.Str("name")}
	group, version := tree.SplitVersion(id.apiVersion)
	id.namespace = resid.NewResIdWithNamespace(resid.NewGvk(group, version, id.kind), id.name, id.namespace).EffectiveNamespace()
	return id
}

// distinct reports whether no two objects have one identity, which kustomize refuses (kustomize
// api/resmap/reswrangler.go, Append).
func distinct(items []item) bool {
	known := make(map[identity]bool, len(items))
	for _, i := range items {
		id := identityOf(i.Root)
		if known[id] {
			return false
		}
		known[id] = true
	}
	return true
}

// plainKustomization reports whether a kustomization of a kind has only resources, components, patches,
// generators of ConfigMaps, a namespace and labels, each in a form that kustomize accepts.
func plainKustomization(v *loader.Value, kind string) bool {
	version := "v1beta1"
	if kind == "Component" {
		version = "v1alpha1"
	}
	stated := v.Str("kind")
	if stated != kind && (stated != "" || kind == "Component") {
		return false
	}
	return !slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return !plainField(f, version) })
}

// plainField reports whether a field of a kustomization is of such a form. version is that of its kind.
func plainField(f loader.Field, version string) bool {
	isList := f.Value.Shape == loader.List
	each := func(holds func(*loader.Value) bool) bool {
		return isList && !slices.ContainsFunc(f.Value.Items, func(item *loader.Value) bool { return !holds(item) })
	}
	switch f.Key {
	case "kind":
		return true
	case "apiVersion":
		return f.Value.Text == "" || f.Value.Text == "kustomize.config.k8s.io/"+version
	case "namespace":
		return f.Value.Shape == loader.String
	case "images":
		return isList || f.Value.IsNull()
	case "patches", "configMapGenerator":
		return isList
	case "resources", "components", "patchesStrategicMerge":
		return each(func(item *loader.Value) bool { return item.Shape == loader.String })
	case "labels":
		return each(plainLabels)
	case "generatorOptions":
		return plainOptions(f.Value)
	case "metadata":
		return !slices.ContainsFunc(f.Value.FieldList(), func(m loader.Field) bool { return m.Key != "name" || m.Value.Shape != loader.String })
	case "namePrefix", "nameSuffix":
		return (f.Value.Shape == loader.String || f.Value.IsNull()) && f.Value.Text == ""
	case "commonLabels", "commonAnnotations":
		return (f.Value.Shape == loader.Map || f.Value.IsNull()) && len(f.Value.Fields) == 0
	case "bases", "replicas", "vars", "replacements", "generators", "transformers", "validators", "crds", "configurations",
		"patchesJson6902", "secretGenerator", "helmCharts":
		return (isList || f.Value.IsNull()) && len(f.Value.Items) == 0
	}
	return f.Value.IsNull()
}

// file adds the objects of a file.
func (d *direct) file(name string, out []item) ([]item, bool) {
	place := d.trace.inFile(name)
	for _, doc := range d.builder.store.Parse(d.view.IDs[name]).Docs {
		if !admits(doc) {
			return nil, false
		}
		i := item{traced: traced{Root: doc}, doc: doc, place: place, omitted: !d.matters(doc)}
		if !i.omitted {
			if doc.Str("kind") != tree.CrdKind && isOdd(doc) {
				return nil, false
			}
			i.Root, i.origin = deploy.Remarked(doc, place), d.trace.number(doc, place)
		}
		out = append(out, i)
	}
	return out, true
}

// admits reports whether kustomize reads an object as it is, without labels or annotations that
// kustomize interprets or would rewrite.
func admits(object *loader.Value) bool {
	kind, meta := object.Str("kind"), object.Get("metadata")
	name := meta.Get("name")
	if object.Shape != loader.Map || kind == "" || object.Str("apiVersion") == "" || strings.HasSuffix(kind, "List") ||
		object.Get("items") != nil || meta == nil || name == nil || name.Shape != loader.String || name.Text == "" {
		return false
	}
	namespace := meta.Get("namespace")
	if namespace != nil && (namespace.Shape != loader.String || namespace.Text == "") ||
		strings.Contains(kind+name.Text+meta.Str("namespace"), ",") { // kustomize lists former names with commas
		return false
	}
	return labelsPlainly(meta)
}

// labelsPlainly reports whether the labels and annotations of metadata, if any, are none that kustomize interprets.
func labelsPlainly(meta *loader.Value) bool {
	return !slices.ContainsFunc([]string{"labels", "annotations"}, func(field string) bool {
		texts := meta.Get(field)
		return texts != nil && !areLabels(texts)
	})
}

// plainLabels reports whether an item of labels sets labels of the objects alone, not in selectors and templates.
func plainLabels(item *loader.Value) bool {
	return only(item, "pairs", "includeSelectors", "includeTemplates") && areLabels(item.Get("pairs")) && !holdsWord(item.Get("pairs")) &&
		!slices.ContainsFunc(item.Fields, func(f loader.Field) bool { return f.Key != "pairs" && !f.Value.IsFalse() })
}

// withLabels sets labels of an object. Attribution sets the positions of these values.
func withLabels(root, pairs *loader.Value) *loader.Value {
	meta := root.Get("metadata")
	labels := meta.Get("labels")
	if labels == nil {
		labels = &loader.Value{Shape: loader.Map}
	}
	for _, f := range pairs.Fields {
		if was := labels.Get(f.Key); was == nil || was.Text != f.Value.Text {
			labels = tree.SetKey(labels, f.Key, tree.Text(f.Value.Text))
		}
	}
	return tree.SetKey(root, "metadata", tree.SetKey(meta, "labels", labels))
}

// areLabels reports whether a value is a map of labels or annotations, none of which kustomize interprets.
func areLabels(v *loader.Value) bool {
	return v != nil && v.Shape == loader.Map && len(v.Fields) > 0 && !slices.ContainsFunc(v.Fields, func(f loader.Field) bool {
		return f.Value == nil || f.Value.Shape != loader.String || strings.Contains(f.Key, "config.kubernetes.io/") || strings.Contains(f.Key, "config.k8s.io/")
	})
}

// isOdd reports whether a value has what kustomize refuses or drops: a null item of a list, or a key that is empty or
// that of merges.
func isOdd(v *loader.Value) bool {
	return slices.ContainsFunc(v.Items, func(item *loader.Value) bool { return item.IsNull() || isOdd(item) }) ||
		slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return f.Key == "" || f.Key == "<<" || isOdd(f.Value) })
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
