package tree

import (
	"strings"

	"github.com/gwplan/gwplan/loader/manifest"
)

// Companions reports whether Companion documents are read.
func (r *relevance) Companions() bool { return r.companions }

// mentions reports whether a file mentions what Companion documents belong to.
func (r *relevance) mentions(data []byte) bool {
	return r.kinds.Mentions != nil && r.kinds.Mentions(data)
}

// readCompanions reads the files with Companion documents again if some file mentions what these
// belong to. Which files do is not known before all are read, and most trees need none of them.
func (s *Store) readCompanions(views []*View) error {
	if !s.mentioned || s.companions {
		return nil
	}
	skipped := func(v *View) []string {
		var ids []string
		for _, file := range v.Manifests {
			if s.skipsCompanion(s.File(v.IDs[file])) {
				ids = append(ids, v.IDs[file])
			}
		}
		return ids
	}
	again := make(map[*View][]string, len(views))
	for _, v := range views {
		again[v] = skipped(v)
	}
	s.companions = true
	return s.batches.each(views, func(v *View) []string { return again[v] }, s.decode)
}

// skipsCompanion reports whether Companion documents of a file were skipped.
func (s *Store) skipsCompanion(f *manifest.File) bool {
	for key := range f.Skipped {
		group, kind, grouped := strings.Cut(key, "/")
		if !grouped {
			group, kind = "", key
		}
		if s.kinds.Relevance(group, kind) == manifest.Companion {
			return true
		}
	}
	return false
}
