package gate

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/release"
	"github.com/gwplan/gwplan/loader/tree"
)

// chartVisit renders the charts of kustomizations.
type chartVisit struct{ inlineVisit }

// helm renders the charts of a kustomization that are available: vendored in the tree, or in the
// caller's own folder of charts. The objects of the others are unknown. Flux does not enable charts in
// kustomizations and refuses such a folder as a whole.
func (g chartVisit) helm(f *Folder, v *loader.Value) *loader.Value {
	for _, item := range v.Items {
		name := item.Str("name") + item.Str("chartName")
		if g.approved.overlay != nil && g.approved.Unrestricted {
			g.lackChart(f, item, name, deploy.Complain(loader.KustomizeBuild, fmt.Sprintf("Flux renders no Helm charts in kustomizations and refuses this folder for %s", deploy.Quote(name)), "use a HelmRelease"))
			continue
		}
		in, err := g.inflate(f, item)
		switch {
		case loader.IsLimit(err):
			g.lackChart(f, item, name, deploy.Beyond(fmt.Sprintf("the Helm chart %s of the kustomization is not rendered", deploy.Quote(name)), err.Error(), "make it smaller, or render it beforehand"))
		case err != nil:
			g.lackChart(f, item, name, deploy.Complain(loader.KustomizeBuild, fmt.Sprintf("the Helm chart %s of the kustomization: %v", deploy.Quote(name), err), "correct the chart or its values"))
		case in == nil && g.adapt(f, item):
		case in == nil:
			g.lackChart(f, item, name, notRendered(name))
		default:
			file := g.free(f.Dir)
			g.approved.Inflated[file] = *in
			f.inflated = append(f.inflated, file)
		}
	}
	return nil
}

func notRendered(name string) deploy.Complaint {
	return deploy.Complain(
		"kustomize-helm", fmt.Sprintf("the Helm chart %s of the kustomization is not rendered: what it would give is unknown", deploy.Quote(name)),
		"pull it into the folder of --helm-cache, or render it beforehand",
	)
}

func (g chartVisit) lackChart(f *Folder, item *loader.Value, name string, c deploy.Complaint) {
	at := deploy.PositionOf(f.File, item)
	g.problem(at, c)
	values := chart.Values{Root: item.Get("valuesInline")}
	if g.charts != nil {
		if all, err := g.chartValues(f, item); err == nil {
			values = all
		}
	}
	of, shaping := remoteChart(f, item, name), loader.Shaping(f.Value)
	g.approved.Gaps = append(g.approved.Gaps, loader.Gap{
		Kind: "chart", Name: deploy.Clip(name), Namespace: item.Str("namespace"), Position: at, Chart: of.RemoteChart, ChartAt: of.At, Values: deploy.Compared(values.Root), Options: deploy.Compared(shaping),
		Content: loader.Digest(loader.ID{Name: name}, &loader.Value{Shape: loader.List, Items: []*loader.Value{item, values.Root, shaping}}),
	})
}

// remoteChart is the chart of an entry.
func remoteChart(f *Folder, item *loader.Value, name string) deploy.RemoteChart {
	out := deploy.RemoteChart{RemoteChart: loader.RemoteChart{Repository: item.Str("repo"), Name: name, Version: item.Str("version")}}
	if v := item.Get("version"); v != nil {
		out.At = deploy.PositionOf(f.File, v)
	}
	return out
}

// inflate renders one entry (kustomize api/types/helmchartargs.go,
// api/internal/builtins/HelmChartInflationGenerator.go). It returns nil if the chart is not available.
func (g chartVisit) inflate(f *Folder, item *loader.Value) (*deploy.Inflated, error) {
	name := item.Str("name")
	if g.charts == nil || name == "" {
		return nil, nil
	}
	named, err := g.chart(f, item)
	if named.chart == nil {
		return nil, err
	}
	values, err := g.chartValues(f, item)
	if err != nil {
		return nil, err
	}
	rel := chart.Release{
		Name: cmp.Or(item.Str("releaseName"), "release-name"), Namespace: cmp.Or(item.Str("namespace"), deploy.DefaultNamespace),
		Values: values, CRDs: item.Get("includeCRDs").IsTrue(),
	}
	key := named.chart.Digest(rel)
	done, ok := g.charts.Inflated[key]
	if !ok {
		if done.Out, done.Err = g.charts.Renderer.Render(named.chart, rel); done.Err == nil {
			g.charts.Renderer.Place(named.chart, rel, &done.Out)
		}
		g.charts.Inflated[key] = done
	}
	if done.Err != nil {
		return nil, done.Err
	}
	for _, problem := range done.Out.Problems {
		g.lackChart(f, item, name, deploy.Complain(loader.HelmRender, fmt.Sprintf("what %s of the chart %s renders is not valid YAML: %s", deploy.Quote(problem.Template), deploy.Quote(name), problem.Message), "run helm template on it"))
	}
	for _, d := range named.chart.Missing {
		if !release.SwitchedOff(d, values) {
			at := deploy.PositionOf(f.File, item)
			g.problem(at, release.LackingChart(name, d))
			g.approved.Gaps = append(g.approved.Gaps, release.DependencyGap(d, rel.Namespace, at, values))
		}
	}
	// Values that come from no values file have a position in the first file: the template, or the
	// entry itself.
	in := &deploy.Inflated{Files: append([]string{f.File}, values.Files...), Covers: named.covers, Digest: key}
	named.place(in, done.Out.Documents, item)
	return in, nil
}

// namedChart is the chart that an entry names, with its folder if it is in the tree, and what it covers there.
type namedChart struct {
	chart  *chart.Chart
	dir    string
	covers []string
}

// chart finds the chart of an entry in the folder of charts, or else among those that are at hand.
func (g chartVisit) chart(f *Folder, item *loader.Value) (out namedChart, err error) {
	name, version := item.Str("name"), item.Str("version")
	home := cmp.Or(f.Value.Str("helmGlobals", "chartHome"), "charts")
	for _, below := range []string{path.Join(name+"-"+version, name), name} {
		at, ok := tree.Target(f.Dir, path.Join(home, below))
		if !ok || g.view.IDs[path.Join(at, "Chart.yaml")] == "" {
			continue
		}
		if out.chart, out.covers, err = g.charts.Local(g.view, at, nil); err != nil {
			return namedChart{}, err
		}
		out.dir = at
		g.charts.Note(g.view, at)
		break
	}
	if out.chart == nil {
		out.chart, err = g.charts.Find(name, version)
	}
	return out, err
}

// place adds documents that a chart renders, each at its template if that is in the tree, or else at the entry.
func (n namedChart) place(in *deploy.Inflated, documents []chart.Document, item *loader.Value) {
	templates := map[string]uint32{}
	for _, doc := range documents {
		mark := loader.Mark{Line: item.Mark.Line, Column: item.Mark.Column}
		if n.dir != "" {
			file := path.Join(n.dir, n.chart.Source(doc.Path))
			if _, ok := templates[file]; !ok {
				templates[file] = uint32(len(in.Files))
				in.Files = append(in.Files, file)
			}
			mark = loader.Mark{File: templates[file], Line: 1, Column: 1}
		}
		in.Docs = append(in.Docs, rooted(doc.Root, mark))
	}
}

// rooted sets the position of an object as a whole.
func rooted(v *loader.Value, mark loader.Mark) *loader.Value {
	out := *v
	out.Mark = mark
	return &out
}

// chartValues returns the values of an entry: those of its files, merged with the inline values, which
// have a higher or lower precedence.
func (g chartVisit) chartValues(f *Folder, item *loader.Value) (chart.Values, error) {
	var files []*loader.Value
	if v := item.Get("valuesFile"); !v.IsEmpty() {
		files = append(files, v)
	}
	files = append(files, item.List("additionalValuesFiles")...)
	own := chart.Values{Root: item.Get("valuesInline"), Files: []string{f.File}}
	if own.Root != nil && item.Str("valuesMerge") == "replace" {
		return own, nil
	}
	var out chart.Values
	if item.Str("valuesMerge") == "merge" {
		out = out.Over(own)
	}
	for _, file := range files {
		name, ok := tree.Target(f.Dir, file.Text)
		if !ok || g.view.IDs[name] == "" {
			return out, fmt.Errorf("the values file %s is not in the tree", deploy.Quote(file.Text))
		}
		docs, err := g.store.Documents(g.view, name)
		if err != nil {
			return out, err
		}
		for _, doc := range docs {
			out = out.Over(chart.Values{Root: doc, Files: []string{name}})
		}
	}
	if item.Str("valuesMerge") != "merge" {
		out = out.Over(own)
	}
	return out, nil
}

// adaptedChart contains the objects of a chart that were derived from its values. They are not part of
// the build, because patches for other objects of the chart would fail.
type adaptedChart struct {
	folder  *Folder
	release *deploy.Release
	objects []deploy.Object
}

// adapt derives the objects of an entry for app-template from its values. It returns false for any
// other chart or version.
func (g chartVisit) adapt(f *Folder, item *loader.Value) bool {
	if g.charts == nil {
		return false
	}
	values, err := g.chartValues(f, item)
	if err != nil {
		return false
	}
	r := &deploy.Release{
		Name: cmp.Or(item.Str("releaseName"), "release-name"), Namespace: cmp.Or(item.Str("namespace"), deploy.DefaultNamespace),
		ID: loader.ID{Kind: "chart"}, At: deploy.PositionOf(f.File, item), Values: values,
		Remote: remoteChart(f, item, item.Str("name")),
	}
	if !r.IsAppTemplate() {
		return false
	}
	got := g.charts.Adapted(r)
	if !got.Adapted && len(got.Problems) == 0 {
		return false
	}
	g.approved.Problems = append(g.approved.Problems, got.Problems...)
	g.approved.Gaps = append(g.approved.Gaps, got.Gaps...)
	g.approved.adapted = append(g.approved.adapted, adaptedChart{folder: f, release: r, objects: got.Objects})
	return true
}

// Beside returns the objects that were derived from values, in the namespace that the kustomizations
// set; the outermost kustomization with a namespace decides. If the build would rename or patch the
// objects, they are unknown.
func (p *Approved) Beside() release.Installed {
	var out release.Installed
	for _, a := range p.adapted {
		if p.renames(a.folder) || p.mayPatch(a) {
			out.Problems = append(out.Problems, notRendered(a.release.Remote.Name).Problem(a.release.At))
			out.Gaps = append(out.Gaps, a.release.Gap())
			continue
		}
		out.Number++
		var o *deploy.Overlay
		for _, f := range p.Folders {
			if ns := f.Value.Get("namespace"); o == nil && ns != nil && ns.Shape == loader.String && f.includes(a.folder) {
				o = &deploy.Overlay{Fields: []deploy.Located{{Key: "namespace", Value: ns, At: deploy.PositionOf(f.File, ns)}}}
			}
		}
		for _, d := range a.objects {
			out.Objects = append(out.Objects, deploy.Deployed(deploy.Deployed(d, o), p.overlay))
		}
	}
	return out
}

// renames reports whether the build changes the names of the objects in a folder.
func (p *Approved) renames(holder *Folder) bool {
	return p.overlay.Renames() || slices.ContainsFunc(p.Folders, func(f *Folder) bool {
		return f.Value.Str("namePrefix")+f.Value.Str("nameSuffix") != "" && f.includes(holder)
	})
}

// mayPatch reports whether a kustomization around an adapted chart has something that may change one of its objects.
func (p *Approved) mayPatch(a adaptedChart) bool {
	ofKind := func(kind string) bool {
		return slices.ContainsFunc(a.objects, func(o deploy.Object) bool { return kind == "" || kind == o.Kind })
	}
	return slices.ContainsFunc(p.Folders, func(f *Folder) bool {
		if !f.includes(a.folder) {
			return false
		}
		targeted := func(item *loader.Value) bool { return item.Get("target") != nil && ofKind(item.Str("target", "kind")) }
		merges := func(m mergePatch) bool {
			return slices.ContainsFunc(m.docs, func(doc *loader.Value) bool { return ofKind(doc.Str("kind")) })
		}
		replaces := func(item *loader.Value) bool {
			return item.Get("targets") == nil || slices.ContainsFunc(item.List("targets"), func(t *loader.Value) bool { return ofKind(t.Str("select", "kind")) })
		}
		return slices.ContainsFunc(f.Value.List("patches"), targeted) || slices.ContainsFunc(f.Value.List("patchesJson6902"), targeted) ||
			slices.ContainsFunc(f.merges, merges) || slices.ContainsFunc(f.Value.List("replacements"), replaces) || len(f.Value.List("transformers")) > 0
	})
}

// includes reports whether a folder is another one, or includes it.
func (f *Folder) includes(other *Folder) bool {
	if f == other {
		return true
	}
	for _, below := range f.below {
		if below.includes(other) {
			return true
		}
	}
	return false
}
