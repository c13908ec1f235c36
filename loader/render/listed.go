package render

import (
	"path"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// list notes where a kustomization lists a file or folder.
func (f *folder) list(name string, v *loader.Value) {
	if f.lists == nil {
		f.lists = map[string]loader.Position{}
	}
	f.lists[name] = place(f.file, v)
}

// listed are the entries by which a build takes a file in, from its root down
// to the kustomization that lists the file: the first way there is.
func (p *plan) listed(file string) []loader.Position {
	if len(p.folders) == 0 {
		return nil
	}
	way, _ := p.folders[0].way(file, maxDepth)
	return way
}

func (f *folder) way(file string, depth int) ([]loader.Position, bool) {
	if at, ok := f.lists[file]; ok && slices.Contains(f.holds, file) {
		return []loader.Position{at}, true
	}
	if depth == 0 {
		return nil, false
	}
	for _, below := range f.below {
		if rest, ok := below.way(file, depth-1); ok {
			return append([]loader.Position{f.lists[below.dir]}, rest...), true
		}
	}
	return nil, false
}

// lister is the folder that something outside the tree applies so that a file counts:
// the highest above it whose kustomization takes it in, else its own.
func (s *store) lister(v *view, file string) string {
	dir, ask := path.Dir(file), map[string][]int{file: {0}}
	best := dir
	for up := dir; up != "."; {
		up = path.Dir(up)
		if len(v.kusts[up]) == 0 {
			continue
		}
		if taken, _ := s.covered(v, up, ask); taken[file] {
			best = up
		}
	}
	return best
}
