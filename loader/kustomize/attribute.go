package kustomize

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/gate"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/tree"
)

// attribution finds the positions of values that lost their comments in a build.
type attribution struct {
	approved *gate.Approved
	trace    *trace
	limits   manifest.Limits
	// unpatched are the objects from the build without JSON6902 patches.
	unpatched []traced
	// patches are the patches by the kind of object that they target.
	patches map[string][]placedDoc
	// transforms are the transforming fields that apply to each file.
	transforms map[string][]gate.Transform
}

// finish sets the position of every value of an object: that of its comment, else that of the JSON6902
// operation that sets the value, else that of the field of the kustomization that does, else that of
// the enclosing value.
func (a *attribution) finish(o traced) deploy.Object {
	root := o.Root
	d := deploy.Object{Kind: root.Str("kind"), Namespace: root.Str("metadata", "namespace"), Name: root.Str("metadata", "name"), Root: root}
	d.Group, d.Version = tree.SplitVersion(root.Str("apiVersion"))
	if len(a.unpatched) > 0 {
		if twin, ok := a.twin(o, d); ok {
			a.adopt(root, a.replay(twin, d))
		}
	}
	own := a.declare(o, d)
	file := a.trace.files[root.Mark.File]
	a.identify(root, own)
	t := transforms{fields: a.transformsOf(file), own: own, patches: a.patchesOf(d.Kind)}
	t.place(root, nil, root.Mark, a.trace)
	d.Files = a.renumber(root)
	if deploy.IsSecret(d.Group, d.Kind) {
		d.Root = deploy.WithoutSecrets(root)
	}
	return d
}

// patchesOf returns the patches that name a kind, the last one first.
func (a *attribution) patchesOf(kind string) []placedDoc {
	if list, ok := a.patches[kind]; ok {
		return list
	}
	var out []placedDoc
	for _, root := range slices.Backward(a.trace.roots) {
		if n := a.trace.nodes[root-1]; a.isPatch(n) && n.value.Str("kind") == kind {
			out = append(out, placedDoc{trace: a.trace, root: root})
		}
	}
	if a.patches == nil {
		a.patches = map[string][]placedDoc{}
	}
	a.patches[kind] = out
	return out
}

func (a *attribution) transformsOf(file string) []gate.Transform {
	if list, ok := a.transforms[file]; ok {
		return list
	}
	if a.transforms == nil {
		a.transforms = map[string][]gate.Transform{}
	}
	a.transforms[file] = a.approved.Transforms(file)
	return a.transforms[file]
}

func (a *attribution) isPatch(n node) bool {
	return !a.trace.charts[n.doc] && a.approved.Files[a.trace.files[n.mark.File]] != gate.UseResource
}

// identify sets the positions of kind and name to those in the object's own document, because patches
// repeat these fields to select their object.
func (a *attribution) identify(root *loader.Value, own placedDoc) {
	for _, path := range [][]string{{"apiVersion"}, {"kind"}, {"metadata", "name"}, {"metadata", "namespace"}} {
		if v := root.Get(path...); v != nil {
			if mark, ok := own.find(path, v); ok {
				v.Mark = mark
			}
		}
	}
}

// placedDoc is an input document of the build with its positions.
type placedDoc struct {
	trace *trace
	root  int
}

// find returns the position of the value at a path if that value equals v.
func (p placedDoc) find(path []string, v *loader.Value) (loader.Mark, bool) {
	if p.root == 0 {
		return loader.Mark{}, false
	}
	was := Lookup(p.trace.nodes[p.root-1].value, path)
	if was == nil || !loader.Equal(was, v) {
		return loader.Mark{}, false
	}
	for i := p.root; i <= len(p.trace.nodes); i++ {
		n := p.trace.nodes[i-1]
		if n.doc != p.root {
			break
		}
		if n.value == was {
			return n.mark, true
		}
	}
	return loader.Mark{}, false
}

// twin returns the same object from the build without JSON6902 patches.
func (a *attribution) twin(o traced, d deploy.Object) (traced, bool) {
	var byOrigin []traced
	for _, u := range a.unpatched {
		if u.Root.Str("kind") != d.Kind {
			continue
		}
		if u.Root.Str("metadata", "name") == d.Name && u.Root.Str("metadata", "namespace") == d.Namespace {
			return u, true
		}
		if u.origin == o.origin && o.origin > 0 {
			byOrigin = append(byOrigin, u)
		}
	}
	if len(byOrigin) == 1 {
		return byOrigin[0], true
	}
	return traced{}, false
}

// adopt copies the positions of another value where the contents are equal.
func (a *attribution) adopt(to, from *loader.Value) {
	if from == nil || to.Shape != from.Shape {
		return
	}
	if !tree.Nested(to) {
		if to.Mark.Line == 0 && loader.Equal(to, from) {
			to.Mark = from.Mark
		}
		return
	}
	if to.Mark.Line == 0 {
		to.Mark = from.Mark
	}
	for _, f := range to.Fields {
		a.adopt(f.Value, from.Get(f.Key))
	}
	for i, item := range to.Items {
		if i < len(from.Items) {
			a.adopt(item, from.Items[i])
		}
	}
}

// declare finds the document that declares an object, and sets the position of the root value to it.
func (a *attribution) declare(o traced, d deploy.Object) placedDoc {
	n := o.origin
	if n == 0 {
		if file, mark, ok := a.approved.Generated(d.Kind, d.Name); ok {
			mark.File = a.trace.file(file)
			o.Root.Mark = mark
			return placedDoc{}
		}
		n = a.byName(d)
	}
	if n > 0 {
		o.Root.Mark = a.trace.nodes[n-1].mark
		return placedDoc{trace: a.trace, root: n}
	}
	top := a.approved.Folders[0]
	o.Root.Mark = loader.Mark{File: a.trace.file(top.File), Line: 1, Column: 1}
	return placedDoc{}
}

// byName finds a document of the same kind whose name is part of the object's name, because prefixes
// and suffixes only extend a name.
func (a *attribution) byName(d deploy.Object) int {
	best, length := 0, 0
	for _, root := range a.trace.roots {
		n := a.trace.nodes[root-1]
		if n.value.Str("kind") != d.Kind || a.isPatch(n) {
			continue
		}
		name := n.value.Str("metadata", "name")
		if len(name) > length && strings.Contains(d.Name, name) {
			best, length = root, len(name)
		}
	}
	return best
}

// renumber reduces the files of an object to those that its marks refer to. The declaring file comes
// first.
func (a *attribution) renumber(root *loader.Value) []string {
	numbers := map[uint32]uint32{root.Mark.File: 0}
	files := []string{a.trace.files[root.Mark.File]}
	var walk func(*loader.Value)
	walk = func(v *loader.Value) {
		n, ok := numbers[v.Mark.File]
		if !ok {
			n = uint32(len(files))
			numbers[v.Mark.File] = n
			files = append(files, a.trace.files[v.Mark.File])
		}
		v.Mark.File = n
		for _, f := range v.Fields {
			walk(f.Value)
		}
		for _, item := range v.Items {
			walk(item)
		}
	}
	walk(root)
	return files
}
