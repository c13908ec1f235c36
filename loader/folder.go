package loader

import (
	"slices"
	"strings"
)

// HasDottedStep reports whether a step of a path begins with a dot, as folders do that serve tools, such as the workflows of a
// forge.
func HasDottedStep(name string) bool {
	for step := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(step, ".") && step != "." && step != ".." {
			return true
		}
	}
	return false
}

// IsPutAway reports whether a folder has a name that people give to folders from which nothing is applied: for what is no longer
// used, is not finished, or is a sample. Names that clusters and applications have as well, such as test and docs, are not among
// them.
func IsPutAway(name string) bool {
	return slices.Contains([]string{
		"archive", "archived", "archives", "attic", "backup", "boilerplate", "deprecated", "disabled", "draft", "drafts", "example", "examples",
		"inactive", "off", "old", "sample", "samples", "template", "templates", "tmp", "trash", "unused",
	}, strings.ToLower(strings.Trim(name, "._-")))
}
