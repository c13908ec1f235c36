package render

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
)

// inflated are the objects of a chart that a kustomization lists: they become a
// file of the copy that kustomize sees.
type inflated struct {
	docs []*loader.Value
	// files are what the marks mean; the first is that of values without a place.
	files []string
	// covers are the files of the tree that it was made of, digest identifies it.
	covers []string
	digest [sha256.Size]byte
}

// helm renders the charts of a kustomization that are at hand, vendored beside it
// or in the caller's own folder. What the others would give is unknown. Flux
// enables no charts in kustomizations and refuses such a folder as a whole.
func (g *gate) helm(f *folder, v *loader.Value) *loader.Value {
	for _, item := range v.Items {
		name := item.Str("name") + item.Str("chartName")
		if g.plan.overlay != nil && g.plan.unrestricted {
			g.lackChart(f, item, name, complain("kustomize-helm", fmt.Sprintf("Flux renders no Helm charts in kustomizations and refuses this folder for %s", quote(name)), "use a HelmRelease"))
			continue
		}
		in, err := g.inflate(f, item)
		switch {
		case err != nil:
			g.lackChart(f, item, name, complain("kustomize-helm", fmt.Sprintf("the Helm chart %s of the kustomization: %v", quote(name), err), "correct the chart or its values"))
		case in == nil && g.adapt(f, item):
		case in == nil:
			g.lackChart(f, item, name, notRendered(name))
		default:
			file := g.free(f.dir)
			g.plan.inflated[file] = *in
			f.inflated = append(f.inflated, file)
		}
	}
	return nil
}

func notRendered(name string) complaint {
	return complain(
		"kustomize-helm", fmt.Sprintf("the Helm chart %s of the kustomization is not rendered: what it would give is unknown", quote(name)),
		"pull it into the folder of --helm-cache, or render it beforehand",
	)
}

func (g *gate) lackChart(f *folder, item *loader.Value, name string, c complaint) {
	at := place(f.file, item)
	g.problem(at, c)
	values := chart.Values{Root: item.Get("valuesInline")}
	if g.charts != nil {
		if all, err := g.chartValues(f, item); err == nil {
			values = all
		}
	}
	of := remoteChart{repository: item.Str("repo"), name: name, version: item.Str("version")}
	g.plan.gaps = append(g.plan.gaps, loader.Gap{
		Kind: "chart", Name: clip(name), Namespace: item.Str("namespace"), Position: at, Chart: of.repository + " " + of.String(), Values: compared(values.Root),
		Content: loader.Digest(loader.ID{Name: name}, &loader.Value{Shape: loader.List, Items: []*loader.Value{item, values.Root}}),
	})
}

// inflate renders one entry (kustomize api/types/helmchartargs.go,
// api/internal/builtins/HelmChartInflationGenerator.go); nil means that the chart
// is not at hand.
func (g *gate) inflate(f *folder, item *loader.Value) (*inflated, error) {
	name, version := item.Str("name"), item.Str("version")
	if g.charts == nil || name == "" {
		return nil, nil
	}
	home := cmp.Or(f.value.Str("helmGlobals", "chartHome"), "charts")
	var ch *chart.Chart
	var covers []string
	dir := ""
	for _, below := range []string{path.Join(name+"-"+version, name), name} {
		at, ok := target(f.dir, path.Join(home, below))
		if !ok || g.view.ids[path.Join(at, "Chart.yaml")] == "" {
			continue
		}
		var err error
		if ch, covers, err = g.charts.local(g.view, at, nil); err != nil {
			return nil, err
		}
		dir = at
		g.charts.note(g.view, at)
		break
	}
	if ch == nil {
		var err error
		if ch, err = g.charts.find(name, version); ch == nil {
			return nil, err
		}
	}
	values, err := g.chartValues(f, item)
	if err != nil {
		return nil, err
	}
	rel := chart.Release{
		Name: cmp.Or(item.Str("releaseName"), "release-name"), Namespace: cmp.Or(item.Str("namespace"), defaultNamespace),
		Values: values, CRDs: isTrue(item.Get("includeCRDs")),
	}
	key := ch.Digest(rel)
	done, ok := g.charts.inflated[key]
	if !ok {
		if done.out, done.err = g.charts.renderer.Render(ch, rel); done.err == nil {
			g.charts.renderer.Place(ch, rel, &done.out)
		}
		g.charts.inflated[key] = done
	}
	if done.err != nil {
		return nil, done.err
	}
	out := done.out
	for _, problem := range out.Problems {
		g.lackChart(f, item, name, complain("helm-render", fmt.Sprintf("what %s of the chart %s renders is no YAML: %s", quote(problem.Template), quote(name), problem.Message), "run helm template on it"))
	}
	for _, d := range ch.Missing {
		if !switchedOff(d, values) {
			at := place(f.file, item)
			g.problem(at, lackingChart(name, d))
			g.plan.gaps = append(g.plan.gaps, dependencyGap(d, rel.Namespace, at, values))
		}
	}
	// The first file is for what no value set: the template, or the entry itself.
	in := &inflated{files: append([]string{f.file}, values.Files...), covers: covers, digest: key}
	templates := map[string]uint32{}
	for _, doc := range out.Documents {
		mark := loader.Mark{Line: item.Mark.Line, Column: item.Mark.Column}
		if dir != "" {
			file := path.Join(dir, doc.Template)
			if _, ok := templates[file]; !ok {
				templates[file] = uint32(len(in.files))
				in.files = append(in.files, file)
			}
			mark = loader.Mark{File: templates[file], Line: 1, Column: 1}
		}
		in.docs = append(in.docs, rooted(doc.Root, mark))
	}
	return in, nil
}

// rooted gives an object as a whole a place.
func rooted(v *loader.Value, mark loader.Mark) *loader.Value {
	out := *v
	out.Mark = mark
	return &out
}

// chartValues are those of an entry: its files, with what stands in the entry
// over or under them.
func (g *gate) chartValues(f *folder, item *loader.Value) (chart.Values, error) {
	var files []*loader.Value
	if v := item.Get("valuesFile"); !v.IsEmpty() {
		files = append(files, v)
	}
	files = append(files, item.List("additionalValuesFiles")...)
	own := chart.Values{Root: item.Get("valuesInline"), Files: []string{f.file}}
	if own.Root != nil && item.Str("valuesMerge") == "replace" {
		return own, nil
	}
	var out chart.Values
	if item.Str("valuesMerge") == "merge" {
		out = out.Over(own)
	}
	for _, file := range files {
		name, ok := target(f.dir, file.Text)
		if !ok || g.view.ids[name] == "" {
			return out, fmt.Errorf("the values file %s is not in the tree", quote(file.Text))
		}
		docs, err := g.store.documents(g.view, name)
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

// inChart turns the places of an inflated chart into those of the build.
func (t *trace) inChart(in inflated) placing {
	return func(m loader.Mark) loader.Mark {
		if m.Line == 0 || int(m.File) >= len(in.files) {
			return loader.Mark{}
		}
		m.File = t.file(in.files[m.File])
		return m
	}
}

// adaptedChart are the objects of a chart that was read from its values. They
// stand beside the build: patches for what else the chart would give would find
// nothing there.
type adaptedChart struct {
	folder  *folder
	release *release
	objects []declared
}

// adapt reads an entry for app-template from its values, and answers false for
// any other chart or version.
func (g *gate) adapt(f *folder, item *loader.Value) bool {
	if g.charts == nil {
		return false
	}
	values, err := g.chartValues(f, item)
	if err != nil {
		return false
	}
	r := &release{
		name: cmp.Or(item.Str("releaseName"), "release-name"), namespace: cmp.Or(item.Str("namespace"), defaultNamespace),
		id: loader.ID{Kind: "chart"}, at: place(f.file, item), values: values,
		remote: remoteChart{repository: item.Str("repo"), name: item.Str("name"), version: item.Str("version")},
	}
	if !r.isAppTemplate() {
		return false
	}
	got := g.charts.adapted(r)
	if !got.adapted && len(got.problems) == 0 {
		return false
	}
	g.plan.problems = append(g.plan.problems, got.problems...)
	g.plan.gaps = append(g.plan.gaps, got.gaps...)
	g.plan.adapted = append(g.plan.adapted, adaptedChart{folder: f, release: r, objects: got.objects})
	return true
}

// beside are the objects that stand beside a build, in the namespace that its
// kustomizations give them: the outermost one that names one decides. Where the
// build would rename them, and what refers to them, they are unknown.
func (p *plan) beside() installed {
	var out installed
	for _, a := range p.adapted {
		if p.renames(a.folder) {
			out.problems = append(out.problems, notRendered(a.release.remote.name).problem(a.release.at))
			out.gaps = append(out.gaps, a.release.gap())
			continue
		}
		out.number++
		var o *overlay
		for _, f := range p.folders {
			if ns := f.value.Get("namespace"); o == nil && ns != nil && ns.Shape == loader.String && f.includes(a.folder) {
				o = &overlay{fields: []placed{{key: "namespace", value: ns, at: place(f.file, ns)}}}
			}
		}
		for _, d := range a.objects {
			out.objects = append(out.objects, deployed(deployed(d, o), p.overlay))
		}
	}
	return out
}

// renames says whether the build gives other names to what a folder holds.
func (p *plan) renames(holder *folder) bool {
	return p.overlay.renames() || slices.ContainsFunc(p.folders, func(f *folder) bool {
		return f.value.Str("namePrefix")+f.value.Str("nameSuffix") != "" && f.includes(holder)
	})
}

func (o *overlay) renames() bool {
	return o != nil && slices.ContainsFunc(o.fields, func(field placed) bool {
		return field.key == "namePrefix" || field.key == "nameSuffix"
	})
}

// includes says whether a folder is another or takes it in.
func (f *folder) includes(other *folder) bool {
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
