package argocd

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/internal/expression"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// sources reads the sources of Applications in one tree.
type sources struct {
	argocd *Reader
	view   *tree.View
	tree   argoTree
	// foreign are the reported sources of other repositories, by cluster.
	foreign map[string]bool
	// revisions are the revisions of this repository that sources use.
	revisions map[string]bool
	// assumed are the notes on plugins that are known only by name.
	assumed []string
	// problems are those without an environment.
	problems []loader.Problem
}

// units returns the units that one source of an Application deploys
// (reposerver/repository/repository.go, GenerateManifests).
func (so *sources) units(app application, source *loader.Value, c *deploy.Cluster) ([]deploy.Unit, error) {
	url, dir := source.Str("repoURL"), source.Str("path")
	chart := source.Str("chart") != "" || strings.HasPrefix(url, "oci://")
	switch {
	case chart:
		return so.remote(app, source, c)
	case dir == "" && (source.Get("ref") != nil || len(app.spec().List("sources")) > 0):
		return nil, nil // it only provides files for the other sources
	case !so.tree.Own(url):
		so.elsewhere(app, c, source)
		return nil, nil
	}
	if dir == "" { // util/argo/argo.go, validateSourcePermissions
		app.lose(c, source, deploy.Complain(
			loader.ArgoPathMissing, "the source of the Application "+deploy.Quote(app.object.ID.Name)+" has neither a path nor a chart, so Argo CD refuses the Application", "set the path",
		), loader.Warning)
		return nil, nil
	}
	so.revisions[cmp.Or(source.Str("targetRevision"), "HEAD")] = true
	dir = path.Clean(strings.TrimPrefix(dir, "/"))
	if !so.view.Dirs[dir] {
		app.lose(c, source.Get("path"), deploy.Complain(
			loader.ArgoPathMissing, "the folder "+deploy.Quote(dir)+" that the Application "+deploy.Quote(app.object.ID.Name)+" deploys is not in the tree",
			"correct the path of its source",
		), loader.Warning)
		return nil, nil
	}
	source = so.overridden(app, source, dir)
	c.Deploys = true
	if kinds := explicit(source); len(kinds) > 1 {
		app.lose(c, source.Get(kinds[1]), deploy.Complain(loader.ArgoTypes, "the source of the Application "+deploy.Quote(app.object.ID.Name)+" has options of "+strings.Join(kinds, " and ")+": Argo CD refuses it", "keep one of them"), loader.Warning, dir)
		return nil, nil
	}
	switch so.kind(source, dir) {
	case "kustomize":
		if len(so.view.Kusts[dir]) == 0 {
			app.lose(c, source.Get("kustomize"), deploy.Complain(loader.KustomizeMissing, "the folder "+deploy.Quote(dir)+" contains no kustomization", "add one, or remove the kustomize options"), loader.Warning, dir)
			return nil, nil
		}
		return []deploy.Unit{{Dir: dir, Build: true, Overlay: app.overlay(source), Delivery: app.delivery(source)}}, nil
	case "helm":
		return so.local(app, source, dir, c)
	case "plugin":
		return so.plugged(app, source, dir, c)
	}
	return so.directory(app, source, dir, c), nil
}

// overridden applies .argocd-source.yaml and .argocd-source-NAME.yaml. They can change all fields
// of a source except its location (repository.go, mergeSourceParameters).
func (so *sources) overridden(app application, source *loader.Value, dir string) *loader.Value {
	for _, name := range []string{".argocd-source.yaml", ".argocd-source-" + app.object.ID.Name + ".yaml"} {
		file := path.Join(dir, name)
		if _, ok := so.view.IDs[file]; !ok {
			continue
		}
		docs, err := so.argocd.store.Documents(so.view, file)
		if err != nil {
			so.problems = append(so.problems, deploy.Complain("argocd-source", "the overrides of the Application "+deploy.Quote(app.object.ID.Name)+" cannot be read: "+err.Error(), "correct the file").Problem(loader.Position{File: file}))
			continue
		}
		for _, doc := range docs {
			for _, f := range doc.FieldList() {
				if slices.Contains([]string{"chart", "path", "repoURL", "targetRevision"}, f.Key) {
					continue
				}
				source = tree.SetKey(source, f.Key, overlaid(source.Get(f.Key), f.Value, source.Mark))
			}
		}
	}
	return source
}

// overlaid applies a JSON merge patch (RFC 7396). Patched values get the position of the old value
// or else at, because a source has one file.
func overlaid(base, patch *loader.Value, at loader.Mark) *loader.Value {
	if base != nil && base.Mark.Line > 0 {
		at = base.Mark
	}
	if patch.Shape != loader.Map {
		return deploy.Everywhere(patch, at)
	}
	if base == nil || base.Shape != loader.Map {
		base = &loader.Value{Shape: loader.Map, Mark: at}
	}
	out := base
	for _, f := range patch.Fields {
		out = tree.SetKey(out, f.Key, overlaid(base.Get(f.Key), f.Value, at))
	}
	return out
}

// kind returns how a folder is rendered: by the type that the source has options for, else by the
// content of the folder, with plugins first. Options without content do not count
// (util/argo/argo.go, NormalizeSource; util/app/discovery/discovery.go, Discover).
func (so *sources) kind(source *loader.Value, dir string) string {
	if kinds := explicit(source); len(kinds) > 0 {
		return kinds[0]
	}
	if source.Get("plugin") != nil {
		return "plugin"
	}
	if _, found := so.discovered(source, dir); found {
		return "plugin"
	}
	_, chart := so.view.IDs[path.Join(dir, "Chart.yaml")]
	switch {
	case len(so.view.Kusts[dir]) > 0:
		return "kustomize"
	case chart:
		return "helm"
	}
	return "directory"
}

// explicit returns the types that a source has options for (types.go, ExplicitType).
func explicit(source *loader.Value) []string {
	return slices.DeleteFunc([]string{"kustomize", "helm", "plugin", "directory"}, func(kind string) bool { return !says(source.Get(kind)) })
}

// says reports whether options have any content. False, empty texts and lists, and maps that
// contain only these have none.
func says(v *loader.Value) bool {
	switch {
	case v.IsEmpty() || v.IsFalse():
		return false
	case v.Shape == loader.Map:
		return slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return says(f.Value) })
	}
	return true
}

// manifestFile matches the files that a directory deploys (repository.go, manifestFile).
var manifestFile = regexp.MustCompile(`^.*\.(yaml|yml|json|jsonnet)$`)

// directory deploys plain files. It reads a link to a file, and enters no link to a folder (repository.go, findManifests).
func (so *sources) directory(app application, source *loader.Value, dir string, c *deploy.Cluster) []deploy.Unit {
	options := source.Get("directory")
	recurse := options.Get("recurse").IsTrue()
	include, exclude := globOf(options.Str("include")), globOf(options.Str("exclude"))
	folder := loader.Control{ID: loader.ID{Kind: "Folder", Name: dir}, What: "Argo CD folder " + deploy.Clip(dir), At: loader.Position{File: dir}}
	var files []string
	for _, file := range so.view.AllBelow(dir) {
		if !manifestFile.MatchString(file) || !recurse && path.Dir(file) != dir || so.view.InChart(file) {
			continue
		}
		rel := strings.TrimPrefix(file, dir+"/")
		if exclude != nil && exclude.MatchString(rel) || include != nil && !include.MatchString(rel) {
			continue
		}
		if link := so.view.Links[file]; link != "" && link != file && loader.Within(dir, link) {
			continue
		}
		if so.argocd.store.Unrendered[so.view.IDs[file]] {
			continue // it contains +argocd:skip-file-rendering (repository.go, findManifests)
		}
		if path.Ext(file) == ".jsonnet" {
			app.lose(c, source, deploy.Complain("argocd-jsonnet", "the Application "+deploy.Quote(app.object.ID.Name)+" deploys "+deploy.Quote(file)+": Jsonnet is not evaluated", "give its output as a folder"), loader.Warning, path.Dir(file))
			continue
		}
		folder.Settings = append(folder.Settings, deploy.Stray(file, so.argocd.store.File(so.view.IDs[file]))...)
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil
	}
	c.Folders = append(c.Folders, folder)
	return []deploy.Unit{{Dir: dir, Files: files}}
}

// globOf translates a pattern of a directory source (util/glob/glob.go, Match): gobwas/glob without
// separators, where a star matches any text. It returns nil for an empty pattern. An invalid
// pattern matches nothing.
func globOf(pattern string) *regexp.Regexp {
	if pattern == "" {
		return nil
	}
	never := regexp.MustCompile(`[^\s\S]`)
	if len(pattern) > tree.MaxPattern {
		return never
	}
	var b strings.Builder
	b.WriteString(`^(?s:`)
	depth := 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '*':
			b.WriteString(".*")
		case c == '?':
			b.WriteByte('.')
		case c == '{':
			depth++
			b.WriteString("(?:")
		case c == '}' && depth > 0:
			depth--
			b.WriteByte(')')
		case c == ',' && depth > 0:
			b.WriteByte('|')
		case c == '[' && strings.IndexByte(pattern[i:], ']') > 1:
			end := i + strings.IndexByte(pattern[i:], ']')
			class := pattern[i+1 : end]
			if rest, not := strings.CutPrefix(class, "!"); not {
				class = "^" + rest
			}
			b.WriteString("[" + strings.ReplaceAll(class, `\`, `\\`) + "]")
			i = end
		case c == '\\' && i+1 < len(pattern):
			i++
			b.WriteString(regexp.QuoteMeta(string(pattern[i])))
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	b.WriteString(`)$`)
	re, err := expression.Compile(b.String())
	if err != nil {
		return never
	}
	return re
}

// elsewhere reports a source of another repository, once per cluster.
func (so *sources) elsewhere(app application, c *deploy.Cluster, source *loader.Value) {
	url := source.Str("repoURL")
	what := deploy.Complain("foreign-source", fmt.Sprintf("deploys from %s, which is not this repository", deploy.Quote(url)), "").About(app.spoken())
	if so.foreign[c.Name+" "+url] {
		c.Gap(app.gap(app.object.Position(source)))
		return
	}
	so.foreign[c.Name+" "+url] = true
	app.lose(c, source.Get("repoURL"), what, loader.Note)
}
