package render

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// units are what one source of an Application deploys
// (reposerver/repository/repository.go, GenerateManifests).
func (w *argoWalk) units(app application, source *loader.Value, c *cluster) ([]unit, error) {
	url, dir := source.Str("repoURL"), source.Str("path")
	chart := source.Str("chart") != "" || strings.HasPrefix(url, "oci://")
	switch {
	case chart:
		return w.remote(app, source, c)
	case dir == "" && (source.Get("ref") != nil || len(app.spec().List("sources")) > 0):
		return nil, nil // it only lends its files to the others
	case !w.tree.Own(url):
		w.elsewhere(app, c, source)
		return nil, nil
	}
	w.revisions[cmp.Or(source.Str("targetRevision"), "HEAD")] = true
	dir = path.Clean(strings.TrimPrefix(dir, "/"))
	if !w.view.dirs[dir] {
		w.lose(app, c, source.Get("path"), complain(
			"argocd-path-missing", "the folder "+quote(dir)+" that the Application "+quote(app.object.ID.Name)+" deploys is not in the tree",
			"correct the path of its source",
		), loader.Warning)
		return nil, nil
	}
	source = w.overridden(app, source, dir)
	c.deploys = true
	if kinds := explicit(source); len(kinds) > 1 {
		w.lose(app, c, source.Get(kinds[1]), complain("argocd-types", "the source of the Application "+quote(app.object.ID.Name)+" has options of "+strings.Join(kinds, " and ")+": Argo CD refuses it", "keep one of them"), loader.Warning, dir)
		return nil, nil
	}
	switch w.kind(source, dir) {
	case "kustomize":
		if len(w.view.kusts[dir]) == 0 {
			w.lose(app, c, source.Get("kustomize"), complain("kustomize-missing", "the folder "+quote(dir)+" holds no kustomization", "add one, or take the kustomize options out"), loader.Warning, dir)
			return nil, nil
		}
		return []unit{{dir: dir, build: true, overlay: app.overlay(source), delivery: app.delivery(source)}}, nil
	case "helm":
		return w.local(app, source, dir, c)
	case "plugin":
		return w.plugged(app, source, dir, c)
	}
	return w.directory(app, source, dir, c), nil
}

// overridden applies .argocd-source.yaml and .argocd-source-NAME.yaml, which
// change everything of a source but where it is (repository.go,
// mergeSourceParameters).
func (w *argoWalk) overridden(app application, source *loader.Value, dir string) *loader.Value {
	for _, name := range []string{".argocd-source.yaml", ".argocd-source-" + app.object.ID.Name + ".yaml"} {
		file := path.Join(dir, name)
		if _, ok := w.view.ids[file]; !ok {
			continue
		}
		docs, err := w.argocd.store.documents(w.view, file)
		if err != nil {
			w.problems = append(w.problems, complain("argocd-source", "the overrides of the Application "+quote(app.object.ID.Name)+" cannot be read: "+err.Error(), "correct the file").problem(loader.Position{File: file}))
			continue
		}
		for _, doc := range docs {
			for _, f := range doc.FieldList() {
				if slices.Contains([]string{"chart", "path", "repoURL", "targetRevision"}, f.Key) {
					continue
				}
				source = setKey(source, f.Key, overlaid(source.Get(f.Key), f.Value, source.Mark))
			}
		}
	}
	return source
}

// overlaid is a JSON merge patch (RFC 7396). Its values stand where the
// Application's did, or where at is: a source has one file.
func overlaid(base, patch *loader.Value, at loader.Mark) *loader.Value {
	if base != nil && base.Mark.Line > 0 {
		at = base.Mark
	}
	if patch.Shape != loader.Map {
		return everywhere(patch, at)
	}
	if base == nil || base.Shape != loader.Map {
		base = &loader.Value{Shape: loader.Map, Mark: at}
	}
	out := base
	for _, f := range patch.Fields {
		out = setKey(out, f.Key, overlaid(base.Get(f.Key), f.Value, at))
	}
	return out
}

// kind says how a folder is rendered: as the source says, else by what lies in
// it, a plugin first. Options without content say nothing (util/argo/argo.go,
// NormalizeSource; util/app/discovery/discovery.go, Discover).
func (w *argoWalk) kind(source *loader.Value, dir string) string {
	if kinds := explicit(source); len(kinds) > 0 {
		return kinds[0]
	}
	if source.Get("plugin") != nil {
		return "plugin"
	}
	if _, found := w.discovered(source, dir); found {
		return "plugin"
	}
	_, chart := w.view.ids[path.Join(dir, "Chart.yaml")]
	switch {
	case len(w.view.kusts[dir]) > 0:
		return "kustomize"
	case chart:
		return "helm"
	}
	return "directory"
}

// explicit are the types that a source has options for (types.go, ExplicitType).
func explicit(source *loader.Value) []string {
	return slices.DeleteFunc([]string{"kustomize", "helm", "plugin", "directory"}, func(kind string) bool { return !says(source.Get(kind)) })
}

// says says whether options have any content: false, empty texts and lists, and
// maps of such have none.
func says(v *loader.Value) bool {
	switch {
	case v.IsEmpty() || isFalse(v):
		return false
	case v.Shape == loader.Map:
		return slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return says(f.Value) })
	}
	return true
}

// manifestFile are the files that a directory deploys (repository.go,
// manifestFile).
var manifestFile = regexp.MustCompile(`^.*\.(yaml|yml|json|jsonnet)$`)

// directory deploys plain files.
func (w *argoWalk) directory(app application, source *loader.Value, dir string, c *cluster) []unit {
	options := source.Get("directory")
	recurse := isTrue(options.Get("recurse"))
	include, exclude := globOf(options.Str("include")), globOf(options.Str("exclude"))
	var files []string
	for _, file := range w.view.allBelow(dir) {
		if !manifestFile.MatchString(file) || !recurse && path.Dir(file) != dir || w.view.inChart(file) {
			continue
		}
		rel := strings.TrimPrefix(file, dir+"/")
		if exclude != nil && exclude.MatchString(rel) || include != nil && !include.MatchString(rel) {
			continue
		}
		if w.argocd.store.unrendered[w.view.ids[file]] {
			continue // it says +argocd:skip-file-rendering (repository.go, findManifests)
		}
		if path.Ext(file) == ".jsonnet" {
			w.lose(app, c, source, complain("argocd-jsonnet", "the Application "+quote(app.object.ID.Name)+" deploys "+quote(file)+": Jsonnet is not evaluated", "give its output as a folder"), loader.Warning, path.Dir(file))
			continue
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil
	}
	return []unit{{dir: dir, files: files}}
}

// globOf translates a pattern of a directory source (util/glob/glob.go, Match):
// gobwas/glob without separators, where a star is any text. Nil is none; one that
// is no pattern matches nothing.
func globOf(pattern string) *regexp.Regexp {
	if pattern == "" {
		return nil
	}
	never := regexp.MustCompile(`[^\s\S]`)
	if len(pattern) > maxPattern {
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
	re, err := regexp.Compile(b.String())
	if err != nil {
		return never
	}
	return re
}
