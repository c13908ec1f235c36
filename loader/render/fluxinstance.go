package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// operatorGroup is that of the Flux operator, which installs Flux from a FluxInstance.
const operatorGroup = "fluxcd.controlplane.io"

// instanceChart is the chart of a FluxInstance; its values hold the spec under
// `instance`.
const instanceChart = "flux-instance"

// fluxSync is spec.sync of a FluxInstance: the folder that a cluster starts from.
type fluxSync struct {
	object *loader.Object
	spec   *loader.Value
	// applies is the Flux Kustomization that the operator makes of it, patched, nil where
	// the sync says no path; unpatched is what is said where a patch does not fit.
	applies   *declared
	unpatched []loader.Problem
}

// sync reads what a FluxInstance says: spec of its own, or the values of its chart.
func (s *flux) sync(v *site, d declared, instance *loader.Value) fluxSync {
	f := fluxSync{object: d.object(), spec: instance.Get("sync")}
	at := f.spec.Get("path")
	if at == nil || at.Shape != loader.String || at.Opaque {
		return f
	}
	ref := f.ref()
	made := d
	made.group, made.version, made.kind, made.namespace, made.name = fluxGroup, "v1", "Kustomization", ref.namespace, ref.name
	made.root = &loader.Value{Shape: loader.Map, Mark: at.Mark, Fields: []loader.Field{
		{Key: "apiVersion", Value: text(fluxGroup + "/v1")},
		{Key: "kind", Value: text("Kustomization")},
		{Key: "metadata", Value: &loader.Value{Shape: loader.Map, Fields: []loader.Field{
			{Key: "name", Value: text(ref.name)}, {Key: "namespace", Value: text(ref.namespace)},
		}}},
		{Key: "spec", Value: &loader.Value{Shape: loader.Map, Mark: at.Mark, Fields: []loader.Field{
			{Key: "path", Value: at},
			{Key: "prune", Value: &loader.Value{Shape: loader.Bool, Text: "true"}},
			{Key: "sourceRef", Value: &loader.Value{Shape: loader.Map, Fields: []loader.Field{
				{Key: "kind", Value: text(ref.kind)}, {Key: "name", Value: text(ref.name)},
			}}},
		}}},
	}}
	f.applies = &made
	list := instance.List("kustomize", "patches")
	patches := s.fitting(list, made, []declared{made})
	if len(patches) == 0 {
		return f
	}
	if got, ok := s.patched(v, d, &release{namespace: ref.namespace}, []declared{made}, patches); ok && len(got) == 1 {
		f.applies = &got[0]
	} else {
		f.unpatched = []loader.Problem{complain(
			"flux-patches", "kustomize.patches of the FluxInstance cannot be applied to the Kustomization "+quote(ref.name)+" that it starts with", "correct the patch",
		).problem(d.object().Position(instance.Get("kustomize", "patches")))}
	}
	return f
}

// ref is the source that the operator makes for the sync. It has the name of the
// sync, else of the namespace (flux-operator internal/builder/options.go).
func (f fluxSync) ref() sourceRef {
	namespace := cmp.Or(f.object.ID.Namespace, "flux-system")
	return sourceRef{kind: cmp.Or(f.spec.Str("kind"), "GitRepository"), namespace: namespace, name: cmp.Or(f.spec.Str("name"), namespace)}
}

// entry is the start of a cluster.
func (f fluxSync) entry(v *site) (entry, bool) {
	if f.applies == nil {
		return entry{}, false
	}
	k := fluxKustomization{object: f.applies.object()}
	k.path = path.Clean(strings.TrimLeft(strings.TrimPrefix(f.applies.root.Str("spec", "path"), "./"), "/"))
	k.dir, k.ok = v.applied(k.path)
	return entry{fluxKustomization: k, file: f.object.First().File, starts: true}, k.ok && !v.elsewhere(f)
}

// elsewhere says that a cluster starts from another repository than this one.
func (v *site) elsewhere(f fluxSync) bool {
	if v.sources == nil || f.spec.Str("url") == "" || f.ref().kind != "GitRepository" {
		return false
	}
	own, declared := v.sources.url(v.sources.own)
	return declared && own != addressOf(f.spec.Str("url"))
}

// syncs are those that stand in files: of FluxInstances, and of releases of their
// chart that have them among their own values.
func (s *flux) syncs(v *site) []fluxSync {
	var out []fluxSync
	for _, file := range v.manifests {
		if v.inChart(file) || dotted(file) {
			continue
		}
		for _, doc := range s.store.file(v.ids[file]).Documents {
			d := declare(doc, file)
			instance := d.root.Get("spec")
			if d.isRelease() {
				instance = d.root.Get("spec", "values", "instance")
			}
			if (d.isInstance() || d.isRelease()) && nested(instance.Get("sync")) {
				out = append(out, s.sync(v, d, instance))
			}
		}
	}
	return out
}

func (d declared) isInstance() bool { return d.group == operatorGroup && d.kind == "FluxInstance" }

// syncsAmong are those of the objects of a cluster: of releases whose values stand
// elsewhere, too.
func (s *flux) syncsAmong(v *site, objects []declared) []fluxSync {
	var out []fluxSync
	in := inventory{objects: objects}
	for _, d := range objects {
		instance := d.root.Get("spec")
		switch {
		case d.isRelease():
			r := &release{}
			if !s.chartOf(v, d, &in, r) || r.remote.name != instanceChart && path.Base(r.dir) != instanceChart {
				continue
			}
			r, _ = s.release(v, d, &in)
			instance = r.values.Root.Get("instance")
			d.files, d.inputs = r.values.Files, r.inputs
		case !d.isInstance():
			continue
		}
		if nested(instance.Get("sync")) {
			out = append(out, s.sync(v, d, instance))
		}
	}
	return out
}

// start adds the starts of clusters to entries, one for each folder.
func start(v *site, entries []entry, syncs []fluxSync) []entry {
	for _, f := range syncs {
		e, ok := f.entry(v)
		if ok && !slices.ContainsFunc(entries, func(known entry) bool { return known.starts && known.dir == e.dir }) {
			entries = append(entries, e)
		}
	}
	return entries
}

// rooted says whether an entry is what a cluster starts from: it applies itself, and
// with that others, or stands with the source that it takes its folder from, as flux
// bootstrap writes it.
func (e entry) rooted(sources *sources) bool {
	if !e.covers[e.file] || e.weak() {
		return false
	}
	return len(e.reaches) > 1 || slices.ContainsFunc(sources.declared, func(d declaredSource) bool {
		return d.file == e.file && d.ref.matches(e.source())
	})
}
