package tree

import (
	"strings"

	"github.com/gwplan/gwplan/loader/manifest"
)

// Companions reports whether Companion documents are read.
func (r *relevance) Companions() bool { return r.companions }

// Companion reports whether documents of a kind are read only beside others that need them.
func (r *relevance) Companion(group, kind string) bool {
	return r.kinds.Relevance != nil && r.kinds.Relevance(group, kind) == manifest.Companion
}

// mentions reports whether a file mentions what Companion documents belong to.
func (r *relevance) mentions(data []byte) bool {
	return r.kinds.Mentions != nil && r.kinds.Mentions(data)
}

// readCompanions reads the files with Companion documents again if some file mentions what these belong to. Whether a
// file does is known only after all files are read, and most trees need no Companion documents.
func (s *Store) readCompanions(views []*View) error {
	if !s.mentioned || s.companions {
		return nil
	}
	again := skipping(s, views, func(group, kind string) bool { return s.Companion(group, kind) })
	s.companions = true
	return s.batches.each(views, again, s.decode)
}

// skipping returns a function that lists the files of a view of which documents of some kinds were skipped so far.
func skipping(s *Store, views []*View, of func(group, kind string) bool) func(*View) []string {
	skips := func(f *manifest.File) bool {
		for key := range f.Skipped {
			group, kind, grouped := strings.Cut(key, "/")
			if !grouped {
				group, kind = "", key
			}
			if of(group, kind) {
				return true
			}
		}
		return false
	}
	again := make(map[*View][]string, len(views))
	for _, v := range views {
		for _, file := range v.Manifests {
			if skips(s.File(v.IDs[file])) {
				again[v] = append(again[v], v.IDs[file])
			}
		}
	}
	return func(v *View) []string { return again[v] }
}
