// Package gate decides which kustomizations may be built. It visits everything that a build would read and approves
// only files and folders of the tree. What it approves is all that a build gets to see.
package gate

import (
	"fmt"
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/emit"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/release"
	"github.com/gwplan/gwplan/loader/tree"
)

// maxVisits is how many folders one build may visit. Kustomize visits a folder as often as it is
// included, so if every folder includes two others, the number doubles with each level.
const maxVisits = 10_000

// maxLoads is how many objects one build may load. An object counts as often as kustomize loads it.
const maxLoads = 100_000

// visit goes through every kustomization that a build would read and approves only references to files and
// folders of the tree. Package emit writes what is approved into new files, so kustomize reads
// exactly what the gate has checked.
type visit struct {
	view  *tree.View
	store *tree.Store
	// charts renders the charts of kustomizations. Nil renders none.
	charts *release.Charts
	journal
	// byDir are the folders visited so far, open those that are being visited.
	byDir map[string]*Folder
	open  []string
	// insertions are the replacements so far that can double a text.
	insertions int
}

// Gate lets kustomizations pass whose references stay in the tree.
type Gate struct {
	store *tree.Store
	// charts renders the charts of kustomizations. Nil renders none.
	charts *release.Charts
	passed map[passage]*Approved
}

// New returns a Gate. Without charts it renders none.
func New(s *tree.Store, c *release.Charts) *Gate {
	return &Gate{store: s, charts: c, passed: map[passage]*Approved{}}
}

// Pass checks the kustomization in a folder and everything that it includes, once for all views that hold the same
// files there.
func (g *Gate) Pass(v *tree.View, root string, o *deploy.Overlay) *Approved {
	key := passage{root: root}
	if o != nil {
		key.overlay = digestOf(o)
	}
	if was := g.passed[key]; was != nil && was.holdsIn(v) {
		return was
	}
	p := g.pass(v, key, o)
	g.passed[key] = p
	return p
}

// passage identifies what the gate checks in a view: a folder and what a deployer adds to it.
type passage struct{ root, overlay string }

func (g *Gate) pass(v *tree.View, key passage, o *deploy.Overlay) *Approved {
	root := key.root
	p := &Approved{Root: root, view: v, Files: map[string]Use{}, Copies: map[string][]byte{}, Inline: map[string]Inline{}, Inflated: map[string]deploy.Inflated{}}
	at := &visit{view: v, store: g.store, charts: g.charts, journal: journal{p}, byDir: map[string]*Folder{}}
	if o != nil {
		p.Unrestricted, p.overlay, p.salt = !o.Restricted, o, key.overlay
	}
	f := at.folder(root)
	if f == nil {
		p.Refused = true
		return p
	}
	if len(p.Gaps) > 0 {
		patching(at).orphans()
	}
	return p
}

// folder checks one kustomization. It returns nil and records a problem if the kustomization cannot
// be built.
func (g *visit) folder(dir string) *Folder {
	if f := g.byDir[dir]; f != nil {
		return f
	}
	f := g.load(dir)
	if f == nil {
		return nil
	}
	g.open = append(g.open, dir)
	g.approved.Folders = append(g.approved.Folders, f)
	for _, field := range f.Value.Fields {
		g.field(f, field)
	}
	for _, file := range f.inflated {
		appendItems(f.Edited, "resources", tree.Text("./"+path.Base(file)))
	}
	if dir == g.approved.Root && g.approved.overlay != nil {
		patching(g).deploy(f, g.approved.overlay)
	}
	g.open = g.open[:len(g.open)-1]
	g.byDir[dir] = f
	g.count(f)
	g.approved.Copies[f.File] = emit.Plain(notEmpty(f.Edited))
	return f
}

// load reads the kustomization of a folder.
func (g *visit) load(dir string) *Folder {
	if o := g.approved.overlay; o != nil && dir == g.approved.Root && o.Generated != nil {
		file := path.Join(dir, "kustomization.yaml")
		f := &Folder{Dir: dir, File: file, Value: o.Generated, Edited: &loader.Value{Shape: loader.Map}}
		if o.Inflated != nil {
			name := inlineVisit{g}.free(dir)
			g.approved.Inflated[name] = *o.Inflated
			f.inflated = append(f.inflated, name)
		}
		return f
	}
	files := g.view.Kusts[dir]
	if len(files) != 1 {
		g.problem(loader.Position{File: dir}, deploy.Complain(loader.KustomizeFiles, fmt.Sprintf("the folder holds %d kustomization files", len(files)), "keep exactly one"))
		return nil
	}
	p := g.store.Parse(g.view.IDs[files[0]])
	if len(p.Problems) > 0 {
		g.problems(p.Problems, files[0])
		return nil
	}
	if len(p.Docs) == 0 || p.Docs[0].Shape != loader.Map || saysNothing(p.Docs[0]) {
		g.problem(loader.Position{File: files[0]}, deploy.Complain(loader.KustomizeFiles, "the kustomization is empty or no map", "list what it builds under resources"))
		return nil
	}
	return &Folder{Dir: dir, File: files[0], Value: p.Docs[0], Edited: &loader.Value{Shape: loader.Map}}
}

// saysNothing reports whether a kustomization has no field besides its type, which kustomize refuses (api/types,
// Kustomization.CheckEmpty).
func saysNothing(v *loader.Value) bool {
	return !slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return f.Key != "apiVersion" && f.Key != "kind" && !f.Value.IsNull() })
}

// notEmpty adds a name to a kustomization whose last entry was removed, because kustomize refuses a
// kustomization without fields.
func notEmpty(v *loader.Value) *loader.Value {
	if v.Get("metadata") != nil {
		return v
	}
	meta := tree.MapOf("name", tree.Text("gwplan"))
	return &loader.Value{Shape: loader.Map, Fields: append(slices.Clone(v.Fields), loader.Field{Key: "metadata", Value: meta})}
}

// count refuses the build if kustomize would visit too many folders or load too many objects.
func (g *visit) count(f *Folder) {
	f.visits = 1
	for _, below := range f.below {
		f.visits = min(f.visits+below.visits, maxVisits+1)
	}
	for _, item := range f.Value.List("resources") {
		if name, ok := tree.Target(f.Dir, item.Text); ok && g.view.IDs[name] != "" {
			f.loads += len(g.store.Parse(g.view.IDs[name]).Docs)
		}
	}
	for _, below := range f.below {
		f.loads = min(f.loads+below.loads, maxLoads+1)
	}
	if f.loads > maxLoads {
		g.refuse(f.File, f.Value, deploy.Complain(loader.LimitKustomizations, fmt.Sprintf("the build would load more than %d objects, each as often as its folder is included", maxLoads), "include each folder once"))
	}
	if f.visits > maxVisits {
		g.refuse(f.File, f.Value, deploy.Complain(loader.LimitKustomizations, fmt.Sprintf("the build would visit more than %d kustomizations, each as often as it is included", maxVisits), "include each folder once"))
	}
}

// field applies the rule for one field.
func (g *visit) field(f *Folder, field loader.Field) {
	rule, known := FieldRule(field.Key)
	if !known {
		g.refuse(f.File, field.Value, deploy.Complain(loader.KustomizeField, fmt.Sprintf("a kustomization has no field %s", deploy.Quote(field.Key)), "correct its name; case matters here"))
		return
	}
	v := field.Value
	if rule != nil && !v.IsNull() {
		v = rule(g, f, v)
	}
	if v != nil {
		f.Edited.Fields = append(f.Edited.Fields, loader.Field{Key: field.Key, Value: v})
	}
}

// entry checks a file or folder with objects. A refused entry is omitted from the copy, and its objects
// are unknown.
func (g *visit) entry(f *Folder, v *loader.Value) bool {
	name, ok := g.reference(f, v)
	if !ok {
		return false
	}
	if _, file := g.view.IDs[name]; file {
		return g.resource(f, v, name)
	}
	return g.include(f, v, name)
}

// reference checks the text of a reference, and that its file or folder exists.
func (g *visit) reference(f *Folder, v *loader.Value) (string, bool) {
	if v.Shape != loader.String || !tree.LocalReference(v.Text) {
		g.drop(f, v, deploy.Complain(
			"kustomize-remote", fmt.Sprintf("%s is not a path in the tree and is not fetched: its objects are unknown", deploy.QuoteReference(v.Text)),
			"commit the rendered files; if it is a path, begin it with ./",
		))
		return "", false
	}
	name, ok := tree.Target(f.Dir, v.Text)
	_, file := g.view.IDs[name]
	if !ok || !file && !g.view.Dirs[name] {
		g.drop(f, v, deploy.Complain(loader.KustomizeMissing, fmt.Sprintf("%s is not in the tree", deploy.Quote(v.Text)), "correct the path, or render what it means beforehand"))
		return "", false
	}
	return name, true
}

// resource approves a file of objects.
func (g *visit) resource(f *Folder, v *loader.Value, name string) bool {
	if !g.approved.Unrestricted && !loader.Within(f.Dir, name) {
		g.drop(f, v, deploy.Complain(
			loader.KustomizeOutside, fmt.Sprintf("the file %s is outside the folder of its kustomization", deploy.Quote(v.Text)),
			"kustomize refuses this by default; put a kustomization into the folder of the file and list that folder",
		))
		return false
	}
	p := g.store.Parse(g.view.IDs[name])
	if len(p.Problems) > 0 {
		g.problems(p.Problems, name)
		g.gap(f, v)
		return false
	}
	for _, doc := range p.Docs {
		if half := manifest.HalfNamed(doc); half != nil {
			g.problems([]loader.Problem{*half}, name)
		}
	}
	g.use(name, UseResource)
	f.holds = append(f.holds, name)
	f.list(name, v)
	return true
}

// include approves a folder.
func (g *visit) include(f *Folder, v *loader.Value, dir string) bool {
	above := func(open string) bool { return loader.Within(dir, open) }
	if slices.ContainsFunc(g.open, above) {
		g.refuse(f.File, v, deploy.Complain(loader.KustomizeCycle, fmt.Sprintf("%s includes the kustomization itself", deploy.Quote(v.Text)), "take the entry out"))
		return false
	}
	if len(g.open) >= tree.MaxDepth {
		g.refuse(f.File, v, deploy.Complain(loader.LimitKustomizations, fmt.Sprintf("kustomizations include each other deeper than %d levels", tree.MaxDepth), "flatten them"))
		return false
	}
	if len(g.view.Kusts[dir]) == 0 {
		g.drop(f, v, deploy.Complain(loader.KustomizeMissing, fmt.Sprintf("the folder %s contains no kustomization", deploy.Quote(v.Text)), "add one, or list its files"))
		return false
	}
	below := g.folder(dir)
	if below == nil {
		g.gap(f, v)
		return false
	}
	f.below = append(f.below, below)
	f.list(dir, v)
	return true
}

// use records the purpose of a file. If a file is also data, it keeps its bytes. The configuration of
// a plugin is rewritten, so such a file cannot have another purpose.
func (g *visit) use(name string, u Use) {
	had, ok := g.approved.Files[name]
	if ok && (had == UseConfig) != (u == UseConfig) {
		g.refuse(name, nil, deploy.Complain(loader.KustomizePlugin, "the file is the configuration of a plugin and something else at once", "use two files"))
	}
	if !ok || u < had {
		g.approved.Files[name] = u
	}
}
