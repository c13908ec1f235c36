// Package buildfs is the file system of one kustomize build: selected files, in memory and
// read only. Its root corresponds to the root of the tree.
package buildfs

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// errReadOnly is returned by every method that writes.
var errReadOnly = errors.New("the tree is read only")

// FS is the file system of one build. It contains the files that the gate has approved, and
// nothing else. Its root corresponds to the root of the tree.
type FS struct {
	files map[string][]byte
	dirs  map[string]bool
	// Opened is called with each file that is read; nil outside tests.
	Opened func(string)
}

// New returns a file system with files, keyed by their paths in the tree.
func New(files map[string][]byte) *FS {
	b := &FS{files: files, dirs: map[string]bool{".": true}}
	for file := range files {
		for dir := path.Dir(file); !b.dirs[dir]; dir = path.Dir(dir) {
			b.dirs[dir] = true
		}
	}
	return b
}

// inTree converts an absolute path of kustomize to a path in the tree.
func inTree(name string) string {
	return strings.TrimPrefix(path.Clean("/"+filepath.ToSlash(name)), "/")
}

func (b *FS) clean(name string) string {
	if name = inTree(name); name == "" {
		return "."
	}
	return name
}

// CleanedAbs splits a path into an absolute folder and a file name, "" for a folder.
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

// ReadFile returns the content of an approved file.
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

// IsDir reports whether a path is a folder.
func (b *FS) IsDir(name string) bool { return b.dirs[b.clean(name)] }

// Exists reports whether a path is a file or folder.
func (b *FS) Exists(name string) bool {
	_, file := b.files[b.clean(name)]
	return file || b.IsDir(name)
}

// Open always fails: builds do not need it.
func (b *FS) Open(name string) (filesys.File, error) { return nil, notFound("open", name) }

// ReadDir always fails: builds do not need it.
func (b *FS) ReadDir(name string) ([]string, error) { return nil, notFound("readdir", name) }

// Glob returns nothing: kustomize has no globs, and plugins are disabled.
func (b *FS) Glob(string) ([]string, error) { return nil, nil }

// Walk always fails: builds do not need it.
func (b *FS) Walk(name string, _ filepath.WalkFunc) error { return notFound("walk", name) }

// Create fails: the tree is read only.
func (b *FS) Create(string) (filesys.File, error) { return nil, errReadOnly }

// Mkdir fails: the tree is read only.
func (b *FS) Mkdir(string) error { return errReadOnly }

// MkdirAll fails: the tree is read only.
func (b *FS) MkdirAll(string) error { return errReadOnly }

// RemoveAll fails: the tree is read only.
func (b *FS) RemoveAll(string) error { return errReadOnly }

// WriteFile fails: the tree is read only.
func (b *FS) WriteFile(string, []byte) error { return errReadOnly }
