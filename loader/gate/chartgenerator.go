package gate

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// chartGenerator renders the charts of the generators in a file, which are part of kustomize and are written like
// the charts of a kustomization. It returns false if the file has anything else.
func (g pluginVisit) chartGenerator(f *Folder, name string) bool {
	docs := g.store.Parse(g.view.IDs[name]).Docs
	if !inflatesCharts(docs) {
		return false
	}
	g.use(name, UseConfig)
	own := *f // its paths are relative to the kustomization, the lines are those of the file
	own.File = name
	chartVisit(g).helm(&own, &loader.Value{Shape: loader.List, Items: docs})
	f.inflated = own.inflated
	return true
}

// inflatesCharts reports whether documents only render charts (kustomize
// api/internal/builtins/HelmChartInflationGenerator.go).
func inflatesCharts(docs []*loader.Value) bool {
	return len(docs) > 0 && !slices.ContainsFunc(docs, func(doc *loader.Value) bool {
		return doc.Str("apiVersion") != "builtin" || doc.Str("kind") != "HelmChartInflationGenerator"
	})
}
