package unseen

import (
	"path"
	"slices"
	"strings"
)

// installerFiles are those of programs that install charts and that nothing here runs: Fleet, helmfile, Skaffold and Zarf.
var installerFiles = []string{"fleet.yaml", "helmfile.yaml", "helmfile.yml", "skaffold.yaml", "zarf.yaml"}

// installs reports whether a file holds values of charts, which such a program or one outside of the tree may give to a chart, or
// is of such a program itself.
func installs(file string, deployed func(file string) bool) bool {
	dir, base := path.Dir(file), path.Base(file)
	if !mayApply(file, deployed) || !slices.Contains([]string{".yaml", ".yml"}, path.Ext(file)) {
		return false
	}
	return slices.Contains(installerFiles, base) || strings.Contains(base, "values") || path.Base(dir) == "values" || path.Base(dir) == "helmfile.d"
}
