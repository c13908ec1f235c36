package unseen

import (
	"cmp"
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
	dirs := uninstalledCharts(s)
	edited := map[string][]string{}
	for _, file := range s.files.changed {
		if dir, ok := chartAround(dirs, file); ok && s.files.differs(file) {
			edited[dir] = append(edited[dir], file)
		}
	}
	releases, unresolved := releasesByChart(s.Base, s.Head), hasUnresolvedSets(s)
	for _, dir := range slices.Sorted(maps.Keys(edited)) {
		if isInstalled(s.Base, dir) || isInstalled(s.Head, dir) {
			continue // the plan shows what it gives
		}
		var u plan.Unseen
		for _, file := range edited[dir] {
			if isApplied(s.Base, file) || isApplied(s.Head, file) || !decidesChart(strings.TrimPrefix(file, dir+"/")) {
				continue
			}
			says := s.files.saysUnread(file)
			if u.What == "" || len(u.Says) == 0 && len(says) > 0 {
				u = s.files.entry(file, says)
				continue
			}
			u.Says = slices.Concat(u.Says, says)
		}
		u.Says = append(u.Says, flowing(s, []string{dir}, nil, nil)...)
		u.Says = withKinds(u.Says, s.Base.Uninstalled[dir].Gives, s.Head.Uninstalled[dir].Gives)
		slices.Sort(u.Says)
		u.Says = slices.Compact(u.Says)
		by := releases[dirs[dir].Name]
		for _, around := range dirs[dir].Within {
			by = cmp.Or(by, releases[around])
		}
		switch {
		case u.What == "", by == nil && len(u.Says) == 0 && !unresolved:
			continue
		case by == nil && unresolved:
			u.What = "chart " + dir + ofUnresolved
		case by == nil:
			u.What, u.LeftOut = "chart "+dir, true
		default:
			u.What, u.Environments = fmt.Sprintf("chart %s, which %s installs from elsewhere,", dir, by.first), by.environments
		}
		u.Change = changeOf(s, dir)
		s.found = append(s.found, u)
	}
}

// uninstalledCharts are the charts of either side that no deployer installs, by folder.
func uninstalledCharts(s *search) map[string]loader.UninstalledChart {
	out := map[string]loader.UninstalledChart{}
	maps.Copy(out, s.Base.Uninstalled)
	maps.Copy(out, s.Head.Uninstalled)
	return out
}

// chartAround returns the folder of the chart, of some, that a file is in.
func chartAround(charts map[string]loader.UninstalledChart, file string) (dir string, ok bool) {
	for dir = path.Dir(file); len(charts) > 0; dir = path.Dir(dir) {
		if _, ok := charts[dir]; ok {
			return dir, true
		}
		if dir == "." {
			break
		}
	}
	return "", false
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
	return plan.EditOf(s.Base.Content(file) != "", s.Head.Content(file) != "")
}

// published are the releases of a chart that is not in the tree: the first one, and the environments of all of them, sorted.
type published struct {
	first        *loader.Gap
	environments []string
}

// releasesByChart returns the releases of charts that are not in the tree, by the name of the chart.
func releasesByChart(sides ...*loader.Snapshot) map[string]*published {
	out := map[string]*published{}
	for _, side := range sides {
		for _, env := range side.Environments {
			for i := range env.Gaps {
				g := &env.Gaps[i]
				if g.ChartName() == "" {
					continue
				}
				p := out[g.ChartName()]
				if p == nil {
					p = &published{first: g}
					out[g.ChartName()] = p
				}
				if at, found := slices.BinarySearch(p.environments, env.Name); !found {
					p.environments = slices.Insert(p.environments, at, env.Name)
				}
			}
		}
	}
	return out
}
