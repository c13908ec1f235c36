package apply

import (
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader/tree"
)

// variant says whether a kustomization that others include is deployed by itself, too: it
// puts a base somewhere, by a namespace, names or patches, and stands beside those that
// nothing includes, or one that includes it moves it elsewhere. What it says itself would
// not be seen otherwise.
func (s *Applier) variant(v *tree.View, dir string, beside map[string]bool) bool {
	if s.store.Component(v, dir) || len(v.Includes[dir].Dirs) == 0 || slices.ContainsFunc(strings.Split(dir, "/"), isBase) {
		return false
	}
	own := s.store.Kustomization(v, dir)
	if !slices.ContainsFunc([]string{"namespace", "namePrefix", "nameSuffix", "patches", "patchesStrategicMerge", "patchesJson6902"}, func(key string) bool { return !own.Get(key).IsEmpty() }) {
		return false
	}
	if beside[path.Dir(dir)] {
		return true
	}
	for _, name := range tree.Sorted(v.Includes) {
		if name == dir || !slices.Contains(v.Includes[name].Dirs, dir) {
			continue
		}
		if ns := s.store.Kustomization(v, name).Str("namespace"); ns != "" && own.Str("namespace") != "" && ns != own.Str("namespace") {
			return true
		}
	}
	return false
}

// isBase knows the names of folders that are there to be included.
func isBase(name string) bool {
	return slices.ContainsFunc([]string{"base", "bases", "common", "shared", "default", "defaults", "core", "template", "templates", "lib"}, func(word string) bool {
		return name == word || strings.HasPrefix(name, word+"-") || strings.HasSuffix(name, "-"+word)
	})
}
