package tree

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// maxReference is the longest reference that is looked at.
const maxReference = 4096

// LocalReference says whether kustomize reads a reference as a local path,
// whatever the tree holds. It knows what good ones look like and has no list of
// bad ones: either it begins with ./ or ../, which kustomize v0.21.2 always
// reads as local (api/internal/git/repospec.go), or it has plain segments and
// the first one is not a host name.
func LocalReference(ref string) bool {
	if ref == "" || len(ref) > maxReference || strings.ContainsFunc(ref, control) {
		return false
	}
	if strings.HasPrefix(ref, "./") || strings.HasPrefix(ref, "../") {
		return true
	}
	segments := strings.Split(strings.TrimSuffix(ref, "/"), "/")
	for _, segment := range segments {
		if segment == "" || strings.ContainsFunc(segment, Unusual) {
			return false
		}
	}
	return len(segments) == 1 || !hostLike(segments[0])
}

func control(r rune) bool { return r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || r == '\ufffd' }

// Unusual knows letters that no path of a reference has.
func Unusual(r rune) bool {
	letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	return !letter && r != '.' && r != '_' && r != '-' && r != '+'
}

// hostLike takes for a host name whatever has a dot inside, versions such as
// v1.2 excepted.
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

// Target is the path in the tree that a reference of a folder means; ok is
// false where it leads out.
func Target(dir, ref string) (name string, ok bool) {
	if path.IsAbs(ref) {
		return "", false
	}
	name = path.Join(dir, ref)
	return name, name != ".." && !strings.HasPrefix(name, "../")
}

// Unresolved says whether a text holds something that is not filled in.
func Unresolved(text string) bool { return loader.Placeholder(text) }

// MaxDepth bounds what may lie in each other: folders of a build, charts.
const MaxDepth = 64

// Sorted gives the keys of a map in order.
func Sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
