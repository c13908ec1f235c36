package flux

import (
	"cmp"
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// instanceChart is the chart that installs a FluxInstance; its values contain the spec under
// `instance`.
const instanceChart = "flux-instance"

// instances reads FluxInstances from files and from the values of their chart.
type instances struct {
	*releases
}

// fluxSync is spec.sync of a FluxInstance: the folder that a cluster starts from.
type fluxSync struct {
	object *loader.Object
	spec   *loader.Value
	// applies is the Flux Kustomization that the operator generates from it, with patches applied;
	// nil if the sync has no path. unpatched is the problem to report if a patch cannot be applied.
	applies   *deploy.Object
	unpatched []loader.Problem
}

// sync reads spec.sync of a FluxInstance; instance is its spec, or that spec in the values of its
// chart.
func (fi *instances) sync(v *site, d deploy.Object, instance *loader.Value) fluxSync {
	f := fluxSync{object: d.AsObject(), spec: instance.Get("sync")}
	at := f.spec.Get("path")
	if at == nil || at.Shape != loader.String || at.Opaque {
		return f
	}
	ref := f.ref()
	made := d
	made.Group, made.Version, made.Kind, made.Namespace, made.Name = tree.FluxGroup, "v1", "Kustomization", ref.namespace, ref.name
	made.Root = &loader.Value{Shape: loader.Map, Mark: at.Mark, Fields: []loader.Field{
		{Key: "apiVersion", Value: tree.Text(tree.FluxGroup + "/v1")},
		{Key: "kind", Value: tree.Text("Kustomization")},
		{Key: "metadata", Value: &loader.Value{Shape: loader.Map, Fields: []loader.Field{
			{Key: "name", Value: tree.Text(ref.name)}, {Key: "namespace", Value: tree.Text(ref.namespace)},
		}}},
		{Key: "spec", Value: &loader.Value{Shape: loader.Map, Mark: at.Mark, Fields: []loader.Field{
			{Key: "path", Value: at},
			{Key: "prune", Value: &loader.Value{Shape: loader.Bool, Text: "true"}},
			{Key: "sourceRef", Value: &loader.Value{Shape: loader.Map, Fields: []loader.Field{
				{Key: "kind", Value: tree.Text(ref.kind)}, {Key: "name", Value: tree.Text(ref.name)},
			}}},
		}}},
	}}
	f.applies = &made
	list := instance.List("kustomize", "patches")
	patches := fi.fitting(list, made, []deploy.Object{made})
	if len(patches) == 0 {
		return f
	}
	if got, ok := fi.patched(v, d, &deploy.Release{Namespace: ref.namespace}, []deploy.Object{made}, patches); ok && len(got) == 1 {
		f.applies = &got[0]
	} else {
		f.unpatched = []loader.Problem{deploy.Complain(
			loader.FluxPatches, "kustomize.patches of the FluxInstance cannot be applied to the Kustomization "+deploy.Quote(ref.name)+" that is generated from its sync", "correct the patch",
		).Problem(d.AsObject().Position(instance.Get("kustomize", "patches")))}
	}
	return f
}

// ref returns the source that the operator generates for the sync. Its name is that of the sync, or
// of the namespace if the sync has none (flux-operator internal/builder/options.go).
func (f fluxSync) ref() sourceRef {
	namespace := cmp.Or(f.object.ID.Namespace, "flux-system")
	return sourceRef{kind: cmp.Or(f.spec.Str("kind"), "GitRepository"), namespace: namespace, name: cmp.Or(f.spec.Str("name"), namespace)}
}

// entry returns the start of a cluster if this tree has it.
func (f fluxSync) entry(v *site) (entry, bool) {
	if f.applies == nil {
		return entry{}, false
	}
	k := Kustomization{Object: f.applies.AsObject()}
	k.path = inArtifact(f.applies.Root.Str("spec", "path"))
	k.Dir, k.Ok = v.applied(k.path)
	if dir := v.pushed(f); k.path == "." && dir != "" {
		k.Dir, k.Ok = dir, true
	}
	return entry{Kustomization: k, File: f.object.First().File, starts: true}, k.Ok && !v.elsewhere(f)
}

// pushed returns the folder whose content is the root of an artefact that a cluster starts from, or nothing: an artefact has the
// content of one folder (flux push artifact --path), and it is the outermost whose kustomization lists the FluxInstance.
func (v *site) pushed(f fluxSync) string {
	if f.ref().kind == "GitRepository" {
		return ""
	}
	file, found := f.object.First().File, ""
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if len(v.Kusts[dir]) > 0 {
			if covers, _ := v.Covered(dir, map[string][]int{file: {}}); covers[file] {
				found = dir
			}
		}
	}
	return found
}

// elsewhere reports whether a cluster starts from a repository other than this one.
func (v *site) elsewhere(f fluxSync) bool {
	if v.sources == nil || f.spec.Str("url") == "" || f.ref().kind != "GitRepository" {
		return false
	}
	own, declared := v.sources.url(v.sources.own)
	return declared && own != AddressOf(f.spec.Str("url"))
}

// syncs reads the syncs in files: of FluxInstances, and of HelmReleases that contain them in
// spec.values.
func (fi *instances) syncs(v *site) []fluxSync {
	var out []fluxSync
	for _, one := range fi.store.Deployers(v.View) {
		d := deploy.Declare(one.Document, one.File)
		instance := d.Root.Get("spec")
		if d.IsRelease() {
			instance = d.Root.Get("spec", "values", "instance")
		}
		if (d.IsInstance() || d.IsRelease()) && tree.Nested(instance.Get("sync")) && !v.InChart(one.File) && !tree.Dotted(one.File) {
			out = append(out, fi.sync(v, d, instance))
		}
	}
	return out
}

// syncsAmong reads the syncs among the objects of a cluster, including releases whose values come
// from other objects.
func (fi *instances) syncsAmong(v *site, objects []deploy.Object) []fluxSync {
	var out []fluxSync
	in := inventory{objects: objects}
	for _, d := range objects {
		instance := d.Root.Get("spec")
		switch {
		case d.IsRelease():
			r := &deploy.Release{}
			if !fi.chartOf(v, d, &in, r) || r.Remote.Name != instanceChart && path.Base(r.Dir) != instanceChart {
				continue
			}
			r, _ = fi.release(v, d, &in)
			instance = r.Values.Root.Get("instance")
			d.Files, d.Inputs = r.Values.Files, r.Inputs
		case !d.IsInstance():
			continue
		}
		if tree.Nested(instance.Get("sync")) {
			out = append(out, fi.sync(v, d, instance))
		}
	}
	return out
}

// start adds an entry for each sync, at most one for each folder.
func start(v *site, entries []entry, syncs []fluxSync) []entry {
	for _, f := range syncs {
		e, ok := f.entry(v)
		if ok && !slices.ContainsFunc(entries, func(known entry) bool { return known.starts && known.Dir == e.Dir }) {
			entries = append(entries, e)
		}
	}
	return entries
}

// rooted reports whether a cluster starts from an entry: the entry applies its own file, and also
// either applies other entries or is in the same file as its source, as flux bootstrap writes it.
func (e entry) rooted(sources *sources) bool {
	if !e.covers[e.File] || e.weak() {
		return false
	}
	return len(e.reaches) > 1 || slices.ContainsFunc(sources.declared, func(d declaredSource) bool {
		return d.file == e.File && d.ref.matches(e.source())
	})
}
