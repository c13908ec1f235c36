package render

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
)

// release is a chart that a deployer installs.
type release struct {
	name, namespace string
	// id and at are the object that says so.
	id loader.ID
	at loader.Position
	// dir is the chart's folder in the tree; where it is empty the chart is
	// remote.
	dir    string
	remote remoteChart
	values chart.Values
	// bare says that the values replace those of the chart itself.
	bare bool
	crds bool
	// unknown says what about its values is not known.
	unknown []string
	// inputs are further places that what it renders comes from.
	inputs []loader.Position
}

// remoteChart is a chart that is not in the tree.
type remoteChart struct{ repository, name, version string }

func (c remoteChart) String() string {
	if c.version == "" {
		return c.name
	}
	return c.name + " " + c.version
}

// content identifies what is known of what a release is made of.
func (r *release) content() [16]byte {
	return loader.Digest(loader.ID{Group: r.dir, Kind: r.remote.repository, Namespace: r.namespace, Name: r.name + " " + r.remote.String()}, r.values.Root)
}

// gap stands for what a release would give where that is not known.
func (r *release) gap() loader.Gap {
	g := loader.Gap{Kind: cmp.Or(r.id.Kind, "chart"), Name: clip(r.name), Namespace: r.namespace, By: r.id, Position: r.at, Content: r.content(), Values: compared(r.values.Root)}
	if r.dir != "" {
		g.Roots = []string{r.dir}
	} else {
		g.Chart = r.remote.repository + " " + r.remote.String()
	}
	return g
}

// compared is what a gap keeps of values: enough to tell what differs, and none of their
// texts, which the cache is not to hold.
func compared(v *loader.Value) *loader.Value {
	if v == nil {
		return nil
	}
	return v.Copy(func(v *loader.Value) {
		if v.Shape == loader.String {
			digest := sha256.Sum256([]byte(v.Text))
			v.Text = hex.EncodeToString(digest[:8])
		}
	})
}

// installed is what a release gives.
type installed struct {
	objects  []declared
	problems []loader.Problem
	gaps     []loader.Gap
	// covers are the files of the tree that it was made of.
	covers []string
	// adapted says that the chart was not rendered but read from its values,
	// number how many were.
	adapted bool
	number  int
	// releases are those that were read in full.
	releases []loader.Release
	// known says that the chart is, whole that nothing of what it gives is
	// missing.
	known, whole bool
}

// charts renders releases, once for equal charts and values.
type charts struct {
	store *store
	// folder is the caller's own folder of charts, or nil.
	folder   *chart.Directory
	renderer *chart.Renderer
	// loaded are the charts of trees, by the ids of their files; those of one tree by folder.
	loaded map[string]loadedChart
	byTree map[chartAt]loadedChart
	// installs are the charts of trees that something installs.
	installs map[chartAt]bool
	memo     map[[sha256.Size]byte]rendering
	// inflated are the same for charts in kustomizations, which need every object:
	// patches may be for any.
	inflated map[[sha256.Size]byte]rendering
}

type loadedChart struct {
	chart *chart.Chart
	// files are those of the tree that it was made of.
	files []string
	err   error
}

type rendering struct {
	out chart.Output
	err error
}

// chartAt is a chart in a folder of a tree.
type chartAt struct {
	view *view
	dir  string
}

func newCharts(st *store, folder *chart.Directory) *charts {
	return &charts{
		store: st, folder: folder, renderer: chart.NewRenderer(st.opts.Manifest.Limits), loaded: map[string]loadedChart{}, byTree: map[chartAt]loadedChart{},
		installs: map[chartAt]bool{}, memo: map[[sha256.Size]byte]rendering{}, inflated: map[[sha256.Size]byte]rendering{},
	}
}

// installed says whether something installs a chart of a tree.
func (c *charts) installed(v *view, dir string) bool { return c.installs[chartAt{view: v, dir: dir}] }

// note notes that something installs a chart of a tree, forget that nothing does.
func (c *charts) note(v *view, dir string) { c.installs[chartAt{view: v, dir: dir}] = true }

func (c *charts) forget(v *view, dir string) { delete(c.installs, chartAt{view: v, dir: dir}) }

// find is a chart in the caller's own folder, or nil.
func (c *charts) find(name, version string) (*chart.Chart, error) {
	return c.folder.Find(name, version)
}

// install renders a release.
func (c *charts) install(v *view, r *release) installed {
	gap := func(problems ...loader.Problem) installed {
		return installed{problems: problems, gaps: []loader.Gap{r.gap()}}
	}
	if r.dir == "" {
		return c.remote(r, gap)
	}
	ch, files, err := c.local(v, r.dir, nil)
	if err != nil {
		return gap(complain("helm-chart", fmt.Sprintf("the chart %s of %s: %v", quote(r.dir), quote(r.name), err), "correct the chart").problem(r.at))
	}
	c.note(v, r.dir)
	out := c.rendered(ch, r, r.dir)
	out.covers = files
	if len(out.objects) > 0 {
		inputs := slices.Clip(slices.Concat(out.objects[0].inputs, whole(r.values.Files, files)))
		for i := range out.objects {
			out.objects[i].inputs = inputs
		}
	}
	values := r.values
	if docs, err := c.store.documents(v, path.Join(r.dir, "values.yaml")); err == nil && len(docs) == 1 && !r.bare {
		values = chart.Values{}.Over(chart.Values{Root: docs[0]}).Over(values)
	}
	out.lacking(ch, r, values)
	return out
}

// lacking says which charts a chart needs and does not bring.
func (out *installed) lacking(ch *chart.Chart, r *release, values chart.Values) {
	for _, d := range ch.Missing {
		if switchedOff(d, values) {
			continue
		}
		out.whole = false
		for i := range out.problems {
			if out.problems[i].Code == "helm-render" {
				// With the chart that is lacking it may well be rendered.
				out.problems[i].Code = "helm-dependency"
			}
		}
		at := r.at
		if r.dir != "" {
			at = loader.Position{File: path.Join(r.dir, "Chart.yaml")}
		}
		p := lackingChart(cmp.Or(r.dir, ch.Name), d).problem(at)
		p.Severity = loader.Note
		out.problems = append(out.problems, p)
		out.gaps = append(out.gaps, dependencyGap(d, r.namespace, r.at, values))
	}
}

// dependencyGap stands for what a dependency would give: of the values it gets those under its
// name and the global ones.
func dependencyGap(d chart.Dependency, namespace string, at loader.Position, values chart.Values) loader.Gap {
	own := &loader.Value{Shape: loader.Map}
	for _, key := range []string{cmp.Or(d.Alias, d.Name), "global"} {
		if v := values.Root.Get(key); v != nil {
			own.Fields = append(own.Fields, loader.Field{Key: key, Value: v})
		}
	}
	of := remoteChart{repository: d.Repository, name: d.Name, version: d.Version}
	return loader.Gap{
		Kind: "chart", Name: clip(d.Name), Namespace: namespace, Position: at, Values: compared(own), Chart: of.repository + " " + of.String(),
		Content: loader.Digest(loader.ID{Kind: of.repository, Namespace: namespace, Name: of.String()}, own),
	}
}

func lackingChart(name string, d chart.Dependency) complaint {
	return complain(
		"helm-dependency", fmt.Sprintf("the chart %s needs the chart %s, which is not in the tree: what it would render is unknown", quote(name), quote(d.Name)),
		"vendor it into charts/, or pull it into the folder of --helm-cache",
	)
}

// whole are files as places: any line of them may have a say.
func whole(lists ...[]string) []loader.Position {
	var out []loader.Position
	for _, list := range lists {
		for _, file := range list {
			out = append(out, loader.Position{File: file})
		}
	}
	return out
}

// switchedOff says that the condition of a dependency is false in the values.
func switchedOff(d chart.Dependency, values chart.Values) bool {
	for condition := range strings.SplitSeq(d.Condition, ",") {
		if v := values.Root.Get(strings.Split(strings.TrimSpace(condition), ".")...); v != nil && v.Shape == loader.Bool {
			return v.Text == "false"
		}
	}
	return false
}

// remote renders a chart that is not in the tree: from the caller's own folder of
// charts, else by what is known of it, else not at all.
func (c *charts) remote(r *release, gap func(...loader.Problem) installed) installed {
	ch, err := c.find(r.remote.name, r.remote.version)
	switch {
	case err != nil:
		return gap(complain("helm-chart", fmt.Sprintf("%v", err), "pull it anew").problem(r.at))
	case ch != nil:
		out := c.rendered(ch, r, "")
		out.lacking(ch, r, r.values)
		return out
	case r.isAppTemplate():
		return c.adapted(r)
	}
	return gap()
}

// isAppTemplate knows the chart by its name and its publisher, or by the shape of
// the values where it comes from a mirror.
func (r *release) isAppTemplate() bool {
	return r.remote.name == "app-template" && (strings.Contains(r.remote.repository, "bjw-s") || nested(r.values.Root.Get("controllers")))
}

// adapted reads the values of app-template.
func (c *charts) adapted(r *release) installed {
	out, whole := chart.AppTemplate(r.remote.version, chart.Release{Name: r.name, Namespace: r.namespace, Values: r.values})
	got := c.objects(out, r, "")
	got.adapted, got.whole = whole || len(out.Documents) > 0, whole && len(r.unknown) == 0
	for _, p := range out.Problems {
		problem := complain("app-template", p.Message, "correct the values; the chart would refuse them").problem(r.at)
		got.problems = append(got.problems, problem)
	}
	for _, u := range chart.AppTemplateUnread(r.values) {
		c := complain("app-template-key", fmt.Sprintf("app-template does not read %s of the values of %s: it changes nothing", quote(u.Key), quote(r.name)), "take it out")
		if u.Meant != "" {
			c.hint = fmt.Sprintf("rename it if %q is meant", u.Meant)
		}
		problem := c.problem((&loader.Object{Files: r.values.Files}).Position(u.Value))
		problem.Severity = loader.Note
		got.problems = append(got.problems, problem)
	}
	if !got.whole {
		got.gaps = append(got.gaps, r.gap())
	}
	return got
}

// rendered runs the templates of a chart.
func (c *charts) rendered(ch *chart.Chart, r *release, dir string) installed {
	if r.bare {
		ch = ch.Bare()
	}
	rel := chart.Release{Name: r.name, Namespace: r.namespace, Values: r.values, CRDs: r.crds}
	key := ch.Digest(rel)
	done, ok := c.memo[key]
	if !ok {
		done = c.run(ch, rel, key)
		c.memo[key] = done
	}
	if done.err != nil {
		p := complain("helm-render", fmt.Sprintf("the chart of %s cannot be rendered: %v", quote(r.name), done.err), "run helm template on it to see the whole error").problem(r.at)
		return installed{problems: []loader.Problem{p}, gaps: []loader.Gap{r.gap()}}
	}
	got := c.objects(done.out, r, dir)
	got.whole = len(r.unknown) == 0 && len(done.out.Problems) == 0
	for _, p := range done.out.Problems {
		at := loader.Position{File: path.Join(dir, p.Template)}
		if dir == "" {
			at = r.at
		}
		got.problems = append(got.problems, complain("helm-render", fmt.Sprintf("what %s renders for %s is no YAML: %s", quote(p.Template), quote(r.name), p.Message), "run helm template on it").problem(at))
		got.gaps = append(got.gaps, loader.Gap{Name: clip(p.Template), Namespace: r.namespace, Position: r.at})
	}
	if done.out.Lookups {
		p := complain("helm-lookup", fmt.Sprintf("templates of the chart of %s look objects up in the cluster; they are answered with nothing", quote(r.name)), "").problem(r.at)
		p.Severity = loader.Note
		got.problems = append(got.problems, p)
	}
	return got
}

// run renders a chart, unless an earlier run has done so. Errors are not kept.
func (c *charts) run(ch *chart.Chart, rel chart.Release, key [sha256.Size]byte) (done rendering) {
	if data, ok := c.store.opts.Cache.Get(c.store.cacheKey("chart", key)); ok {
		if out, err := decodeChart(data); err == nil {
			return rendering{out: out}
		}
	}
	done.out, done.err = c.renderer.Render(ch, rel)
	if done.err != nil {
		return done
	}
	if slices.ContainsFunc(done.out.Documents, c.matters) {
		c.renderer.Place(ch, rel, &done.out)
	}
	done.out.Documents = slices.DeleteFunc(done.out.Documents, func(d chart.Document) bool { return !c.matters(d) })
	c.store.opts.Cache.Put(c.store.cacheKey("chart", key), encodeChart(done.out))
	return done
}

func (c *charts) matters(d chart.Document) bool {
	group, _ := splitVersion(d.Root.Str("apiVersion"))
	return c.store.matters(group, d.Root.Str("kind"), d.Root)
}

// objects are those of an output that matter. One of a chart in the tree is
// declared by its template; of one that is not, by the object that installs it.
func (c *charts) objects(out chart.Output, r *release, dir string) installed {
	got := installed{known: true, whole: true}
	inputs := slices.Clip(slices.Concat([]loader.Position{r.at}, r.inputs))
	files := map[string][]string{}
	for _, doc := range out.Documents {
		if !c.matters(doc) {
			continue
		}
		first := path.Join(dir, doc.Template)
		if dir == "" {
			first = r.at.File
		}
		if files[first] == nil {
			files[first] = slices.Clip(slices.Concat([]string{first}, r.values.Files))
		}
		d := declared{root: doc.Root, files: files[first], inputs: inputs}
		d.identify()
		if dir == "" && d.root.Mark.Line == 0 {
			root := *d.root
			root.Mark = loader.Mark{Line: uint32(r.at.Line), Column: uint32(r.at.Column)}
			d.root = &root
		}
		if d.namespace == "" {
			d.namespace = r.namespace
		}
		got.objects = append(got.objects, d)
	}
	return got
}

// maxChartFiles bounds a chart with what it takes from beside it.
const maxChartFiles = 20_000

// local loads a chart of the tree, with the charts that it takes from beside it.
func (c *charts) local(v *view, dir string, open []string) (*chart.Chart, []string, error) {
	if slices.Contains(open, dir) || len(open) > maxDepth {
		return nil, nil, fmt.Errorf("the charts need each other")
	}
	if got, ok := c.byTree[chartAt{view: v, dir: dir}]; ok {
		return got.chart, got.files, got.err
	}
	var got loadedChart
	got.chart, got.files, got.err = c.assemble(v, dir, open)
	c.byTree[chartAt{view: v, dir: dir}] = got
	return got.chart, got.files, got.err
}

func (c *charts) assemble(v *view, dir string, open []string) (*chart.Chart, []string, error) {
	names := slices.Clone(v.allBelow(dir))
	parts := []string{dir}
	for _, name := range names {
		parts = append(parts, name, v.ids[name])
	}
	key := strings.Join(parts, "\x00")
	got, ok := c.loaded[key]
	if !ok {
		got.chart, got.err = c.load(v, dir, names)
		c.loaded[key] = got
	}
	if got.err != nil {
		return nil, nil, got.err
	}
	ch := got.chart
	for _, d := range ch.Missing {
		sub, files, err := c.dependency(v, dir, d, open)
		if err != nil {
			return nil, nil, err
		}
		if sub == nil {
			continue
		}
		if len(names)+len(files) > maxChartFiles {
			return nil, nil, fmt.Errorf("the chart and those that it needs hold more than %d files", maxChartFiles)
		}
		ch, names = ch.With(sub), append(names, files...)
	}
	return ch, names, nil
}

// dependency finds a chart that another one needs: beside it (helm, dependencies
// with file://), or in the caller's own folder. Nil is none.
func (c *charts) dependency(v *view, dir string, d chart.Dependency, open []string) (*chart.Chart, []string, error) {
	rel, isPath := strings.CutPrefix(d.Repository, "file://")
	if !isPath {
		sub, err := c.find(d.Name, d.Version)
		return sub, nil, err
	}
	at := path.Join(dir, rel)
	if v.ids[path.Join(at, "Chart.yaml")] == "" {
		return nil, nil, nil
	}
	sub, files, err := c.local(v, at, append(slices.Clone(open), dir))
	if err == nil {
		c.note(v, at)
	}
	return sub, files, err
}

func (c *charts) load(v *view, dir string, names []string) (*chart.Chart, error) {
	var ids []string
	for _, name := range names {
		if id := v.ids[name]; c.store.raw[id] == nil && c.store.missing[id] == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	if err := c.store.batches(v.tree.Blobs, slices.Compact(ids), c.store.keep); err != nil {
		return nil, err
	}
	var files []chart.File
	for _, name := range names {
		id := v.ids[name]
		if m := c.store.missing[id]; m != nil {
			return nil, fmt.Errorf("%s: %s", name, m.Message)
		}
		rel := name
		if dir != "." {
			rel = strings.TrimPrefix(name, dir+"/")
		}
		files = append(files, chart.File{Name: rel, Data: c.store.raw[id]})
	}
	return chart.Load(files)
}
