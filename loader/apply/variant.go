package apply

import (
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader/tree"
)

// variant reports whether a kustomization that others include is also deployed by itself. It places
// a base with a namespace, names or patches, and either has siblings that nothing includes, or is
// included by one that sets a different namespace. Otherwise its own settings would not take
// effect.
func (s *Applier) variant(v *tree.View, dir string, beside map[string]bool) bool {
	kusts := s.store.Kustomizations(v)
	if kusts.IsComponent(dir) || len(v.Includes[dir].Dirs) == 0 || slices.ContainsFunc(strings.Split(dir, "/"), isBase) {
		return false
	}
	own := kusts.At(dir)
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
		if ns := kusts.At(name).Str("namespace"); ns != "" && own.Str("namespace") != "" && ns != own.Str("namespace") {
			return true
		}
	}
	return false
}

// isBase reports whether a folder has a name of folders meant for inclusion.
func isBase(name string) bool {
	return slices.ContainsFunc([]string{"base", "bases", "common", "shared", "default", "defaults", "core", "template", "templates", "lib"}, func(word string) bool {
		return name == word || strings.HasPrefix(name, word+"-") || strings.HasSuffix(name, "-"+word)
	})
}
