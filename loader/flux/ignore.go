package flux

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/sourceignore"
	"github.com/fluxcd/pkg/sourceignore/gitignore"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// ignore removes from the tree the files that its Flux source omits from the artefact: by default patterns, such as those of the
// files of CI, by the .sourceignore files, then by spec.ignore of the source, which has precedence (source-controller
// internal/controller/gitrepository_controller.go, reconcileArtifact; fluxcd/pkg artifact/storage/archive.go, SourceIgnoreFilter).
// It omits symbolic links, and so what is below them, in any case (archive.go, Archive).
func (s *Reader) ignore(v *site) error {
	patterns, err := s.ignorePatterns(v)
	if err != nil {
		return err
	}
	matcher := defaultIgnores()
	if len(patterns) > 0 {
		matcher = sourceignore.NewDefaultMatcher(patterns, nil)
	}
	gone := map[string]bool{}
	for _, file := range v.Files {
		if (len(patterns) > 0 || slices.Contains(manifestEndings, path.Ext(file))) && matcher.Match(strings.Split(file, "/"), false) {
			gone[file] = true
		}
	}
	var links []string
	for file, link := range v.Links {
		gone[file] = true
		if tree.IsManifestFile(file) {
			links = append(links, link)
		}
	}
	for _, f := range s.syncs(v) {
		// If a cluster starts from a folder that this source omits, it uses another source.
		if e, ok := f.entry(v); ok && !slices.ContainsFunc(v.Files, func(file string) bool { return !gone[file] && loader.Within(e.Dir, file) }) {
			return nil
		}
	}
	slices.Sort(links)
	v.links = slices.Compact(links)
	if len(gone) > 0 {
		v.View = v.Clone() // Argo CD and configured environments read the files all the same
		v.remove(gone)
		v.Includes = s.store.Kustomizations(v.View).Includes()
	}
	return nil
}

// manifestEndings are those of files that default patterns matter for.
var manifestEndings = []string{".yaml", ".yml", ".json"}

// maxIgnore limits the patterns of one tree.
const maxIgnore = 1_000

func (s *Reader) ignorePatterns(v *site) ([]gitignore.Pattern, error) {
	var files, ids []string
	for _, file := range v.Files {
		if path.Base(file) == sourceignore.IgnoreFile {
			files, ids = append(files, file), append(ids, v.IDs[file])
		}
	}
	slices.Sort(ids)
	if err := s.store.Keep(v.Tree.Blobs, slices.Compact(ids)); err != nil {
		return nil, err
	}
	var out []gitignore.Pattern
	for _, file := range files {
		var domain []string
		if dir := path.Dir(file); dir != "." {
			domain = strings.Split(dir, "/")
		}
		text, read := s.store.Raw[v.IDs[file]]
		out = append(out, sourceignore.ReadPatterns(strings.NewReader(string(text)), domain)...)
		if !read || len(out) > maxIgnore {
			v.unreadIgnores = file
		}
	}
	if ignore := v.sources.ignore(); ignore != nil {
		out = append(out, sourceignore.ReadPatterns(strings.NewReader(ignore.Text), nil)...)
	}
	return out[:min(len(out), maxIgnore)], nil
}

// ignore returns spec.ignore of the source that is the tree itself. It is nil if there is none or
// if the sources of several clusters differ in them, whatever their order.
func (s *sources) ignore() *loader.Value {
	var out *loader.Value
	found := false
	own, _ := s.url(s.own)
	for _, d := range s.declared {
		if !d.ref.matches(s.own) && (own == "" || d.url != own) {
			continue
		}
		if found && !loader.Equal(out, d.ignore) {
			return nil
		}
		out, found = d.ignore, true
	}
	return out
}

// Has reports whether the artefact of the source has a file of the tree.
func (v *site) Has(file string) bool { return v.IDs[file] != "" }

// remove removes files from the view.
func (v *site) remove(gone map[string]bool) {
	kept := func(files []string) []string {
		return slices.DeleteFunc(slices.Clone(files), func(file string) bool { return gone[file] })
	}
	v.Files, v.Manifests = kept(v.Files), kept(v.Manifests)
	v.Charts = slices.DeleteFunc(slices.Clone(v.Charts), func(dir string) bool { return gone[path.Join(dir, "Chart.yaml")] })
	for dir, files := range v.Kusts {
		if v.Kusts[dir] = kept(files); len(v.Kusts[dir]) == 0 {
			delete(v.Kusts, dir)
		}
	}
	v.Dirs = map[string]bool{".": true}
	for file := range gone {
		delete(v.IDs, file)
	}
	for _, file := range v.Files {
		v.AddDirs(file)
	}
}

// linksOmitted is the note about the symbolic links of a tree.
func linksOmitted(links []string) loader.Problem {
	which := "this one"
	if len(links) > 1 {
		which = fmt.Sprintf("the %d links, of which this is the first,", len(links))
	}
	p := deploy.Complain("flux-link", "the sources of Flux omit symbolic links: nothing that is read through "+which+" is applied", "write the file in place of the link").Problem(loader.Position{File: links[0]})
	p.Severity = loader.Note
	return p
}
