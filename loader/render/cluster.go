package render

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// maxFlux bounds the Flux Kustomizations of one tree, and of one cluster, which
// may give more of their kind.
const maxFlux = 5_000

// The deployers.
const (
	byFlux   = "Flux"
	byArgoCD = loader.ByArgoCD
)

// cluster is an environment that Flux or Argo CD deploys.
type cluster struct {
	environment
	covers map[string]bool
	// areas are the folders that are applied: what they hold and the builds
	// leave out is deployed by nothing.
	areas map[string]bool
	// deliverers are the entries that lead to what applies each file.
	deliverers map[string][]loader.ID
	problems   []loader.Problem
	notes      []string
	// lost are the missing folders among the problems.
	lost []loader.Problem
}

// note says where the environment comes from.
func (c cluster) note() string {
	if c.by == byFlux {
		return "the environment " + quote(c.name) + " is what Flux applies from there"
	}
	return "the environment " + quote(c.name) + " is what the Applications of Argo CD deploy to that cluster"
}

// entry is a Flux Kustomization as it stands in a file of the tree.
type entry struct {
	fluxKustomization
	file string
	// covers are the files that it applies, reaches the entries among them,
	// applies the folders that it goes through.
	covers  map[string]bool
	reaches []int
	applies []string
}

// deployments are what the Flux Kustomizations and Applications of a tree say.
type deployments struct {
	clusters []cluster
	// applied are the folders that they name, deployed or not.
	applied map[string]bool
	// live are those that something outside of the tree applies, unlisted those
	// that nothing does.
	live, unlisted []entry
	// roots are the files of Applications that somebody applies by hand.
	roots    []string
	problems []loader.Problem
	note     string
}

// clusters follows the Flux Kustomizations of a tree. Those that no other one
// reaches are the entries of clusters, unless their neighbours are applied
// without them.
func (s *session) clusters(v *view) (deployments, error) {
	entries, note := s.entries(v)
	out := deployments{applied: map[string]bool{}, note: note}
	for _, e := range entries {
		if e.ok && !e.foreign && e.dir != "." {
			out.applied[e.dir] = true
		}
	}
	out.live, out.unlisted = s.sift(v, entries)
	groups, found, err := s.rounds(v, &out)
	if err != nil {
		return deployments{}, err
	}
	out.clusters = found
	out.problems = append(unlistedProblems(out.unlisted), groups.stray()...)
	if v.manyFlux {
		out.problems = append(out.problems, complaint{
			"limit-flux", fmt.Sprintf("the tree holds %d or more Flux Kustomizations, the others are not followed", maxFlux), "name the environments in .gwplan.yaml",
		}.problem(entries[maxFlux-1].object.First()))
	}
	return out, nil
}

// maxRounds bounds how often clusters are followed anew.
const maxRounds = 4

// rounds follows the clusters of a tree. Which folder a path with variables means
// is known only then, and with it that an entry is no root: it is left out of the
// next round.
func (s *session) rounds(v *view, tree *deployments) (groups, []cluster, error) {
	for round := 0; ; round++ {
		groups := grouping(tree.live)
		var found []cluster
		for _, dir := range sorted(groups.byDir) {
			c, err := s.follow(v, dir, groups.byDir[dir])
			if err != nil {
				return groups, nil, err
			}
			found = append(found, c)
		}
		rest := notDelivered(tree.live, found)
		if len(rest) == len(tree.live) || round == maxRounds {
			return groups, found, nil
		}
		tree.live = rest
	}
}

// notDelivered are the entries that no other one was seen to apply.
func notDelivered(live []entry, found []cluster) []entry {
	gone := map[loader.ID]bool{}
	var out []entry
	for _, e := range live {
		applied := slices.ContainsFunc(found, func(c cluster) bool {
			return slices.ContainsFunc(c.deliverers[e.file], func(by loader.ID) bool { return by != e.object.ID && !gone[by] })
		})
		if applied && !e.weak() {
			gone[e.object.ID] = true
			continue
		}
		out = append(out, e)
	}
	return out
}

// entries reads the Flux Kustomizations that stand in files, and says where
// their paths begin if that is not the root of the tree.
func (s *session) entries(v *view) (out []entry, note string) {
	byFile := map[string][]int{}
	for _, file := range v.manifests {
		if v.inChart(file) {
			continue
		}
		for _, doc := range s.store.file(v.ids[file]).Documents {
			d := declared{group: doc.Group, version: doc.Version, kind: doc.Kind, namespace: doc.Namespace, name: doc.Name, root: doc.Root, files: []string{file}}
			if d.isFlux() && !d.isFluxPatch() && len(out) < maxFlux {
				byFile[file] = append(byFile[file], len(out))
				out = append(out, entry{fluxKustomization: newFlux(v, d), file: file})
			}
		}
	}
	v.manyFlux = len(out) == maxFlux
	if len(out) == 0 {
		return nil, ""
	}
	v.sources = s.sources(v, out)
	v.artifacts = s.artifacts(v)
	locate(v, out)
	v.artefact, note = artefactRoot(v, out)
	locate(v, out)
	// Many entries may apply one folder.
	first := map[string]*entry{}
	for i := range out {
		e := &out[i]
		if !e.ok || e.foreign {
			continue
		}
		if twin := first[e.dir]; twin != nil {
			e.covers, e.reaches, e.applies = twin.covers, twin.reaches, twin.applies
			continue
		}
		e.reach(s, v, byFile)
		first[e.dir] = e
	}
	return out, note
}

func locate(v *view, entries []entry) {
	for i := range entries {
		entries[i].locate(v)
	}
}

// reach finds what an entry applies.
func (e *entry) reach(s *session, v *view, byFile map[string][]int) {
	e.covers, e.applies = s.covered(v, e.dir, byFile)
	for file := range e.covers {
		e.reaches = append(e.reaches, byFile[file]...)
	}
	slices.Sort(e.reaches)
}

// covered lists, of the files asked for, those that applying a folder reads,
// and the folders that it goes through.
func (s *session) covered(v *view, dir string, ask map[string][]int) (files map[string]bool, dirs []string) {
	files, seen := map[string]bool{}, map[string]bool{}
	var visit func(string)
	visit = func(dir string) {
		if seen[dir] {
			return
		}
		seen[dir] = true
		for _, file := range v.includes[dir].files {
			if ask[file] != nil {
				files[file] = true
			}
		}
		for _, d := range v.includes[dir].dirs {
			visit(d)
		}
	}
	visit(dir)
	if len(v.kusts[dir]) > 0 {
		return files, sorted(seen)
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
			files[file] = true
		}
	}
	return files, sorted(seen)
}

// closures are the entries that each one reaches, directly or not.
func closures(entries []entry) []bits {
	reach := make([]bits, len(entries))
	for i := range entries {
		reach[i] = newBits(len(entries))
		stack := slices.Clone(entries[i].reaches)
		for len(stack) > 0 {
			n := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !reach[i].has(n) {
				reach[i].add(n)
				stack = append(stack, entries[n].reaches...)
			}
		}
	}
	return reach
}

// roots are the entries that no other one reaches; of entries that reach each
// other, the one with the shortest path.
func roots(entries []entry, reach []bits) []int {
	var out []int
	for i, e := range entries {
		root := true
		for j := range entries {
			if j == i || !reach[j].has(i) {
				continue
			}
			if !reach[i].has(j) || compareEntries(entries[j], e) < 0 {
				root = false
				break
			}
		}
		if root {
			out = append(out, i)
		}
	}
	return out
}

func compareEntries(a, b entry) int {
	return cmp.Or(cmp.Compare(len(a.dir), len(b.dir)), cmp.Compare(a.dir, b.dir), cmp.Compare(a.file, b.file), a.object.ID.Compare(b.object.ID))
}

// follow applies what the entries of one cluster reach.
func (s *session) follow(v *view, dir string, from []entry) (cluster, error) {
	w := walk{session: s, view: v, seen: map[string]bool{}, sources: map[sourceRef]bool{}, known: settings{}}
	w.out = cluster{environment: environment{name: dir, path: dir, by: byFlux}, covers: map[string]bool{}, areas: map[string]bool{}, deliverers: map[string][]loader.ID{}}
	for _, e := range from {
		w.origin = e.object.ID
		if !e.covers[e.file] && !e.weak() {
			if err := w.folder(path.Dir(e.file)); err != nil {
				return cluster{}, err
			}
		}
		k := e.fluxKustomization
		k.origin = e.object.ID
		w.queue = append(w.queue, k)
	}
	if err := w.run(); err != nil {
		return cluster{}, err
	}
	slices.SortStableFunc(w.out.units, compareUnits)
	w.out.problems = append(w.out.problems, summarised(w.out.lost, lostFolders)...)
	return w.out, nil
}
