package kustomize

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// errReadOnly is what every attempt to write meets.
var errReadOnly = errors.New("the tree is read only")

// buildFS is the file system that one build sees: the files that the gate has
// approved, and nothing else. Its root stands for the root of the tree.
type buildFS struct {
	files map[string][]byte
	dirs  map[string]bool
	// opened is told every file that is read; nil outside tests.
	opened func(string)
}

func newBuildFS(files map[string][]byte) *buildFS {
	b := &buildFS{files: files, dirs: map[string]bool{".": true}}
	for file := range files {
		for dir := path.Dir(file); !b.dirs[dir]; dir = path.Dir(dir) {
			b.dirs[dir] = true
		}
	}
	return b
}

// inTree turns kustomize's absolute path into one of the tree.
func inTree(name string) string {
	return strings.TrimPrefix(path.Clean("/"+filepath.ToSlash(name)), "/")
}

func (b *buildFS) clean(name string) string {
	if name = inTree(name); name == "" {
		return "."
	}
	return name
}

// CleanedAbs splits a name into a folder and a file.
func (b *buildFS) CleanedAbs(name string) (filesys.ConfirmedDir, string, error) {
	name = b.clean(name)
	if b.dirs[name] {
		return filesys.ConfirmedDir(path.Join("/", name)), "", nil
	}
	if _, ok := b.files[name]; ok {
		return filesys.ConfirmedDir(path.Join("/", path.Dir(name))), path.Base(name), nil
	}
	return "", "", notFound("open", name)
}

func notFound(op, name string) error {
	return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// ReadFile gives the content of an approved file.
func (b *buildFS) ReadFile(name string) ([]byte, error) {
	name = b.clean(name)
	if b.opened != nil {
		b.opened(name)
	}
	data, ok := b.files[name]
	if !ok {
		return nil, notFound("open", name)
	}
	return data, nil
}

// IsDir says whether a name is a folder.
func (b *buildFS) IsDir(name string) bool { return b.dirs[b.clean(name)] }

// Exists says whether a name is there.
func (b *buildFS) Exists(name string) bool {
	_, file := b.files[b.clean(name)]
	return file || b.IsDir(name)
}

// Open is not needed by builds; ReadFile is.
func (b *buildFS) Open(name string) (filesys.File, error) { return nil, notFound("open", name) }

// ReadDir is not needed by builds.
func (b *buildFS) ReadDir(name string) ([]string, error) { return nil, notFound("readdir", name) }

// Glob finds nothing: kustomize has no globs, and plugins are off.
func (b *buildFS) Glob(string) ([]string, error) { return nil, nil }

// Walk is not needed by builds.
func (b *buildFS) Walk(name string, _ filepath.WalkFunc) error { return notFound("walk", name) }

// Create refuses.
func (b *buildFS) Create(string) (filesys.File, error) { return nil, errReadOnly }

// Mkdir refuses.
func (b *buildFS) Mkdir(string) error { return errReadOnly }

// MkdirAll refuses.
func (b *buildFS) MkdirAll(string) error { return errReadOnly }

// RemoveAll refuses.
func (b *buildFS) RemoveAll(string) error { return errReadOnly }

// WriteFile refuses.
func (b *buildFS) WriteFile(string, []byte) error { return errReadOnly }
