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
}

// ref is the source that the operator makes for the sync. It has the name of the
// sync, else of the namespace (flux-operator internal/builder/options.go).
func (f fluxSync) ref() sourceRef {
	namespace := cmp.Or(f.object.ID.Namespace, "flux-system")
	return sourceRef{cmp.Or(f.spec.Str("kind"), "GitRepository"), namespace, cmp.Or(f.spec.Str("name"), namespace)}
}

// entry is the Flux Kustomization that the operator makes of the sync.
func (f fluxSync) entry(v *view) (entry, bool) {
	at := f.spec.Get("path")
	if at == nil || at.Shape != loader.String || at.Opaque {
		return entry{}, false
	}
	ref := f.ref()
	object := *f.object
	object.ID = loader.ID{Group: fluxGroup, Kind: "Kustomization", Namespace: ref.namespace, Name: ref.name}
	object.Root = &loader.Value{Shape: loader.Map, Mark: at.Mark, Fields: []loader.Field{
		{Key: "apiVersion", Value: text(fluxGroup + "/v1")},
		{Key: "kind", Value: text("Kustomization")},
		{Key: "metadata", Value: mapOf("name", text(ref.name))},
		{Key: "spec", Value: &loader.Value{Shape: loader.Map, Mark: at.Mark, Fields: []loader.Field{
			{Key: "path", Value: at},
			{Key: "prune", Value: &loader.Value{Shape: loader.Bool, Text: "true"}},
			{Key: "sourceRef", Value: &loader.Value{Shape: loader.Map, Fields: []loader.Field{
				{Key: "kind", Value: text(ref.kind)}, {Key: "name", Value: text(ref.name)},
			}}},
		}}},
	}}
	k := fluxKustomization{object: &object, path: path.Clean(strings.TrimLeft(strings.TrimPrefix(at.Text, "./"), "/"))}
	k.dir, k.ok = v.applied(k.path)
	return entry{fluxKustomization: k, file: object.First().File, starts: true}, k.ok && !v.elsewhere(f)
}

// elsewhere says that a cluster starts from another repository than this one.
func (v *view) elsewhere(f fluxSync) bool {
	if v.sources == nil || f.spec.Str("url") == "" || f.ref().kind != "GitRepository" {
		return false
	}
	own, declared := v.sources.url(v.sources.own)
	return declared && own != addressOf(f.spec.Str("url"))
}

// syncs are those that stand in files: of FluxInstances, and of releases of their
// chart that have them among their own values.
func (s *session) syncs(v *view) []fluxSync {
	var out []fluxSync
	for _, file := range v.manifests {
		if v.inChart(file) || dotted(file) {
			continue
		}
		for _, doc := range s.store.file(v.ids[file]).Documents {
			d := declare(doc, file)
			spec := d.root.Get("spec", "sync")
			if d.isRelease() {
				spec = d.root.Get("spec", "values", "instance", "sync")
			}
			if (d.isInstance() || d.isRelease()) && nested(spec) {
				out = append(out, fluxSync{d.object(), spec})
			}
		}
	}
	return out
}

func (d declared) isInstance() bool { return d.group == operatorGroup && d.kind == "FluxInstance" }

// syncsAmong are those of the objects of a cluster: of releases whose values stand
// elsewhere, too.
func (s *session) syncsAmong(v *view, objects []declared) []fluxSync {
	var out []fluxSync
	in := inventory{objects: objects}
	for _, d := range objects {
		f := fluxSync{d.object(), d.root.Get("spec", "sync")}
		switch {
		case d.isRelease():
			r := &release{}
			if !s.chartOf(v, d, &in, r) || r.remote.name != instanceChart && path.Base(r.dir) != instanceChart {
				continue
			}
			r, _ = s.release(v, d, &in)
			f.spec = r.values.Root.Get("instance", "sync")
			f.object.Files, f.object.Inputs = r.values.Files, r.inputs
		case !d.isInstance():
			continue
		}
		if nested(f.spec) {
			out = append(out, f)
		}
	}
	return out
}

// start adds the starts of clusters to entries, one for each folder.
func start(v *view, entries []entry, syncs []fluxSync) []entry {
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
