package gate

import (
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/emit"
	"github.com/gwplan/gwplan/loader/tree"
)

// orphans removes the strategic-merge patches for objects of refused entries, because kustomize fails
// if the object of a patch is missing. These objects are already recorded as unknown.
func (g patchVisit) orphans() {
	names := map[string][]string{}
	add := func(docs []*loader.Value) {
		for _, doc := range docs {
			for _, object := range tree.Listed(doc) {
				names[object.Str("kind")] = append(names[object.Str("kind")], object.Str("metadata", "name"))
			}
		}
	}
	for file, u := range g.approved.Files {
		if u == UseResource {
			add(g.store.Parse(g.view.IDs[file]).Docs)
		}
	}
	for _, in := range g.approved.Inflated {
		add(in.Docs)
	}
	for _, f := range g.approved.Folders {
		gone := map[*loader.Value]bool{}
		for _, m := range f.merges {
			gone[m.entry] = orphan(m.docs, names)
		}
		for _, key := range []string{"patches", "patchesStrategicMerge"} {
			if list := f.Edited.Get(key); list != nil {
				kept := filter(list, func(v *loader.Value) bool { return !gone[v] })
				f.Edited = tree.ReplaceKey(f.Edited, key, loader.Field{Key: key, Value: kept})
			}
		}
		g.approved.Copies[f.File] = emit.Plain(notEmpty(f.Edited))
	}
}

// orphan reports whether some document patches an object that neither a file nor a chart contains. Generated objects, and
// names that a prefix may have changed, count as contained.
func orphan(docs []*loader.Value, names map[string][]string) bool {
	for _, doc := range docs {
		kind, name := doc.Str("kind"), doc.Str("metadata", "name")
		known := kind == "ConfigMap" || kind == "Secret"
		for _, n := range names[kind] {
			known = known || n != "" && strings.Contains(name, n)
		}
		if !known {
			return true
		}
	}
	return false
}
