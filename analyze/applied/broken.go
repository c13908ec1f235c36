package applied

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/loader"
)

// afterFailedBuilds returns head as the cluster will have it when head breaks a build. A deployer applies
// nothing that it cannot build, and removes nothing either. The objects that base has from this
// build therefore stay as they are.
func afterFailedBuilds(name string, base, head *loader.Environment, before, after *loader.Snapshot) *loader.Environment {
	if base == nil {
		return head
	}
	unreadable := UnreadableDeployers(name, base, head, before, after)
	if head == nil {
		if len(unreadable) == 0 {
			return nil
		}
		head = &loader.Environment{Name: base.Name, Path: base.Path, By: base.By, Incomplete: true}
	}
	roots := append(BrokenFolders(name, head, before, after), unbuilt(base, head, after)...)
	declared := brokenDeployers(name, head, before, after)
	maps.Copy(declared, unreadable)
	maps.Copy(declared, refused(base, head, after))
	stale := staleReleases(name, base, before, after)
	maps.Copy(stale, unplaced(base, head))
	for id := range head.Stopped() { // what they no longer have is not removed
		declared[id] = true
	}
	if len(stale) > 0 {
		maps.Copy(declared, stale)
		head = without(head, stale)
	}
	if len(roots)+len(declared) == 0 {
		return head
	}
	if starving := starved(base, head, before, after); len(starving) > 0 {
		maps.Copy(declared, starving)
		head = without(head, starving)
	}
	return kept(base, head, remaining(base, head, declared, roots, before, after))
}

// maxDeployers limits how many deployers above each other are followed.
const maxDeployers = 10

// declares reports whether a file declares a deployer of an object: a Flux Kustomization or an
// Application. This file is not applied, whatever it contains now.
func declares(d *loader.Deployer, file string) bool {
	for ; d != nil; d = d.Parent {
		if d.At.File == file && d.ID.Kind != "HelmRelease" {
			return true
		}
	}
	return false
}

// folderGone reports whether the kustomization of a folder no longer exists. Then nothing in the
// folder is applied and nothing is removed.
func folderGone(dir string, before, after *loader.Snapshot) bool {
	has := func(s *loader.Snapshot) bool {
		return slices.ContainsFunc(loader.KustomizationFiles(), func(name string) bool { return s.Content(path.Join(dir, name)) != "" })
	}
	return has(before) && !has(after)
}

// deployersOf returns the deployers that apply some folders or include them in a build, in base or head, or else apply
// the nearest folders around them.
func deployersOf(base, head *loader.Environment, folders []string) map[loader.ID]bool {
	out := map[loader.ID]bool{}
	for _, folder := range folders {
		included := false
		for _, part := range slices.Concat(base.Parts, head.Parts) {
			if part.Deployer != nil && slices.Contains(part.Includes, folder) {
				out[part.Deployer.ID], included = true, true
			}
		}
		var nearest loader.Part
		for _, part := range base.Parts {
			if part.Deployer != nil && loader.Within(part.Path, folder) && len(part.Path) >= len(nearest.Path) {
				nearest = part
			}
		}
		if nearest.Deployer != nil && (!included || nearest.Path == folder) {
			out[nearest.Deployer.ID] = true
		}
	}
	return out
}

// unbuilt returns the folders of the kustomizations that only head does not build because the run
// reached its limits. What they apply is not known, and nothing of it counts as removed.
func unbuilt(base, head *loader.Environment, after *loader.Snapshot) []string {
	if !slices.ContainsFunc(after.Problems, func(p loader.Problem) bool { return p.Code == loader.LimitRun }) {
		return nil
	}
	known := map[string]bool{}
	for _, g := range base.Gaps {
		known[g.String()] = true
	}
	var out []string
	for _, g := range head.Gaps {
		if !known[g.String()] {
			out = append(out, g.Roots...)
		}
	}
	return out
}

// staleReleases returns the releases and Applications that only head renders without some of their values, or in part because a
// chart or a source of them is refused: the cluster keeps them as they were.
func staleReleases(name string, base *loader.Environment, before, after *loader.Snapshot) map[loader.ID]bool {
	out := map[loader.ID]bool{}
	for _, p := range NewlyBroken(name, before, after) {
		if !BreaksRelease(p.Code) {
			continue
		}
		for id, d := range base.Deployers() {
			if IsRelease(id) && id.Name == p.Release && d.At.File == p.Position.File {
				out[id] = true
			}
		}
	}
	return out
}

// IsRelease reports whether problems name a deployer as their release: it is a HelmRelease or an Application.
func IsRelease(id loader.ID) bool { return id.Kind == "HelmRelease" || id.Kind == "Application" }

// unplaced returns the Kustomizations of Flux that only head gives an object without a namespace: Flux refuses it, and applies
// nothing else of them.
func unplaced(base, head *loader.Environment) map[loader.ID]bool {
	had, out := map[loader.ID]bool{}, map[loader.ID]bool{}
	for _, u := range base.Unplaced {
		had[u.By] = true
	}
	for _, u := range head.Unplaced {
		if !had[u.By] {
			out[u.By] = true
		}
	}
	return out
}

// without returns an environment without the objects of some deployers.
func without(env *loader.Environment, deployers map[loader.ID]bool) *loader.Environment {
	gone := func(o *loader.Object) bool { return o.Deployer != nil && deployers[o.Deployer.ID] }
	out := *env
	out.Objects = slices.DeleteFunc(slices.Clone(env.Objects), gone)
	out.Workloads = slices.DeleteFunc(slices.Clone(env.Workloads), gone)
	return &out
}

// refused returns the deployers of which base has objects and head has none but a gap, because the deployer refuses what it
// should apply: it applies nothing, and removes nothing.
func refused(base, head *loader.Environment, after *loader.Snapshot) map[loader.ID]bool {
	out := map[loader.ID]bool{}
	if len(head.Gaps) == 0 {
		return out
	}
	refuses := refusals(after)
	gaps := slices.DeleteFunc(slices.Clone(head.Gaps), func(g loader.Gap) bool { return !refuses(&g) })
	if len(gaps) == 0 {
		return out
	}
	of := map[loader.ID]string{}
	for _, part := range base.Parts {
		if part.Deployer != nil {
			of[part.Deployer.ID] = part.Path
		}
	}
	applies := head.Deployers()
	for id, d := range base.Deployers() {
		if applies[id] == nil && slices.ContainsFunc(gaps, func(g loader.Gap) bool { return g.CoversAllOf(d) || of[id] != "" && slices.Contains(g.Roots, of[id]) }) {
			out[id] = true
		}
	}
	return out
}

// refusals returns a function that reports whether a problem says that the deployer refuses what a gap stands for.
func refusals(s *loader.Snapshot) func(*loader.Gap) bool {
	type release struct{ name, file string }
	places, releases := map[loader.Position]bool{}, map[release]bool{}
	for _, p := range s.Problems {
		if Consequence(p.Code) == "" || p.Code == loader.HelmValuesAbsent { // values that are not in the tree may be in the cluster
			continue
		}
		places[p.Position] = true
		if BreaksRelease(p.Code) {
			releases[release{p.Release, p.Position.File}] = true
		}
	}
	return func(g *loader.Gap) bool {
		return places[g.Position] || g.By.Name != "" && releases[release{g.By.Name, g.Position.File}]
	}
}

// brokenDeployers returns the deployers whose own declaration names what head cannot build, such as a component of a
// Flux Kustomization.
func brokenDeployers(name string, head *loader.Environment, before, after *loader.Snapshot) map[loader.ID]bool {
	out := map[loader.ID]bool{}
	for _, p := range NewlyBroken(name, before, after) {
		if !strings.HasPrefix(p.Code, "kustomize-") {
			continue
		}
		var nearest *loader.Deployer
		for _, part := range head.Parts {
			if d := part.Deployer; d != nil && d.At.File == p.Position.File && d.At.Line <= p.Position.Line && (nearest == nil || d.At.Line > nearest.At.Line) {
				nearest = d
			}
		}
		if nearest != nil {
			out[nearest.ID] = true
		}
	}
	return out
}

// UnreadableDeployers returns the deployers that only base has, because the file that declares them cannot be read in head: nobody
// applies it, and they stay as they were.
func UnreadableDeployers(name string, base, head *loader.Environment, before, after *loader.Snapshot) map[loader.ID]bool {
	out := map[loader.ID]bool{}
	files := map[string]bool{}
	for _, p := range NewlyBroken(name, before, after) {
		if p.Code != loader.ArgoNameTwice { // the others of its Applications are known
			files[p.Position.File] = true
		}
	}
	if len(files) == 0 {
		return out
	}
	has := head.Deployers()
	add := func(d *loader.Deployer) {
		for ; d != nil; d = d.Parent {
			if files[d.At.File] && has[d.ID] == nil {
				out[d.ID] = true
			}
		}
	}
	for _, d := range base.Deployers() {
		add(d)
	}
	for _, part := range base.Parts { // one that has no objects here, only a chart that is not rendered
		add(part.Deployer)
	}
	return out
}

// BrokenFolders returns the folders of the kustomizations that base can build and head cannot.
func BrokenFolders(name string, head *loader.Environment, before, after *loader.Snapshot) []string {
	var out []string
	entries := sync.OnceValue(func() map[string][]string {
		folders := map[string][]string{}
		for i := range head.Gaps {
			dir := path.Dir(head.Gaps[i].Position.File)
			entry := path.Join(dir, head.Gaps[i].Name)
			folders[entry] = append(folders[entry], dir)
		}
		return folders
	})
	for _, p := range NewlyBroken(name, before, after) {
		if BreaksRelease(p.Code) {
			continue
		}
		if strings.HasPrefix(p.Code, "kustomize-") {
			out = append(out, path.Dir(p.Position.File))
			continue
		}
		out = append(out, entries()[p.Position.File]...)
	}
	return out
}
