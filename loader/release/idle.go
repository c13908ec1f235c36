package release

import (
	"path"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// ChartNotes returns notes on the charts of a tree that nothing installs.
func (c *Charts) ChartNotes(v *tree.View) []loader.Problem {
	var out []loader.Problem
	for _, dir := range v.Charts {
		if c.idle(v, dir) {
			out = append(out, loader.Problem{
				Severity: loader.Note, Code: "helm-chart-not-rendered", Position: loader.Position{File: path.Join(dir, "Chart.yaml")},
				Message: "nothing in the tree installs the Helm chart, so its templates are not rendered", Hint: "give its rendered output as a folder, or name the chart's folder under environments in .gwplan.yaml",
			})
		}
	}
	return deploy.Summarised(out, "nothing in the tree installs %d Helm charts, so their templates are not rendered")
}

// idle reports whether nothing installs a chart. Charts inside other charts and in hidden folders
// do not count.
func (c *Charts) idle(v *tree.View, dir string) bool {
	file := path.Join(dir, "Chart.yaml")
	return !v.InChart(file) && !c.installed(v, dir) && !tree.Dotted(file)
}

// ChartGaps returns a gap for each chart of a tree that nothing installs: it could produce any
// object.
func (c *Charts) ChartGaps(v *tree.View) []loader.Gap {
	var out []loader.Gap
	for _, dir := range v.Charts {
		if c.idle(v, dir) {
			out = append(out, loader.Gap{Kind: "chart", Name: deploy.Clip(dir), Position: loader.Position{File: path.Join(dir, "Chart.yaml")}, Roots: []string{dir}})
		}
	}
	return out
}

// Uninstalled returns the names of the charts of a tree that nothing installs, by folder. Charts of which
// a deployer covers the files do not count.
func (c *Charts) Uninstalled(v *tree.View, covers map[string]bool) map[string]string {
	out := map[string]string{}
	for _, dir := range v.Charts {
		file := path.Join(dir, "Chart.yaml")
		if covers[file] || !c.idle(v, dir) {
			continue
		}
		name := path.Base(dir)
		if docs, err := c.store.Documents(v, file); err == nil && len(docs) == 1 && docs[0].Str("name") != "" {
			name = docs[0].Str("name")
		}
		out[dir] = name
	}
	return out
}
