package chart_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/chart"
)

// TestSource: a document stands in the file that holds its template, whatever the charts are called: in an archive, in a folder
// of another name, in the folder of a dependency, and in the Chart.yaml that names a chart which is in no tree.
func TestSource(t *testing.T) {
	named := func(name, template, more string) []chart.File {
		return files("-- Chart.yaml --\n{apiVersion: v2, name: " + name + ", version: 1.0.0}\n" + settings("templates/"+template, "{}") + more)
	}
	read := func(list []chart.File) *chart.Chart {
		c, err := chart.Load(list)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	inner := chart.File{Name: "charts/inner.tgz", Data: packed(t, "inner", append(named("inner", "i.yaml", ""), chart.File{Name: "charts/least.tgz", Data: packed(t, "least", named("least", "l.yaml", ""))}))}
	shop := read(slices.Concat(files(`-- Chart.yaml --
apiVersion: v2
name: shop
version: 1.2.3
dependencies:
- {name: held, version: 1.0.0, alias: kept}
- {name: queue, version: 1.0.0, repository: 'file://../queue', alias: jobs}
- {name: queue, version: 1.0.0, repository: 'file://../queue'}
- {name: cached, version: 1.0.0, repository: 'https://charts.example'}
`+settings("templates/own.yaml", "{}")+strings.ReplaceAll("-- @Chart.yaml --\n{apiVersion: v2, name: held, version: 1.0.0}\n"+settings("@templates/h.yaml", "{}"), "@", "charts/folder/")), []chart.File{
		{Name: "charts/db-1.0.0.tgz", Data: packed(t, "db", db(""))},
	}))
	whole := shop.With(read(append(named("queue", "q.yaml", ""), inner)).With(read(named("below", "b.yaml", "")), "../below"), "../queue").With(read(named("cached", "c.yaml", "")), "")
	var got []string
	for _, d := range rendered(t, whole, released(chart.Values{})).Documents {
		got = append(got, d.Template+" "+whole.Source(d.Path))
	}
	want := []string{
		"charts/cached/templates/c.yaml Chart.yaml",
		"charts/db/templates/x.yaml charts/db-1.0.0.tgz",
		"charts/jobs/charts/below/templates/b.yaml ../below/templates/b.yaml",
		"charts/jobs/charts/inner/templates/i.yaml ../queue/charts/inner.tgz",
		"charts/jobs/templates/q.yaml ../queue/templates/q.yaml",
		"charts/kept/templates/h.yaml charts/folder/templates/h.yaml",
		"charts/queue/charts/below/templates/b.yaml ../below/templates/b.yaml",
		"charts/queue/charts/inner/charts/least/templates/l.yaml ../queue/charts/inner.tgz",
		"charts/queue/charts/inner/templates/i.yaml ../queue/charts/inner.tgz",
		"charts/queue/templates/q.yaml ../queue/templates/q.yaml",
		"templates/own.yaml templates/own.yaml",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
