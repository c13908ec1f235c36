package argocd

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/gwplan/gwplan/internal/glob"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/tree"
)

// local returns the unit of a chart that is in the tree.
func (so *sources) local(app application, source *loader.Value, dir string, c *deploy.Cluster) ([]deploy.Unit, error) {
	r := so.helm(app, source)
	r.Dir = dir
	if !so.helmValues(app, source, r, c) {
		return nil, nil
	}
	so.hedge(app, source, r, c)
	return []deploy.Unit{{Dir: dir, Release: r}}, nil
}

// remote returns the unit of a chart in a registry.
func (so *sources) remote(app application, source *loader.Value, c *deploy.Cluster) ([]deploy.Unit, error) {
	r := so.helm(app, source)
	url := strings.TrimPrefix(source.Str("repoURL"), "oci://")
	r.Remote = deploy.RemoteChart{Repository: source.Str("repoURL"), Name: path.Base(cmp.Or(source.Str("chart"), strings.TrimSuffix(url, "/"))), Version: source.Str("targetRevision")}
	if v := source.Get("targetRevision"); v != nil {
		r.Remote.At = app.object.Position(v)
	}
	if !so.helmValues(app, source, r, c) {
		return nil, nil
	}
	if r.IsAppTemplate() || so.argocd.charts.Folder != nil {
		so.hedge(app, source, r, c)
	}
	return []deploy.Unit{{Dir: app.object.First().File, Release: r}}, nil
}

// hedge reports which values are not known.
func (so *sources) hedge(app application, source *loader.Value, r *deploy.Release, c *deploy.Cluster) {
	for _, why := range r.Unknown {
		app.lose(c, source.Get("helm"), deploy.Complain("helm-values", "the values of the Application "+deploy.Quote(app.object.ID.Name)+" are not known in full: "+why, "correct the helm options of the source"), loader.Warning)
	}
}

// helm reads the options of a Helm source (reposerver/repository/repository.go,
// helmTemplate).
func (so *sources) helm(app application, source *loader.Value) *deploy.Release {
	options := source.Get("helm")
	return &deploy.Release{
		Name:      cmp.Or(options.Str("releaseName"), app.object.ID.Name),
		Namespace: cmp.Or(options.Str("namespace"), app.namespace()),
		ID:        app.object.ID, At: app.object.Position(source),
		Crds: !options.Get("skipCrds").IsTrue(),
	}
}

// helmValues merges the values of a Helm source. Parameters override values or valuesObject, which
// override files. It reports whether Argo CD takes them: one file that is not there, and it applies nothing of the Application
// (reposerver/repository/repository.go, helmTemplate).
func (so *sources) helmValues(app application, source *loader.Value, r *deploy.Release, c *deploy.Cluster) bool {
	options := source.Get("helm")
	taken := true
	refuse := func(at *loader.Value, why, hint string) {
		taken = false
		var roots []string
		if r.Dir != "" {
			roots = append(roots, r.Dir)
		}
		app.lose(c, at, deploy.Complain(loader.ArgoValuesMissing, why, hint), loader.Warning, roots...)
	}
	for _, name := range []string{"valueFiles", "parameters", "fileParameters", "kubeVersion", "apiVersions"} {
		r.Option(name, options.Get(name))
	}
	for _, item := range options.List("valueFiles") {
		names, known := so.valueFiles(app, app.valueFile(source, item.Text), r.Dir)
		found, read := 0, true
		for _, name := range names {
			if so.view.IDs[name] != "" {
				found++
				read = so.argocd.charts.ValuesFile(so.view, name, r) && read
			}
		}
		_, filled := app.filled(source, item.Text)
		ignores := options.Get("ignoreMissingValueFiles")
		known = known && filled && !item.Opaque && !tree.Unresolved(item.Text) && !strings.Contains(item.Text, "{{") && (ignores == nil || !tree.Unresolved(ignores.Text))
		file := "the values file " + deploy.Quote(item.Text)
		switch ref := lostReference(app, item.Text); {
		case ref != "":
			refuse(item, file+" of "+app.spoken()+" is in the source "+deploy.Quote(ref)+", which the Application does not have", "correct the name, or give a source this ref")
		case !known:
			r.Unknown = append(r.Unknown, file+" is not in the tree")
		case found == 0 && !ignores.IsTrue():
			refuse(item, file+" of "+app.spoken()+" is not in the tree", "correct the path, or set ignoreMissingValueFiles")
		case !read:
			r.Unknown = append(r.Unknown, file+" cannot be read")
		}
	}
	if object := options.Get("valuesObject"); tree.Nested(object) {
		r.Values = r.Values.Over(chart.Values{Root: object, Files: app.object.Files})
	} else if text := options.Get("values"); text != nil && text.Shape == loader.String {
		docs, problems := manifest.Parse([]byte(text.Text), so.argocd.store.Opts.Manifest.Limits)
		if len(problems) > 0 {
			r.Unknown = append(r.Unknown, "its values are not valid YAML")
		}
		for _, doc := range docs {
			at := app.object.Position(text)
			r.Values = r.Values.Over(chart.Values{Root: so.argocd.charts.InText(doc, so.view.IDs[at.File], text, at), Files: []string{at.File}})
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
		at := app.object.Position(value)
		scalar.Mark = loader.Mark{Line: uint32(at.Line), Column: uint32(at.Column)}
		keys, plain := chart.KeysOf(p.Str("name"))
		if !plain {
			r.Unknown = append(r.Unknown, "the parameter name "+deploy.Quote(p.Str("name"))+" is not a plain path of keys (lists and escapes are not supported)")
			continue
		}
		set, whole := &scalar, true
		if !p.Get("forceString").IsTrue() {
			set, whole = parameter(&scalar)
		}
		if !whole {
			r.Unknown = append(r.Unknown, "the parameter "+deploy.Quote(p.Str("name"))+" has a value that Helm's --set does not take as it stands")
			continue
		}
		r.Values = r.Values.Set(keys, set, at.File)
	}
	if len(options.List("fileParameters")) > 0 {
		r.Unknown = append(r.Unknown, "its fileParameters are not read")
	}
	return taken
}

// lostReference returns the source that the path of a values file names by its ref if an Application with several sources does not have it
// (reposerver/repository/repository.go, getReferencedSources and getResolvedValueFiles).
func lostReference(app application, entry string) string {
	name, _, isPath := strings.Cut(entry, "/")
	ref, isRef := strings.CutPrefix(name, "$")
	if !isPath || !isRef || len(app.spec().List("sources")) == 0 || strings.HasPrefix(ref, "ARGOCD_") || strings.ContainsAny(ref, "{}") ||
		slices.ContainsFunc(app.sources(), func(s *loader.Value) bool { return s.Str("ref") == ref }) {
		return ""
	}
	return ref
}

// parameter returns the value that Helm makes of a parameter. Argo CD escapes the commas of all but lists
// (util/helm/cmd.go, cleanSetParameters), so such a text is one string.
func parameter(v *loader.Value) (*loader.Value, bool) {
	if strings.Contains(v.Text, ",") && !strings.HasPrefix(v.Text, "{") && !strings.Contains(v.Text, `\`) {
		return v, true
	}
	return chart.Typed(v)
}

// valueFiles returns the files that an entry refers to: relative to the chart, to the root of the
// tree, or to the root of a source that is referenced by $name (repository.go,
// getResolvedValueFiles). known is false for files elsewhere.
func (so *sources) valueFiles(app application, entry, dir string) (names []string, known bool) {
	if strings.Contains(entry, "://") {
		return nil, false
	}
	if rest, isRef := strings.CutPrefix(entry, "$"); isRef {
		ref, below, _ := strings.Cut(rest, "/")
		own := slices.ContainsFunc(app.sources(), func(s *loader.Value) bool { return s.Str("ref") == ref && so.tree.Own(s.Str("repoURL")) })
		if !own {
			return nil, false
		}
		entry = "/" + below
	}
	name := path.Join(dir, entry)
	if rest, root := strings.CutPrefix(entry, "/"); root {
		name = path.Clean(rest)
	} else if dir == "" {
		return nil, false // it is inside a chart that is not in the tree
	}
	if !strings.ContainsAny(name, "*?[") {
		return []string{name}, true
	}
	if !glob.Bounded(name) {
		return nil, false
	}
	for _, file := range so.view.Files {
		if doublestar.MatchUnvalidated(name, file) {
			names = append(names, file)
		}
	}
	return names, true
}
