package flux

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// MaxFlux bounds the Flux Kustomizations of one tree, and of one cluster, which
// may give more of their kind.
const MaxFlux = 5_000

// entry is a Flux Kustomization as it stands in a file of the tree.
type entry struct {
	Kustomization
	File string
	// Unlisted says that what lists its neighbours does not list it.
	Unlisted bool
	// starts says that a cluster starts from it, names are the entries that it leads to.
	starts bool
	names  []loader.ID
	// covers are the files that it applies, reaches the entries among them,
	// applies the folders that it goes through.
	covers  map[string]bool
	reaches []int
	applies []string
}

// Deployments are what the Flux Kustomizations of a tree say.
type Deployments struct {
	Clusters []deploy.Cluster
	// Live are those that something outside of the tree applies, unlisted those
	// that nothing does.
	Live, Unlisted []entry
	// Entries are all of them.
	Entries  []entry
	Problems []loader.Problem
	Note     string
}

// Clusters follows the Flux Kustomizations of a tree. Those that no other one
// reaches are the entries of clusters, unless their neighbours are applied
// without them.
func (s *Reader) Clusters(v *site) (Deployments, error) {
	syncs := s.syncs(v)
	entries, note, err := s.entries(v, syncs)
	if err != nil {
		return Deployments{}, err
	}
	out := Deployments{Note: note, Entries: entries}
	out.Live, out.Unlisted = s.sift(v, entries)
	out.Live = start(v, out.Live, syncs)
	groups, found, err := s.rounds(v, &out)
	if err != nil {
		return Deployments{}, err
	}
	out.Clusters = found
	out.Problems = append(unlistedProblems(out.Unlisted), groups.stray()...)
	for _, f := range syncs {
		out.Problems = append(out.Problems, f.unpatched...)
	}
	if v.many {
		out.Problems = append(out.Problems, deploy.Complain(
			"limit-flux", fmt.Sprintf("the tree holds %d or more Flux Kustomizations, the others are not followed", MaxFlux), "name the environments in .gwplan.yaml",
		).Problem(entries[MaxFlux-1].Object.First()))
	}
	return out, nil
}

// rounds follows the clusters of a tree. Where they start, and which folder a path
// with variables means, may be known only then, and with it that an entry is no root:
// it is left out of the next round.
func (s *Reader) rounds(v *site, all *Deployments) (groups, []deploy.Cluster, error) {
	var dropped []entry
	for round := 0; ; round++ {
		groups := grouping(all.Live)
		var found []deploy.Cluster
		live := slices.Clone(all.Live)
		for _, dir := range tree.Sorted(groups.byDir) {
			c, syncs, err := s.follow(v, dir, groups.byDir[dir])
			if err != nil {
				return groups, nil, err
			}
			found = append(found, c)
			live = start(v, live, syncs)
		}
		for i, e := range live {
			if e.starts {
				live[i].names = entriesOf(all.Entries, found, e.Dir)
			}
		}
		rest, loose := onlyStarts(notDelivered(live, found))
		dropped = append(dropped, loose...)
		if len(rest) == len(all.Live) || round == deploy.MaxRounds {
			all.Unlisted = append(all.Unlisted, notCovered(dropped, found)...)
			return groups, found, nil
		}
		all.Live = rest
	}
}

// entriesOf are the entries that a cluster applies.
func entriesOf(entries []entry, found []deploy.Cluster, dir string) []loader.ID {
	var out []loader.ID
	for _, c := range found {
		for _, e := range entries {
			if c.Path == dir && c.Covers[e.File] {
				out = append(out, e.Object.ID)
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
			beside[path.Dir(e.Dir)], known[e.Dir] = true, true
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
		if dir, ok := childOf(beside, e.File); ok && names[e.Object.ID] && !known[dir] {
			others[dir] = true
		}
	}
	for _, e := range live {
		switch {
		case e.starts:
		case tree.Enclosed(others, e.File):
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
func notCovered(entries []entry, found []deploy.Cluster) []entry {
	return slices.DeleteFunc(entries, func(e entry) bool {
		return slices.ContainsFunc(found, func(c deploy.Cluster) bool { return c.Covers[e.File] })
	})
}

// notDelivered are the entries that no other one was seen to apply, and those that
// clusters start from, which apply what declares them.
func notDelivered(live []entry, found []deploy.Cluster) []entry {
	gone := map[loader.ID]bool{}
	var out []entry
	for _, e := range live {
		applied := slices.ContainsFunc(found, func(c deploy.Cluster) bool {
			return slices.ContainsFunc(c.Deliverers[e.File], func(by loader.ID) bool { return by != e.Object.ID && !gone[by] })
		})
		if applied && !e.weak() && !e.starts {
			gone[e.Object.ID] = true
			continue
		}
		out = append(out, e)
	}
	return out
}

// entries reads the Flux Kustomizations that stand in files, and says where
// their paths begin if that is not the root of the tree.
func (s *Reader) entries(v *site, syncs []fluxSync) (out []entry, note string, err error) {
	if out = s.written(v); len(out) == 0 {
		return nil, "", nil
	}
	v.many = len(out) == MaxFlux
	v.sources = s.sources(v, out, syncs)
	if err := s.ignore(v); err != nil {
		return nil, "", err
	}
	out = slices.DeleteFunc(out, func(e entry) bool { return v.IDs[e.File] == "" })
	v.artifacts = s.artifacts(v)
	locate(v, out)
	v.artefact, note = artefactRoot(v, out)
	locate(v, out)
	byFile := map[string][]int{}
	for i, e := range out {
		byFile[e.File] = append(byFile[e.File], i)
	}
	// Many entries may apply one folder.
	first := map[string]*entry{}
	for i := range out {
		e := &out[i]
		if !e.Ok || e.foreign {
			continue
		}
		if twin := first[e.Dir]; twin != nil {
			e.covers, e.reaches, e.applies = twin.covers, twin.reaches, twin.applies
			continue
		}
		e.reach(v, byFile)
		first[e.Dir] = e
	}
	v.applies = map[string]bool{}
	for i := range out {
		e := &out[i]
		e.starts = e.rooted(v.sources)
		if !e.weak() {
			v.applies[e.Dir] = true
		}
	}
	return out, note, nil
}

// written are the Flux Kustomizations as they stand in files.
func (s *Reader) written(v *site) []entry {
	var out []entry
	for _, file := range v.Manifests {
		if v.InChart(file) {
			continue
		}
		for _, doc := range s.store.File(v.IDs[file]).Documents {
			d := deploy.Object{Group: doc.Group, Version: doc.Version, Kind: doc.Kind, Namespace: doc.Namespace, Name: doc.Name, Root: doc.Root, Files: []string{file}}
			if d.IsFlux() && !d.IsFluxPatch() && len(out) < MaxFlux {
				out = append(out, entry{Kustomization: kustomizationOf(v, d), File: file})
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
func (e *entry) reach(v *site, byFile map[string][]int) {
	e.covers, e.applies = v.Covered(e.Dir, byFile)
	for file := range e.covers {
		e.reaches = append(e.reaches, byFile[file]...)
	}
	slices.Sort(e.reaches)
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
	return cmp.Or(cmp.Compare(len(a.Dir), len(b.Dir)), cmp.Compare(a.Dir, b.Dir), cmp.Compare(a.File, b.File), a.Object.ID.Compare(b.Object.ID))
}

// follow applies what the entries of one cluster reach, and gives the folders that clusters
// start from by objects of this one.
func (s *Reader) follow(v *site, dir string, from []entry) (deploy.Cluster, []fluxSync, error) {
	w := walk{flux: s, view: v, seen: map[string]bool{}, sources: map[sourceRef]bool{}, known: settings{}}
	w.out = deploy.Cluster{Destination: deploy.Destination{Name: dir, Path: dir, By: deploy.ByFlux}, Covers: map[string]bool{}, Deliverers: map[string][]loader.ID{}}
	for _, e := range from {
		w.origin = e.Object.ID
		w.rooted = w.rooted || e.starts
		if !e.covers[e.File] && !e.weak() && !e.starts {
			if err := w.folder(v.Lister(e.File)); err != nil {
				return deploy.Cluster{}, nil, err
			}
		}
		k := e.Kustomization
		k.origin = e.Object.ID
		w.queue = append(w.queue, k)
	}
	if err := w.run(); err != nil {
		return deploy.Cluster{}, nil, err
	}
	syncs := s.syncsAmong(v, w.objects)
	for _, f := range syncs {
		w.out.Problems = append(w.out.Problems, f.unpatched...)
	}
	slices.SortStableFunc(w.out.Units, deploy.CompareUnits)
	w.out.Problems = append(w.out.Problems, deploy.Summarised(w.out.Lost, lostFolders)...)
	return w.out, syncs, nil
}
