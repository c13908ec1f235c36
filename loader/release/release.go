// Package release installs charts. It finds them in the tree or in the caller's own folder and
// renders them once for equal values. For charts that are not available it reports what is unknown.
package release

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/account"
	"github.com/gwplan/gwplan/loader/apptemplate"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// Installed is the result of a release.
type Installed struct {
	Objects  []deploy.Object
	Problems []loader.Problem
	Gaps     []loader.Gap
	// Covers are the files of the tree from which it was made.
	Covers []string
	// Adapted is true if the chart was not rendered, but its values were interpreted. Number is how
	// many charts this concerns.
	Adapted bool
	Number  int
	// Releases are the releases that were read in full.
	Releases []loader.Release
	// Known is true if the chart is known, Whole if none of its objects are missing.
	Known, Whole bool
}

// Charts renders releases, once for equal charts and values.
type Charts struct {
	store *tree.Store
	// Folder is the caller's own folder of charts, or nil.
	Folder   *chart.Directory
	Renderer *chart.Renderer
	// loaded caches the charts of trees by the ids of their files, byTree by tree and folder.
	loaded map[string]loadedChart
	byTree map[chartAt]loadedChart
	// installs marks the charts of trees that something installs.
	installs map[chartAt]bool
	memo     map[[sha256.Size]byte]rendering
	// Inflated caches renderings for charts in kustomizations. They keep every object, because
	// patches may apply to any.
	Inflated map[[sha256.Size]byte]rendering
}

type loadedChart struct {
	chart *chart.Chart
	// files are the files of the tree from which it was made.
	files []string
	err   error
}

type rendering struct {
	Out chart.Output
	Err error
}

// chartAt is a chart in a folder of a tree.
type chartAt struct {
	view *tree.View
	dir  string
}

// NewCharts returns an empty Charts; folder is the caller's own folder of charts, or nil.
func NewCharts(st *tree.Store, folder *chart.Directory) *Charts {
	renderer := chart.NewRenderer(st.Opts.Manifest.Limits)
	renderer.Limits.Spent = st.Opts.Account.Spent
	return &Charts{
		store: st, Folder: folder, Renderer: renderer, loaded: map[string]loadedChart{}, byTree: map[chartAt]loadedChart{},
		installs: map[chartAt]bool{}, memo: map[[sha256.Size]byte]rendering{}, Inflated: map[[sha256.Size]byte]rendering{},
	}
}

// installed reports whether something installs a chart of a tree.
func (c *Charts) installed(v *tree.View, dir string) bool {
	return c.installs[chartAt{view: v, dir: dir}]
}

// Note records that something installs a chart of a tree.
func (c *Charts) Note(v *tree.View, dir string) { c.installs[chartAt{view: v, dir: dir}] = true }

// Forget records that nothing installs a chart of a tree.
func (c *Charts) Forget(v *tree.View, dir string) { delete(c.installs, chartAt{view: v, dir: dir}) }

// Find returns a chart of the caller's own folder, or nil.
func (c *Charts) Find(name, version string) (*chart.Chart, error) {
	return c.Folder.Find(name, version)
}

// Install renders a release.
func (c *Charts) Install(v *tree.View, r *deploy.Release) Installed {
	gap := func(problems ...loader.Problem) Installed {
		return Installed{Problems: problems, Gaps: []loader.Gap{r.Gap()}}
	}
	done, why := c.store.Opts.Account.BeginBuild(fmt.Sprintf("the chart of %s (%s)", deploy.Quote(r.Name), r.At))
	if why != "" {
		p := deploy.Overdrawn(fmt.Sprintf("the chart of %s is not rendered", deploy.Quote(r.Name)), why).Problem(r.At)
		p.Release = r.ID.Name
		return gap(p)
	}
	defer done()
	if r.Dir == "" {
		return c.remote(r, gap)
	}
	ch, files, err := c.Local(v, r.Dir, nil)
	if err != nil {
		c := deploy.Complain(loader.HelmChart, fmt.Sprintf("the chart %s of %s: %v", deploy.Quote(r.Dir), deploy.Quote(r.Name), err), "correct the chart")
		return gap(unrendered(r, c, err))
	}
	c.Note(v, r.Dir)
	out := c.rendered(ch, r, r.Dir)
	out.Covers = files
	for i := range out.Gaps {
		if len(out.Gaps[i].Roots) > 0 {
			out.Gaps[i].Roots = roots(r.Dir, files)
		}
	}
	if len(out.Objects) > 0 {
		inputs := slices.Clip(slices.Concat(out.Objects[0].Inputs, whole(r.Values.Files, files)))
		for i := range out.Objects {
			out.Objects[i].Inputs = inputs
		}
	}
	values := r.Values
	if docs, err := c.store.Documents(v, path.Join(r.Dir, "values.yaml")); err == nil && len(docs) == 1 && !r.Bare {
		values = chart.Values{}.Over(chart.Values{Root: docs[0]}).Over(values)
	}
	out.lacking(ch, r, values)
	return out
}

// roots returns the folder of a chart, and those outside of it of the charts that it needs, by the files of all of them.
func roots(dir string, files []string) []string {
	out := []string{dir}
	for _, file := range files {
		if path.Base(file) == "Chart.yaml" && !loader.Within(dir, file) {
			out = append(out, path.Dir(file))
		}
	}
	return out
}

// lacking adds a problem and a gap for each chart that a chart needs but does not include.
func (out *Installed) lacking(ch *chart.Chart, r *deploy.Release, values chart.Values) {
	for _, d := range ch.Missing {
		if SwitchedOff(d, values) {
			continue
		}
		out.Whole = false
		for i := range out.Problems {
			if out.Problems[i].Code == loader.HelmRender {
				// With the missing chart it may well be rendered.
				out.Problems[i].Code = "helm-dependency"
			}
		}
		at := r.At
		if r.Dir != "" {
			at = loader.Position{File: path.Join(r.Dir, "Chart.yaml")}
		}
		p := LackingChart(cmp.Or(r.Dir, ch.Name), d).Problem(at)
		p.Severity = loader.Note
		out.Problems = append(out.Problems, p)
		out.Gaps = append(out.Gaps, DependencyGap(d, r.Namespace, r.At, values))
	}
}

// DependencyGap returns the gap for the objects of a dependency. Its values are those under its
// name and the global ones.
func DependencyGap(d chart.Dependency, namespace string, at loader.Position, values chart.Values) loader.Gap {
	own := &loader.Value{Shape: loader.Map}
	for _, key := range []string{cmp.Or(d.Alias, d.Name), "global"} {
		if v := values.Root.Get(key); v != nil {
			own.Fields = append(own.Fields, loader.Field{Key: key, Value: v})
		}
	}
	of := loader.RemoteChart{Repository: d.Repository, Name: d.Name, Version: d.Version}
	return loader.Gap{
		Kind: "chart", Name: deploy.Clip(d.Name), Namespace: namespace, Position: at, Values: deploy.Compared(own), Chart: of,
		Content: loader.Digest(loader.ID{Kind: of.Repository, Namespace: namespace, Name: of.String()}, own),
	}
}

// LackingChart returns the complaint that a chart needs another one that is not available.
func LackingChart(name string, d chart.Dependency) deploy.Complaint {
	return deploy.Complain(
		"helm-dependency", fmt.Sprintf("the chart %s needs the chart %s, which is not in the tree: what it would render is unknown", deploy.Quote(name), deploy.Quote(d.Name)),
		"vendor it into charts/, or pull it into the folder of --helm-cache",
	)
}

// whole returns files as positions without a line, because any line of them may have an influence.
func whole(lists ...[]string) []loader.Position {
	var out []loader.Position
	for _, list := range lists {
		for _, file := range list {
			out = append(out, loader.Position{File: file})
		}
	}
	return out
}

// SwitchedOff reports whether the condition of a dependency is false in the values.
func SwitchedOff(d chart.Dependency, values chart.Values) bool {
	for condition := range strings.SplitSeq(d.Condition, ",") {
		if v := values.Root.Get(strings.Split(strings.TrimSpace(condition), ".")...); v != nil && v.Shape == loader.Bool {
			return v.Text == "false"
		}
	}
	return false
}

// remote renders a chart that is not in the tree: from the caller's own folder of charts, else by
// built-in rules for the chart, else not at all.
func (c *Charts) remote(r *deploy.Release, gap func(...loader.Problem) Installed) Installed {
	ch, err := c.Find(r.Remote.Name, r.Remote.Version)
	switch {
	case err != nil:
		return gap(unrendered(r, deploy.Complain(loader.HelmChart, fmt.Sprintf("%v", err), "pull the chart again"), err))
	case ch != nil:
		out := c.rendered(ch, r, "")
		out.lacking(ch, r, r.Values)
		return out
	case r.IsAppTemplate():
		return c.Adapted(r)
	}
	return gap()
}

// unrendered is the problem that the chart of a release is not rendered for an error. Where a bound of gwplan is the reason, Helm may
// render it.
func unrendered(r *deploy.Release, mistake deploy.Complaint, err error) loader.Problem {
	if loader.IsLimit(err) {
		mistake = deploy.Beyond(fmt.Sprintf("the chart of %s is not rendered", deploy.Quote(r.Name)), err.Error(), "make it smaller, or pass what helm template prints")
	}
	p := mistake.Problem(r.At)
	p.Release = r.ID.Name
	return p
}

// Adapted derives objects from the values of app-template, without its templates.
func (c *Charts) Adapted(r *deploy.Release) Installed {
	rel := chart.Release{Name: r.Name, Namespace: r.Namespace, Values: r.Values}
	out, whole := apptemplate.Render(r.Remote.Version, rel)
	all := out
	if c.store.Companions() {
		all.Documents = slices.Concat(out.Documents, apptemplate.Workloads(r.Remote.Version, rel))
	}
	got := c.objects(all, r, nil)
	got.Adapted, got.Whole = whole || len(out.Documents) > 0, whole && len(r.Unknown) == 0
	for _, p := range out.Problems {
		problem := deploy.Complain(loader.AppTemplate, p.Message, "correct the values; the chart would refuse them").Problem(r.At)
		problem.Release = r.ID.Name
		got.Problems = append(got.Problems, problem)
	}
	for _, u := range apptemplate.UnreadKeys(r.Values) {
		c := deploy.Complain("app-template-key", fmt.Sprintf("app-template does not read %s of the values of %s: it changes nothing", deploy.Quote(u.Key), deploy.Quote(r.Name)), "take it out")
		if u.Meant != "" {
			c.Hint = fmt.Sprintf("rename it if %q is meant", u.Meant)
		}
		problem := c.Problem((&loader.Object{Files: r.Values.Files}).Position(u.Value))
		problem.Severity = loader.Note
		got.Problems = append(got.Problems, problem)
	}
	if !got.Whole {
		gap := r.Gap()
		if read, others := apptemplate.Rest(r.Remote.Version, r.Values); others != nil && len(r.Unknown) == 0 {
			if _, whole := apptemplate.Render(r.Remote.Version, chart.Release{Name: r.Name, Namespace: r.Namespace, Values: read}); whole {
				gap.Values, gap.Rest = deploy.Compared(others), true
			}
		}
		got.Gaps = append(got.Gaps, gap)
	}
	return got
}

// rendered runs the templates of a chart.
func (c *Charts) rendered(ch *chart.Chart, r *deploy.Release, dir string) Installed {
	if r.Bare {
		ch = ch.Bare()
	}
	rel := chart.Release{Name: r.Name, Namespace: r.Namespace, Values: r.Values, CRDs: r.Crds, Upgrade: r.ID.Kind == "HelmRelease"}
	done := c.once(ch, rel)
	if done.Err != nil {
		c := deploy.Complain(loader.HelmRender, fmt.Sprintf("the chart of %s cannot be rendered: %v", deploy.Quote(r.Name), done.Err), "run helm template on it to see the whole error")
		return Installed{Problems: []loader.Problem{unrendered(r, c, done.Err)}, Gaps: []loader.Gap{r.Gap()}}
	}
	declares := func(file string) string { return path.Join(dir, ch.Source(file)) }
	if dir == "" {
		declares = nil
	}
	got := c.objects(done.Out, r, declares)
	got.Whole = len(r.Unknown) == 0 && len(done.Out.Problems) == 0
	for _, p := range done.Out.Problems {
		at := r.At
		if dir != "" {
			at = loader.Position{File: declares(p.Path)}
		}
		problem := deploy.Complain(loader.HelmRender, fmt.Sprintf("the output of %s for the release %s is not valid YAML: %s", deploy.Quote(p.Template), deploy.Quote(r.Name), p.Message), "run helm template on it").Problem(at)
		problem.Release = r.ID.Name
		got.Problems = append(got.Problems, problem)
		gap := loader.Gap{Kind: "template", Name: deploy.Clip(p.Template), Namespace: r.Namespace, Position: at, Content: loader.Digest(loader.ID{Name: p.Output}, nil)}
		if dir != "" {
			gap.Roots = []string{at.File}
		}
		got.Gaps = append(got.Gaps, gap)
	}
	unanswered(c, &got, r, asking{ch, rel, done.Out})
	return got
}

// once renders a chart, unless this run has done so.
func (c *Charts) once(ch *chart.Chart, rel chart.Release) rendering {
	key := ch.Digest(rel)
	done, ok := c.memo[key]
	if !ok {
		done = c.run(ch, rel, key)
		c.memo[key] = done
	}
	return done
}

// run renders a chart, unless the cache has its result from an earlier run. Errors are not cached.
func (c *Charts) run(ch *chart.Chart, rel chart.Release, key [sha256.Size]byte) (done rendering) {
	if data, ok := c.store.Recall("chart", key); ok {
		if out, err := deploy.DecodeChart(data); err == nil {
			return rendering{Out: out}
		}
	}
	c.store.Opts.Account.Count(account.ChartsRendered, 1)
	done.Out, done.Err = c.Renderer.Render(ch, rel)
	if done.Err != nil {
		return done
	}
	if slices.ContainsFunc(done.Out.Documents, c.matters) {
		c.Renderer.Place(ch, rel, &done.Out)
	}
	done.Out.Documents = slices.DeleteFunc(done.Out.Documents, func(d chart.Document) bool { return !c.matters(d) })
	c.store.Opts.Cache.Put(c.store.CacheKey("chart", key), deploy.EncodeChart(done.Out))
	return done
}

func (c *Charts) matters(d chart.Document) bool {
	group, _ := tree.SplitVersion(d.Root.Str("apiVersion"))
	return c.store.Matters(group, d.Root.Str("kind"), d.Root)
}

// objects returns the objects of an output that matter. An object of a chart in the tree is
// declared by its template, whose file declares returns, any other by the object that installs the chart; declares is nil then.
func (c *Charts) objects(out chart.Output, r *deploy.Release, declares func(file string) string) Installed {
	got := Installed{Known: true, Whole: true}
	inputs := slices.Clip(slices.Concat([]loader.Position{r.At}, r.Inputs))
	files := map[string][]string{}
	for _, doc := range out.Documents {
		if !c.matters(doc) {
			continue
		}
		first := r.At.File
		if declares != nil {
			first = declares(doc.Path)
		}
		if files[first] == nil {
			files[first] = slices.Clip(slices.Concat([]string{first}, r.Values.Files))
		}
		d := deploy.Object{Root: doc.Root, Files: files[first], Inputs: inputs}
		d.Identify()
		if declares == nil && d.Root.Mark.Line == 0 {
			root := *d.Root
			root.Mark = loader.Mark{Line: uint32(r.At.Line), Column: uint32(r.At.Column)}
			d.Root = &root
		}
		if d.Namespace == "" {
			d.Namespace = r.Namespace
		}
		got.Objects = append(got.Objects, d)
	}
	return got
}

// maxChartFiles limits the files of a chart, including the charts that it takes from the tree.
const maxChartFiles = 20_000

// Local loads a chart of the tree, together with the charts that it takes from other folders.
func (c *Charts) Local(v *tree.View, dir string, open []string) (*chart.Chart, []string, error) {
	if slices.Contains(open, dir) || len(open) > tree.MaxDepth {
		return nil, nil, fmt.Errorf("the charts depend on each other in a cycle")
	}
	if got, ok := c.byTree[chartAt{view: v, dir: dir}]; ok {
		return got.chart, got.files, got.err
	}
	var got loadedChart
	got.chart, got.files, got.err = c.assemble(v, dir, open)
	c.byTree[chartAt{view: v, dir: dir}] = got
	return got.chart, got.files, got.err
}

func (c *Charts) assemble(v *tree.View, dir string, open []string) (*chart.Chart, []string, error) {
	names := slices.Clone(v.AllBelow(dir))
	parts := []string{dir}
	for _, name := range names {
		parts = append(parts, name, v.IDs[name])
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
		sub, from, files, err := c.dependency(v, dir, d, open)
		if err != nil {
			return nil, nil, err
		}
		if sub == nil {
			continue
		}
		if len(names)+len(files) > maxChartFiles {
			return nil, nil, fmt.Errorf("the chart and those that it needs hold more than %d files", maxChartFiles)
		}
		ch, names = ch.With(sub, from), append(names, files...)
	}
	return ch, names, nil
}

// dependency finds a chart that another one needs: in the tree (helm, dependencies with file://),
// or in the caller's own folder. The chart is nil if there is none. from is its folder in the tree, relative to dir.
func (c *Charts) dependency(v *tree.View, dir string, d chart.Dependency, open []string) (sub *chart.Chart, from string, files []string, err error) {
	rel, isPath := strings.CutPrefix(d.Repository, "file://")
	if !isPath {
		sub, err = c.Find(d.Name, d.Version)
		return sub, "", nil, err
	}
	at := path.Join(dir, rel)
	if v.IDs[path.Join(at, "Chart.yaml")] == "" {
		return nil, "", nil, nil
	}
	sub, files, err = c.Local(v, at, append(slices.Clone(open), dir))
	if err == nil {
		c.Note(v, at)
	}
	return sub, rel, files, err
}

func (c *Charts) load(v *tree.View, dir string, names []string) (*chart.Chart, error) {
	var ids []string
	for _, name := range names {
		if id := v.IDs[name]; c.store.Raw[id] == nil && c.store.Missing[id] == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	if err := c.store.Keep(v.Tree.Blobs, slices.Compact(ids)); err != nil {
		return nil, err
	}
	var files []chart.File
	for _, name := range names {
		id := v.IDs[name]
		if m := c.store.Missing[id]; m != nil {
			if m.Code == loader.LimitRun {
				return nil, loader.Limit(name + ": " + m.Message)
			}
			return nil, fmt.Errorf("%s: %s", name, m.Message)
		}
		rel := name
		if dir != "." {
			rel = strings.TrimPrefix(name, dir+"/")
		}
		files = append(files, chart.File{Name: rel, Data: c.store.Raw[id]})
	}
	return chart.Load(files)
}
