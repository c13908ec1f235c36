package render

import (
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/source"
)

// view is a tree with the indexes that rendering needs. It knows names alone;
// contents are in the store.
type view struct {
	tree *source.Tree
	// ids maps a file to its content, dirs holds every folder above a file.
	ids  map[string]string
	dirs map[string]bool
	// files are all of them, sorted.
	files []string
	// manifests are the files that may hold objects, sorted.
	manifests []string
	// kusts are the kustomization files of a folder; more than one is refused.
	kusts map[string][]string
	// charts are the folders of Helm charts, sorted.
	charts []string
	// includes is what the kustomization of each folder names.
	includes map[string]references
}

// newView indexes a tree. Entries may come in any order.
func newView(t *source.Tree) *view {
	v := &view{
		tree: t, ids: make(map[string]string, len(t.Entries)), dirs: map[string]bool{".": true},
		kusts: map[string][]string{},
	}
	for _, e := range t.Entries {
		if hidden(e.Path) {
			continue
		}
		v.ids[e.Path] = e.ID
		v.addDirs(e.Path)
		if path.Base(e.Path) == "Chart.yaml" {
			v.charts = append(v.charts, path.Dir(e.Path))
		}
		if isKustomizationFile(e.Path) {
			v.kusts[path.Dir(e.Path)] = append(v.kusts[path.Dir(e.Path)], e.Path)
		}
		if isManifestFile(e.Path) || e.Given {
			v.manifests = append(v.manifests, e.Path)
		}
	}
	v.files = sorted(v.ids)
	slices.Sort(v.charts)
	slices.Sort(v.manifests)
	for _, files := range v.kusts {
		slices.Sort(files)
	}
	return v
}

// addDirs notes the folders above a file.
func (v *view) addDirs(file string) {
	for dir := path.Dir(file); !v.dirs[dir]; dir = path.Dir(dir) {
		v.dirs[dir] = true
	}
}

// hidden tells the folders that belong to Git and its hosts: .git, .github,
// .gitlab and the like.
func hidden(file string) bool {
	for segment := range strings.SplitSeq(path.Dir(file), "/") {
		if strings.HasPrefix(segment, ".git") {
			return true
		}
	}
	return false
}

func isKustomizationFile(file string) bool {
	return slices.Contains(loader.KustomizationFiles(), path.Base(file))
}

func isManifestFile(file string) bool {
	switch path.Ext(file) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// within says whether a file or folder is dir or lies below it.
func within(dir, name string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}

// inChart says whether a file is a template of a Helm chart, or of a chart
// inside one: it is no manifest before Helm has rendered it.
func (v *view) inChart(file string) bool {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if _, found := slices.BinarySearch(v.charts, dir); found && chartPart(dir, file) {
			return true
		}
		if dir == "." {
			return false
		}
	}
}

// chartPart says whether a file lies in the folders that Helm renders.
func chartPart(chart, file string) bool {
	return within(path.Join(chart, "templates"), file) || within(path.Join(chart, "charts"), file)
}

// filesBelow lists the manifest files at or below a folder, sorted.
func (v *view) filesBelow(dir string) []string { return under(v.manifests, dir) }

// allBelow lists every file at or below a folder, sorted.
func (v *view) allBelow(dir string) []string { return under(v.files, dir) }

func under(files []string, dir string) []string {
	if dir == "." {
		return files
	}
	start, _ := slices.BinarySearch(files, dir+"/")
	end := start
	for end < len(files) && strings.HasPrefix(files[end], dir+"/") {
		end++
	}
	return files[start:end]
}

// text is the content of a file, nil for one that cannot be read.
func (v *view) text(file string) []byte {
	var out []byte
	if id := v.ids[file]; id != "" {
		// What cannot be read is a problem already.
		_ = v.tree.Blobs.Each([]string{id}, func(_ string, data []byte, missing *loader.Problem) {
			if missing == nil {
				out = slices.Clone(data)
			}
		})
	}
	return out
}
