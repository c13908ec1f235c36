package render

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/flux"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/release"
	"github.com/gwplan/gwplan/loader/tree"
)

// kustomizeGroup is the group of kustomizations.
const kustomizeGroup = "kustomize.config.k8s.io"

// snapshot builds the snapshot of one tree.
func (s *session) snapshot(v *tree.View, l layout, context []deploy.Object) (*loader.Snapshot, error) {
	out := &loader.Snapshot{Revision: v.Tree.Revision, Commit: v.Tree.Commit, Skipped: map[string]int{}, Notes: l.notes, LeftOut: l.left, DeployedElsewhere: l.elsewhere, Doubtful: l.doubtful}
	if l.covers != nil {
		out.Applied = func(file string) bool { return l.covers[file] }
		out.Started = func(file string) bool { return l.started[file] }
	}
	out.Content = func(file string) string { return v.IDs[file] }
	out.Text, out.Below = v.Text, v.AllBelow
	found := problems{}
	owners := map[string][]string{}
	declared, adapted, err := s.declared(v, l, found, owners)
	if err != nil {
		return nil, err
	}
	managed, notes := managing{s, v, l, context, found}.environments(declared)
	out.Notes = append(out.Notes, loader.Assumptions(notes...)...)
	for _, d := range append(declared, managed...) {
		made, err := s.complete(v, d.environment, d.objects, context, found)
		if err != nil {
			return nil, err
		}
		if d.environment.By != loader.ByOCM {
			adapted += made
		}
		out.Environments = append(out.Environments, d.environment)
	}
	idle := s.charts.Idle(v, s.views, l.covers)
	if l.deployed {
		out.Uninstalled = idle
	} else {
		found.add("", release.ChartNotes(idle))
	}
	for _, e := range out.Environments {
		if !l.deployed {
			e.Gaps = append(e.Gaps, release.ChartGaps(idle)...)
		}
		slices.SortFunc(e.Gaps, compareGaps)
		e.Gaps = slices.CompactFunc(e.Gaps, func(a, b loader.Gap) bool { return compareGaps(a, b) == 0 })
	}
	slices.SortFunc(out.Environments, func(a, b *loader.Environment) int { return cmp.Compare(a.Name, b.Name) })
	for _, p := range l.problems {
		found.add("", []loader.Problem{p})
	}
	for _, p := range v.Tree.Problems {
		found.own(p, owners)
	}
	found.unlisted(s, v, owners, l.told)
	out.Problems = found.list()
	s.count(v, out)
	out.Notes = slices.Concat(out.Notes, unrendered(out), flux.ReleaseNote(adapted))
	incomplete(out)
	out.HideCredentials()
	return out, nil
}

// declared is an environment with the objects that are applied there, before its releases are installed.
type declared struct {
	deploy.Destination
	environment *loader.Environment
	objects     []deploy.Object
}

// declared applies the units of each environment. It returns how many charts were derived from their values.
func (s *session) declared(v *tree.View, l layout, found problems, owners map[string][]string) (out []*declared, adapted int, err error) {
	for _, env := range l.environments {
		if err := s.ctx.Err(); err != nil {
			return nil, 0, fmt.Errorf("rendering: %w", err)
		}
		e := &loader.Environment{Name: env.Name, Path: env.Path, By: env.By, Cluster: env.Cluster}
		var objects []deploy.Object
		for _, u := range env.Units {
			got := s.applier.Apply(v, u)
			objects = append(objects, got.Objects...)
			adapted += got.Adapted
			e.Parts = append(e.Parts, u.Part(got)...)
			e.Gaps = append(e.Gaps, got.Gaps...)
			found.add(env.Name, got.Problems)
			owners[u.Place()] = append(owners[u.Place()], env.Name)
		}
		if env.By != deploy.ByFlux {
			sets := map[loader.ID]bool{}
			for i := 0; i < len(objects); i++ { // a set may generate others
				d := objects[i]
				if !d.IsResourceSet() || sets[d.AsObject().ID] {
					continue
				}
				sets[d.AsObject().ID] = true
				made := s.applier.Apply(v, s.flux.ResourceSet(d, objects))
				objects = append(objects, made.Objects...)
				e.Gaps = append(e.Gaps, made.Gaps...)
				found.add(env.Name, made.Problems)
			}
		}
		e.Controls = slices.Concat(deploy.Controls(env.Declared, objects, tree.Variables(s.store, v)), env.Folders)
		out = append(out, &declared{env, e, objects})
	}
	return out, adapted, nil
}

// complete installs the releases among the objects of an environment and finishes all of them. It returns
// how many charts were derived from their values.
func (s *session) complete(v *tree.View, e *loader.Environment, objects, context []deploy.Object, found problems) (int, error) {
	if was, ok := s.completed[e.Name]; ok && was.view != v && slices.EqualFunc(was.objects, objects, deploy.Object.Same) {
		found.add(e.Name, was.addTo(e))
		s.finish.schemas[e] = s.finish.schemas[was.environment]
		s.again[e] = was.environment
		return 0, nil
	}
	declared, gaps := objects, len(e.Gaps)
	objects, installed := s.flux.Releases(s.flux.Site(v), objects)
	found.add(e.Name, installed.Problems)
	e.Gaps = append(e.Gaps, installed.Gaps...)
	e.Releases = installed.Releases
	unnamed, err := s.finish.environment(e, objects, context)
	found.add(e.Name, unnamed)
	// What a chart gives depends on the tree, too.
	if err == nil && !slices.ContainsFunc(declared, deploy.Object.IsRelease) {
		s.completed[e.Name] = completed{view: v, objects: declared, environment: e, gaps: slices.Clone(e.Gaps[gaps:]), problems: unnamed}
	}
	return installed.Number, err
}

// completed is an environment of a tree, for another tree that declares the same objects.
type completed struct {
	view        *tree.View
	objects     []deploy.Object
	environment *loader.Environment
	gaps        []loader.Gap
	problems    []loader.Problem
}

// addTo adds the finished objects to an environment and returns the problems with them.
func (c *completed) addTo(e *loader.Environment) []loader.Problem {
	e.Objects, e.Workloads, e.Duplicates, e.Unplaced = c.environment.Objects, c.environment.Workloads, c.environment.Duplicates, c.environment.Unplaced
	e.Gaps = append(e.Gaps, c.gaps...)
	return slices.Clone(c.problems)
}

// withContext returns objects with those of the context that they do not replace.
func withContext(context, objects []deploy.Object) []deploy.Object {
	if len(context) == 0 {
		return objects
	}
	own := make(map[loader.ID]bool, len(objects))
	for _, d := range objects {
		own[d.AsObject().ID] = true
	}
	others := slices.DeleteFunc(slices.Clone(context), func(d deploy.Object) bool { return own[d.AsObject().ID] })
	return append(others, objects...)
}

// unrendered returns notes on how many Helm releases are not rendered.
func unrendered(s *loader.Snapshot) []loader.Assumption {
	apps := 0
	var releases []loader.ID
	var chart string
	var environments []string
	for _, e := range s.Environments {
		for _, g := range e.Gaps {
			if g.Content != [16]byte{} && g.Kind == deploy.KindApplication {
				apps++
			}
		}
		for _, o := range e.Objects {
			if o.ID.Kind == "HelmRelease" && o.ID.Group == tree.HelmGroup && !o.Context {
				if !slices.Contains(releases, o.ID) { // several environments may have it
					releases = append(releases, o.ID)
				}
				if len(environments) == 0 || environments[len(environments)-1] != e.Name {
					environments = append(environments, e.Name)
				}
				chart = cmp.Or(o.Spec().Str("chart", "spec", "chart"), o.Spec().Str("chartRef", "name"))
			}
		}
	}
	const unknown = "the objects of %s (routes, Services, network policies) are unknown"
	var out []loader.Assumption
	add := func(about, text string) { out = append(out, loader.Assumption{Text: text, About: about}) }
	switch about := "unrendered releases"; {
	case len(releases) == 1:
		its := strings.TrimSpace("its chart " + chart)
		add(about, releases[0].Spoken()+" is not rendered: "+fmt.Sprintf(unknown, its))
	case len(releases) > 1:
		add(about, fmt.Sprintf("%d HelmReleases are not rendered: "+unknown, len(releases), "their charts"))
	}
	if len(out) > 0 {
		out[0].Environments = environments
	}
	switch about := "unread sources"; {
	case apps == 1:
		add(about, "1 source of an Application is not read: its objects (routes, Services, network policies) are unknown")
	case apps > 1:
		add(about, fmt.Sprintf("%d sources of Applications are not read: their objects (routes, Services, network policies) are unknown", apps))
	}
	return out
}

func compareGaps(a, b loader.Gap) int {
	return cmp.Or(a.Position.Compare(b.Position), cmp.Compare(a.String(), b.String()), cmp.Compare(a.Namespace, b.Namespace), bytes.Compare(a.Content[:], b.Content[:]))
}

// count fills in how many files and documents were read or skipped.
func (s *session) count(v *tree.View, out *loader.Snapshot) {
	for _, name := range v.Manifests {
		file := s.store.File(v.IDs[name])
		out.Files++
		if !file.Manifest || v.InChart(name) {
			out.Unread++
			continue
		}
		for kind, n := range file.Skipped {
			if group, _, _ := strings.Cut(kind, "/"); group != kustomizeGroup { // it is read, by another way
				out.Skipped[kind] += n
			}
		}
	}
}

// incomplete marks the environments that have errors or warnings.
func incomplete(s *loader.Snapshot) {
	for _, p := range s.Problems {
		if p.Severity == loader.Note {
			continue
		}
		for _, e := range s.Environments {
			if len(p.Environments) == 0 || slices.Contains(p.Environments, e.Name) {
				e.Incomplete = true
			}
		}
	}
}

// problems collects problems once each, with the environments that they affect.
type problems map[problemKey]loader.Problem

type problemKey struct {
	severity            loader.Severity
	code, message, hint string
	at                  loader.Position
}

func (p problems) add(environment string, list []loader.Problem) {
	for _, problem := range list {
		if environment != "" {
			problem.Environments = []string{environment}
		}
		key := problemKey{severity: problem.Severity, code: problem.Code, message: problem.Message, hint: problem.Hint, at: problem.Position}
		if had, ok := p[key]; ok {
			problem.Environments = append(slices.Clone(had.Environments), problem.Environments...)
			slices.Sort(problem.Environments)
			problem.Environments = slices.Compact(problem.Environments)
		}
		p[key] = problem
	}
}

// own adds a problem of the tree itself. If folders of some environments hold its file, it belongs
// to these environments.
func (p problems) own(problem loader.Problem, owners map[string][]string) {
	for _, name := range tree.Sorted(owners) {
		if problem.Position.File != "" && name != "." && loader.Within(name, problem.Position.File) {
			problem.Environments = append(problem.Environments, owners[name]...)
		}
	}
	slices.Sort(problem.Environments)
	problem.Environments = slices.Compact(problem.Environments)
	p.add("", []loader.Problem{problem})
}

// unlisted adds a note for each manifest in the folder of a kustomization that does not list it:
// nothing deploys it.
func (p problems) unlisted(s *session, v *tree.View, owners map[string][]string, told map[string]bool) {
	taken := maps.Clone(told)
	if taken == nil {
		taken = map[string]bool{}
	}
	for _, r := range v.Includes {
		for _, file := range r.Files {
			taken[file] = true
		}
	}
	for _, name := range v.Manifests {
		if taken[name] || len(v.Kusts[path.Dir(name)]) == 0 || loader.IsKustomizationFile(name) || owners[name] != nil || v.InChart(name) {
			continue
		}
		// A ServiceAccount alone decides nothing.
		if slices.ContainsFunc(s.store.File(v.IDs[name]).Documents, func(d manifest.Document) bool { return d.Kind != "ServiceAccount" }) {
			p.add("", []loader.Problem{{
				Severity: loader.Note, Code: loader.Unlisted, Position: loader.Position{File: name},
				Message: "the kustomization of this folder does not list the manifest, so nothing deploys it", Hint: "list it under resources",
			}})
		}
	}
}

func (p problems) list() []loader.Problem {
	out := make([]loader.Problem, 0, len(p))
	for _, problem := range p {
		out = append(out, problem)
	}
	slices.SortFunc(out, func(a, b loader.Problem) int {
		return cmp.Or(a.Position.Compare(b.Position), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message),
			cmp.Compare(a.Hint, b.Hint), cmp.Compare(a.Severity, b.Severity))
	})
	return onceEach(out, "flux-variable-unset")
}

// onceEach keeps the first problem of a code with each message, and adds to it the number of
// further places.
func onceEach(list []loader.Problem, code string) []loader.Problem {
	first, count := map[string]int{}, map[string]int{}
	out := list[:0]
	for _, p := range list {
		if p.Code == code {
			count[p.Message]++
			if count[p.Message] > 1 {
				into := &out[first[p.Message]].Environments
				*into = slices.Compact(slices.Sorted(slices.Values(slices.Concat(*into, p.Environments))))
				continue
			}
			first[p.Message] = len(out)
		}
		out = append(out, p)
	}
	for message, i := range first {
		if n := count[message]; n > 1 {
			out[i].Message += fmt.Sprintf(" (here and at %d more places)", n-1)
		}
	}
	return out
}

// contextObjects reads the trees of objects that are deployed elsewhere, each as one environment.
func (s *session) contextObjects(views []*tree.View) ([]deploy.Object, error) {
	var out []deploy.Object
	for _, v := range views {
		v.Includes = s.store.Kustomizations(v).Includes()
		for _, u := range s.applier.UnitsBelow(v, ".") {
			out = append(out, s.applier.Apply(v, u).Objects...)
		}
	}
	return out, s.ctx.Err()
}
