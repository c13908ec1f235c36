package render

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// environment is a plan for one environment of one tree.
type environment struct {
	name, path string
	// by is who says so.
	by    string
	units []unit
}

// layout says what lands where in one tree.
type layout struct {
	environments []environment
	problems     []loader.Problem
	// notes say what was assumed.
	notes []string
	// deployed says that deployers are known, left are files that they leave out.
	deployed bool
	left     []string
	// covers are the files that deployers apply, doubtful the folders that others name.
	covers   map[string]bool
	doubtful []loader.Gap
	// told are files whose listing is no question any more: of entries, and of
	// those that are reported as listed nowhere.
	told map[string]bool
}

func compareUnits(a, b unit) int {
	return cmp.Or(cmp.Compare(a.place(), b.place()), cmp.Compare(len(a.files), len(b.files)))
}

// layouts decides for all trees together.
func (s *session) layouts(views []*view) ([]layout, error) {
	for _, v := range views {
		v.includes = s.store.includes(v)
	}
	out := make([]layout, len(views))
	if len(s.opts.Environments) > 0 {
		return out, s.configured(views, out)
	}
	deployments, found := make([]deployers, len(views)), false
	for i, v := range views {
		var err error
		if deployments[i], err = s.deployers(v); err != nil {
			return nil, err
		}
		found = found || len(deployments[i].clusters) > 0
	}
	units := make([][]unit, len(views))
	for i, v := range views {
		out[i].take(deployments[i])
		if out[i].deployed = found; found {
			s.leaveOut(v, deployments[i], &out[i])
		} else {
			units[i] = s.applier.unitsBelow(v, ".")
		}
	}
	if found {
		return out, nil
	}
	for i, envs := range s.split(views, units) {
		out[i].environments = append(out[i].environments, envs...)
		if len(envs) > 1 {
			out[i].notes = append(out[i].notes, fmt.Sprintf("%d environments are assumed from folders that declare the same objects; name them in .gwplan.yaml to be sure", len(envs)))
		}
	}
	return out, nil
}

// deployers is what the deployers of a tree say.
type deployers struct {
	deployments
	// roots are the files of Applications that somebody applies by hand.
	roots []string
}

// deployers follows Flux and Argo CD.
func (s *session) deployers(v *view) (deployers, error) {
	f, err := s.flux.clusters(s.flux.site(v))
	if err != nil {
		return deployers{}, err
	}
	apps, err := s.argocd.applications(v)
	f.clusters = append(f.clusters, apps.clusters...)
	f.problems = append(f.problems, apps.problems...)
	return deployers{deployments: f, roots: apps.roots}, err
}

// known are the clusters of a tree, with what is known besides.
func (s *session) known(v *view, l *layout) ([]cluster, error) {
	f, err := s.deployers(v)
	if f.note != "" {
		l.notes = append(l.notes, f.note)
	}
	l.problems = append(l.problems, f.problems...)
	for _, c := range f.clusters {
		l.notes = append(l.notes, c.notes...)
	}
	return f.clusters, err
}

// take adds the clusters of a tree.
func (l *layout) take(f deployers) {
	if f.note != "" {
		l.notes = append(l.notes, f.note)
	}
	for _, c := range f.clusters {
		l.environments = append(l.environments, c.environment)
		l.problems = append(l.problems, c.problems...)
		l.notes = append(append(l.notes, c.note()), c.notes...)
	}
	l.problems = append(l.problems, f.problems...)
	l.told = map[string]bool{}
	for _, e := range slices.Concat(f.live, f.unlisted) {
		l.told[e.file] = true
	}
	for _, file := range f.roots {
		l.told[file] = true
	}
}

// subject says whether an object is of Gateway API or attaches like a policy.
func (d declared) subject() bool {
	return d.group == "gateway.networking.k8s.io" || d.group == "gateway.networking.x-k8s.io" || targets(d.root)
}

// chartNotes says which charts of a tree nothing installs.
func (c *charts) chartNotes(v *view) []loader.Problem {
	var out []loader.Problem
	for _, dir := range v.charts {
		if c.idle(v, dir) {
			out = append(out, loader.Problem{
				Severity: loader.Note, Code: "helm-chart-not-rendered", Position: loader.Position{File: path.Join(dir, "Chart.yaml")},
				Message: "nothing in the tree installs the Helm chart, so its templates are not rendered", Hint: "give its rendered output as a folder, or name the chart's folder under environments in .gwplan.yaml",
			})
		}
	}
	return summarised(out, "nothing in the tree installs %d Helm charts, so their templates are not rendered")
}

// idle says that nothing installs a chart, though it lies where charts are used.
func (c *charts) idle(v *view, dir string) bool {
	file := path.Join(dir, "Chart.yaml")
	return !v.inChart(file) && !c.installed(v, dir) && !dotted(file)
}

// chartGaps are the charts of a tree: they could give any object.
func (c *charts) chartGaps(v *view) []loader.Gap {
	var out []loader.Gap
	for _, dir := range v.charts {
		if c.idle(v, dir) {
			out = append(out, loader.Gap{Kind: "chart", Name: clip(dir), Position: loader.Position{File: path.Join(dir, "Chart.yaml")}, Roots: []string{dir}})
		}
	}
	return out
}

// common is the deepest folder above two places, and the names below it on the
// way to each.
func common(a, b string) (dir, childA, childB string) {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(as) && n < len(bs) && as[n] == bs[n] {
		n++
	}
	dir = path.Join(append([]string{"."}, as[:n]...)...)
	if n < len(as) {
		childA = path.Join(dir, as[n])
	}
	if n < len(bs) {
		childB = path.Join(dir, bs[n])
	}
	return dir, childA, childB
}
