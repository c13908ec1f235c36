package tree

import (
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// Kustomizations reads the kustomizations of a tree: the view has their names, the store their
// contents.
type Kustomizations struct {
	store *Store
	view  *View
}

// Kustomizations returns the kustomizations of a view.
func (s *Store) Kustomizations(v *View) Kustomizations { return Kustomizations{store: s, view: v} }

// Includes returns the references of all kustomizations, by folder.
func (k Kustomizations) Includes() map[string]references {
	out := make(map[string]references, len(k.view.Kusts))
	for dir := range k.view.Kusts {
		out[dir] = k.includesOf(dir)
	}
	return out
}

func (k Kustomizations) includesOf(dir string) references {
	var r references
	visit := func(text string) {
		if name, ok := Target(dir, text); ok && text != "" && len(text) <= maxReference {
			if _, file := k.view.IDs[name]; file {
				r.Files = append(r.Files, name)
			}
		}
	}
	for _, file := range k.view.Kusts[dir] {
		for _, doc := range k.store.Parse(k.view.IDs[file]).Docs {
			eachText(doc, visit)
			for _, field := range []string{"resources", "bases", "components", "generators", "transformers", "validators"} {
				for _, item := range doc.List(field) {
					name, ok := Target(dir, item.Text)
					if ok && item.Text != "" && len(k.view.Kusts[name]) > 0 {
						r.Dirs = append(r.Dirs, name)
					}
				}
			}
			for _, field := range []string{"generators", "transformers", "validators"} {
				for _, item := range doc.List(field) {
					for _, config := range k.pluginDocs(dir, item) {
						eachText(config, visit)
						eachText(config.Get("policies"), func(text string) { r.Files = append(r.Files, k.plainFiles(dir, text)...) })
					}
				}
			}
		}
	}
	return r
}

// plainFiles returns the YAML files of a folder without a kustomization, which a generator of policies may
// name.
func (k Kustomizations) plainFiles(dir, text string) []string {
	name, ok := Target(dir, text)
	if !ok || text == "" || len(text) > maxReference || !k.view.Dirs[name] || len(k.view.Kusts[name]) > 0 || !loader.Within(dir, name) || name == dir {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(k.view.FilesBelow(name)), func(file string) bool { return path.Dir(file) != name })
}

// pluginDocs reads the plugin configuration in an entry: a file or inline text.
func (k Kustomizations) pluginDocs(dir string, item *loader.Value) []*loader.Value {
	if name, ok := Target(dir, item.Text); ok && k.view.IDs[name] != "" {
		return k.store.Parse(k.view.IDs[name]).Docs
	}
	docs, _ := manifest.Parse([]byte(item.Text), k.store.Opts.Manifest.Limits)
	return docs
}

// IsComponent reports whether the kustomization of a folder is a Component, not a root.
func (k Kustomizations) IsComponent(dir string) bool {
	for _, file := range k.view.Kusts[dir] {
		for _, doc := range k.store.Parse(k.view.IDs[file]).Docs {
			if doc.Str("kind") == "Component" {
				return true
			}
		}
	}
	return false
}

// At returns the kustomization of a folder, or nil.
func (k Kustomizations) At(dir string) *loader.Value {
	for _, file := range k.view.Kusts[dir] {
		for _, doc := range k.store.Parse(k.view.IDs[file]).Docs {
			return doc
		}
	}
	return nil
}

// references are the files and folders in a kustomization, approved or not.
type references struct {
	Files []string
	Dirs  []string
}
