package render

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/argoplugin"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/manifest"
)

// definesPlugins says whether a file may define plugins of Argo CD: as documents, in
// texts of ConfigMaps, in the values of its chart or in argocd-cm.
func definesPlugins(data []byte) bool {
	return bytes.Contains(data, []byte(argoplugin.Kind)) || bytes.Contains(data, []byte("configManagementPlugins")) ||
		bytes.Contains(data, []byte("cmp:")) && bytes.Contains(data, []byte("generate:"))
}

// argoPlugins are the plugins that a tree defines, by name.
func (s *argocd) argoPlugins(v *view) map[string]argoplugin.Definition {
	if known := s.plugins[v]; known != nil {
		return known
	}
	out := map[string]argoplugin.Definition{}
	s.plugins[v] = out
	parse := func(text string) []*loader.Value {
		docs, _ := manifest.Parse([]byte(text), s.store.opts.Manifest.Limits)
		return docs
	}
	for _, file := range v.manifests {
		data, ok := s.store.plugins[v.ids[file]]
		if !ok {
			continue
		}
		docs, _ := manifest.Parse(data, s.store.opts.Manifest.Limits)
		for _, doc := range docs {
			for _, d := range argoplugin.Of(doc, parse) {
				if _, known := out[d.Name]; !known && d.Name != "" {
					out[d.Name] = d
				}
			}
		}
	}
	return out
}

// pluginOf is the plugin that renders a source: the one that it names, else the first by
// name that takes the folder (argo-cd util/app/discovery/discovery.go,
// DetectConfigManagementPlugin). why says why none is known.
func (w *argoWalk) pluginOf(source *loader.Value, dir string) (d argoplugin.Definition, why string) {
	defined := w.argocd.argoPlugins(w.view)
	if name := source.Str("plugin", "name"); name != "" {
		if d, ok := defined[name]; ok {
			return d, ""
		}
		if d, ok := argoplugin.WellKnown(name); ok {
			w.assume(name, d)
			return d, ""
		}
		return d, "the plugin " + quote(name) + " is not defined in the tree"
	}
	if d, found := w.discovered(source, dir); found {
		return d, ""
	}
	return d, "no plugin of the tree takes the folder"
}

// assume notes that a plugin is known by its name alone.
func (w *argoWalk) assume(name string, d argoplugin.Definition) {
	note := fmt.Sprintf("the plugin %s of Argo CD is not defined in the tree: it is read as %s", quote(name), quote(d.Command[len(d.Command)-1]))
	if !slices.Contains(w.assumed, note) {
		w.assumed = append(w.assumed, note)
	}
}

// discovered is the first plugin that takes the folder of a source by its files.
func (w *argoWalk) discovered(source *loader.Value, dir string) (argoplugin.Definition, bool) {
	defined := w.argocd.argoPlugins(w.view)
	var files []string
	for _, name := range sorted(defined) {
		d := defined[name]
		if !d.Discovers {
			continue
		}
		if files == nil {
			for _, file := range w.view.allBelow(dir) {
				rest, _ := relative(dir, file)
				files = append(files, rest)
			}
		}
		if takes, known := d.Takes(files, pluginVariables(source)); takes && known {
			return d, true
		}
	}
	return argoplugin.Definition{}, false
}

// pluginVariables are those that a source sets for its plugin; of others nothing is known.
func pluginVariables(source *loader.Value) argoplugin.Environment {
	return func(name string) (string, bool) {
		own, ok := strings.CutPrefix(name, "ARGOCD_ENV_")
		if !ok {
			return "", false
		}
		for _, item := range source.List("plugin", "env") {
			if item.Str("name") == own {
				return item.Str("value"), true
			}
		}
		return "", true
	}
}

// plugged reads a source that a plugin renders, as far as the plugin only builds and fills
// placeholders in, whose values are unknown.
func (w *argoWalk) plugged(app application, source *loader.Value, dir string, c *cluster) ([]unit, error) {
	at := source.Get("plugin")
	if at == nil {
		at = source.Get("path")
	}
	lose := func(why string) ([]unit, error) {
		w.lose(app, c, at, complain(
			"argocd-plugin", fmt.Sprintf("the Application %s is rendered by a plugin, which is not run: %s", quote(app.object.ID.Name), why), "give its rendered output as a folder",
		), loader.Warning, dir)
		return nil, nil
	}
	d, why := w.pluginOf(source, dir)
	if why != "" {
		return lose(why)
	}
	b, err := d.Build(app.environment(source))
	if err != nil {
		return lose(err.Error())
	}
	at2 := path.Join(dir, b.Dir)
	if !within(".", at2) || strings.HasPrefix(at2, "..") || !w.view.dirs[at2] {
		return lose("it builds the folder " + quote(at2) + ", which is not in the tree")
	}
	switch b.Tool {
	case argoplugin.Kustomize:
		if len(w.view.kusts[at2]) == 0 {
			return lose("the folder " + quote(at2) + " holds no kustomization")
		}
		return []unit{{dir: at2, build: true, overlay: &overlay{file: app.object.First().File, restricted: true}, delivery: app.delivery(source)}}, nil
	case argoplugin.Helm:
		if w.view.ids[path.Join(at2, "Chart.yaml")] == "" {
			return lose("the folder " + quote(at2) + " holds no chart")
		}
		r := &release{
			name: cmp.Or(b.Name, "release-name"), namespace: cmp.Or(b.Namespace, app.namespace()), dir: at2,
			id: app.object.ID, at: app.object.Position(at), crds: b.CRDs,
		}
		if why := w.pluginValues(app, dir, b, r); why != "" {
			return lose(why)
		}
		return []unit{{dir: at2, release: r}}, nil
	case argoplugin.Files:
		return w.directory(app, mapOf("directory", mapOf("recurse", &loader.Value{Shape: loader.Bool, Text: "true"})), at2, c), nil
	}
	return lose("what it builds is not known")
}

// pluginValues lays the values of a release over each other.
func (w *argoWalk) pluginValues(app application, dir string, b argoplugin.Build, r *release) string {
	for _, values := range b.Values {
		if values.File != "" {
			if !w.argocd.charts.valuesFile(w.view, path.Join(dir, values.File), r) {
				return "the values file " + quote(values.File) + " is not in the tree"
			}
			continue
		}
		docs, problems := manifest.Parse([]byte(values.Text), w.argocd.store.opts.Manifest.Limits)
		if len(problems) > 0 {
			return "its values are no YAML"
		}
		for _, doc := range docs {
			at := app.object.Position(app.object.Root)
			r.values = r.values.Over(chart.Values{Root: everywhere(doc, loader.Mark{Line: uint32(at.Line), Column: uint32(at.Column)}), Files: []string{at.File}})
		}
	}
	return ""
}
