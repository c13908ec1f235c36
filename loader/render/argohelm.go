package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/manifest"
)

// local installs a chart of the tree for an Application.
func (w *argoWalk) local(app application, source *loader.Value, dir string, c *cluster) ([]unit, error) {
	r := w.helm(app, source)
	r.dir = dir
	w.helmValues(app, source, r)
	w.hedge(app, source, r, c)
	return []unit{{dir: dir, release: r}}, nil
}

// remote installs a chart of a registry.
func (w *argoWalk) remote(app application, source *loader.Value, c *cluster) ([]unit, error) {
	r := w.helm(app, source)
	url := strings.TrimPrefix(source.Str("repoURL"), "oci://")
	r.remote = remoteChart{repository: source.Str("repoURL"), name: path.Base(cmp.Or(source.Str("chart"), strings.TrimSuffix(url, "/"))), version: source.Str("targetRevision")}
	w.helmValues(app, source, r)
	if r.isAppTemplate() || w.argocd.charts.folder != nil {
		w.hedge(app, source, r, c)
	}
	return []unit{{dir: app.object.First().File, release: r}}, nil
}

// hedge reports what of the values is not known: Argo CD refuses the Application
// for some of it, and renders with other values for the rest.
func (w *argoWalk) hedge(app application, source *loader.Value, r *release, c *cluster) {
	for _, why := range r.unknown {
		w.lose(app, c, source.Get("helm"), complain("helm-values", "the values of the Application "+quote(app.object.ID.Name)+" are not known in full: "+why, "correct helm options of the source"), loader.Warning)
	}
}

// helm reads the options of a Helm source (reposerver/repository/repository.go,
// helmTemplate).
func (w *argoWalk) helm(app application, source *loader.Value) *release {
	options := source.Get("helm")
	return &release{
		name:      cmp.Or(options.Str("releaseName"), app.object.ID.Name),
		namespace: cmp.Or(options.Str("namespace"), app.namespace()),
		id:        app.object.ID, at: app.object.Position(source),
		crds: !isTrue(options.Get("skipCrds")),
	}
}

// helmValues lays the values of a Helm source over each other: files, then
// values or valuesObject, then parameters.
func (w *argoWalk) helmValues(app application, source *loader.Value, r *release) {
	options := source.Get("helm")
	for _, item := range options.List("valueFiles") {
		names, known := w.valueFiles(app, app.valueFile(source, item.Text), r.dir)
		found := 0
		for _, name := range names {
			if w.argocd.charts.valuesFile(w.view, name, r) {
				found++
			}
		}
		if !known || found == 0 && !isTrue(options.Get("ignoreMissingValueFiles")) {
			r.unknown = append(r.unknown, "the values file "+quote(item.Text)+" is not in the tree")
		}
	}
	if object := options.Get("valuesObject"); nested(object) {
		r.values = r.values.Over(chart.Values{Root: object, Files: app.object.Files})
	} else if text := options.Get("values"); text != nil && text.Shape == loader.String {
		docs, problems := manifest.Parse([]byte(text.Text), w.argocd.store.opts.Manifest.Limits)
		if len(problems) > 0 {
			r.unknown = append(r.unknown, "its values are no YAML")
		}
		for _, doc := range docs {
			at := app.object.Position(text)
			r.values = r.values.Over(chart.Values{Root: w.argocd.charts.inText(doc, w.view.ids[at.File], text, at), Files: []string{at.File}})
		}
	}
	for _, p := range options.List("parameters") {
		value := p.Get("value")
		if value == nil {
			continue
		}
		scalar := *value
		if text, ok := app.filled(source, scalar.Text); scalar.Shape == loader.String {
			scalar.Text, scalar.Opaque = text, scalar.Opaque || !ok
		}
		if !isTrue(p.Get("forceString")) {
			scalar = *typed(&scalar, nil)
		}
		at := app.object.Position(value)
		scalar.Mark = loader.Mark{Line: uint32(at.Line), Column: uint32(at.Column)}
		keys, plain := keysOf(p.Str("name"))
		if !plain {
			r.unknown = append(r.unknown, "the parameter "+quote(p.Str("name"))+" is no plain path of keys")
			continue
		}
		r.values = r.values.Set(keys, &scalar, at.File)
	}
	if len(options.List("fileParameters")) > 0 {
		r.unknown = append(r.unknown, "its fileParameters are not read")
	}
}

// valueFiles are the files that an entry means: relative to the chart, to the root
// of the tree, or to that of a source that another one refers to by $name
// (repository.go, getResolvedValueFiles). known is false for files elsewhere.
func (w *argoWalk) valueFiles(app application, entry, dir string) (names []string, known bool) {
	if strings.Contains(entry, "://") {
		return nil, false
	}
	if rest, isRef := strings.CutPrefix(entry, "$"); isRef {
		ref, below, _ := strings.Cut(rest, "/")
		own := slices.ContainsFunc(app.sources(), func(s *loader.Value) bool { return s.Str("ref") == ref && w.tree.Own(s.Str("repoURL")) })
		if !own {
			return nil, false
		}
		entry = "/" + below
	}
	name := path.Join(dir, entry)
	if rest, root := strings.CutPrefix(entry, "/"); root {
		name = path.Clean(rest)
	} else if dir == "" {
		return nil, false // inside a chart that is not in the tree
	}
	if !strings.ContainsAny(name, "*?[") {
		return []string{name}, true
	}
	if len(name) > maxPattern || !doublestar.ValidatePattern(name) {
		return nil, true
	}
	for _, file := range w.view.files {
		if doublestar.MatchUnvalidated(name, file) {
			names = append(names, file)
		}
	}
	return names, true
}
