// Package apply converts the units of a deployer to objects: it reads files, builds kustomizations,
// installs charts and sets on each object what the deployer sets.
package apply

import (
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/kustomize"
	"github.com/gwplan/gwplan/loader/release"
	"github.com/gwplan/gwplan/loader/tree"
)

// Applier converts units to objects. It reads files, builds kustomizations, installs charts and
// changes the objects as their deployer does.
type Applier struct {
	store  *tree.Store
	builds *kustomize.Builder
	charts *release.Charts
	// outcomes are the results so far, plain those of files that are applied as they are.
	outcomes map[deploy.OutcomeKey]deploy.Outcome
	plain    map[fileList]deploy.Outcome
	// substituted are the objects with their variables filled in.
	substituted map[filling]substitution
	applied     map[applied]bool
}

// fileList identifies a list of files of a view by its place in memory, which is much faster to find than its
// names.
type fileList struct {
	view  *tree.View
	first *string
	n     int
}

// NewApplier returns an Applier that uses st, b and c.
func NewApplier(st *tree.Store, b *kustomize.Builder, c *release.Charts) *Applier {
	return &Applier{store: st, builds: b, charts: c, outcomes: map[deploy.OutcomeKey]deploy.Outcome{}, plain: map[fileList]deploy.Outcome{}, substituted: map[filling]substitution{}, applied: map[applied]bool{}}
}

// Apply returns the objects of a unit in apply order.
func (s *Applier) Apply(v *tree.View, u deploy.Unit) deploy.Outcome {
	if u.Gap != nil {
		return deploy.Outcome{Gaps: []loader.Gap{*u.Gap}}
	}
	if u.Made != nil {
		return *u.Made
	}
	if u.Delivery == nil {
		if u.Release != nil || u.Build || u.Overlay != nil || len(u.Files) == 0 {
			return s.render(v, u)
		}
		at := fileList{v, &u.Files[0], len(u.Files)}
		got, ok := s.plain[at]
		if !ok {
			got = s.render(v, u)
			s.plain[at] = got
		}
		return got
	}
	key := deploy.OutcomeKey{View: v, Place: u.Place(), Files: len(u.Files), Overlay: u.Overlay, Delivery: u.Delivery, Release: u.Release}
	got, ok := s.outcomes[key]
	if !ok {
		got = s.delivered(v, u)
		s.outcomes[key] = got
	}
	return got
}

// render returns the objects of a unit before they are delivered.
func (s *Applier) render(v *tree.View, u deploy.Unit) deploy.Outcome {
	switch {
	case u.Release != nil:
		got := s.charts.Install(v, u.Release)
		out := deploy.Outcome{Objects: got.Objects, Problems: got.Problems, Gaps: got.Gaps, Covers: got.Covers}
		if got.Adapted {
			out.Adapted = 1
		}
		return out
	case u.Build:
		return s.applyBuild(v, u)
	}
	out := deploy.Outcome{Covers: u.Files}
	for _, name := range u.Files {
		file := s.store.File(v.IDs[name])
		for _, p := range file.Problems {
			p.Position.File = name
			out.Problems = append(out.Problems, p)
		}
		docs := slices.Concat(file.Documents, s.store.ConfigMaps[v.IDs[name]])
		if u.Overlay != nil { // Flux builds each folder, also one without a kustomization
			docs = tree.AsBuilt(s.store, v, name, docs)
		}
		for _, doc := range docs {
			if u.Overlay != nil && doc.Root.Str("metadata", "annotations", localConfig) == "true" {
				continue // Flux builds the folder, and kustomize drops it
			}
			out.Objects = append(out.Objects, deploy.Deployed(deploy.Declare(doc, name), u.Overlay))
		}
	}
	return out
}

// localConfig is the annotation of objects for tools, which kustomize drops (kustomize
// api/resource/factory.go, DropLocalNodes).
const localConfig = "config.kubernetes.io/local-config"

// applyBuild builds a folder, once for each view and overlay.
func (s *Applier) applyBuild(v *tree.View, u deploy.Unit) deploy.Outcome {
	key := deploy.OutcomeKey{View: v, Place: u.Dir, Files: 0, Overlay: u.Overlay, Delivery: nil, Release: nil}
	if got, ok := s.outcomes[key]; ok {
		return got
	}
	p := s.builds.Pass(v, u.Dir, u.Overlay)
	r := s.builds.Build(p, v)
	covers := tree.Sorted(p.Files)
	for _, f := range p.Folders {
		covers = append(covers, f.File)
	}
	for _, name := range tree.Sorted(p.Inflated) {
		covers = append(covers, p.Inflated[name].Covers...)
	}
	got := deploy.Outcome{Objects: r.Objects, Problems: r.Problems, Gaps: r.Gaps, Covers: covers}
	if !p.Refused {
		beside := p.Beside()
		got.Objects = slices.Concat(r.Objects, beside.Objects)
		got.Problems = slices.Concat(r.Problems, beside.Problems)
		got.Gaps = slices.Concat(r.Gaps, beside.Gaps)
		got.Adapted = beside.Number
	}
	s.outcomes[key] = got
	return got
}

// UnitsBelow returns the units that a folder deploys: the kustomizations that no other one below
// the folder includes, variants that are deployed anyway, and the files outside of kustomizations.
func (s *Applier) UnitsBelow(v *tree.View, dir string) []deploy.Unit {
	kusts, taken := s.store.Kustomizations(v), map[string]bool{}
	var below []string
	for name := range v.Kusts {
		if !loader.Within(dir, name) || v.InChart(path.Join(name, "x")) {
			continue
		}
		below = append(below, name)
		for _, file := range v.Includes[name].Files {
			taken[file] = true
		}
	}
	slices.Sort(below)
	included := s.included(v, below)
	var units []deploy.Unit
	beside := map[string]bool{}
	for _, name := range below {
		if !included[name] && !kusts.IsComponent(name) {
			units = append(units, deploy.Unit{Dir: name, Build: true})
			beside[path.Dir(name)] = true
		}
	}
	for _, name := range below {
		if included[name] && s.variant(v, name, beside) {
			units = append(units, deploy.Unit{Dir: name, Build: true})
		}
	}
	for _, file := range v.FilesBelow(dir) {
		if !taken[file] && len(v.Kusts[path.Dir(file)]) == 0 && !v.InChart(file) {
			units = append(units, deploy.Unit{Dir: path.Dir(file), Files: []string{file}})
		}
	}
	slices.SortFunc(units, deploy.CompareUnits)
	return units
}

// included returns the kustomizations that another one of all includes. A Component that no
// kustomization uses does not count as including any. If kustomizations only include each other,
// the first one does not count as included, so that its build reports the error.
func (s *Applier) included(v *tree.View, all []string) map[string]bool {
	kusts := s.store.Kustomizations(v)
	out, reached := map[string]bool{}, map[string]bool{}
	var reach func(name string)
	reach = func(name string) {
		if reached[name] {
			return
		}
		reached[name] = true
		for _, d := range v.Includes[name].Dirs {
			reach(d)
		}
	}
	mark := func(by func(string) bool) {
		clear(out)
		for _, name := range all {
			for _, d := range v.Includes[name].Dirs {
				out[d] = out[d] || d != name && by(name)
			}
		}
		for _, name := range all {
			if !out[name] && !kusts.IsComponent(name) {
				reach(name)
			}
		}
	}
	mark(func(string) bool { return true })
	mark(func(name string) bool { return reached[name] || !kusts.IsComponent(name) })
	for _, name := range all {
		if !reached[name] && !kusts.IsComponent(name) {
			out[name] = false
			reach(name)
		}
	}
	return out
}
