package tree

import (
	"path"

	"github.com/gwplan/gwplan/loader"
)

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
		for loader.Within(dir, at) && at != dir && len(v.Kusts[at]) == 0 {
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
