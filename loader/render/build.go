package render

import (
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// built is what a build gives. It is shared by all trees with the same inputs.
type built struct {
	objects  []declared
	problems []loader.Problem
	gaps     []loader.Gap
}

// builder runs kustomize, one build at a time: every build sets a process-wide
// schema (kustomize api/krusty/kustomizer.go, Run), so a kustomization with
// openapi would reach into any other that runs beside it.
type builder struct {
	store *store
	// charts renders those of kustomizations; nil renders none.
	charts *charts
	mu     sync.Mutex
	memo   map[[sha256.Size]byte]*built
	// runs counts the plans that kustomize has built.
	runs int
	// opened is told every file that a build reads; nil outside tests.
	opened func(string)
}

func newBuilder(s *store, c *charts) *builder {
	return &builder{store: s, charts: c, memo: map[[sha256.Size]byte]*built{}}
}

// build gives the objects of a plan that matter.
func (b *builder) build(p *plan, v *view) *built {
	if p.refused {
		return failed(p)
	}
	if !p.matters(b.store, v) {
		return &built{problems: p.problems, gaps: p.gaps}
	}
	key := p.digest(v)
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.memo[key]; r != nil {
		return r
	}
	r := b.kept(key)
	if r == nil {
		b.runs++
		r = b.run(p, v)
		if !b.incomplete(p, v) {
			b.store.opts.Cache.Put(b.store.cacheKey("build", key), encodeBuilt(r))
		}
	}
	b.memo[key] = r
	return r
}

// incomplete says that an input could not be read, which is no property of its
// content.
func (b *builder) incomplete(p *plan, v *view) bool {
	for name := range p.files {
		if b.store.missing[v.ids[name]] != nil {
			return true
		}
	}
	return false
}

// kept is the result of an earlier run, or nil.
func (b *builder) kept(key [sha256.Size]byte) *built {
	data, ok := b.store.opts.Cache.Get(b.store.cacheKey("build", key))
	if !ok {
		return nil
	}
	r, err := decodeBuilt(data)
	if err != nil {
		return nil
	}
	return r
}

// failed is the result of a build that is not made.
func failed(p *plan) *built {
	at := loader.Position{File: p.root}
	if len(p.folders) > 0 {
		at = place(p.folders[0].file, p.folders[0].value)
	}
	gap := loader.Gap{Kind: "kustomization", Name: clip(p.root), Position: at, Roots: []string{p.root}}
	for _, f := range p.folders {
		gap.Roots = append(gap.Roots, f.dir)
	}
	slices.Sort(gap.Roots)
	gap.Roots = slices.Compact(gap.Roots)
	return &built{problems: p.problems, gaps: append(p.gaps[:len(p.gaps):len(p.gaps)], gap)}
}

func (b *builder) run(p *plan, v *view) *built {
	out := &built{problems: p.problems, gaps: p.gaps}
	a := &attribution{plan: p, trace: newTrace(), limits: b.limits()}
	objects, handed := b.direct(p, v, a.trace)
	if !handed {
		a.trace = newTrace()
		files := b.files(p, v, a.trace)
		found, err := b.kustomize(p, files)
		if err != nil {
			p.problems = append(p.problems, buildProblem(p, err))
			return failed(p)
		}
		objects = b.results(found, a.trace)
		if p.patched() {
			a.unpatched = b.unpatched(p, files, a.trace)
		}
	}
	ways := map[string][]loader.Position{}
	for _, object := range objects {
		d := a.finish(object)
		if len(d.files) > 0 {
			file := d.files[0]
			if _, known := ways[file]; !known {
				ways[file] = p.listed(file)
			}
			d.listed = ways[file]
		}
		out.objects = append(out.objects, d)
	}
	return out
}

// limits for text that kustomize has written, from inputs that were within the
// limits; the few levels and documents that a build may add are allowed.
func (b *builder) limits() manifest.Limits { return b.store.opts.Manifest.Limits }

// files is everything that kustomize may read.
func (b *builder) files(p *plan, v *view, t *trace) map[string][]byte {
	files := make(map[string][]byte, len(p.files)+len(p.copies)+len(p.inline))
	stubs := p.stubs(b.store)
	for _, name := range sorted(p.files) {
		switch id := v.ids[name]; p.files[name] {
		case useResource:
			files[name] = t.objects(b.store.parse(id).docs, t.inFile(name), stubs)
		case usePatch:
			files[name] = t.patches(b.store.parse(id).docs, t.inFile(name))
		case useData, useConfig:
			files[name] = b.store.raw[id]
		}
	}
	for _, name := range sorted(p.inline) {
		if in := p.inline[name]; in.file != "" {
			files[name] = t.patches(in.docs, t.inText(in))
		}
	}
	for _, name := range sorted(p.inflated) {
		in := p.inflated[name]
		known := len(t.roots)
		files[name] = t.objects(in.docs, t.inChart(in), stubs)
		for _, root := range t.roots[known:] {
			t.charts[root] = true
		}
	}
	for name, data := range p.copies {
		files[name] = data
	}
	return files
}

// kustomize runs one build. The plan's files are all that it can see. It is not
// ours and what it reads is anyone's, so a panic costs this build alone.
func (b *builder) kustomize(p *plan, files map[string][]byte) (m resmap.ResMap, err error) {
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, fmt.Errorf("kustomize failed: %v", r)
		}
	}()
	opts := krusty.MakeDefaultOptions()
	if p.unrestricted {
		opts.LoadRestrictions = types.LoadRestrictionsNone
	}
	fsys := newBuildFS(files)
	fsys.opened = b.opened
	return krusty.MakeKustomizer(opts).Run(fsys, path.Join("/", p.root))
}

// results reads the objects that matter.
func (b *builder) results(m resmap.ResMap, t *trace) []traced {
	var out []traced
	for _, r := range m.Resources() {
		gvk := r.GetGvk()
		if !b.store.may(gvk.Group, gvk.Kind, r.GetName()) {
			continue
		}
		text, err := r.RNode.String()
		if err != nil {
			continue
		}
		if o, ok := t.read(text, b.limits()); ok && b.store.matters(gvk.Group, gvk.Kind, o.root) {
			out = append(out, o)
		}
	}
	return out
}

// unpatched builds once more without JSON6902 patches, which cost an object all
// its comments. Nothing but places is taken from it, so it may fail.
func (b *builder) unpatched(p *plan, files map[string][]byte, t *trace) []traced {
	copied := make(map[string][]byte, len(files))
	for name, data := range files {
		copied[name] = data
	}
	for _, f := range p.folders {
		if len(f.patches) > 0 {
			copied[f.file] = emit(notEmpty(f.withoutPatches()))
		}
	}
	m, err := b.kustomize(p, copied)
	if err != nil {
		return nil
	}
	return b.results(m, t)
}

// patched says whether the build has JSON6902 patches.
func (p *plan) patched() bool {
	for _, f := range p.folders {
		if len(f.patches) > 0 {
			return true
		}
	}
	return false
}

// withoutPatches is the edited kustomization without its JSON6902 patches.
func (f *folder) withoutPatches() *loader.Value {
	gone := map[*loader.Value]bool{}
	for _, p := range f.patches {
		gone[p.entry] = true
	}
	out := f.edited
	for _, key := range []string{"patches", "patchesJson6902"} {
		if list := out.Get(key); list != nil {
			kept := filter(list, func(v *loader.Value) bool { return !gone[v] })
			out = replaceKey(out, key, loader.Field{Key: key, Value: kept})
		}
	}
	return out
}

// matters says whether a build could give an object that is kept. Patches that
// change kinds, and generators that are plugins, could give any.
func (p *plan) matters(s *store, v *view) bool {
	for name, u := range p.files {
		if u == useConfig || u == useResource && s.anyMatters(v.ids[name]) {
			return true
		}
	}
	for _, in := range p.inflated {
		if slices.ContainsFunc(in.docs, s.mayMatter) {
			return true
		}
	}
	for _, f := range p.folders {
		for _, field := range f.value.Fields {
			switch field.Key {
			case "configMapGenerator":
				if s.generates(field.Value) {
					return true
				}
			case "secretGenerator":
				if s.relevance("", "Secret") != manifest.Irrelevant {
					return true
				}
			case "generators":
				return true
			case "patches":
				if changesKind(field.Value) {
					return true
				}
			}
		}
	}
	return false
}

// generates says whether generators give a ConfigMap that is kept.
func (s *store) generates(generators *loader.Value) bool {
	return slices.ContainsFunc(generators.ItemList(), func(item *loader.Value) bool {
		return s.may("", "ConfigMap", item.Str("name"))
	})
}

func changesKind(patches *loader.Value) bool {
	for _, item := range patches.Items {
		if item.Get("options", "allowKindChange") != nil {
			return true
		}
	}
	return false
}

func (s *store) anyMatters(id string) bool {
	for _, doc := range s.parse(id).docs {
		for _, object := range listed(doc) {
			if s.mayMatter(object) {
				return true
			}
		}
	}
	return false
}

func (s *store) mayMatter(object *loader.Value) bool {
	group, _ := splitVersion(object.Str("apiVersion"))
	return s.may(group, object.Str("kind"), object.Str("metadata", "name"))
}

func splitVersion(apiVersion string) (group, version string) {
	if group, version, ok := strings.Cut(apiVersion, "/"); ok {
		return group, version
	}
	return "", apiVersion
}

// buildProblem says that kustomize failed. Its own words often repeat whole
// inputs, so they are clipped, and left out where secrets are among them.
func buildProblem(p *plan, err error) loader.Problem {
	message := "kustomize cannot build this folder"
	if first, _, _ := strings.Cut(err.Error(), "\n"); !p.secret {
		message += ": " + clip(first)
	}
	return loader.Problem{
		Severity: loader.Warning, Code: "kustomize-build", Message: message,
		Position: place(p.folders[0].file, p.folders[0].value),
		Hint:     "run kustomize build on it to see the whole error",
	}
}
