package source

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// kind of a node in a tree, before links are resolved.
type kind uint8

const (
	regular kind = iota
	link
	folder // only as the answer to a lookup
	module // a submodule, or a repository inside a work tree
)

// node is one name in a tree.
type node struct {
	path string
	kind kind
	// id is the content's id; empty for a file on disk that is not hashed yet.
	id string
	// target is where a link leads.
	target string
}

func byPath(a, b node) int { return cmp.Compare(a.path, b.path) }

// files is a tree whose links are not resolved.
type files interface {
	// lookup finds a name whose parent folders are no links.
	lookup(path string) (node, bool)
	// below lists the files and links under a folder, sorted by path.
	below(dir string) ([]node, error)
}

// listing is a tree known in full, sorted by path.
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

// folderOf is the folder of a path, "" for the root.
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

// validPath says whether a path may become an entry. A crafted tree object can
// hold any name but a slash and NUL; fs.ValidPath would also refuse names that
// are not UTF-8, which are honest.
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

// isManifest says whether a file may hold objects, by its name. The others are
// listed, too, since a kustomization may refer to any file.
func isManifest(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	name := p[strings.LastIndexByte(p, '/')+1:]
	return name == "Kustomization" || name == "kustomization"
}
