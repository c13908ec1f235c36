package render

import (
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// unit is one thing that a deployer applies: a folder that is built, or files.
type unit struct {
	// dir is the folder that is built, or the one that the files were found in.
	dir   string
	build bool
	files []string
	// overlay is what the deployer adds before a build, delivery what it does
	// with the objects; each may be nil.
	overlay  *overlay
	delivery *delivery
	// release is a chart that is installed instead.
	release *release
	// made are objects that something else has made already.
	made *outcome
	// gap is set where nothing can be applied.
	gap *loader.Gap
}

// outcome is what a unit gives.
type outcome struct {
	objects  []declared
	problems []loader.Problem
	gaps     []loader.Gap
	// covers are the files that the unit is made of.
	covers []string
	// adapted counts the charts that were read from their values.
	adapted int
}

// applier gives what units come to: it reads files, builds kustomizations, installs charts,
// and does with the objects what their deployer would.
type applier struct {
	store  *store
	builds *builder
	charts *charts
	// outcomes are those so far.
	outcomes map[outcomeKey]outcome
}

func newApplier(st *store, b *builder, c *charts) *applier {
	return &applier{store: st, builds: b, charts: c, outcomes: map[outcomeKey]outcome{}}
}

// apply gives the objects of a unit in apply order.
func (s *applier) apply(v *view, u unit) outcome {
	if u.gap != nil {
		return outcome{gaps: []loader.Gap{*u.gap}}
	}
	if u.made != nil {
		return *u.made
	}
	if u.delivery == nil {
		return s.render(v, u)
	}
	key := outcomeKey{view: v, place: u.place(), files: len(u.files), overlay: u.overlay, delivery: u.delivery, release: u.release}
	got, ok := s.outcomes[key]
	if !ok {
		got = s.deliver(s.render(v, u), u.delivery)
		s.outcomes[key] = got
	}
	return got
}

// render gives the objects of a unit before they are delivered.
func (s *applier) render(v *view, u unit) outcome {
	switch {
	case u.release != nil:
		got := s.charts.install(v, u.release)
		out := outcome{objects: got.objects, problems: got.problems, gaps: got.gaps, covers: got.covers}
		if got.adapted {
			out.adapted = 1
		}
		return out
	case u.build:
		return s.applyBuild(v, u)
	}
	out := outcome{covers: u.files}
	for _, name := range u.files {
		file := s.store.file(v.ids[name])
		for _, p := range file.Problems {
			p.Position.File = name
			out.problems = append(out.problems, p)
		}
		for _, doc := range slices.Concat(file.Documents, s.store.configMaps[v.ids[name]]) {
			out.objects = append(out.objects, deployed(declare(doc, name), u.overlay))
		}
	}
	return out
}

// applyBuild builds a folder, once for each view.
func (s *applier) applyBuild(v *view, u unit) outcome {
	key := outcomeKey{view: v, place: u.dir, files: 0, overlay: u.overlay, delivery: nil, release: nil}
	if got, ok := s.outcomes[key]; ok {
		return got
	}
	p := s.builds.pass(v, u.dir, u.overlay)
	r := s.builds.build(p, v)
	covers := sorted(p.files)
	for _, f := range p.folders {
		covers = append(covers, f.file)
	}
	for _, name := range sorted(p.inflated) {
		covers = append(covers, p.inflated[name].covers...)
	}
	got := outcome{objects: r.objects, problems: r.problems, gaps: r.gaps, covers: covers}
	if !p.refused {
		beside := p.beside()
		got.objects = slices.Concat(r.objects, beside.objects)
		got.problems = slices.Concat(r.problems, beside.problems)
		got.gaps = slices.Concat(r.gaps, beside.gaps)
		got.adapted = beside.number
	}
	s.outcomes[key] = got
	return got
}

// declare is a document of a file as it stands there.
func declare(doc manifest.Document, file string) declared {
	d := declared{
		group: doc.Group, version: doc.Version, kind: doc.Kind, namespace: doc.Namespace, name: doc.Name,
		root: doc.Root, files: []string{file},
	}
	// helm template --output-dir writes files that are named after their source.
	if doc.Origin != "" && !strings.HasSuffix("/"+file, "/"+doc.Origin) {
		d.origin = doc.Origin
		d.listed = []loader.Position{{File: file, Line: doc.Line, Column: 1}}
	}
	return d
}

// deployed sets the namespace of the deployer, as kustomize's namespace
// transformer does: over what is written.
func deployed(d declared, o *overlay) declared {
	if o == nil || o.namespace() == nil {
		return d
	}
	ns := o.namespace()
	// kustomize renames the Namespace itself (api/filters/namespace).
	key := "namespace"
	if d.kind == "Namespace" && d.group == "" {
		key = "name"
	}
	if d.root.Str("metadata", key) == ns.value.Text {
		return d
	}
	value := *ns.value
	value.Mark = loader.Mark{File: uint32(len(d.files)), Line: uint32(ns.at.Line), Column: uint32(ns.at.Column)}
	meta := d.root.Get("metadata")
	if meta == nil || meta.Shape != loader.Map {
		return d
	}
	if key == "name" {
		d.name = value.Text
	} else {
		d.namespace = value.Text
	}
	d.files = append(slices.Clone(d.files), ns.at.File)
	root := replaceKey(d.root, "metadata", loader.Field{Key: "metadata", Value: setKey(meta, key, &value)})
	d.root = root
	return d
}

// outcomeKey tells what was built and delivered in one view apart.
type outcomeKey struct {
	view     *view
	place    string
	files    int
	overlay  *overlay
	delivery *delivery
	release  *release
}

// references are what a kustomization names, approved or not.
type references struct {
	files []string
	dirs  []string
}

// includes lists what the kustomizations of a view name, by folder.
func (s *store) includes(v *view) map[string]references {
	out := make(map[string]references, len(v.kusts))
	for dir := range v.kusts {
		out[dir] = s.includesOf(v, dir)
	}
	return out
}

func (s *store) includesOf(v *view, dir string) references {
	var r references
	visit := func(text string) {
		if name, ok := target(dir, text); ok && text != "" && len(text) <= maxReference {
			if _, file := v.ids[name]; file {
				r.files = append(r.files, name)
			}
		}
	}
	for _, file := range v.kusts[dir] {
		for _, doc := range s.parse(v.ids[file]).docs {
			eachText(doc, visit)
			for _, field := range []string{"resources", "bases", "components", "generators", "transformers", "validators"} {
				for _, item := range doc.List(field) {
					name, ok := target(dir, item.Text)
					if ok && item.Text != "" && len(v.kusts[name]) > 0 {
						r.dirs = append(r.dirs, name)
					}
				}
			}
			for _, field := range []string{"generators", "transformers", "validators"} {
				for _, item := range doc.List(field) {
					for _, config := range s.pluginDocs(v, dir, item) {
						eachText(config, visit)
					}
				}
			}
		}
	}
	return r
}

// pluginDocs reads what an entry configures plugins with: a file or inline text.
func (s *store) pluginDocs(v *view, dir string, item *loader.Value) []*loader.Value {
	if name, ok := target(dir, item.Text); ok && v.ids[name] != "" {
		return s.parse(v.ids[name]).docs
	}
	docs, _ := manifest.Parse([]byte(item.Text), s.opts.Manifest.Limits)
	return docs
}

// component says whether a folder's kustomization is a part and no root.
func (s *store) component(v *view, dir string) bool {
	for _, file := range v.kusts[dir] {
		for _, doc := range s.parse(v.ids[file]).docs {
			if doc.Str("kind") == "Component" {
				return true
			}
		}
	}
	return false
}

// unitsBelow finds what a folder deploys: the kustomizations that no other one
// below the folder includes, or that are deployed all the same, and the files outside of
// kustomizations.
func (s *applier) unitsBelow(v *view, dir string) []unit {
	taken, included := map[string]bool{}, map[string]bool{}
	var below []string
	for name := range v.kusts {
		if !within(dir, name) || v.inChart(path.Join(name, "x")) {
			continue
		}
		below = append(below, name)
		for _, file := range v.includes[name].files {
			taken[file] = true
		}
		for _, d := range v.includes[name].dirs {
			included[d] = included[d] || d != name
		}
	}
	slices.Sort(below)
	var units []unit
	beside := map[string]bool{}
	for _, name := range below {
		if !included[name] && !s.store.component(v, name) {
			units = append(units, unit{dir: name, build: true})
			beside[path.Dir(name)] = true
		}
	}
	for _, name := range below {
		if included[name] && s.variant(v, name, beside) {
			units = append(units, unit{dir: name, build: true})
		}
	}
	for _, file := range v.filesBelow(dir) {
		if !taken[file] && len(v.kusts[path.Dir(file)]) == 0 && !v.inChart(file) {
			units = append(units, unit{dir: path.Dir(file), files: []string{file}})
		}
	}
	slices.SortFunc(units, compareUnits)
	return units
}

// place is what a unit is known by.
func (u unit) place() string {
	if u.build || len(u.files) == 0 {
		return u.dir
	}
	return u.files[0]
}

func eachText(v *loader.Value, visit func(string)) {
	if v == nil {
		return
	}
	if v.Shape == loader.String {
		visit(v.Text)
		for i := 0; i < len(v.Text) && i < maxReference; i++ {
			if v.Text[i] == '=' {
				visit(v.Text[i+1:])
				break
			}
		}
	}
	for _, f := range v.Fields {
		eachText(f.Value, visit)
	}
	for _, item := range v.Items {
		eachText(item, visit)
	}
}

// part says what the unit is, for people; a gap is none.
func (u unit) part(objects int) []loader.Part {
	p := loader.Part{Kind: "files", Path: u.dir, Objects: objects}
	switch {
	case u.gap != nil, u.made != nil:
		return nil
	case u.release != nil && u.release.dir != "":
		p.Kind, p.Path = "chart", u.release.dir
	case u.release != nil:
		p.Kind, p.Path = "remote chart", u.release.remote.String()
	case u.build:
		p.Kind = "kustomization"
	case len(u.files) == 1:
		p.Path = u.files[0]
	}
	if u.delivery != nil {
		p.Deployer = u.delivery.by
	}
	return []loader.Part{p}
}
