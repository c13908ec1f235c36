package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/variable"
)

// fluxKustomization is an object that makes Flux apply a folder.
type fluxKustomization struct {
	object *loader.Object
	// path is what it says, dir the folder of the tree that it means; ok is
	// false where the path leads nowhere.
	path, dir string
	ok        bool
	// foreign says that the folder is taken from elsewhere.
	foreign bool
	// origin is the entry that it comes from.
	origin loader.ID
}

// kustomizationOf reads one from an object.
func kustomizationOf(v *site, d declared) fluxKustomization {
	k := fluxKustomization{object: d.object()}
	k.path = path.Clean(strings.TrimLeft(strings.TrimPrefix(d.root.Str("spec", "path"), "./"), "/"))
	k.locate(v)
	return k
}

// locate finds the folder, as far as the tree's sources are known.
func (k *fluxKustomization) locate(v *site) {
	if dir, ok := v.external(*k); ok {
		k.dir, k.ok, k.foreign = dir, true, false
		return
	}
	raw := k.object.Root.Get("spec", "path")
	k.dir, k.ok = v.applied(k.path)
	k.ok = k.ok && (raw == nil || !raw.Opaque)
	k.foreign = v.sources != nil && v.sources.foreign(*k)
}

func (d declared) object() *loader.Object {
	return &loader.Object{
		ID:      loader.ID{Group: d.group, Kind: d.kind, Namespace: d.namespace, Name: d.name},
		Version: d.version, Root: d.root, Files: d.files, Origin: d.origin, Listed: d.listed, Inputs: d.inputs, Deployer: d.deployer, Frozen: d.frozen,
	}
}

func (d declared) isFlux() bool { return d.group == fluxGroup && d.kind == "Kustomization" }

// isFluxPatch tells a patch that stands in a file of its own from what it is for:
// it names neither a folder nor a source.
func (d declared) isFluxPatch() bool {
	spec := d.root.Get("spec")
	return spec.Get("path") == nil && spec.Get("sourceRef") == nil
}

// key tells the objects of one environment apart.
func (k fluxKustomization) key() string { return k.object.ID.String() + " " + k.dir }

// source is the object that the folder is taken from.
func (k fluxKustomization) source() sourceRef {
	ref := k.object.Root.Get("spec", "sourceRef")
	return sourceRef{kind: ref.Str("kind"), namespace: cmp.Or(ref.Str("namespace"), k.object.ID.Namespace), name: ref.Str("name")}
}

// suspended says that Flux does not apply it for now.
func (k fluxKustomization) suspended() bool { return isTrue(k.object.Root.Get("spec", "suspend")) }

func isTrue(v *loader.Value) bool { return v != nil && v.Shape == loader.Bool && v.Text == "true" }

// delivery is what Flux does with the objects of the folder once they are built
// (kustomize-controller internal/controller, build and apply).
func (k fluxKustomization) delivery(variables *variable.Set) *delivery {
	spec := k.object.Root.Get("spec")
	d := &delivery{variables: variables, way: k.object.Position(spec.Get("path"))}
	d.by = &loader.Deployer{ID: k.object.ID, At: k.object.First(), Suspended: k.suspended(), Keeps: !isTrue(spec.Get("prune"))}
	// kustomize-controller, finalizerShouldDeleteResources.
	switch spec.Str("deletionPolicy") {
	case "Orphan":
		d.by.Orphans = true
	case "Delete", "WaitForTermination":
		d.by.Deletes = true
	}
	d.by.Parent = k.object.Deployer
	for _, key := range []string{"labels", "annotations"} {
		if v := spec.Get("commonMetadata", key); nested(v) && v.Shape == loader.Map {
			d.metadata = append(d.metadata, k.placed(key, v))
		}
	}
	return d
}

// overlay is what the object adds to the folder before it is built
// (kustomize-controller api/v1, KustomizationSpec). Images are left out, since
// no object that matters here has one.
func (k fluxKustomization) overlay() *overlay {
	o := &overlay{file: k.object.First().File, optional: isTrue(k.object.Root.Get("spec", "ignoreMissingComponents"))}
	spec := k.object.Root.Get("spec")
	for _, pair := range [][2]string{{"targetNamespace", "namespace"}, {"namePrefix", "namePrefix"}, {"nameSuffix", "nameSuffix"}} {
		if v := spec.Get(pair[0]); v != nil && v.Shape == loader.String && v.Text != "" {
			o.fields = append(o.fields, k.placed(pair[1], v))
		}
	}
	for _, item := range spec.List("components") {
		o.components = append(o.components, k.placed("components", item))
	}
	for _, item := range spec.List("patches") {
		if body := item.Get("patch"); body != nil && body.Shape == loader.String {
			o.patches = append(o.patches, overlayPatch{target: item.Get("target"), body: k.placed("patch", body)})
		}
	}
	return o
}

// placed gives a value whose mark is its place in its file.
func (k fluxKustomization) placed(key string, v *loader.Value) placed {
	at := k.object.Position(v)
	out := *v
	out.Mark = loader.Mark{Line: uint32(at.Line), Column: uint32(at.Column)}
	return placed{key: key, value: &out, at: at}
}

// fluxUnits is what Flux applies of a folder: its kustomization where there is
// one, else every manifest below, where folders with a kustomization are built
// (fluxcd/pkg kustomize/kustomize_generator.go, scanManifests).
func (s *flux) fluxUnits(v *site, dir string, o *overlay) ([]unit, error) {
	if len(v.kusts[dir]) > 0 {
		return []unit{{dir: dir, build: true, overlay: o}}, nil
	}
	var built, files []string
	for _, file := range v.filesBelow(dir) {
		at := path.Dir(file)
		for at != dir && at != "." && len(v.kusts[at]) == 0 {
			at = path.Dir(at)
		}
		switch {
		case at != dir && len(v.kusts[at]) > 0:
			if !slices.Contains(built, at) {
				built = append(built, s.outermost(v, dir, at))
			}
		case !v.inChart(file) && path.Ext(file) != ".json" && s.store.file(v.ids[file]).Manifest:
			files = append(files, file)
		}
	}
	built = slices.Compact(slices.Sorted(slices.Values(built)))
	if o != nil && !o.empty() {
		return s.generated(v, dir, o, slices.Concat(built, files))
	}
	var units []unit
	for _, b := range built {
		units = append(units, unit{dir: b, build: true, overlay: o})
	}
	if len(files) > 0 {
		units = append(units, unit{dir: dir, files: files, overlay: o})
	}
	return units, nil
}

// outermost is the first folder with a kustomization on the way down to at:
// Flux does not look below it.
func (s *flux) outermost(v *site, dir, at string) string {
	best := at
	for up := path.Dir(at); up != dir && up != "."; up = path.Dir(up) {
		if len(v.kusts[up]) > 0 {
			best = up
		}
	}
	return best
}

// generated makes the kustomization that Flux makes for a folder without one,
// for an overlay that needs a build.
func (s *flux) generated(v *site, dir string, o *overlay, names []string) ([]unit, error) {
	var ids []string
	list := &loader.Value{Shape: loader.List}
	for _, name := range names {
		rel := strings.TrimPrefix(name, dir+"/")
		list.Items = append(list.Items, text("./"+rel))
		if id, ok := v.ids[name]; ok && s.store.raw[id] == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	if err := s.store.batches(v.tree.Blobs, slices.Compact(ids), s.store.keep); err != nil {
		return nil, err
	}
	o.generated = mapOf("resources", list)
	return []unit{{dir: dir, build: true, overlay: o}}, nil
}
