package release

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// Idle returns the charts of a tree that nothing installs, by folder. Charts inside other charts, in hidden folders and of which
// a deployer covers the files do not count. What a chart gives is found if it differs between the trees of the run.
func (c *Charts) Idle(v *tree.View, of []*tree.View, covers map[string]bool) map[string]loader.UninstalledChart {
	out := map[string]loader.UninstalledChart{}
	for _, dir := range v.Charts {
		file := path.Join(dir, "Chart.yaml")
		if covers[file] || v.InChart(file) || c.installed(v, dir) || tree.Dotted(file) {
			continue
		}
		name := path.Base(dir)
		if docs, err := c.store.Documents(v, file); err == nil && len(docs) == 1 && docs[0].Str("name") != "" {
			name = docs[0].Str("name")
		}
		out[dir] = loader.UninstalledChart{Name: name}
	}
	around := dependents(c, v)
	for dir, ch := range out {
		ch.Within = around(dir)
		out[dir] = ch
		if len(of) > 1 && !sameBelow(of, dir) {
			ch.Gives = gives(c, v, dir, ch.Name)
			out[dir] = ch
		}
	}
	return out
}

// dependents returns a function that names the charts of a tree that a chart in a folder is part of, because they, or charts that
// are part of them, have it as a dependency by its path (helm pkg/downloader/manager.go, resolve of file://).
func dependents(c *Charts, v *tree.View) func(dir string) []string {
	type parent struct{ dir, name string }
	by := map[string][]parent{}
	for _, dir := range v.Charts {
		docs, err := c.store.Documents(v, path.Join(dir, "Chart.yaml"))
		if err != nil || len(docs) != 1 {
			continue
		}
		for _, d := range docs[0].List("dependencies") {
			if at, local := strings.CutPrefix(d.Str("repository"), "file://"); local {
				at = path.Join(dir, at)
				by[at] = append(by[at], parent{dir, cmp.Or(docs[0].Str("name"), path.Base(dir))})
			}
		}
	}
	return func(dir string) []string {
		var out []string
		seen := map[string]bool{dir: true}
		for next := []string{dir}; len(next) > 0; next = next[1:] {
			for _, p := range by[next[0]] {
				if !seen[p.dir] {
					seen[p.dir] = true
					out, next = append(out, p.name), append(next, p.dir)
				}
			}
		}
		return out
	}
}

// sameBelow reports whether trees hold the same in the folder of a chart, which needs no chart from outside of it.
func sameBelow(trees []*tree.View, dir string) bool {
	files := trees[0].AllBelow(dir)
	for _, v := range trees {
		if bytes.Contains(v.Text(path.Join(dir, "Chart.yaml")), []byte("file://")) || !slices.Equal(v.AllBelow(dir), files) ||
			slices.ContainsFunc(files, func(file string) bool { return v.IDs[file] != trees[0].IDs[file] }) {
			return false
		}
	}
	return true
}

// gives returns the objects that matter of a chart with its own values, in a cluster that has the APIs that the chart asks for. It
// is nil for a chart that needs further values.
func gives(c *Charts, v *tree.View, dir, name string) (out []loader.Conditional) {
	done, why := c.store.Opts.Account.BeginBuild(fmt.Sprintf("the chart %s", deploy.Quote(dir)))
	if why != "" {
		return nil
	}
	defer done()
	ch, _, err := c.Local(v, dir, nil)
	if err != nil {
		return nil
	}
	in := asking{chart: ch, release: chart.Release{Name: name}}
	got := c.once(ch, in.release)
	for _, d := range got.Out.Documents {
		if c.decides(d) {
			out = append(out, conditional(d, ""))
		}
	}
	in.out = got.Out
	for _, a := range got.Out.Asks {
		if a.Function == "" && a.API != chart.KubernetesVersion && a.API != chart.EveryAPI {
			in.release.APIs = append(in.release.APIs, a.API)
		}
	}
	return append(out, in.otherwise(c)...)
}

// ChartNotes returns notes on the charts of a tree that nothing installs.
func ChartNotes(idle map[string]loader.UninstalledChart) []loader.Problem {
	var out []loader.Problem
	for _, dir := range slices.Sorted(maps.Keys(idle)) {
		out = append(out, loader.Problem{
			Severity: loader.Note, Code: "helm-chart-not-rendered", Position: loader.Position{File: path.Join(dir, "Chart.yaml")},
			Message: "nothing in the tree installs the Helm chart, so its templates are not rendered", Hint: "give its rendered output as a folder, or name the chart's folder under environments in .gwplan.yaml",
		})
	}
	return deploy.Summarised(out, "nothing in the tree installs %d Helm charts, so their templates are not rendered")
}

// ChartGaps returns a gap for each chart of a tree that nothing installs: it could produce any
// object.
func ChartGaps(idle map[string]loader.UninstalledChart) []loader.Gap {
	var out []loader.Gap
	for _, dir := range slices.Sorted(maps.Keys(idle)) {
		out = append(out, loader.Gap{
			Kind: "chart", Name: deploy.Clip(dir), Position: loader.Position{File: path.Join(dir, "Chart.yaml")}, Roots: []string{dir}, Otherwise: idle[dir].Gives,
		})
	}
	return out
}
