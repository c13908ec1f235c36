package rule

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var movedAside = &Rule{
	ID:       "moved-aside",
	Title:    "An object moves to a folder from which nothing was applied before",
	Severity: plan.Warning,
	Why: "No manifest says which folders are applied, so gwplan assumes that all of them are. If the new folder is not, the " +
		"object is removed from the cluster or stays there unmanaged, and the plan does not show it. A folder below one that is applied counts as applied " +
		"if others below it held objects before, unless it has a name such as disabled or old. Not reported where the whole folder moves.",
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
	stays := func(o *loader.Object) bool { // where it was, and another manifest of the object counts
		return o != nil && slices.ContainsFunc(p.Head.Run.Environment.Duplicates, func(d loader.Duplicate) bool {
			return d.Dropped.ID == o.ID && d.Dropped.First().File == o.First().File
		})
	}
	type move struct{ from, to string }
	moved := map[move][]*loader.Object{}
	for _, id := range slices.SortedFunc(maps.Keys(head), loader.ID.Compare) {
		before, after := base[id], head[id]
		if stays(before) || before == nil || before.Deployer != nil || after.Deployer != nil || listedAlike(before, after) {
			continue
		}
		m := move{path.Dir(before.First().File), path.Dir(after.First().File)}
		if m.from != m.to && kept[m.from] && !isApplied(m.to, known) {
			moved[m] = append(moved[m], after)
		}
	}
	for m, objects := range moved {
		what := objects[0].ID.Spoken() + spelling.More(len(objects)-1)
		report(Hit{
			Target: objects[0].ID.String(), At: objects[0].First(), Object: objects[0],
			Title: say("%s moved from %s to %s; gwplan assumes that the new folder is applied, too", what, m.from, m.to),
		})
	}
}

// listedAlike reports whether a kustomization that listed an object still lists it, wherever its file is now.
func listedAlike(before, after *loader.Object) bool {
	return slices.ContainsFunc(after.Listed, func(at loader.Position) bool {
		return slices.ContainsFunc(before.Listed, func(was loader.Position) bool { return was.File == at.File })
	})
}

// isApplied reports whether the objects of a folder are probably applied, if those of the known folders are: the folder
// is known, or it is below a known folder that has other known folders below it. kubectl apply -f and Argo CD do not
// read subfolders unless they are told to.
func isApplied(dir string, known map[string]bool) bool {
	for at := dir; ; at = path.Dir(at) {
		if known[at] {
			return at == dir || holdsOthers(at, known)
		}
		if at == path.Dir(at) || isIdle(path.Base(at)) {
			return false
		}
	}
}

// holdsOthers reports whether a folder has known folders below it.
func holdsOthers(dir string, known map[string]bool) bool {
	for other := range known {
		for other != dir && other != path.Dir(other) {
			if other = path.Dir(other); other == dir {
				return true
			}
		}
	}
	return false
}

// isIdle reports whether a folder has a name that people give to folders which are not applied. Those of documentation and
// tests are among them here: where one more folder is read, an alarm about it is worth more than silence.
func isIdle(name string) bool {
	return loader.IsPutAway(name) ||
		slices.Contains([]string{"doc", "docs", "test", "testdata", "tests"}, strings.ToLower(strings.Trim(name, "._-")))
}
