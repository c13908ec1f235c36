// Package buildfs is the file system that one build of kustomize sees: some files in memory,
// read only, below a root that stands for the root of the tree.
package buildfs

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

// FS is the file system that one build sees: the files that the gate has
// approved, and nothing else. Its root stands for the root of the tree.
type FS struct {
	files map[string][]byte
	dirs  map[string]bool
	// Opened is told every file that is read; nil outside tests.
	Opened func(string)
}

// New makes one of files by their paths in the tree.
func New(files map[string][]byte) *FS {
	b := &FS{files: files, dirs: map[string]bool{".": true}}
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

func (b *FS) clean(name string) string {
	if name = inTree(name); name == "" {
		return "."
	}
	return name
}

// CleanedAbs splits a name into a folder and a file.
func (b *FS) CleanedAbs(name string) (filesys.ConfirmedDir, string, error) {
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
func (b *FS) ReadFile(name string) ([]byte, error) {
	name = b.clean(name)
	if b.Opened != nil {
		b.Opened(name)
	}
	data, ok := b.files[name]
	if !ok {
		return nil, notFound("open", name)
	}
	return data, nil
}

// IsDir says whether a name is a folder.
func (b *FS) IsDir(name string) bool { return b.dirs[b.clean(name)] }

// Exists says whether a name is there.
func (b *FS) Exists(name string) bool {
	_, file := b.files[b.clean(name)]
	return file || b.IsDir(name)
}

// Open is not needed by builds; ReadFile is.
func (b *FS) Open(name string) (filesys.File, error) { return nil, notFound("open", name) }

// ReadDir is not needed by builds.
func (b *FS) ReadDir(name string) ([]string, error) { return nil, notFound("readdir", name) }

// Glob finds nothing: kustomize has no globs, and plugins are off.
func (b *FS) Glob(string) ([]string, error) { return nil, nil }

// Walk is not needed by builds.
func (b *FS) Walk(name string, _ filepath.WalkFunc) error { return notFound("walk", name) }

// Create refuses.
func (b *FS) Create(string) (filesys.File, error) { return nil, errReadOnly }

// Mkdir refuses.
func (b *FS) Mkdir(string) error { return errReadOnly }

// MkdirAll refuses.
func (b *FS) MkdirAll(string) error { return errReadOnly }

// RemoveAll refuses.
func (b *FS) RemoveAll(string) error { return errReadOnly }

// WriteFile refuses.
func (b *FS) WriteFile(string, []byte) error { return errReadOnly }
