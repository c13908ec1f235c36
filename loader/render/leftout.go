package render

import (
	"fmt"
	"maps"
	"path"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// leaveOut names what lies beside all that deployers apply: nothing deploys it.
func (s *session) leaveOut(v *view, f deployers, l *layout) {
	covers := map[string]bool{}
	for _, c := range f.clusters {
		for file := range c.covers {
			covers[file] = true
		}
	}
	l.covers = covers
	for _, e := range f.entries {
		if e.ok && !e.unlisted && e.dir != "." && !covers[e.file] && !putAway(e.file) && !putAway(e.dir+"/") {
			l.doubtful = append(l.doubtful, loader.Gap{Kind: loader.FluxGap, Name: clip(e.object.ID.Name), Position: e.object.First(), Roots: []string{e.dir}})
		}
	}
	covers = maps.Clone(covers)
	// Somebody applies these by hand.
	for _, e := range f.live {
		covers[e.file] = true
	}
	for _, file := range f.roots {
		covers[file] = true
	}
	for _, u := range s.applier.unitsBelow(v, ".") {
		first := u.place()
		if u.build {
			first = v.kusts[u.dir][0]
		}
		if !covers[first] && (u.build || s.store.file(v.ids[first]).Manifest) {
			l.left = append(l.left, first)
		}
	}
	l.notes = append(l.notes, leftOut(len(l.left))...)
}

// putAway says whether a file lies in a folder of what nobody uses any more, or of samples.
func putAway(file string) bool {
	for segment := range strings.SplitSeq(strings.ToLower(path.Dir(file)), "/") {
		switch strings.TrimLeft(segment, "._") {
		case "archive", "archived", "archives", "attic", "backup", "deprecated", "disabled", "old", "unused", "boilerplate", "example", "examples",
			"sample", "samples", "template", "templates":
			return true
		}
	}
	return dotted(file)
}

// leftOut says how much is deployed by nothing.
func leftOut(n int) []string {
	switch n {
	case 0:
		return nil
	case 1:
		return []string{"1 file or kustomization beside what is deployed is left out: nothing deploys it"}
	}
	return []string{fmt.Sprintf("%d files and kustomizations beside what is deployed are left out: nothing deploys them", n)}
}
