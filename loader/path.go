package loader

import "strings"

// Within reports whether a file or folder is dir or is below it. Paths are clean and relative to the
// root of the tree, which is ".".
func Within(dir, name string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir) && name[len(dir)] == '/'
}
