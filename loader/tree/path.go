package tree

import (
	"path"
	"slices"
	"strings"
)

// Dotted says whether a file lies in a folder that people put away, such as
// .archive: nothing there is deployed unless something says so.
func Dotted(file string) bool {
	for segment := range strings.SplitSeq(path.Dir(file), "/") {
		if len(segment) > 1 && segment[0] == '.' && segment != ".." {
			return true
		}
	}
	return false
}

// Enclosed says whether a file lies below one of the folders.
func Enclosed(dirs map[string]bool, file string) bool {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if dirs[dir] {
			return true
		}
		if dir == "." {
			return false
		}
	}
}

// Relative is a path relative to a folder that holds it.
func Relative(dir, p string) (rest string, ok bool) {
	if dir == "." {
		return p, true
	}
	if p == dir {
		return "", true
	}
	return strings.CutPrefix(p, dir+"/")
}

// Common is the deepest folder above two places, and the names below it on the
// way to each.
func Common(a, b string) (dir, childA, childB string) {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(as) && n < len(bs) && as[n] == bs[n] {
		n++
	}
	dir = path.Join(append([]string{"."}, as[:n]...)...)
	if n < len(as) {
		childA = path.Join(dir, as[n])
	}
	if n < len(bs) {
		childB = path.Join(dir, bs[n])
	}
	return dir, childA, childB
}

func below(dirs []string, place string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return Within(dir, place) })
}
