package unseen

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// charts finds changed charts of a tree with deployers that no deployer installs from there. A release of
// the same chart from elsewhere gets the change once it is published.
func charts(s *search) {
	dirs := maps.Clone(s.Base.Uninstalled)
	if dirs == nil {
		dirs = map[string]loader.UninstalledChart{}
	}
	maps.Copy(dirs, s.Head.Uninstalled)
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		if isInstalled(s.Base, dir) || isInstalled(s.Head, dir) {
			continue // the plan shows what it gives
		}
		var u plan.Unseen
		for _, file := range s.files.changedBelow([]string{dir}) {
			if isApplied(s.Base, file) || isApplied(s.Head, file) || !decidesChart(strings.TrimPrefix(file, dir+"/")) {
				continue
			}
			says := s.files.says(file)
			if u.What == "" || len(u.Says) == 0 && len(says) > 0 {
				u = s.files.entry(file, says)
				continue
			}
			u.Says = slices.Concat(u.Says, says)
		}
		u.Says = withKinds(u.Says, s.Base.Uninstalled[dir].Gives, s.Head.Uninstalled[dir].Gives)
		slices.Sort(u.Says)
		u.Says = slices.Compact(u.Says)
		by, environments := releasesOf(dirs[dir].Name, s.Base, s.Head)
		switch {
		case u.What == "", by == nil && len(u.Says) == 0:
			continue
		case by == nil:
			u.What, u.LeftOut = "chart "+dir, true
		default:
			u.What, u.Environments = fmt.Sprintf("chart %s, which %s installs from elsewhere,", dir, by), environments
		}
		u.Change = changeOf(s, dir)
		s.found = append(s.found, u)
	}
}

// decidesChart reports whether a file of a chart may decide what it renders (helm chart/loader): any but its documentation.
func decidesChart(file string) bool {
	folder, _, below := strings.Cut(file, "/")
	return below && slices.Contains([]string{"templates", "charts", "crds", "files"}, folder) ||
		slices.Contains([]string{"Chart.yaml", "values.yaml", "values.schema.json"}, file)
}

// isInstalled reports whether a snapshot has a chart in a folder and something installs it.
func isInstalled(side *loader.Snapshot, dir string) bool {
	_, idle := side.Uninstalled[dir]
	return !idle && side.Content(path.Join(dir, "Chart.yaml")) != ""
}

// changeOf says what happens to the chart in a folder.
func changeOf(s *search, dir string) string {
	file := path.Join(dir, "Chart.yaml")
	switch {
	case s.Base.Content(file) == "":
		return "added"
	case s.Head.Content(file) == "":
		return "removed"
	}
	return "changed"
}

// releasesOf returns the first release that installs a chart of a name that is not in the tree, or nil, and the environments of
// all of them.
func releasesOf(chart string, sides ...*loader.Snapshot) (by *loader.Gap, environments []string) {
	for _, side := range sides {
		for _, env := range side.Environments {
			for i := range env.Gaps {
				if g := &env.Gaps[i]; g.Chart != "" && g.ChartName() == chart && !slices.Contains(environments, env.Name) {
					environments = append(environments, env.Name)
					if by == nil {
						by = g
					}
				}
			}
		}
	}
	slices.Sort(environments)
	return by, environments
}
