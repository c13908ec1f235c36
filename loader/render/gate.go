package render

import (
	"fmt"
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// maxDepth bounds what may lie in each other: folders of a build, charts.
const maxDepth = 64

// maxVisits bounds one build. Kustomize walks a folder as often as it is included, so folders
// that include two others each cost twice per level.
const maxVisits = 10_000

// gate walks every kustomization that a build would reach and lets through only
// references to files and folders of the tree. What it lets through is written
// anew by emit, so kustomize sees what the gate has seen.
type gate struct {
	view  *view
	store *store
	// charts renders those of kustomizations; nil renders none.
	charts *charts
	plan   *plan
	// byDir are the folders walked so far, open those being walked.
	byDir map[string]*folder
	open  []string
}

// pass walks the kustomization in a folder.
func (b *builder) pass(v *view, root string, o *overlay) *plan {
	p := &plan{root: root, files: map[string]use{}, copies: map[string][]byte{}, inline: map[string]inline{}, inflated: map[string]inflated{}}
	g := &gate{view: v, store: b.store, charts: b.charts, plan: p, byDir: map[string]*folder{}}
	if o != nil {
		p.unrestricted, p.overlay, p.salt = !o.restricted, o, digestOf(o)
	}
	f := g.folder(root)
	if f == nil {
		p.refused = true
		return p
	}
	if len(p.gaps) > 0 {
		g.orphans()
	}
	return p
}

// folder walks one kustomization; nil means that there is none that could be
// built, and a problem says why.
func (g *gate) folder(dir string) *folder {
	if f := g.byDir[dir]; f != nil {
		return f
	}
	f := g.load(dir)
	if f == nil {
		return nil
	}
	g.open = append(g.open, dir)
	g.plan.folders = append(g.plan.folders, f)
	for _, field := range f.value.Fields {
		g.field(f, field)
	}
	for _, file := range f.inflated {
		appendItems(f.edited, "resources", text("./"+path.Base(file)))
	}
	if dir == g.plan.root && g.plan.overlay != nil {
		g.deploy(f, g.plan.overlay)
	}
	g.open = g.open[:len(g.open)-1]
	g.byDir[dir] = f
	g.count(f)
	g.plan.copies[f.file] = emit(notEmpty(f.edited))
	return f
}

// load reads the kustomization of a folder.
func (g *gate) load(dir string) *folder {
	if o := g.plan.overlay; o != nil && dir == g.plan.root && o.generated != nil {
		file := path.Join(dir, "kustomization.yaml")
		f := &folder{dir: dir, file: file, value: o.generated, edited: &loader.Value{Shape: loader.Map}}
		if o.inflated != nil {
			name := g.free(dir)
			g.plan.inflated[name] = *o.inflated
			f.inflated = append(f.inflated, name)
		}
		return f
	}
	files := g.view.kusts[dir]
	if len(files) != 1 {
		g.problem(loader.Position{File: dir}, complain("kustomize-files", fmt.Sprintf("the folder holds %d kustomization files", len(files)), "keep exactly one"))
		return nil
	}
	p := g.store.parse(g.view.ids[files[0]])
	if len(p.problems) > 0 {
		g.problems(p.problems, files[0])
		return nil
	}
	if len(p.docs) == 0 || p.docs[0].Shape != loader.Map {
		g.problem(loader.Position{File: files[0]}, complain("kustomize-files", "the kustomization is empty or no map", "list what it builds under resources"))
		return nil
	}
	return &folder{dir: dir, file: files[0], value: p.docs[0], edited: &loader.Value{Shape: loader.Map}}
}

// notEmpty gives a kustomization that has lost its last entry a name, since
// kustomize refuses one without any field.
func notEmpty(v *loader.Value) *loader.Value {
	if v.Get("metadata") != nil {
		return v
	}
	meta := mapOf("name", text("gwplan"))
	return &loader.Value{Shape: loader.Map, Fields: append(slices.Clone(v.Fields), loader.Field{Key: "metadata", Value: meta})}
}

func text(s string) *loader.Value { return &loader.Value{Shape: loader.String, Text: s} }

func mapOf(key string, v *loader.Value) *loader.Value {
	return &loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: key, Value: v}}}
}

// count bounds the work that kustomize would do.
func (g *gate) count(f *folder) {
	f.visits = 1
	for _, below := range f.below {
		f.visits = min(f.visits+below.visits, maxVisits+1)
	}
	if f.visits > maxVisits {
		g.refuse(f.file, f.value, complain("limit-kustomizations", fmt.Sprintf("the build would walk more than %d kustomizations", maxVisits), "include each folder once"))
	}
}

// field applies the rule of one field.
func (g *gate) field(f *folder, field loader.Field) {
	rule, known := fieldRule(field.Key)
	if !known {
		g.refuse(f.file, field.Value, complain("kustomize-field", fmt.Sprintf("a kustomization has no field %s", quote(field.Key)), "correct its name; case matters here"))
		return
	}
	v := field.Value
	if rule != nil && !v.IsNull() {
		v = rule(g, f, v)
	}
	if v != nil {
		f.edited.Fields = append(f.edited.Fields, loader.Field{Key: field.Key, Value: v})
	}
}

// entry checks a file or folder that gives objects. What is refused is left out
// of the copy, and what it would give is unknown.
func (g *gate) entry(f *folder, v *loader.Value) bool {
	name, ok := g.reference(f, v)
	if !ok {
		return false
	}
	if _, file := g.view.ids[name]; file {
		return g.resource(f, v, name)
	}
	return g.include(f, v, name)
}

// reference checks the text of a reference and that it exists.
func (g *gate) reference(f *folder, v *loader.Value) (string, bool) {
	if v.Shape != loader.String || !localReference(v.Text) {
		g.drop(f, v, complain(
			"kustomize-remote", fmt.Sprintf("%s is no plain path inside the tree and is not followed", quote(v.Text)),
			"render it beforehand, or write ./ in front of a path that is meant as one",
		))
		return "", false
	}
	name, ok := target(f.dir, v.Text)
	_, file := g.view.ids[name]
	if !ok || !file && !g.view.dirs[name] {
		g.drop(f, v, complain("kustomize-missing", fmt.Sprintf("%s is not in the tree", quote(v.Text)), "correct the path, or render what it means beforehand"))
		return "", false
	}
	return name, true
}

// resource admits a file of objects.
func (g *gate) resource(f *folder, v *loader.Value, name string) bool {
	if !g.plan.unrestricted && !within(f.dir, name) {
		g.drop(f, v, complain(
			"kustomize-outside", fmt.Sprintf("the file %s lies outside the folder of its kustomization", quote(v.Text)),
			"kustomize refuses this by default; put a kustomization beside the file and list its folder",
		))
		return false
	}
	p := g.store.parse(g.view.ids[name])
	if len(p.problems) > 0 {
		g.problems(p.problems, name)
		g.gap(f, v)
		return false
	}
	for _, doc := range p.docs {
		g.plan.secret = g.plan.secret || doc.Str("kind") == "Secret"
	}
	g.use(name, useResource)
	f.holds = append(f.holds, name)
	f.list(name, v)
	return true
}

// include admits a folder.
func (g *gate) include(f *folder, v *loader.Value, dir string) bool {
	above := func(open string) bool { return within(dir, open) }
	if slices.ContainsFunc(g.open, above) {
		g.refuse(f.file, v, complain("kustomize-cycle", fmt.Sprintf("%s includes the kustomization itself", quote(v.Text)), "take the entry out"))
		return false
	}
	if len(g.open) >= maxDepth {
		g.refuse(f.file, v, complain("limit-kustomizations", fmt.Sprintf("kustomizations include each other deeper than %d levels", maxDepth), "flatten them"))
		return false
	}
	if len(g.view.kusts[dir]) == 0 {
		g.drop(f, v, complain("kustomize-missing", fmt.Sprintf("the folder %s holds no kustomization", quote(v.Text)), "add one, or list its files"))
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

// use notes what a file is for. Data keeps its bytes, so it wins; a plugin's
// configuration is written anew and can be nothing else.
func (g *gate) use(name string, u use) {
	had, ok := g.plan.files[name]
	if ok && (had == useConfig) != (u == useConfig) {
		g.refuse(name, nil, complain("kustomize-plugin", "the file is the configuration of a plugin and something else at once", "use two files"))
	}
	if !ok || u < had {
		g.plan.files[name] = u
	}
}

// complaint is what is wrong and what to do.
type complaint struct{ code, message, hint string }

func complain(code, message, hint string) complaint { return complaint{code, message, hint} }

func (c complaint) problem(at loader.Position) loader.Problem {
	return loader.Problem{Severity: loader.Warning, Code: c.code, Position: at, Message: c.message, Hint: c.hint}
}

func (g *gate) problem(at loader.Position, c complaint) {
	g.plan.problems = append(g.plan.problems, c.problem(at))
}

// problems adds those of a file.
func (g *gate) problems(list []loader.Problem, file string) {
	for _, p := range list {
		p.Position.File = file
		g.plan.problems = append(g.plan.problems, p)
	}
}

// drop leaves an entry out.
func (g *gate) drop(f *folder, v *loader.Value, c complaint) {
	g.problem(place(f.file, v), c)
	g.gap(f, v)
}

func (g *gate) gap(f *folder, v *loader.Value) {
	g.plan.gaps = append(g.plan.gaps, loader.Gap{Name: clip(v.Text), Position: place(f.file, v)})
}

// refuse gives up on the build.
func (g *gate) refuse(file string, v *loader.Value, c complaint) {
	g.problem(place(file, v), c)
	g.plan.refused = true
}

func place(file string, v *loader.Value) loader.Position {
	if v == nil {
		return loader.Position{File: file}
	}
	return loader.Position{File: file, Line: int(v.Mark.Line), Column: int(v.Mark.Column)}
}

// clip shortens text from a tree for a message.
func clip(s string) string {
	const limit = 200
	if r := []rune(s); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return s
}

func quote(s string) string { return fmt.Sprintf("%q", clip(s)) }
