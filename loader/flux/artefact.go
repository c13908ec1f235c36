package flux

import (
	"fmt"
	"path"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// artefactRoot finds the folder that Flux paths are relative to if that is not the root of the
// tree: an artefact may contain only one folder (flux push artifact --path, FluxInstance
// spec.sync). It is the folder below which most of the missing paths exist: at least 90 %, and more
// than below any other folder. "" means the tree itself.
func artefactRoot(v *site, entries []entry) (dir, note string) {
	missing, total := missingPaths(v, entries)
	// If at least half of the paths exist unchanged, the others are mistakes.
	if len(missing) == 0 || 2*len(missing) <= total {
		return "", ""
	}
	votes := prefixes(v, missing)
	best, tied := "", false
	for _, prefix := range tree.Sorted(votes) {
		switch {
		case votes[prefix] > votes[best]:
			best, tied = prefix, false
		case votes[prefix] == votes[best]:
			tied = true
		}
	}
	if tied || 10*votes[best] < 9*len(missing) {
		return "", ""
	}
	return best, fmt.Sprintf("gwplan assumes that the paths of Flux Kustomizations are relative to the folder %s, which contains %d of %d of them", deploy.Quote(best), votes[best], len(missing))
}

// missingPaths returns the paths that are not folders of the tree, and the total number of paths
// that are known and refer to a folder below its root.
func missingPaths(v *site, entries []entry) (missing []string, total int) {
	for _, e := range entries {
		if e.foreign || e.path == "." || tree.Dotted(e.File) || tree.Unresolved(e.path) {
			continue
		}
		if total++; !v.Dirs[e.path] {
			missing = append(missing, e.path)
		}
	}
	return missing, total
}

// prefixes returns, for each folder, how many of the paths exist below it.
func prefixes(v *site, paths []string) map[string]int {
	byBase := map[string][]string{}
	for dir := range v.Dirs {
		byBase[path.Base(dir)] = append(byBase[path.Base(dir)], dir)
	}
	votes := map[string]int{}
	for _, p := range paths {
		for _, dir := range byBase[path.Base(p)] {
			if prefix, ok := strings.CutSuffix(dir, "/"+p); ok && prefix != "" {
				votes[prefix]++
			}
		}
	}
	return votes
}

// applied returns the folder of the tree that a Flux path refers to.
func (v *site) applied(p string) (dir string, ok bool) {
	if below := path.Join(v.artefact, p); v.artefact != "" && loader.Within(v.artefact, below) && v.Dirs[below] {
		return below, true
	}
	return p, v.Dirs[p]
}
