package tree

import (
	"path"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// references are the files and folders in a kustomization, approved or not.
type references struct {
	Files []string
	Dirs  []string
}

// Includes returns the references of the kustomizations of a view, by folder.
func (s *Store) Includes(v *View) map[string]references {
	out := make(map[string]references, len(v.Kusts))
	for dir := range v.Kusts {
		out[dir] = s.includesOf(v, dir)
	}
	return out
}

func (s *Store) includesOf(v *View, dir string) references {
	var r references
	visit := func(text string) {
		if name, ok := Target(dir, text); ok && text != "" && len(text) <= maxReference {
			if _, file := v.IDs[name]; file {
				r.Files = append(r.Files, name)
			}
		}
	}
	for _, file := range v.Kusts[dir] {
		for _, doc := range s.Parse(v.IDs[file]).Docs {
			eachText(doc, visit)
			for _, field := range []string{"resources", "bases", "components", "generators", "transformers", "validators"} {
				for _, item := range doc.List(field) {
					name, ok := Target(dir, item.Text)
					if ok && item.Text != "" && len(v.Kusts[name]) > 0 {
						r.Dirs = append(r.Dirs, name)
					}
				}
			}
			for _, field := range []string{"generators", "transformers", "validators"} {
				for _, item := range doc.List(field) {
					for _, config := range s.pluginDocs(v, dir, item) {
						eachText(config, visit)
					}
				}
			}
		}
	}
	return r
}

// pluginDocs reads the plugin configuration in an entry: a file or inline text.
func (s *Store) pluginDocs(v *View, dir string, item *loader.Value) []*loader.Value {
	if name, ok := Target(dir, item.Text); ok && v.IDs[name] != "" {
		return s.Parse(v.IDs[name]).Docs
	}
	docs, _ := manifest.Parse([]byte(item.Text), s.Opts.Manifest.Limits)
	return docs
}

// Component reports whether the kustomization of a folder is a Component, not a root.
func (s *Store) Component(v *View, dir string) bool {
	for _, file := range v.Kusts[dir] {
		for _, doc := range s.Parse(v.IDs[file]).Docs {
			if doc.Str("kind") == "Component" {
				return true
			}
		}
	}
	return false
}

func eachText(v *loader.Value, visit func(string)) {
	if v == nil {
		return
	}
	if v.Shape == loader.String {
		visit(v.Text)
		for i := 0; i < len(v.Text) && i < maxReference; i++ {
			if v.Text[i] == '=' {
				visit(v.Text[i+1:])
				break
			}
		}
	}
	for _, f := range v.Fields {
		eachText(f.Value, visit)
	}
	for _, item := range v.Items {
		eachText(item, visit)
	}
}

// Covered returns those files of ask that are read if a folder is applied, and the folders that are
// read for it.
func (v *View) Covered(dir string, ask map[string][]int) (files map[string]bool, dirs []string) {
	files, seen := map[string]bool{}, map[string]bool{}
	var visit func(string)
	visit = func(dir string) {
		if seen[dir] {
			return
		}
		seen[dir] = true
		for _, file := range v.Includes[dir].Files {
			if ask[file] != nil {
				files[file] = true
			}
		}
		for _, d := range v.Includes[dir].Dirs {
			visit(d)
		}
	}
	visit(dir)
	if len(v.Kusts[dir]) > 0 {
		return files, Sorted(seen)
	}
	for _, file := range v.FilesBelow(dir) {
		at := path.Dir(file)
		for Within(dir, at) && at != dir && len(v.Kusts[at]) == 0 {
			at = path.Dir(at)
		}
		switch {
		case len(v.Kusts[at]) > 0:
			visit(at)
		case ask[file] != nil:
			files[file] = true
		}
	}
	return files, Sorted(seen)
}

// Lister returns the folder that must be applied so that a file is included: the highest folder
// above it whose kustomization includes it, else its own folder.
func (v *View) Lister(file string) string {
	dir, ask := path.Dir(file), map[string][]int{file: {0}}
	best := dir
	for up := dir; up != "."; {
		up = path.Dir(up)
		if len(v.Kusts[up]) == 0 {
			continue
		}
		if taken, _ := v.Covered(up, ask); taken[file] {
			best = up
		}
	}
	return best
}

// Kustomization returns the kustomization of a folder, or nil.
func (s *Store) Kustomization(v *View, dir string) *loader.Value {
	for _, file := range v.Kusts[dir] {
		for _, doc := range s.Parse(v.IDs[file]).Docs {
			return doc
		}
	}
	return nil
}
