package flux

import (
	"fmt"
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// sift splits the entries that no other entry reaches: live ones, which something outside of the
// tree applies, and unlisted ones, which nothing applies.
func (s *Reader) sift(v *site, entries []entry) (live, unlisted []entry) {
	byFile := map[string][]int{}
	for i, e := range entries {
		byFile[e.File] = append(byFile[e.File], i)
	}
	reach := closures(entries)
	var tops []int
	for _, i := range roots(entries, reach) {
		if !tree.Dotted(entries[i].File) {
			tops = append(tops, i)
			continue
		}
		unlisted = append(unlisted, entries[i])
	}
	lists := s.lists(v, entries, tops, byFile)
	by := claims(entries, reach, tops)
	for _, i := range tops {
		if claimed(entries, by, i) || lists.leaveOut(entries[i]) {
			entries[i].Unlisted = true
			unlisted = append(unlisted, entries[i])
			continue
		}
		live = append(live, entries[i])
	}
	return live, unlisted
}

// claims returns, for each entry, the other entries whose files are below a folder that it applies,
// directly or through entries that it reaches. The build of that folder omits them; otherwise it
// would reach them. An entry that applies no other entries may also be next to these folders,
// because its whole folder was removed from the list.
func claims(entries []entry, reach []bits, tops []int) map[int]bits {
	out, inside := map[int]bits{}, placesOf(entries, tops)
	for _, j := range tops {
		applied := slices.Clone(entries[j].applies)
		for n := range entries {
			if reach[j].has(n) {
				applied = append(applied, entries[n].applies...)
			}
		}
		if len(applied) == 0 {
			continue
		}
		slices.Sort(applied)
		out[j] = newBits(len(entries))
		for _, dir := range slices.Compact(applied) {
			for _, i := range inside[dir] {
				out[j].add(i)
			}
		}
		home := path.Dir(entries[j].File)
		for _, dir := range neighbourhoods(applied) {
			for _, i := range inside[dir] {
				if len(entries[i].reaches) == 0 && path.Dir(entries[i].File) != home {
					out[j].add(i)
				}
			}
		}
	}
	return out
}

// placesOf returns, for each folder, the entries whose files are below it.
func placesOf(entries []entry, tops []int) map[string][]int {
	out := map[string][]int{}
	for _, i := range tops {
		for dir := path.Dir(entries[i].File); ; dir = path.Dir(dir) {
			out[dir] = append(out[dir], i)
			if dir == "." {
				break
			}
		}
	}
	return out
}

// claimed reports whether another entry omits entry i. If two entries omit each other, the one with
// the shorter path stays.
func claimed(entries []entry, by map[int]bits, i int) bool {
	for j, others := range by {
		mutual := by[i] != nil && by[i].has(j)
		if i != j && others.has(i) && (!mutual || compareEntries(entries[j], entries[i]) < 0) {
			return true
		}
	}
	return false
}

// minNeighbours is the number of applied folders that a folder must contain to count as a folder of
// applied folders.
const minNeighbours = 3

// neighbourhoods returns the folders with at least minNeighbours applied ones.
func neighbourhoods(applied []string) []string {
	children := map[string]map[string]bool{}
	for _, dir := range applied {
		up := path.Dir(dir)
		if up == "." {
			continue
		}
		if children[up] == nil {
			children[up] = map[string]bool{}
		}
		children[up][dir] = true
	}
	var out []string
	for _, up := range tree.Sorted(children) {
		if len(children[up]) >= minNeighbours {
			out = append(out, up)
		}
	}
	return out
}

// lists maps a folder with entries to the entry files that its kustomization lists.
type lists map[string]map[string]bool

func (s *Reader) lists(v *site, entries []entry, tops []int, byFile map[string][]int) lists {
	out := lists{}
	for _, i := range tops {
		dir := path.Dir(entries[i].File)
		if out[dir] != nil || len(v.Kusts[dir]) == 0 {
			continue
		}
		if listed, _ := v.Covered(dir, byFile); len(listed) > 0 {
			out[dir] = listed
		}
	}
	return out
}

// leaveOut reports whether a kustomization above an entry lists other entries but not this one. An
// entry that applies the folder of that kustomization is its deployer and needs no listing.
func (l lists) leaveOut(e entry) bool {
	out := false
	for dir, listed := range l {
		if listed[e.File] || slices.Contains(e.applies, dir) {
			return false
		}
		out = out || loader.Within(dir, e.File)
	}
	return out
}

// unlistedProblems returns a note for the Flux Kustomizations that nothing applies.
func unlistedProblems(unlisted []entry) []loader.Problem {
	var out []loader.Problem
	for _, e := range unlisted {
		out = append(out, loader.Problem{
			Severity: loader.Note, Code: loader.Unlisted, Position: e.Object.First(),
			Message: fmt.Sprintf("nothing applies the Flux Kustomization %s", deploy.Quote(e.Object.ID.Name)),
			Hint:    "if it should be deployed, add it to the kustomization that lists the files next to it",
		})
	}
	return deploy.Summarised(out, "nothing applies %d Flux Kustomizations")
}
