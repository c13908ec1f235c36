package flux

import (
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// groups are the entries of the clusters of a tree, by folder.
type groups struct {
	byDir map[string][]entry
	// strays are entries without a folder to apply, outside of every cluster.
	strays []entry
}

// weak says that an entry applies nothing of the tree: it makes no cluster.
func (e entry) weak() bool { return e.foreign || !e.Ok }

// grouping sorts entries into clusters. One that applies its own file is a
// cluster by itself; weak ones join the cluster that they lie in.
func grouping(live []entry) groups {
	out := groups{byDir: map[string][]entry{}}
	var loose, weak []entry
	for _, e := range live {
		switch {
		case e.weak():
			weak = append(weak, e)
		case e.starts, e.covers[e.File]:
			out.byDir[e.Dir] = append(out.byDir[e.Dir], e)
		default:
			loose = append(loose, e)
		}
	}
	for dir, list := range together(loose) {
		out.byDir[dir] = append(out.byDir[dir], list...)
	}
	for _, e := range weak {
		dir, ok := out.around(e.File)
		if !ok {
			out.strays = append(out.strays, e)
			continue
		}
		out.byDir[dir] = append(out.byDir[dir], e)
	}
	return out
}

// around is the cluster that a file lies in: the innermost folder around it, or
// the only cluster there is.
func (g groups) around(file string) (string, bool) {
	best, found := "", false
	for dir := range g.byDir {
		if tree.Within(dir, file) && (!found || len(dir) > len(best)) {
			best, found = dir, true
		}
	}
	if !found && len(g.byDir) == 1 {
		return tree.Sorted(g.byDir)[0], true
	}
	return best, found
}

// stray reports the entries outside of every cluster. Where there is no cluster
// at all, what Flux applies is not known.
func (g groups) stray() []loader.Problem {
	severity := loader.Note
	if len(g.byDir) == 0 {
		severity = loader.Warning
	}
	var lost, out []loader.Problem
	for _, e := range g.strays {
		p := e.complaint().Problem(e.Object.First())
		p.Severity = loader.Note
		if e.foreign {
			out = append(out, p)
			continue
		}
		p.Severity = severity
		lost = append(lost, p)
	}
	return append(out, deploy.Summarised(lost, lostFolders)...)
}

// together groups entries that something outside the tree applies. Those of one
// folder belong to one cluster, and so do those below it; where no two of them
// have the same name, nothing says that there is more than one cluster, and they
// are kept together.
func together(loose []entry) map[string][]entry {
	groups, ids := map[string][]entry{}, map[loader.ID]bool{}
	unique := true
	for _, e := range loose {
		dir := path.Dir(e.File)
		groups[dir] = append(groups[dir], e)
		unique = unique && !ids[e.Object.ID]
		ids[e.Object.ID] = true
	}
	if len(groups) < 2 {
		return groups
	}
	if !unique {
		return nest(groups)
	}
	dirs := tree.Sorted(groups)
	top := dirs[0]
	for _, dir := range dirs[1:] {
		top, _, _ = tree.Common(top, dir)
	}
	return map[string][]entry{top: loose}
}

// nest adds groups to the one around them, unless both have an entry of the
// same name.
func nest(groups map[string][]entry) map[string][]entry {
	out := map[string][]entry{}
	for _, dir := range tree.Sorted(groups) {
		home := dir
		for up := path.Dir(dir); up != "."; up = path.Dir(up) {
			if out[up] != nil && !clash(out[up], groups[dir]) {
				home = up
				break
			}
		}
		out[home] = append(out[home], groups[dir]...)
	}
	return out
}

func clash(a, b []entry) bool {
	return slices.ContainsFunc(a, func(x entry) bool {
		return slices.ContainsFunc(b, func(y entry) bool { return x.Object.ID == y.Object.ID })
	})
}
