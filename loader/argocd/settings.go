package argocd

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/argoplugin"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/tree"
)

// settings are what a tree says of Argo CD itself, in argocd-cm, in the values of its chart or elsewhere.
type settings struct {
	// plugins are the plugins that it defines, by name.
	plugins map[string]argoplugin.Definition
	// ignored are the fields in which all Applications ignore differences.
	ignored []loader.LeftFields
}

// settings returns those of a tree.
func (s *Reader) settings(v *tree.View) *settings {
	if known := s.known[v]; known != nil {
		return known
	}
	out := &settings{plugins: map[string]argoplugin.Definition{}}
	s.known[v] = out
	parse := func(text string) []*loader.Value {
		docs, _ := manifest.Parse([]byte(text), s.store.Opts.Manifest.Limits)
		return docs
	}
	for _, file := range v.Manifests {
		data, ok := s.store.ArgoSettings[v.IDs[file]]
		if !ok {
			continue
		}
		for _, doc := range parse(string(data)) {
			for _, d := range argoplugin.Of(doc, parse) {
				if _, known := out.plugins[d.Name]; !known && d.Name != "" {
					out.plugins[d.Name] = d
				}
			}
			out.ignored = append(out.ignored, ignoredEverywhere(doc, parse)...)
		}
	}
	return out
}

// ignoredEverywhere returns the fields that the keys of argocd-cm name, wherever a document has them: each key ends in GROUP_KIND
// or in all (argo-cd util/settings/settings.go, GetResourceOverrides and appendResourceOverridesFromSplitKeys).
func ignoredEverywhere(v *loader.Value, parse func(string) []*loader.Value) []loader.LeftFields {
	var out []loader.LeftFields
	for _, f := range v.FieldList() {
		of, found := strings.CutPrefix(f.Key, tree.IgnoresDifferences)
		if !found || f.Value.Shape != loader.String {
			out = append(out, ignoredEverywhere(f.Value, parse)...)
			continue
		}
		group, kind, _ := strings.Cut(of, "_")
		if of == "all" {
			group, kind = "*", "*"
		}
		for _, text := range parse(f.Value.Text) {
			left := leftFields(text)
			if left.Group, left.Kind = group, kind; len(left.Paths) > 0 || of != "all" && len(text.List("jqPathExpressions")) > 0 {
				out = append(out, left)
			}
		}
	}
	for _, item := range v.ItemList() {
		out = append(out, ignoredEverywhere(item, parse)...)
	}
	return slices.Clip(out)
}
