package tree

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/source"
)

// View is a tree with the indexes that rendering needs. It contains only names; the contents are in
// the store.
type View struct {
	Tree *source.Tree
	// IDs maps a file to its content id; Dirs contains every folder above a file.
	IDs  map[string]string
	Dirs map[string]bool
	// Links maps the files that are symbolic links, or are below one, to the link.
	Links map[string]string
	// Files are all files, sorted.
	Files []string
	// Manifests are the files that may contain objects, sorted.
	Manifests []string
	// Kusts are the kustomization files of each folder; more than one is an error.
	Kusts map[string][]string
	// Charts are the folders of Helm charts, sorted.
	Charts []string
	// Includes are the references in the kustomization of each folder.
	Includes map[string]references
}

// newView indexes a tree. Entries may come in any order.
func newView(t *source.Tree) *View {
	v := &View{
		Tree: t, IDs: make(map[string]string, len(t.Entries)), Dirs: map[string]bool{".": true},
		Kusts: map[string][]string{}, Links: map[string]string{},
	}
	for _, e := range t.Entries {
		if hidden(e.Path) {
			continue
		}
		v.IDs[e.Path] = e.ID
		if e.Link != "" {
			v.Links[e.Path] = e.Link
		}
		v.Files = append(v.Files, e.Path)
		v.AddDirs(e.Path)
		if path.Base(e.Path) == "Chart.yaml" {
			v.Charts = append(v.Charts, path.Dir(e.Path))
		}
		if loader.IsKustomizationFile(e.Path) {
			v.Kusts[path.Dir(e.Path)] = append(v.Kusts[path.Dir(e.Path)], e.Path)
		}
		if IsManifestFile(e.Path) || e.Given {
			v.Manifests = append(v.Manifests, e.Path)
		}
	}
	for _, list := range []*[]string{&v.Files, &v.Charts, &v.Manifests} {
		if !slices.IsSorted(*list) {
			slices.Sort(*list)
		}
	}
	for _, files := range v.Kusts {
		slices.Sort(files)
	}
	return v
}

// Clone returns a view of the same tree that can be changed.
func (v *View) Clone() *View {
	out := *v
	out.IDs, out.Dirs, out.Kusts = maps.Clone(v.IDs), maps.Clone(v.Dirs), maps.Clone(v.Kusts)
	return &out
}

// AddDirs adds the folders above a file to Dirs.
func (v *View) AddDirs(file string) {
	for dir := path.Dir(file); !v.Dirs[dir]; dir = path.Dir(dir) {
		v.Dirs[dir] = true
	}
}

// hidden reports whether a file is in a folder of Git. Those of repository hosts (.github, .gitea) are not hidden: deployers apply
// what is in them.
func hidden(file string) bool { return slices.Contains(strings.Split(path.Dir(file), "/"), ".git") }

// IsManifestFile reports whether a file may contain manifests, by its name.
func IsManifestFile(file string) bool {
	switch path.Ext(file) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// InChart reports whether a file is a template of a Helm chart or part of its subcharts. It is not
// a manifest until Helm renders it.
func (v *View) InChart(file string) bool {
	if len(v.Charts) == 0 {
		return false
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if _, found := slices.BinarySearch(v.Charts, dir); found && chartPart(dir, file) {
			return true
		}
		if dir == "." {
			return false
		}
	}
}

// chartPart reports whether a file is in a folder that Helm renders.
func chartPart(chart, file string) bool {
	return loader.Within(path.Join(chart, "templates"), file) || loader.Within(path.Join(chart, "charts"), file)
}

// FilesBelow lists the manifest files at or below a folder, sorted.
func (v *View) FilesBelow(dir string) []string { return under(v.Manifests, dir) }

// AllBelow lists every file at or below a folder, sorted.
func (v *View) AllBelow(dir string) []string { return under(v.Files, dir) }

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

// Text returns the content of a file, nil if it cannot be read.
func (v *View) Text(file string) []byte {
	var out []byte
	if id := v.IDs[file]; id != "" {
		// An unreadable file is already reported as a problem.
		_ = v.Tree.Blobs.Each([]string{id}, func(_ string, data []byte, missing *loader.Problem) {
			if missing == nil {
				out = slices.Clone(data)
			}
		})
	}
	return out
}

// MaxPattern limits the length of a pattern, because long patterns may be slow to match.
const MaxPattern = 1024

// Match returns the folders and files that match a pattern. It omits those inside a folder that
// also matches.
func (v *View) Match(pattern string) []string {
	var out []string
	matched := map[string]bool{}
	add := func(place string) {
		if doublestar.MatchUnvalidated(pattern, place) && !matched[place] && !Enclosed(matched, place) {
			out, matched[place] = append(out, place), true
		}
	}
	for _, dir := range Sorted(v.Dirs) {
		add(dir)
	}
	for _, file := range v.Manifests {
		add(file)
	}
	return out
}
