package tree

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// maxReference is the maximum length of a reference that is examined.
const maxReference = 4096

// LocalReference reports whether kustomize reads a reference as a local path, whatever the tree
// contains. It accepts only known good forms: the reference begins with ./ or ../, which kustomize
// v0.21.3 always reads as local (api/internal/git/repospec.go), or it has plain segments and the
// first one is not a host name.
func LocalReference(ref string) bool {
	if ref == "" || len(ref) > maxReference || strings.ContainsFunc(ref, control) {
		return false
	}
	if strings.HasPrefix(ref, "./") || strings.HasPrefix(ref, "../") {
		return true
	}
	segments := strings.Split(strings.TrimSuffix(ref, "/"), "/")
	for _, segment := range segments {
		if segment == "" || strings.ContainsFunc(segment, func(r rune) bool { return r != ' ' && Unusual(r) }) {
			return false
		}
	}
	return len(segments) == 1 || !hostLike(segments[0])
}

func control(r rune) bool { return r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || r == '\ufffd' }

// Unusual reports whether a plain reference cannot contain a letter.
func Unusual(r rune) bool {
	letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	return !letter && r != '.' && r != '_' && r != '-' && r != '+'
}

// hostLike reports whether a segment may be a host name: it contains a dot and is not a version
// such as v1.2.
func hostLike(segment string) bool {
	if segment == "." || segment == ".." || !strings.Contains(strings.TrimPrefix(segment, "."), ".") {
		return false
	}
	version := strings.Split(strings.TrimPrefix(segment, "v"), ".")
	for _, part := range version {
		if part == "" || strings.Trim(part, "0123456789") != "" {
			return true
		}
	}
	return len(version) > 3
}

// Target returns the path in the tree that a reference from a folder refers to; ok is false if it
// is outside the tree.
func Target(dir, ref string) (name string, ok bool) {
	if path.IsAbs(ref) {
		return "", false
	}
	name = path.Join(dir, ref)
	return name, name != ".." && !strings.HasPrefix(name, "../")
}

// Unresolved reports whether a text contains a placeholder.
func Unresolved(text string) bool { return loader.Placeholder(text) }

// MaxDepth limits the nesting of build folders and of charts.
const MaxDepth = 64

// Sorted returns the keys of a map in order.
func Sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
