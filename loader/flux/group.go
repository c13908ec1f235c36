package flux

import (
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// groups are the entries of a tree by the folder of their cluster.
type groups struct {
	byDir map[string][]entry
	// strays are entries that have no folder to apply and belong to no cluster.
	strays []entry
}

// weak reports whether an entry applies nothing of the tree, so it starts no cluster.
func (e entry) weak() bool { return e.foreign || !e.Ok }

// grouping assigns entries to clusters. An entry that applies its own file forms a cluster. A weak
// entry joins the cluster whose folder contains it.
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

// around returns the cluster that a file belongs to: the innermost folder that contains it, or else
// the only cluster.
func (g groups) around(file string) (string, bool) {
	best, found := "", false
	for dir := range g.byDir {
		if loader.Within(dir, file) && (!found || len(dir) > len(best)) {
			best, found = dir, true
		}
	}
	if !found && len(g.byDir) == 1 {
		return tree.Sorted(g.byDir)[0], true
	}
	return best, found
}

// stray reports the entries outside of every cluster. Missing folders are warnings if there is no
// cluster at all, because then it is not known what Flux applies.
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

// together groups the entries that something outside the tree applies. Entries in one folder or
// below it belong to one cluster. If no two entries have the same name, nothing indicates more than
// one cluster, and all form one group.
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

// nest adds each group to the nearest one around it, unless both have an entry with the same name.
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
