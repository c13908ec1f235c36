package tree

import (
	"path"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Dotted reports whether a file is in a folder with a leading dot, such as .archive. Files there
// are not deployed unless something refers to them.
func Dotted(file string) bool { return loader.HasDottedStep(path.Dir(file)) }

// Enclosed reports whether a file is below one of the folders.
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

// Relative returns a path relative to a folder that contains it.
func Relative(dir, p string) (rest string, ok bool) {
	if dir == "." {
		return p, true
	}
	if p == dir {
		return "", true
	}
	return strings.CutPrefix(p, dir+"/")
}

// Common returns the deepest folder above two paths, and the next path below it towards each of
// them.
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
