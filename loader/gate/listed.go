package gate

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// list records the position at which a kustomization lists a file or folder.
func (f *Folder) list(name string, v *loader.Value) {
	if f.lists == nil {
		f.lists = map[string]loader.Position{}
	}
	f.lists[name] = deploy.PositionOf(f.File, v)
}

// Listed returns the entries through which a build includes a file, from its root to the
// kustomization that lists the file. If there are several ways, it returns the first.
func (p *Approved) Listed(file string) []loader.Position {
	if len(p.Folders) == 0 {
		return nil
	}
	way, _ := p.Folders[0].way(file, tree.MaxDepth)
	return way
}

func (f *Folder) way(file string, depth int) ([]loader.Position, bool) {
	if at, ok := f.lists[file]; ok && slices.Contains(f.holds, file) {
		return []loader.Position{at}, true
	}
	if depth == 0 {
		return nil, false
	}
	for _, below := range f.below {
		if rest, ok := below.way(file, depth-1); ok {
			return append([]loader.Position{f.lists[below.Dir]}, rest...), true
		}
	}
	return nil, false
}
