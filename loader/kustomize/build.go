// Package kustomize builds the kustomizations that the gate has approved, in memory. Simple ones are built directly;
// for others kustomize reads copies of the approved files. Then the values of the resulting objects get their
// positions in the source files. Nothing is fetched, and no plugin or program is run.
package kustomize

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/account"
	"github.com/gwplan/gwplan/loader/buildfs"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/gate"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/release"
	"github.com/gwplan/gwplan/loader/source"
	"github.com/gwplan/gwplan/loader/tree"
)

// Builder runs kustomize, one build at a time. Every build sets a schema for the whole process
// (kustomize api/krusty/kustomizer.go, Run), so the openapi field of one kustomization would affect
// another one that is built at the same time.
type Builder struct {
	*gate.Gate
	store *tree.Store
	mu    sync.Mutex
	memo  map[[sha256.Size]byte]*deploy.Built
	// Runs counts the builds that were run, by kustomize or by Direct.
	Runs int
	// Opened is called for every file that a build reads. It is nil outside tests.
	Opened func(string)
}

// NewBuilder returns a Builder. Without charts it renders none.
func NewBuilder(s *tree.Store, c *release.Charts) *Builder {
	return &Builder{Gate: gate.New(s, c), store: s, memo: map[[sha256.Size]byte]*deploy.Built{}}
}

// Build returns the relevant objects of an approved build.
func (b *Builder) Build(p *gate.Approved, v *tree.View) *deploy.Built {
	if p.Refused {
		return failed(p)
	}
	if !p.Matters(b.store, v) {
		return &deploy.Built{Problems: p.Problems, Gaps: p.Gaps}
	}
	key := p.Digest(v)
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.memo[key]; r != nil {
		return r
	}
	var r *deploy.Built
	keep := b.mayKeep(p, v)
	if keep {
		r = b.kept(key)
	}
	if r == nil {
		done, why := b.store.Opts.Account.BeginBuild("the kustomization " + deploy.Quote(p.Root))
		if why != "" {
			p.Problems = append(p.Problems, deploy.Overdrawn("the kustomization is not built", why).Problem(deploy.PositionOf(p.Folders[0].File, p.Folders[0].Value)))
			return failed(p)
		}
		defer done()
		b.Runs++
		b.store.Opts.Account.Count(account.KustomizationsBuilt, 1)
		r = b.Run(p, v)
		if keep && b.mayKeep(p, v) { // the build read more
			b.store.Opts.Cache.Put(b.store.CacheKey("build", key), deploy.EncodeBuilt(r))
		}
	}
	b.memo[key] = r
	return r
}

// mayKeep reports whether the inputs identify the result in other runs, too. That an input could not be read is not a
// property of its content, and not every id is.
func (b *Builder) mayKeep(p *gate.Approved, v *tree.View) bool {
	for name := range p.Files {
		if id := v.IDs[name]; b.store.Missing[id] != nil || source.OfPath(id) {
			return false
		}
	}
	return true
}

// kept returns the cached result of an earlier run, or nil.
func (b *Builder) kept(key [sha256.Size]byte) *deploy.Built {
	data, ok := b.store.Recall("build", key)
	if !ok {
		return nil
	}
	r, err := deploy.DecodeBuilt(data)
	if err != nil {
		return nil
	}
	return r
}

// failed returns the result of a build that is refused or fails.
func failed(p *gate.Approved) *deploy.Built {
	at := loader.Position{File: p.Root}
	if len(p.Folders) > 0 {
		at = deploy.PositionOf(p.Folders[0].File, p.Folders[0].Value)
	}
	gap := loader.Gap{Kind: "kustomization", Name: deploy.Clip(p.Root), Position: at, Roots: []string{p.Root}}
	for _, f := range p.Folders {
		gap.Roots = append(gap.Roots, f.Dir)
	}
	slices.Sort(gap.Roots)
	gap.Roots = slices.Compact(gap.Roots)
	return &deploy.Built{Problems: p.Problems, Gaps: append(p.Gaps[:len(p.Gaps):len(p.Gaps)], gap)}
}

// Run builds without using the results of earlier builds.
func (b *Builder) Run(p *gate.Approved, v *tree.View) *deploy.Built {
	out := &deploy.Built{Problems: p.Problems, Gaps: p.Gaps}
	a := &attribution{approved: p, trace: NewTrace(), limits: b.limits()}
	for _, f := range p.Folders {
		if mistakesWord(b.store.Raw[v.IDs[f.File]]) {
			p.Problems = append(p.Problems, deploy.Complain(loader.KustomizeField, "the kustomization has a word, such as y, no or on, that kustomize reads as a boolean and needs as a text", "quote it").Problem(deploy.PositionOf(f.File, f.Value)))
			return failed(p)
		}
	}
	objects, handed := b.Direct(p, v, a.trace)
	if !handed {
		a.trace = NewTrace()
		files := b.files(p, v, a.trace)
		found, err := b.Kustomize(p, files)
		if err != nil {
			p.Problems = append(p.Problems, buildProblem(p, err, b.nameless(p, v)))
			return failed(p)
		}
		if objects, err = b.results(found, a.trace); err != nil {
			p.Problems = append(p.Problems, buildProblem(p, err, ""))
			return failed(p)
		}
		if p.Patched() {
			a.unpatched = b.unpatched(p, files, a.trace)
		}
		seal := sealerOf(p, files, found, b.limits())
		for _, list := range [][]traced{objects, a.unpatched} {
			for i := range list {
				list[i].Root = seal.seal(list[i].Root)
			}
		}
	}
	ways := map[string][]loader.Position{}
	patches := b.patchPlaces(p, v)
	for _, object := range objects {
		d := a.finish(object)
		d.Inputs = append(d.Inputs, patchesOf(patches, &d)...)
		if len(d.Files) > 0 {
			file := d.Files[0]
			if _, known := ways[file]; !known {
				ways[file] = p.Listed(file)
			}
			d.Listed = ways[file]
		}
		out.Objects = append(out.Objects, d)
	}
	return out
}

// limits are those for text that kustomize writes, as for any other.
func (b *Builder) limits() manifest.Limits { return b.store.Opts.Manifest.Limits }

// files returns everything that kustomize may read.
func (b *Builder) files(p *gate.Approved, v *tree.View, t *trace) map[string][]byte {
	files := make(map[string][]byte, len(p.Files)+len(p.Copies)+len(p.Inline))
	stubs := stubsOf(p, b.store, v)
	for _, name := range tree.Sorted(p.Files) {
		switch id := v.IDs[name]; p.Files[name] {
		case gate.UseResource:
			files[name] = t.objects(b.store.Parse(id).Docs, t.inFile(name), stubs)
		case gate.UsePatch:
			files[name] = t.patches(b.store.Parse(id).Docs, t.inFile(name))
		case gate.UseData, gate.UseConfig:
			files[name] = b.store.Raw[id]
		}
	}
	for _, name := range tree.Sorted(p.Inline) {
		if in := p.Inline[name]; in.File != "" {
			files[name] = t.patches(in.Docs, t.inText(in))
		}
	}
	for _, name := range tree.Sorted(p.Inflated) {
		in := p.Inflated[name]
		known := len(t.roots)
		files[name] = t.objects(in.Docs, t.inChart(in), stubs)
		for _, root := range t.roots[known:] {
			t.charts[root] = true
		}
	}
	for name, data := range p.Copies {
		files[name] = data
	}
	return files
}

// Kustomize runs one build, which can read only the approved files. A panic in kustomize, which reads
// untrusted input, fails this build only.
func (b *Builder) Kustomize(p *gate.Approved, files map[string][]byte) (m resmap.ResMap, err error) {
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, fmt.Errorf("kustomize failed: %v", r)
		}
	}()
	opts := krusty.MakeDefaultOptions()
	if p.Unrestricted {
		opts.LoadRestrictions = types.LoadRestrictionsNone
	}
	fsys := buildfs.New(files)
	fsys.Opened = b.Opened
	return krusty.MakeKustomizer(opts).Run(fsys, path.Join("/", p.Root))
}

// results reads the relevant objects from the output of a build. It fails if one of them cannot be read: patches may
// have made it too deep.
func (b *Builder) results(m resmap.ResMap, t *trace) ([]traced, error) {
	var out []traced
	for _, r := range m.Resources() {
		gvk := r.GetGvk()
		if !b.store.May(gvk.Group, gvk.Kind, r.GetName()) && r.Field("items") == nil {
			continue
		}
		text, err := r.RNode.String()
		if err != nil {
			return nil, &unreadable{gvk.Kind, r.GetName(), err}
		}
		o, err := t.read(text, b.limits())
		if err != nil {
			return nil, &unreadable{gvk.Kind, r.GetName(), err}
		}
		if items := o.Root.Get("items"); items != nil && items.Shape == loader.List {
			for _, item := range items.Items { // what deployers get is a list (apimachinery, unstructured.IsList)
				group, _ := tree.SplitVersion(item.Str("apiVersion"))
				if item.Shape == loader.Map && b.store.Matters(group, item.Str("kind"), item) {
					out = append(out, traced{Root: item, origin: o.origin})
				}
			}
			continue
		}
		if b.store.Matters(gvk.Group, gvk.Kind, o.Root) {
			out = append(out, o)
		}
	}
	return out, nil
}

// unpatched builds again without JSON6902 patches, because these remove all comments of an object.
// Only the positions are used, so this build may fail.
func (b *Builder) unpatched(p *gate.Approved, files map[string][]byte, t *trace) []traced {
	copied := make(map[string][]byte, len(files))
	for name, data := range files {
		copied[name] = data
	}
	for _, f := range p.Folders {
		if len(f.Patches) > 0 {
			copied[f.File] = f.WithoutPatches()
		}
	}
	m, err := b.Kustomize(p, copied)
	if err != nil {
		return nil
	}
	objects, err := b.results(m, t)
	if err != nil {
		return nil
	}
	return objects
}

// harmless matches the unsecret error messages of kustomize: those that do not repeat an input. Its errors often contain
// whole objects, patches and literals, which may be secret; names, paths and ids are not.
var harmless = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(strings.Join(unsecret, "|")) })

var unsecret = []string{
	`(multiple|no) matches for (Id )?[\w./\[\]-]+`, `may not add resource with an already registered id: [^\s']+`, `options\.index \d+ is out of bounds`,
	`missing metadata\.name`, `(add|remove|replace|move|copy|test) operation does not apply: [\w ]+: [\w./~"-]+`, `testing value [\w./~-]+ failed`,
	`Unexpected kind: [a-z]+`, `error in [a-z]+ for path: '[\w./~-]*': [\w ]+(: [\w./~-]+)?`,
	`unable to find field [\w."\[\]-]+ in replacement target`, "fieldPath `[^`]*` is missing for replacement source", `nothing selected by`,
	`(does not exist|exists); (cannot|can not) (merge or replace|use behavior)`, `invalid literal source`, `unable to parse SM or JSON patch`,
}

// buildProblem returns the problem for a failed build. It includes the reason if that does not repeat
// the input, and where the object without a name is that the reason may be about.
func buildProblem(p *gate.Approved, err error, nameless string) loader.Problem {
	message, hint := "kustomize cannot build this folder", "run kustomize build on it to see the whole error"
	if result := (*unreadable)(nil); errors.As(err, &result) {
		message, hint = result.Error(), "write the object out, or split its patches"
	} else if why := harmless().FindString(err.Error()); why != "" {
		message += ": " + deploy.Clip(why)
		if nameless != "" && strings.Contains(why, "metadata.name") {
			message += " at " + nameless
		}
	}
	return loader.Problem{
		Severity: loader.Warning, Code: loader.KustomizeBuild, Message: message,
		Position: deploy.PositionOf(p.Folders[0].File, p.Folders[0].Value),
		Hint:     hint,
	}
}

// nameless returns the place of the first object without a name among the resources of a build, or "".
func (b *Builder) nameless(p *gate.Approved, v *tree.View) string {
	for _, name := range tree.Sorted(p.Files) {
		if p.Files[name] != gate.UseResource {
			continue
		}
		for _, doc := range b.store.Parse(v.IDs[name]).Docs {
			if doc.Str("kind") != "" && doc.Str("metadata", "name") == "" && doc.Get("items") == nil {
				return deploy.PositionOf(name, doc).String()
			}
		}
	}
	return ""
}

// unreadable is an object of a build that cannot be read.
type unreadable struct {
	kind, name string
	err        error
}

func (u *unreadable) Error() string {
	return fmt.Sprintf("the %s %s that kustomize builds cannot be read: %v", deploy.Quote(u.kind), deploy.Quote(u.name), u.err)
}

func (u *unreadable) Unwrap() error { return u.err }
