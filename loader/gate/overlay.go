package gate

import (
	"crypto/sha256"
	"fmt"
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/emit"
	"github.com/gwplan/gwplan/loader/tree"
)

// digestOf identifies the overlay, including its positions.
func digestOf(o *deploy.Overlay) string {
	h := sha256.New()
	add := func(p deploy.Located) { fmt.Fprintf(h, "%q %q %s\n", p.Key, p.At, emit.Plain(p.Value)) }
	if o.Inflated != nil {
		h.Write(o.Inflated.Digest[:])
	}
	fmt.Fprintf(h, "%q %v %v\n%s", o.File, o.Restricted, o.Optional, emit.Plain(o.Generated))
	for _, f := range slices.Concat(o.Fields, o.Components, o.Labels) {
		add(f)
	}
	for _, p := range o.Patches {
		add(p.Body)
		fmt.Fprintf(h, "%s", emit.Plain(p.Target))
	}
	return string(h.Sum(nil))
}

// deploy adds the overlay to the copy of the root's kustomization, as Flux does (fluxcd/pkg
// kustomize/kustomize_generator.go, WriteFile): its fields, such as the namespace, replace the
// existing ones; components, labels and patches are appended.
func (g patchVisit) deploy(f *Folder, o *deploy.Overlay) {
	for _, p := range o.Fields {
		f.Edited = tree.SetKey(f.Edited, p.Key, p.Value)
	}
	for _, c := range o.Components {
		if name, ok := tree.Target(f.Dir, c.Value.Text); o.Optional && (!ok || !g.view.Dirs[name]) {
			continue
		}
		from := &Folder{Dir: f.Dir, File: c.At.File}
		if g.entry(from, c.Value) {
			appendItems(f.Edited, "components", c.Value)
		}
		f.below = append(f.below, from.below...)
	}
	for _, l := range o.Labels {
		appendItems(f.Edited, "labels", l.Value)
	}
	for _, p := range o.Patches {
		g.deployPatch(f, p)
	}
}

func (g patchVisit) deployPatch(f *Folder, p deploy.OverlayPatch) {
	item := &loader.Value{Shape: loader.Map}
	if p.Target != nil {
		item.Fields = append(item.Fields, loader.Field{Key: "target", Value: p.Target})
	}
	in := g.moved(p.Body.At.File, trimmed(p.Body.Value))
	if len(in.Docs) == 0 {
		return
	}
	name := g.free(f.Dir)
	g.approved.Inline[name] = in
	item.Fields = append(item.Fields, loader.Field{Key: "path", Value: tree.Text("./" + path.Base(name))})
	if in.Docs[0].Shape == loader.List {
		f.Patches = append(f.Patches, JSONPatch{entry: item, Target: p.Target, Ops: in.Docs[0], Source: name})
	}
	f.merge(item, in.Docs)
	appendItems(f.Edited, "patches", item)
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
