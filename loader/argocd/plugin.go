package argocd

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/argoplugin"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/tree"
)

// pluginOf returns the plugin that renders a source: the one that the source names, else the first
// by name whose discovery rules match the folder (argo-cd util/app/discovery/discovery.go,
// DetectConfigManagementPlugin). If no plugin is known, why is the reason, otherwise "".
func (so *sources) pluginOf(source *loader.Value, dir string) (d argoplugin.Definition, why string) {
	defined := so.argocd.settings(so.view).plugins
	if name := source.Str("plugin", "name"); name != "" {
		if d, ok := defined[name]; ok {
			return d, ""
		}
		if d, ok := argoplugin.WellKnown(name); ok {
			so.assume(name, d)
			return d, ""
		}
		return d, "the plugin " + deploy.Quote(name) + " is not defined in the tree"
	}
	if d, found := so.discovered(source, dir); found {
		return d, ""
	}
	return d, "no plugin defined in the tree matches the folder"
}

// assume adds a note that a plugin is known only by its name.
func (so *sources) assume(name string, d argoplugin.Definition) {
	note := fmt.Sprintf("the plugin %s of Argo CD is not defined in the tree: it is read as %s", deploy.Quote(name), deploy.Quote(d.Command[len(d.Command)-1]))
	if !slices.Contains(so.assumed, note) {
		so.assumed = append(so.assumed, note)
	}
}

// discovered returns the first plugin whose discovery rules match the files in the folder of a
// source.
func (so *sources) discovered(source *loader.Value, dir string) (argoplugin.Definition, bool) {
	defined := so.argocd.settings(so.view).plugins
	var files []string
	for _, name := range tree.Sorted(defined) {
		d := defined[name]
		if !d.Discovers {
			continue
		}
		if files == nil {
			for _, file := range so.view.AllBelow(dir) {
				rest, _ := tree.Relative(dir, file)
				files = append(files, rest)
			}
		}
		if takes, known := d.Takes(files, pluginVariables(source)); takes && known {
			return d, true
		}
	}
	return argoplugin.Definition{}, false
}

// pluginVariables are the ARGOCD_ENV_ variables that a source sets for its plugin. Variables
// without this prefix are unknown.
func pluginVariables(source *loader.Value) argoplugin.Variables {
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

// plugged reads a source that a plugin renders. It supports plugins that only build the folder and
// substitute placeholders with unknown values.
func (so *sources) plugged(app application, source *loader.Value, dir string, c *deploy.Cluster) ([]deploy.Unit, error) {
	at := source.Get("plugin")
	if at == nil {
		at = source.Get("path")
	}
	lose := func(why string) ([]deploy.Unit, error) {
		app.lose(c, at, deploy.Complain(
			"argocd-plugin", "is rendered by a plugin, which is not run: "+why, "give its rendered output as a folder",
		).About(app.spoken()), loader.Warning, dir)
		return nil, nil
	}
	d, why := so.pluginOf(source, dir)
	if why != "" {
		return lose(why)
	}
	b, err := d.Build(app.environment(source))
	if err != nil {
		return lose(err.Error())
	}
	built := path.Join(dir, b.Dir)
	if !loader.Within(".", built) || strings.HasPrefix(built, "..") || !so.view.Dirs[built] {
		return lose("it builds the folder " + deploy.Quote(built) + ", which is not in the tree")
	}
	switch b.Tool {
	case argoplugin.Kustomize:
		if len(so.view.Kusts[built]) == 0 {
			return lose("the folder " + deploy.Quote(built) + " contains no kustomization")
		}
		return []deploy.Unit{{Dir: built, Build: true, Overlay: &deploy.Overlay{File: app.object.First().File, Restricted: true}, Delivery: app.delivery(source)}}, nil
	case argoplugin.Helm:
		if so.view.IDs[path.Join(built, "Chart.yaml")] == "" {
			return lose("the folder " + deploy.Quote(built) + " contains no chart")
		}
		r := &deploy.Release{
			Name: cmp.Or(b.Name, "release-name"), Namespace: cmp.Or(b.Namespace, app.namespace()), Dir: built,
			ID: app.object.ID, At: app.object.Position(at), Crds: b.CRDs,
		}
		if why := so.pluginValues(app, dir, b, r); why != "" {
			return lose(why)
		}
		return []deploy.Unit{{Dir: built, Release: r}}, nil
	case argoplugin.Files:
		return so.directory(app, tree.MapOf("directory", tree.MapOf("recurse", &loader.Value{Shape: loader.Bool, Text: "true"})), built, c), nil
	}
	return lose("the output of the plugin is not known")
}

// pluginValues merges the values of a release. It returns an error text or "".
func (so *sources) pluginValues(app application, dir string, b argoplugin.Build, r *deploy.Release) string {
	for _, values := range b.Values {
		if values.File != "" {
			if !so.argocd.charts.ValuesFile(so.view, path.Join(dir, values.File), r) {
				return "the values file " + deploy.Quote(values.File) + " is not in the tree"
			}
			continue
		}
		docs, problems := manifest.Parse([]byte(values.Text), so.argocd.store.Opts.Manifest.Limits)
		if len(problems) > 0 {
			return "its values are not valid YAML"
		}
		for _, doc := range docs {
			at := app.object.Position(app.object.Root)
			r.Values = r.Values.Over(chart.Values{Root: deploy.Everywhere(doc, loader.Mark{Line: uint32(at.Line), Column: uint32(at.Column)}), Files: []string{at.File}})
		}
	}
	return ""
}
