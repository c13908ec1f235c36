package render

import (
	"crypto/sha256"
	"fmt"
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// overlay is what a deployer adds to the kustomization of a folder.
type overlay struct {
	// file is where the deployer's own object stands.
	file string
	// restricted keeps files inside the folder of their kustomization, as
	// kustomize does by itself; Flux does not.
	restricted bool
	// optional leaves out components that are not there.
	optional bool
	// generated is the kustomization that the deployer makes for a folder that
	// has none; nil where there is one.
	generated *loader.Value
	// inflated are objects that a generated kustomization takes in, or nil.
	inflated *inflated
	// fields replace those of the kustomization.
	fields     []placed
	patches    []overlayPatch
	components []placed
}

// placed is a field with the place that it comes from.
type placed struct {
	key   string
	value *loader.Value
	at    loader.Position
}

type overlayPatch struct {
	target *loader.Value
	body   placed
}

// empty says that the overlay adds at most a namespace, which needs no build.
func (o *overlay) empty() bool {
	for _, f := range o.fields {
		if f.key != "namespace" {
			return false
		}
	}
	return len(o.patches) == 0 && len(o.components) == 0
}

// namespace is the one that the deployer sets, or nil.
func (o *overlay) namespace() *placed {
	for i := range o.fields {
		if o.fields[i].key == "namespace" {
			return &o.fields[i]
		}
	}
	return nil
}

// digestOf identifies the overlay with its places.
func digestOf(o *overlay) string {
	h := sha256.New()
	add := func(p placed) { fmt.Fprintf(h, "%q %q %s\n", p.key, p.at, emit(p.value)) }
	if o.inflated != nil {
		h.Write(o.inflated.digest[:])
	}
	fmt.Fprintf(h, "%q %v %v\n%s", o.file, o.restricted, o.optional, emit(o.generated))
	for _, f := range slices.Concat(o.fields, o.components) {
		add(f)
	}
	for _, p := range o.patches {
		add(p.body)
		fmt.Fprintf(h, "%s", emit(p.target))
	}
	return string(h.Sum(nil))
}

// deploy adds the overlay to the copy of the root's kustomization, as Flux does
// (fluxcd/pkg kustomize/kustomize_generator.go, WriteFile): names and namespace
// replace what is there, patches and components come last.
func (g *gate) deploy(f *folder, o *overlay) {
	for _, p := range o.fields {
		f.edited = setKey(f.edited, p.key, p.value)
	}
	for _, c := range o.components {
		if name, ok := target(f.dir, c.value.Text); o.optional && (!ok || !g.view.dirs[name]) {
			continue
		}
		from := &folder{dir: f.dir, file: c.at.File}
		if g.entry(from, c.value) {
			appendItems(f.edited, "components", c.value)
		}
		f.below = append(f.below, from.below...)
	}
	for _, p := range o.patches {
		g.deployPatch(f, p)
	}
}

func (g *gate) deployPatch(f *folder, p overlayPatch) {
	item := &loader.Value{Shape: loader.Map}
	if p.target != nil {
		item.Fields = append(item.Fields, loader.Field{Key: "target", Value: p.target})
	}
	in := g.moved(p.body.at.File, p.body.value)
	if len(in.docs) == 0 {
		return
	}
	name := g.free(f.dir)
	g.plan.inline[name] = in
	item.Fields = append(item.Fields, loader.Field{Key: "path", Value: text("./" + path.Base(name))})
	if in.docs[0].Shape == loader.List {
		f.patches = append(f.patches, jsonPatch{entry: item, target: p.target, ops: in.docs[0], source: name})
	}
	f.merge(item, in.docs)
	appendItems(f.edited, "patches", item)
}

// setKey gives a map with one field replaced or added.
func setKey(v *loader.Value, key string, by *loader.Value) *loader.Value {
	if v.Get(key) != nil {
		return replaceKey(v, key, loader.Field{Key: key, Value: by})
	}
	out := *v
	out.Fields = append(slices.Clone(v.Fields), loader.Field{Key: key, Value: by})
	return &out
}

// appendItems adds items to a list field of a map that is still being built.
func appendItems(v *loader.Value, key string, items ...*loader.Value) {
	for i := range v.Fields {
		if v.Fields[i].Key == key {
			list := *v.Fields[i].Value
			list.Shape, list.Items = loader.List, append(slices.Clone(list.Items), items...)
			v.Fields[i].Value = &list
			return
		}
	}
	v.Fields = append(v.Fields, loader.Field{Key: key, Value: &loader.Value{Shape: loader.List, Items: items}})
}
