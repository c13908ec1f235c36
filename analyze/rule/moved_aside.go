package rule

import (
	"maps"
	"path"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var movedAside = &Rule{
	ID:       "moved-aside",
	Title:    "An object moves to a folder from which nothing was applied before",
	Severity: plan.Warning,
	Why: "No manifest says which folders are applied, so gwplan assumes that all of them are. If the new folder is not, the " +
		"object is removed from the cluster or stays there unmanaged, and the plan does not show it. Not reported where the whole folder moves.",
	Fix:     "Make sure that the new folder is applied, or name the folders of each cluster in environments: of the configuration.",
	Compare: compareMovedAside,
}

func compareMovedAside(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil || p.Head.Run.Environment.By != loader.ByFolders {
		return
	}
	base, head := objectsOf(p.Base), objectsOf(p.Head)
	known, kept := map[string]bool{}, map[string]bool{}
	for _, o := range p.Base.Run.Environment.Objects {
		known[path.Dir(o.First().File)] = true
	}
	for _, o := range p.Head.Run.Environment.Objects {
		kept[path.Dir(o.First().File)] = true
	}
	type move struct{ from, to string }
	moved := map[move][]*loader.Object{}
	for _, id := range slices.SortedFunc(maps.Keys(head), loader.ID.Compare) {
		before, after := base[id], head[id]
		if before == nil || before.Deployer != nil || after.Deployer != nil {
			continue
		}
		m := move{path.Dir(before.First().File), path.Dir(after.First().File)}
		if m.from != m.to && kept[m.from] && !isBelow(m.to, known) {
			moved[m] = append(moved[m], after)
		}
	}
	for m, objects := range moved {
		what := objects[0].ID.Spoken() + spelling.More(len(objects)-1)
		report(Hit{
			Target: objects[0].ID.String(), At: objects[0].First(), Object: objects[0],
			Title: say("%s: moved from %s to %s, which is assumed to be applied, too", what, m.from, m.to),
		})
	}
}

// isBelow reports whether a folder is one of some folders or below one of them.
func isBelow(dir string, folders map[string]bool) bool {
	for ; !folders[dir]; dir = path.Dir(dir) {
		if dir == path.Dir(dir) {
			return false
		}
	}
	return true
}
