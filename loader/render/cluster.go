package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// maxFlux bounds the Flux Kustomizations of one cluster, which may give more of
// their kind.
const maxFlux = 10_000

// cluster is an environment that Flux deploys.
type cluster struct {
	environment
	covers   map[string]bool
	problems []loader.Problem
}

// entry is a Flux Kustomization as it stands in a file of the tree.
type entry struct {
	fluxKustomization
	file string
	// covers are the files that it applies, reaches the entries among them.
	covers  map[string]bool
	reaches []int
}

// clusters follows the Flux Kustomizations of a tree. Those that no other one
// reaches are the entries of clusters.
func (s *session) clusters(v *view) ([]cluster, error) {
	entries := s.entries(v)
	groups := map[string][]entry{}
	var loose []entry
	for _, e := range roots(entries) {
		if e.covers[e.file] {
			groups[e.dir] = append(groups[e.dir], e)
			continue
		}
		loose = append(loose, e)
	}
	for dir, list := range together(loose) {
		groups[dir] = append(groups[dir], list...)
	}
	var out []cluster
	for _, dir := range sorted(groups) {
		c, err := s.follow(v, dir, groups[dir])
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// entries reads the Flux Kustomizations that stand in files.
func (s *session) entries(v *view) []entry {
	var out []entry
	byFile := map[string][]int{}
	for _, file := range v.manifests {
		if v.inChart(file) {
			continue
		}
		for _, doc := range s.store.file(v.ids[file]).Documents {
			d := declared{group: doc.Group, version: doc.Version, kind: doc.Kind, namespace: doc.Namespace, name: doc.Name, root: doc.Root, files: []string{file}}
			if !d.isFlux() {
				continue
			}
			byFile[file] = append(byFile[file], len(out))
			out = append(out, entry{fluxKustomization: newFlux(v, d), file: file})
		}
	}
	for i := range out {
		e := &out[i]
		if !e.ok {
			continue
		}
		e.covers = s.covered(v, e.dir, byFile)
		for file := range e.covers {
			e.reaches = append(e.reaches, byFile[file]...)
		}
		slices.Sort(e.reaches)
	}
	return out
}

// covered lists, of the files asked for, those that applying a folder reads.
func (s *session) covered(v *view, dir string, ask map[string][]int) map[string]bool {
	out, seen := map[string]bool{}, map[string]bool{}
	var visit func(string)
	visit = func(dir string) {
		if seen[dir] {
			return
		}
		seen[dir] = true
		for _, file := range v.includes[dir].files {
			if ask[file] != nil {
				out[file] = true
			}
		}
		for _, d := range v.includes[dir].dirs {
			visit(d)
		}
	}
	visit(dir)
	if len(v.kusts[dir]) > 0 {
		return out
	}
	for _, file := range v.filesBelow(dir) {
		at := path.Dir(file)
		for within(dir, at) && at != dir && len(v.kusts[at]) == 0 {
			at = path.Dir(at)
		}
		switch {
		case len(v.kusts[at]) > 0:
			visit(at)
		case ask[file] != nil:
			out[file] = true
		}
	}
	return out
}

// roots are the entries that no other one reaches; of entries that reach each
// other, the one with the shortest path.
func roots(entries []entry) []entry {
	reach := make([]map[int]bool, len(entries))
	for i := range entries {
		reach[i] = map[int]bool{}
		stack := slices.Clone(entries[i].reaches)
		for len(stack) > 0 {
			n := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !reach[i][n] {
				reach[i][n] = true
				stack = append(stack, entries[n].reaches...)
			}
		}
	}
	var out []entry
	for i, e := range entries {
		root := true
		for j := range entries {
			if j == i || !reach[j][i] {
				continue
			}
			if !reach[i][j] || compareEntries(entries[j], e) < 0 {
				root = false
				break
			}
		}
		if root {
			out = append(out, e)
		}
	}
	return out
}

func compareEntries(a, b entry) int {
	return cmp.Or(cmp.Compare(len(a.dir), len(b.dir)), cmp.Compare(a.dir, b.dir), cmp.Compare(a.file, b.file), a.object.ID.Compare(b.object.ID))
}

// together groups entries that something outside the tree applies. Those of one
// folder belong to one cluster; where no two of them have the same name, nothing
// says that there is more than one cluster, and they are kept together.
func together(loose []entry) map[string][]entry {
	groups, ids := map[string][]entry{}, map[loader.ID]bool{}
	unique := true
	for _, e := range loose {
		dir := path.Dir(e.file)
		groups[dir] = append(groups[dir], e)
		unique = unique && !ids[e.object.ID]
		ids[e.object.ID] = true
	}
	if !unique || len(groups) < 2 {
		return groups
	}
	dirs := sorted(groups)
	top := dirs[0]
	for _, dir := range dirs[1:] {
		top, _, _ = common(top, dir)
	}
	return map[string][]entry{top: loose}
}

// follow applies what the entries of one cluster reach.
func (s *session) follow(v *view, dir string, from []entry) (cluster, error) {
	w := walk{session: s, view: v, seen: map[string]bool{}, sources: map[string]bool{}}
	w.out = cluster{environment: environment{name: dir, path: dir}, covers: map[string]bool{}}
	kind, namespace, name := from[0].source()
	w.own = strings.Join([]string{kind, namespace, name}, "/")
	w.urls = s.sourceURLs(v)
	for _, e := range from {
		if !e.covers[e.file] {
			if err := w.folder(path.Dir(e.file)); err != nil {
				return cluster{}, err
			}
		}
		w.queue = append(w.queue, e.fluxKustomization)
	}
	for len(w.queue) > 0 && len(w.seen) < maxFlux {
		k := w.queue[0]
		w.queue = w.queue[1:]
		if err := w.step(k); err != nil {
			return cluster{}, err
		}
	}
	slices.SortStableFunc(w.out.units, compareUnits)
	return w.out, nil
}

// sourceURLs are the addresses of the Git repositories that the tree declares.
func (s *session) sourceURLs(v *view) map[string]string {
	out := map[string]string{}
	for _, file := range v.manifests {
		for _, doc := range s.store.file(v.ids[file]).Documents {
			if doc.Group == fluxSourceGroup && doc.Kind == "GitRepository" && !v.inChart(file) {
				out["GitRepository/"+doc.Namespace+"/"+doc.Name] = doc.Root.Str("spec", "url")
			}
		}
	}
	return out
}
