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
	// deploys says that something names a folder for it, whatever that holds.
	deploys bool
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
	// unlisted says that what lists its neighbours does not list it.
	unlisted bool
	// starts says that a cluster starts from it, names are the entries that it leads to.
	starts bool
	names  []loader.ID
	// covers are the files that it applies, reaches the entries among them,
	// applies the folders that it goes through.
	covers  map[string]bool
	reaches []int
	applies []string
}

// deployments are what the Flux Kustomizations of a tree say.
type deployments struct {
	clusters []cluster
	// live are those that something outside of the tree applies, unlisted those
	// that nothing does.
	live, unlisted []entry
	// entries are all of them.
	entries  []entry
	problems []loader.Problem
	note     string
}

// clusters follows the Flux Kustomizations of a tree. Those that no other one
// reaches are the entries of clusters, unless their neighbours are applied
// without them.
func (s *flux) clusters(v *site) (deployments, error) {
	syncs := s.syncs(v)
	entries, note, err := s.entries(v, syncs)
	if err != nil {
		return deployments{}, err
	}
	out := deployments{note: note, entries: entries}
	out.live, out.unlisted = s.sift(v, entries)
	out.live = start(v, out.live, syncs)
	groups, found, err := s.rounds(v, &out)
	if err != nil {
		return deployments{}, err
	}
	out.clusters = found
	out.problems = append(unlistedProblems(out.unlisted), groups.stray()...)
	for _, f := range syncs {
		out.problems = append(out.problems, f.unpatched...)
	}
	if v.many {
		out.problems = append(out.problems, complain(
			"limit-flux", fmt.Sprintf("the tree holds %d or more Flux Kustomizations, the others are not followed", maxFlux), "name the environments in .gwplan.yaml",
		).problem(entries[maxFlux-1].object.First()))
	}
	return out, nil
}

// maxRounds bounds how often clusters are followed anew.
const maxRounds = 4

// rounds follows the clusters of a tree. Where they start, and which folder a path
// with variables means, may be known only then, and with it that an entry is no root:
// it is left out of the next round.
func (s *flux) rounds(v *site, tree *deployments) (groups, []cluster, error) {
	var dropped []entry
	for round := 0; ; round++ {
		groups := grouping(tree.live)
		var found []cluster
		live := slices.Clone(tree.live)
		for _, dir := range sorted(groups.byDir) {
			c, syncs, err := s.follow(v, dir, groups.byDir[dir])
			if err != nil {
				return groups, nil, err
			}
			found = append(found, c)
			live = start(v, live, syncs)
		}
		for i, e := range live {
			if e.starts {
				live[i].names = entriesOf(tree.entries, found, e.dir)
			}
		}
		rest, loose := onlyStarts(notDelivered(live, found))
		dropped = append(dropped, loose...)
		if len(rest) == len(tree.live) || round == maxRounds {
			tree.unlisted = append(tree.unlisted, notCovered(dropped, found)...)
			return groups, found, nil
		}
		tree.live = rest
	}
}

// entriesOf are the entries that a cluster applies.
func entriesOf(entries []entry, found []cluster, dir string) []loader.ID {
	var out []loader.ID
	for _, c := range found {
		for _, e := range entries {
			if c.path == dir && c.covers[e.file] {
				out = append(out, e.object.ID)
			}
		}
	}
	return out
}

// onlyStarts keeps what clusters start from, where anything says so: nothing applies
// the others unless these do. Entries in a folder beside that of a start, with names
// that its cluster has, too, are of another cluster, whose start is not in the tree.
func onlyStarts(live []entry) (starts, loose []entry) {
	names, beside, known := map[loader.ID]bool{}, map[string]bool{}, map[string]bool{}
	for _, e := range live {
		if e.starts {
			starts = append(starts, e)
			beside[path.Dir(e.dir)], known[e.dir] = true, true
			for _, id := range e.names {
				names[id] = true
			}
		}
	}
	if len(starts) == 0 {
		return live, nil
	}
	others := map[string]bool{}
	for _, e := range live {
		if dir, ok := childOf(beside, e.file); ok && names[e.object.ID] && !known[dir] {
			others[dir] = true
		}
	}
	for _, e := range live {
		switch {
		case e.starts:
		case enclosed(others, e.file):
			starts = append(starts, e)
		default:
			loose = append(loose, e)
		}
	}
	return starts, loose
}

// childOf is the folder right below one of some folders that a file lies in; the root
// of the tree is none of them.
func childOf(dirs map[string]bool, file string) (string, bool) {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if up := path.Dir(dir); up != "." && dirs[up] {
			return dir, true
		}
	}
	return "", false
}

// notCovered are the entries that no cluster has.
func notCovered(entries []entry, found []cluster) []entry {
	return slices.DeleteFunc(entries, func(e entry) bool {
		return slices.ContainsFunc(found, func(c cluster) bool { return c.covers[e.file] })
	})
}

// notDelivered are the entries that no other one was seen to apply, and those that
// clusters start from, which apply what declares them.
func notDelivered(live []entry, found []cluster) []entry {
	gone := map[loader.ID]bool{}
	var out []entry
	for _, e := range live {
		applied := slices.ContainsFunc(found, func(c cluster) bool {
			return slices.ContainsFunc(c.deliverers[e.file], func(by loader.ID) bool { return by != e.object.ID && !gone[by] })
		})
		if applied && !e.weak() && !e.starts {
			gone[e.object.ID] = true
			continue
		}
		out = append(out, e)
	}
	return out
}

// entries reads the Flux Kustomizations that stand in files, and says where
// their paths begin if that is not the root of the tree.
func (s *flux) entries(v *site, syncs []fluxSync) (out []entry, note string, err error) {
	if out = s.written(v); len(out) == 0 {
		return nil, "", nil
	}
	v.many = len(out) == maxFlux
	v.sources = s.sources(v, out, syncs)
	if err := s.ignore(v); err != nil {
		return nil, "", err
	}
	out = slices.DeleteFunc(out, func(e entry) bool { return v.ids[e.file] == "" })
	v.artifacts = s.artifacts(v)
	locate(v, out)
	v.artefact, note = artefactRoot(v, out)
	locate(v, out)
	byFile := map[string][]int{}
	for i, e := range out {
		byFile[e.file] = append(byFile[e.file], i)
	}
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
		e.reach(s.store, v, byFile)
		first[e.dir] = e
	}
	v.applies = map[string]bool{}
	for i := range out {
		e := &out[i]
		e.starts = e.rooted(v.sources)
		if !e.weak() {
			v.applies[e.dir] = true
		}
	}
	return out, note, nil
}

// written are the Flux Kustomizations as they stand in files.
func (s *flux) written(v *site) []entry {
	var out []entry
	for _, file := range v.manifests {
		if v.inChart(file) {
			continue
		}
		for _, doc := range s.store.file(v.ids[file]).Documents {
			d := declared{group: doc.Group, version: doc.Version, kind: doc.Kind, namespace: doc.Namespace, name: doc.Name, root: doc.Root, files: []string{file}}
			if d.isFlux() && !d.isFluxPatch() && len(out) < maxFlux {
				out = append(out, entry{fluxKustomization: kustomizationOf(v, d), file: file})
			}
		}
	}
	return out
}

func locate(v *site, entries []entry) {
	for i := range entries {
		entries[i].locate(v)
	}
}

// reach finds what an entry applies.
func (e *entry) reach(s *store, v *site, byFile map[string][]int) {
	e.covers, e.applies = s.covered(v.view, e.dir, byFile)
	for file := range e.covers {
		e.reaches = append(e.reaches, byFile[file]...)
	}
	slices.Sort(e.reaches)
}

// covered lists, of the files asked for, those that applying a folder reads,
// and the folders that it goes through.
func (s *store) covered(v *view, dir string, ask map[string][]int) (files map[string]bool, dirs []string) {
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

// follow applies what the entries of one cluster reach, and gives the folders that clusters
// start from by objects of this one.
func (s *flux) follow(v *site, dir string, from []entry) (cluster, []fluxSync, error) {
	w := walk{flux: s, view: v, seen: map[string]bool{}, sources: map[sourceRef]bool{}, known: settings{}}
	w.out = cluster{environment: environment{name: dir, path: dir, by: byFlux}, covers: map[string]bool{}, deliverers: map[string][]loader.ID{}}
	for _, e := range from {
		w.origin = e.object.ID
		w.rooted = w.rooted || e.starts
		if !e.covers[e.file] && !e.weak() && !e.starts {
			if err := w.folder(s.store.lister(v.view, e.file)); err != nil {
				return cluster{}, nil, err
			}
		}
		k := e.fluxKustomization
		k.origin = e.object.ID
		w.queue = append(w.queue, k)
	}
	if err := w.run(); err != nil {
		return cluster{}, nil, err
	}
	syncs := s.syncsAmong(v, w.objects)
	for _, f := range syncs {
		w.out.problems = append(w.out.problems, f.unpatched...)
	}
	slices.SortStableFunc(w.out.units, compareUnits)
	w.out.problems = append(w.out.problems, summarised(w.out.lost, lostFolders)...)
	return w.out, syncs, nil
}
