package source

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// kind is the kind of a node in a tree, before links are resolved.
type kind uint8

const (
	regular kind = iota
	link
	folder // only as the result of a lookup
	module // a submodule, or a repository inside a work tree
)

// node is one name in a tree.
type node struct {
	path string
	kind kind
	// id is the content's id; empty for a file on disk that is not hashed yet.
	id string
	// target is the path in a link.
	target string
}

func byPath(a, b node) int { return cmp.Compare(a.path, b.path) }

// files is a tree whose links are not resolved.
type files interface {
	// lookup finds a path whose parent folders are not links.
	lookup(path string) (node, bool)
	// below lists the files and links under a folder, sorted by path.
	below(dir string) ([]node, error)
}

// listing is a complete list of the nodes of a tree, sorted by path.
type listing []node

func (l listing) lookup(p string) (node, bool) {
	i, found := slices.BinarySearchFunc(l, p, comparePath)
	if found {
		return l[i], true
	}
	if i, _ = slices.BinarySearchFunc(l, p+"/", comparePath); i < len(l) && strings.HasPrefix(l[i].path, p+"/") {
		return node{path: p, kind: folder}, true
	}
	return node{}, false
}

func (l listing) below(dir string) ([]node, error) {
	if dir == "" {
		return l, nil
	}
	from, _ := slices.BinarySearchFunc(l, dir+"/", comparePath)
	// '0' is the byte after '/'.
	to, _ := slices.BinarySearchFunc(l, dir+"0", comparePath)
	return l[from:to], nil
}

func comparePath(n node, p string) int { return cmp.Compare(n.path, p) }

// folderOf returns the folder of a path, "" for the root.
func folderOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

// validPath reports whether a path may become an entry. A crafted tree object can contain any name
// without slash and NUL. fs.ValidPath would also reject names that are not UTF-8, which are
// legitimate.
func validPath(p string) bool {
	for name := range strings.SplitSeq(p, "/") {
		switch {
		case name == "" || name == "." || name == "..":
			return false
		case strings.EqualFold(name, ".git"):
			return false
		}
	}
	return true
}

// isManifest reports whether a file may contain objects, by its name. Other files are also listed,
// because a kustomization may refer to any file.
func isManifest(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	name := p[strings.LastIndexByte(p, '/')+1:]
	return name == "Kustomization" || name == "kustomization"
}
