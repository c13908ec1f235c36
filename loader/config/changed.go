package config

import "github.com/gwplan/gwplan/loader"

// Change is a section that two configurations do not have in common.
type Change struct {
	Section string
	// Verb is adds, changes or removes.
	Verb string
	// At is its place in the later configuration, or in the earlier one if InBase.
	At     loader.Position
	InBase bool
}

// facts are the sections that say what counts. rules and ignore, which say what is reported, are
// compared entry by entry.
var facts = []string{"kinds", "complete", "environments", "ages", "namespaces", "controllers", "roots", "external", "owners"}

// Changed returns the sections of facts that differ between two configurations.
func Changed(base, head *Config) []Change {
	var out []Change
	for _, section := range facts {
		was, is := base.root.Get(section), head.root.Get(section)
		switch {
		case was.IsEmpty() && is.IsEmpty():
		case is.IsEmpty():
			out = append(out, Change{Section: section, Verb: "removes", At: base.Position(section), InBase: true})
		case was.IsEmpty():
			out = append(out, Change{Section: section, Verb: "adds", At: head.Position(section)})
		case !loader.Equal(was, is):
			out = append(out, Change{Section: section, Verb: "changes", At: head.Position(section)})
		}
	}
	return out
}
