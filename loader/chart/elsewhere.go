package chart

import (
	"path"
	"slices"
	"strings"
)

// elsewhere says where a folder of a chart comes from that is not at its path.
type elsewhere struct {
	// below is the folder, relative to that of the chart, and at is where it is.
	below, at string
	// file means that all of it is in one file: an archive, or the Chart.yaml that names a chart which is in no tree.
	file bool
}

// as returns where a dependency and its own folders come from, for the chart that has it below a folder.
func (c *Chart) as(below, dir string) []elsewhere {
	if dir == "" {
		return []elsewhere{{below: below, at: "Chart.yaml", file: true}}
	}
	out := []elsewhere{{below: below, at: dir}}
	for _, e := range c.elsewhere {
		out = append(out, elsewhere{below: path.Join(below, e.below), at: path.Join(dir, e.at), file: e.file})
	}
	return out
}

// Source returns the file that holds a file of the chart, relative to the chart's folder: that of a dependency may be in
// another folder of the tree, or in an archive. Documents name their files by Path.
func (c *Chart) Source(file string) string {
	for _, e := range slices.Backward(c.elsewhere) { // the innermost come last
		rest, inside := strings.CutPrefix(file, e.below+"/")
		switch {
		case !inside:
		case e.file:
			return e.at
		default:
			return path.Join(e.at, rest)
		}
	}
	return file
}
