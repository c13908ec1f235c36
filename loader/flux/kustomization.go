package flux

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/fluxcd/pkg/sourceignore"
	"github.com/fluxcd/pkg/sourceignore/gitignore"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
	"github.com/gwplan/gwplan/loader/variable"
)

// Kustomization is a Flux Kustomization, which applies a folder.
type Kustomization struct {
	Object *loader.Object
	// path is spec.path, Dir the folder of the tree that it refers to; Ok is false if there is no
	// such folder.
	path, Dir string
	Ok        bool
	// foreign is true if the folder is not from this repository.
	foreign bool
	// origin is the entry through which it is reached.
	origin loader.ID
}

// kustomizationOf reads a Kustomization from an object.
func kustomizationOf(v *site, d deploy.Object) Kustomization {
	k := Kustomization{Object: d.AsObject()}
	k.path = inArtifact(d.Root.Str("spec", "path"))
	k.locate(v)
	return k
}

// inArtifact returns the folder of an artefact that a path names. One that leads above its root stays there (kustomize-controller
// internal/controller/kustomization_controller.go, securejoin.SecureJoin).
func inArtifact(name string) string {
	return cmp.Or(strings.TrimPrefix(path.Clean("/"+name), "/"), ".")
}

// locate finds the folder as far as the sources of the tree are known.
func (k *Kustomization) locate(v *site) {
	if dir, known := v.external(*k); known {
		k.Dir, k.Ok, k.foreign = dir, dir != "", false
		return
	}
	raw := k.Object.Root.Get("spec", "path")
	k.Dir, k.Ok = v.applied(k.path)
	k.Ok = k.Ok && (raw == nil || !raw.Opaque)
	k.foreign = v.sources != nil && v.sources.foreign(*k)
}

// key identifies a Kustomization within one environment.
func (k Kustomization) key() string { return k.Object.ID.String() + " " + k.Dir }

// source returns the object that provides the folder.
func (k Kustomization) source() sourceRef {
	ref := k.Object.Root.Get("spec", "sourceRef")
	return sourceRef{kind: ref.Str("kind"), namespace: cmp.Or(ref.Str("namespace"), k.Object.ID.Namespace), name: ref.Str("name")}
}

// suspended reports whether Flux currently does not apply it.
func (k Kustomization) suspended() bool { return k.Object.Root.Get("spec", "suspend").IsTrue() }

// delivery returns what Flux does with the objects of the folder after the build
// (kustomize-controller internal/controller, build and apply).
func (k Kustomization) delivery(variables *variable.Set) *deploy.Delivery {
	spec := k.Object.Root.Get("spec")
	d := &deploy.Delivery{Variables: variables, Way: k.Object.Position(spec.Get("path"))}
	d.By = &loader.Deployer{ID: k.Object.ID, At: k.Object.First(), Suspended: k.suspended(), Keeps: !spec.Get("prune").IsTrue(), Content: loader.Digest(k.Object.ID, k.Object.Root)}
	// kustomize-controller, finalizerShouldDeleteResources.
	switch spec.Str("deletionPolicy") {
	case "Orphan":
		d.By.Orphans = true
	case "Delete", "WaitForTermination":
		d.By.Deletes = true
	}
	d.By.Parent = k.Object.Deployer
	for _, key := range []string{"labels", "annotations"} {
		if v := spec.Get("commonMetadata", key); tree.Nested(v) && v.Shape == loader.Map {
			d.Metadata = append(d.Metadata, k.placed(key, v))
		}
	}
	return d
}

// overlay returns what the object adds to the folder before the build (kustomize-controller api/v1,
// KustomizationSpec). It omits images, since no object that gwplan reads has one.
func (k Kustomization) overlay() *deploy.Overlay {
	o := &deploy.Overlay{File: k.Object.First().File, Optional: k.Object.Root.Get("spec", "ignoreMissingComponents").IsTrue()}
	spec := k.Object.Root.Get("spec")
	for _, pair := range [][2]string{{"targetNamespace", "namespace"}, {"namePrefix", "namePrefix"}, {"nameSuffix", "nameSuffix"}} {
		if v := spec.Get(pair[0]); v != nil && v.Shape == loader.String && v.Text != "" {
			o.Fields = append(o.Fields, k.placed(pair[1], v))
		}
	}
	for _, item := range spec.List("components") {
		o.Components = append(o.Components, k.placed("components", item))
	}
	for _, item := range spec.List("patches") {
		if body := item.Get("patch"); body != nil && body.Shape == loader.String {
			o.Patches = append(o.Patches, deploy.OverlayPatch{Target: item.Get("target"), Body: k.placed("patch", body)})
		}
	}
	return o
}

// placed returns a copy of a value whose mark is its position in its file.
func (k Kustomization) placed(key string, v *loader.Value) deploy.Located {
	at := k.Object.Position(v)
	out := *v
	out.Mark = loader.Mark{Line: uint32(at.Line), Column: uint32(at.Column)}
	return deploy.Located{Key: key, Value: &out, At: at}
}

// fluxUnits returns the units that Flux applies for a folder: its kustomization if it has one;
// otherwise all manifests below it, and the builds of folders below it with a kustomization
// (fluxcd/pkg kustomize/kustomize_generator.go, scanManifests).
func (s *Reader) fluxUnits(v *site, dir string, o *deploy.Overlay) ([]deploy.Unit, error) {
	if len(v.Kusts[dir]) > 0 {
		return []deploy.Unit{{Dir: dir, Build: true, Overlay: o}}, nil
	}
	var built, files []string
	for _, file := range v.FilesBelow(dir) {
		at := path.Dir(file)
		for at != dir && at != "." && len(v.Kusts[at]) == 0 {
			at = path.Dir(at)
		}
		switch {
		case at != dir && len(v.Kusts[at]) > 0:
			if !slices.Contains(built, at) {
				built = append(built, s.outermost(v, dir, at))
			}
		case !v.InChart(file) && path.Ext(file) != ".json" && s.store.File(v.IDs[file]).Manifest:
			files = append(files, file)
		}
	}
	built = slices.Compact(slices.Sorted(slices.Values(built)))
	if o != nil && !o.Empty() {
		return s.generated(v, dir, o, slices.Concat(built, files))
	}
	var units []deploy.Unit
	for _, b := range built {
		units = append(units, deploy.Unit{Dir: b, Build: true, Overlay: o})
	}
	if len(files) > 0 {
		units = append(units, deploy.Unit{Dir: dir, Files: files, Overlay: o})
	}
	return units, nil
}

// folder returns a folder without a kustomization as what Flux applies, with the files for which it refuses the folder:
// each file of YAML has to hold manifests (fluxcd/pkg kustomize/kustomize_generator.go, scanManifests), and no object
// may be in two (kustomize api/resmap, Append).
func (s *Reader) folder(v *site, dir string) loader.Control {
	c := loader.Control{ID: loader.ID{Kind: "Folder", Name: dir}, What: "Flux folder " + deploy.Clip(dir), At: loader.Position{File: dir}}
	declared := map[loader.ID]bool{}
	for _, file := range v.FilesBelow(dir) {
		at := path.Dir(file)
		for at != dir && at != "." && len(v.Kusts[at]) == 0 {
			at = path.Dir(at)
		}
		if at != dir || v.InChart(file) || path.Ext(file) == ".json" {
			continue
		}
		content := s.store.File(v.IDs[file])
		if content.Other && !ignoredByDefault(file) {
			c.Settings = append(c.Settings, loader.Setting{Words: path.Base(file) + ", which is no manifest", At: loader.Position{File: file, Line: 1, Column: 1}})
		}
		c.Settings = append(c.Settings, deploy.Stray(file, content)...)
		for _, d := range content.Documents {
			id := loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}
			if declared[id] && d.Name != "" {
				c.Settings = append(c.Settings, loader.Setting{Words: d.Kind + " " + deploy.Clip(d.Name) + ", which is declared twice", At: loader.Position{File: file, Line: d.Line, Column: 1}})
			}
			declared[id] = true
		}
	}
	return c
}

// ignoredByDefault reports whether sources leave a file out of the artefact unless they say otherwise, such as .sops.yaml.
func ignoredByDefault(file string) bool {
	return defaultIgnores().Match(strings.Split(file, "/"), false)
}

var defaultIgnores = sync.OnceValue(func() gitignore.Matcher {
	return sourceignore.NewDefaultMatcher(nil, nil)
})

// outermost returns the highest folder with a kustomization between dir and at. Flux does not scan
// the folders below it.
func (s *Reader) outermost(v *site, dir, at string) string {
	best := at
	for up := path.Dir(at); up != dir && up != "."; up = path.Dir(up) {
		if len(v.Kusts[up]) > 0 {
			best = up
		}
	}
	return best
}

// generated returns the build of the kustomization that Flux generates for a folder without one. It
// is needed if the overlay requires a build.
func (s *Reader) generated(v *site, dir string, o *deploy.Overlay, names []string) ([]deploy.Unit, error) {
	var ids []string
	list := &loader.Value{Shape: loader.List}
	for _, name := range names {
		rel := strings.TrimPrefix(name, dir+"/")
		list.Items = append(list.Items, tree.Text("./"+rel))
		if id, ok := v.IDs[name]; ok && s.store.Raw[id] == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	if err := s.store.Keep(v.Tree.Blobs, slices.Compact(ids)); err != nil {
		return nil, err
	}
	o.Generated = tree.MapOf("resources", list)
	return []deploy.Unit{{Dir: dir, Build: true, Overlay: o}}, nil
}
