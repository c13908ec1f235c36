package render

import (
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// orphans takes out the strategic-merge patches for objects that a refused
// entry would have given: kustomize fails on a patch without its object. What
// they would give is unknown already.
func (g *gate) orphans() {
	names := map[string][]string{}
	for file, u := range g.plan.files {
		if u != useResource {
			continue
		}
		for _, doc := range g.store.parse(g.view.ids[file]).docs {
			for _, object := range listed(doc) {
				names[object.Str("kind")] = append(names[object.Str("kind")], object.Str("metadata", "name"))
			}
		}
	}
	for _, f := range g.plan.folders {
		gone := map[*loader.Value]bool{}
		for _, m := range f.merges {
			gone[m.entry] = orphan(m.docs, names)
		}
		for _, key := range []string{"patches", "patchesStrategicMerge"} {
			if list := f.edited.Get(key); list != nil {
				kept := filter(list, func(v *loader.Value) bool { return !gone[v] })
				f.edited = replaceKey(f.edited, key, loader.Field{Key: key, Value: kept})
			}
		}
		g.plan.copies[f.file] = emit(notEmpty(f.edited))
	}
}

// orphan says whether some document patches an object of no file. Generated
// objects count as known, and so do names that a prefix may have changed.
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
