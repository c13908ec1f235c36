package tree

import (
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// rebuilt reports whether a change may alter the Companion documents that come from files which do not change: a change
// of how a kustomization edits what it lists, of a chart and its values, or of what a deployer does to both.
func (r rewired) rebuilt() bool {
	var changed []string
	for _, v := range []*View{r.before, r.after} {
		for _, file := range v.Files {
			if r.before.IDs[file] != r.after.IDs[file] {
				changed = append(changed, file)
			}
		}
	}
	if len(changed) == 0 {
		return false
	}
	edits, charts := map[string]bool{}, map[string]bool{}
	w := wantedBy(r.store, []*View{r.before, r.after})
	for _, v := range []*View{r.before, r.after} {
		r.editsOf(v, w, edits)
		for _, dir := range v.Charts {
			charts[dir] = true
		}
	}
	return slices.ContainsFunc(changed, func(file string) bool {
		return edits[file] || loader.IsKustomizationFile(file) && r.editsOtherwise(file, w) || ofChart(charts, file) || r.deploysOtherwise(file) || r.provides(file, w)
	})
}

// listings are the fields of a kustomization that edit no object that it lists. Images change neither labels nor ports, nor do
// generated ConfigMaps but for those that provide variables and values.
var listings = []string{
	"apiVersion", "kind", "metadata", "resources", "bases", "crds", "openapi", "sortOptions", "buildMetadata", "images", "configMapGenerator",
	"secretGenerator", "generatorOptions",
}

// editing returns the fields of a kustomization that edit objects, or generate the ConfigMaps that provide variables and values.
func editing(doc *loader.Value, w wanted) (out []loader.Field) {
	for _, f := range doc.Fields {
		if !slices.Contains(listings, f.Key) {
			out = append(out, f)
		}
	}
	for _, g := range doc.List("configMapGenerator") {
		if w[g.Str("name")] {
			out = append(out, loader.Field{Key: "configMapGenerator", Value: g})
		}
	}
	return out
}

// provides reports whether a file holds a ConfigMap that provides variables or values.
func (r rewired) provides(file string, w wanted) bool {
	if len(w) == 0 || !IsManifestFile(file) {
		return false
	}
	return slices.ContainsFunc([]*View{r.before, r.after}, func(v *View) bool {
		id := v.IDs[file]
		return id != "" && slices.ContainsFunc(r.store.File(id).Documents, func(d manifest.Document) bool { return IsConfigMap(d.Group, d.Kind) && w.has(d.Name) })
	})
}

// editsOtherwise reports whether a kustomization file differs in what it does to objects.
func (r rewired) editsOtherwise(file string, w wanted) bool {
	of := func(v *View) *loader.Value {
		out := &loader.Value{Shape: loader.Map}
		if id := v.IDs[file]; id != "" {
			for _, doc := range r.store.Parse(id).Docs {
				out.Fields = append(out.Fields, editing(doc, w)...)
			}
		}
		return out
	}
	return !loader.Equal(of(r.before), of(r.after))
}

// editsOf adds the files that the kustomizations of a view edit objects by, and those of the values of their charts.
func (r rewired) editsOf(v *View, w wanted, out map[string]bool) {
	for dir, files := range v.Kusts {
		for _, file := range files {
			for _, doc := range r.store.Parse(v.IDs[file]).Docs {
				for _, f := range editing(doc, w) {
					eachText(f.Value, func(text string) {
						if len(text) < maxReference && !strings.Contains(text, "\n") {
							out[path.Join(dir, text)] = true
						}
					})
				}
			}
		}
	}
}

// ofChart reports whether a file decides what a chart gives: a template, or values by the usual names.
func ofChart(charts map[string]bool, file string) bool {
	switch path.Ext(file) {
	case ".yaml", ".yml", ".tpl", ".json":
	default:
		return false
	}
	for dir := path.Dir(file); len(charts) > 0; dir = path.Dir(dir) {
		if charts[dir] {
			return true
		}
		if dir == "." {
			break
		}
	}
	return strings.Contains(strings.ToLower(path.Base(file)), "values")
}

// deploysOtherwise reports whether a deployer in a file does something else to what it applies than before.
func (r rewired) deploysOtherwise(file string) bool {
	was, is := r.deployers(r.before, file), r.deployers(r.after, file)
	for id, before := range was {
		if after := is[id]; after != nil && !loader.Equal(before, after) {
			return true
		}
	}
	return false
}

// deployers are the settings of the deployers in a file without those of which version they apply, and when.
func (r rewired) deployers(v *View, file string) map[loader.ID]*loader.Value {
	out := map[loader.ID]*loader.Value{}
	id := v.IDs[file]
	if id == "" || !IsManifestFile(file) {
		return out
	}
	for _, d := range r.store.File(id).Documents {
		switch d.Kind {
		case "HelmRelease", "Kustomization", "Application", "ApplicationSet", "HelmChart":
			out[loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}] = unversioned(d.Root.Get("spec"))
		}
	}
	return out
}

// versions are the keys under which a deployer says which version it applies, and when.
var versions = []string{
	"version", "targetRevision", "tag", "digest", "image", "repository", "interval", "timeout", "retryInterval", "dependsOn", "install", "upgrade", "rollback",
	"syncPolicy", "wait", "suspend", "maxHistory", "chart", "sourceRef", "path", "prune", "force", "healthChecks",
}

// unversioned is a value without the keys of versions.
func unversioned(v *loader.Value) *loader.Value {
	if v == nil || v.Shape != loader.Map && v.Shape != loader.List {
		return v
	}
	out := &loader.Value{Shape: v.Shape}
	for _, f := range v.Fields {
		if !slices.Contains(versions, f.Key) {
			out.Fields = append(out.Fields, loader.Field{Key: f.Key, Value: unversioned(f.Value)})
		}
	}
	for _, item := range v.Items {
		out.Items = append(out.Items, unversioned(item))
	}
	return out
}
