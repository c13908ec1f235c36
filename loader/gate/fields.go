package gate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/internal/yamltext"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/tree"
)

// rule checks a field of a kustomization and returns the value that kustomize reads instead. Nil omits
// the field.
type rule func(*visit, *Folder, *loader.Value) *loader.Value

// FieldRule is the table of the fields of a kustomization (kustomize
// api/types/kustomization.go@v0.21.3). A nil rule means that the field contains no references. A test
// compares the table with the type.
func FieldRule(name string) (r rule, known bool) {
	switch name {
	case "resources", "bases", "components":
		return (*visit).entries, true
	case "crds", "configurations":
		return (*visit).dataFiles, true
	case "openapi":
		return (*visit).openAPI, true
	case "patches", "patchesJson6902":
		return func(g *visit, f *Folder, v *loader.Value) *loader.Value { return patching(g).patchEntries(f, v) }, true
	case "patchesStrategicMerge":
		return func(g *visit, f *Folder, v *loader.Value) *loader.Value { return patching(g).mergePatches(f, v) }, true
	case "replacements":
		return (*visit).replacements, true
	case "generators":
		return func(g *visit, f *Folder, v *loader.Value) *loader.Value {
			return pluginVisit{inlineVisit{g}}.generators(f, v)
		}, true
	case "transformers", "validators":
		return func(g *visit, f *Folder, v *loader.Value) *loader.Value {
			return pluginVisit{inlineVisit{g}}.plugins(f, v)
		}, true
	case "configMapGenerator":
		return func(g *visit, f *Folder, v *loader.Value) *loader.Value {
			return generatorVisit{g}.generatorEntries(f, v)
		}, true
	case "secretGenerator":
		return func(g *visit, f *Folder, v *loader.Value) *loader.Value { return generatorVisit{g}.secretEntries(f, v) }, true
	case "helmCharts", "helmChartInflationGenerator", "helmGlobals":
		return func(g *visit, f *Folder, v *loader.Value) *loader.Value { return chartVisit{inlineVisit{g}}.helm(f, v) }, true
	case "apiVersion", "kind", "metadata", "namePrefix", "nameSuffix", "namespace", "commonLabels",
		"labels", "commonAnnotations", "images", "imageTags", "replicas", "vars", "sortOptions",
		"generatorOptions", "buildMetadata":
		return nil, true
	}
	return nil, false
}

// filter returns a list with the items for which keep returns true.
func filter(v *loader.Value, keep func(*loader.Value) bool) *loader.Value {
	out := &loader.Value{Shape: loader.List}
	for _, item := range v.Items {
		if keep(item) {
			out.Items = append(out.Items, item)
		}
	}
	return out
}

// change replaces the items of a list.
func change(v *loader.Value, f func(*loader.Value) *loader.Value) *loader.Value {
	out := &loader.Value{Shape: loader.List}
	for _, item := range v.Items {
		out.Items = append(out.Items, f(item))
	}
	return out
}

// list refuses a value that must be a list and is not.
func (g *visit) list(f *Folder, v *loader.Value) bool {
	if v.Shape != loader.List {
		g.refuse(f.File, v, deploy.Complain(loader.KustomizeField, "the field of the kustomization is not a list", "write a list"))
		return false
	}
	return true
}

func (g *visit) entries(f *Folder, v *loader.Value) *loader.Value {
	if !g.list(f, v) {
		return nil
	}
	return filter(v, func(item *loader.Value) bool { return g.entry(f, item) })
}

func (g *visit) dataFiles(f *Folder, v *loader.Value) *loader.Value {
	if !g.list(f, v) {
		return nil
	}
	for _, item := range v.Items {
		g.settings(f, item)
	}
	return v
}

// settings approves a file of YAML that kustomize decodes as it is.
func (g *visit) settings(f *Folder, v *loader.Value) {
	name, ok := g.file(f, v, UseData)
	if !ok {
		return
	}
	if err := yamltext.Bounded(g.store.Raw[g.view.IDs[name]]); errors.Is(err, yamltext.ErrTooLong) {
		g.refuse(name, nil, deploy.Complain("limit-alias", err.Error(), "write the values out"))
	}
}

// file approves a required file. If the file is refused, so is the build.
func (g *visit) file(f *Folder, v *loader.Value, u Use) (name string, ok bool) {
	if v.Shape != loader.String {
		g.refuse(f.File, v, deploy.Complain(loader.KustomizeField, "the reference is not a text", "write a path"))
		return "", false
	}
	return g.fileNamed(f, v, v.Text, u)
}

func (g *visit) fileNamed(f *Folder, v *loader.Value, ref string, u Use) (string, bool) {
	if !tree.LocalReference(ref) {
		g.refuse(f.File, v, deploy.Complain(
			"kustomize-remote", fmt.Sprintf("%s is no plain path inside the tree, so the kustomization is not built", deploy.QuoteReference(ref)),
			"render it beforehand, or write ./ in front of a path that is meant as one",
		))
		return "", false
	}
	name, ok := tree.Target(f.Dir, ref)
	id, exists := g.view.IDs[name]
	switch {
	case !ok || !exists:
		g.refuse(f.File, v, deploy.Complain(loader.KustomizeMissing, fmt.Sprintf("the file %s is not in the tree, so the kustomization is not built", deploy.Quote(ref)), "correct the path"))
		return "", false
	case !g.approved.Unrestricted && !loader.Within(f.Dir, name):
		g.refuse(f.File, v, deploy.Complain(
			loader.KustomizeOutside, fmt.Sprintf("the file %s is outside the folder of its kustomization", deploy.Quote(ref)),
			"kustomize refuses this by default; move the file into the folder",
		))
		return "", false
	case g.store.Missing[id] != nil:
		g.problems([]loader.Problem{*g.store.Missing[id]}, name)
		g.approved.Refused = true
		return "", false
	}
	g.use(name, u)
	return name, true
}

func (g *visit) openAPI(f *Folder, v *loader.Value) *loader.Value {
	if at := v.Get("path"); at != nil {
		g.settings(f, at)
	}
	return v
}

// keys refuses a map with an unknown key. Kustomize ignores the case of keys, so it would follow a
// reference under a misspelt key that the gate has not checked.
func (g *visit) keys(f *Folder, v *loader.Value, known ...string) bool {
	if v.Shape != loader.Map {
		g.refuse(f.File, v, deploy.Complain(loader.KustomizeField, "the entry of the kustomization is not a map", ""))
		return false
	}
	for _, field := range v.Fields {
		if !slices.Contains(known, field.Key) {
			g.refuse(f.File, field.Value, deploy.Complain(loader.KustomizeField, fmt.Sprintf("the entry has no field %s", deploy.Quote(field.Key)), "correct its name; case matters here"))
			return false
		}
	}
	return true
}

// generatorVisit checks the sources of generated objects.
type generatorVisit struct{ *visit }

func (g generatorVisit) secretEntries(f *Folder, v *loader.Value) *loader.Value {
	return g.generated(f, v, func(*loader.Value) bool { return g.store.Relevance("", "Secret") != manifest.Irrelevant })
}

func (g generatorVisit) generatorEntries(f *Folder, v *loader.Value) *loader.Value {
	return g.generated(f, v, func(item *loader.Value) bool { return g.store.May("", "ConfigMap", item.Str("name")) })
}

// generated checks the generators of ConfigMaps or Secrets. matters reports whether the analysis uses
// the object of a generator.
func (g generatorVisit) generated(f *Folder, v *loader.Value, matters func(*loader.Value) bool) *loader.Value {
	if !g.list(f, v) {
		return nil
	}
	return change(v, func(item *loader.Value) *loader.Value {
		if !g.keys(f, item, "namespace", "name", "behavior", "literals", "files", "envs", "env", "options", "type") {
			return item
		}
		return g.sources(f, item, matters(item))
	})
}

// sources checks the files that a generator reads. An entry may have the form key=path
// (api/internal/generators, ParseFileSource). A remote file is omitted, because the other objects of
// the kustomization do not depend on it.
func (g generatorVisit) sources(f *Folder, v *loader.Value, matters bool) *loader.Value {
	out := *v
	out.Fields = slices.Clone(v.Fields)
	for i, field := range out.Fields {
		if field.Key != "files" && field.Key != "envs" || field.Value.IsNull() || field.Value.Shape != loader.List {
			continue
		}
		out.Fields[i].Value = filter(field.Value, func(item *loader.Value) bool {
			ref := item.Text
			if key, after, ok := strings.Cut(ref, "="); ok && key != "" && field.Key == "files" {
				ref = after
			}
			if item.Shape == loader.String && remoteFile(ref) {
				if matters {
					p := deploy.Complain(
						"kustomize-remote", fmt.Sprintf("%s is not fetched: the data of %s is not known in full", deploy.Quote(ref), deploy.Quote(v.Str("name"))),
						"put the file into the tree",
					).Problem(deploy.PositionOf(f.File, item))
					p.Severity = loader.Note // the object exists, whatever its content
					g.approved.Problems = append(g.approved.Problems, p)
				}
				return false
			}
			if item.Shape == loader.String {
				g.fileNamed(f, item, ref, UseData)
			} else {
				g.file(f, item, UseData)
			}
			return true
		})
	}
	if env := v.Get("env"); env != nil && !env.IsEmpty() {
		g.file(f, env, UseData)
	}
	return &out
}

// remoteFile reports whether kustomize would fetch a file (api/internal/loader/fileloader.go, Load).
func remoteFile(ref string) bool {
	return strings.HasPrefix(ref, "http://") || strings.HasPrefix(ref, "https://")
}

func (g *visit) replacements(f *Folder, v *loader.Value) *loader.Value {
	if !g.list(f, v) {
		return nil
	}
	g.inserts(f, v)
	for _, item := range v.Items {
		if !g.keys(f, item, "path", "source", "targets", "sourceValue") {
			continue
		}
		if at := item.Get("path"); at != nil && !at.IsEmpty() {
			g.settings(f, at)
		}
	}
	return v
}
