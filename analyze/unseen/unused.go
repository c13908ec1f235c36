package unseen

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// unused finds Envoy Gateway Backends that change and to which nothing in the input refers, if the
// input holds routes or backends of unknown kinds, because these may refer to them.
func (s *search) unused() {
	if !others(s.Base) && !others(s.Head) {
		return
	}
	for i, pair := range s.Pairs {
		var told map[string]bool
		for _, e := range s.edits.of(pair) {
			o := e.Object()
			if o.ID.Group != "gateway.envoyproxy.io" || o.ID.Kind != "Backend" || o.Context {
				continue
			}
			if told == nil {
				told = mentioned(&s.Plan[i])
			}
			if !told[o.ID.String()] {
				s.add("Backend "+o.ID.Namespace+"/"+o.ID.Name, e.Change(), pair.Name(), o.First(), differing(e.Was, e.Is)).Unused = true
			}
		}
	}
}

// others reports whether a snapshot has documents of routes or backends that were not read.
func others(s *loader.Snapshot) bool {
	for name := range s.Skipped {
		if strings.HasSuffix(name, "Route") || strings.HasSuffix(name, "Backend") {
			return true
		}
	}
	return false
}

// differing returns the spec fields that differ between the two sides; either may be nil.
func differing(before, after *loader.Object) []string {
	spec := func(o *loader.Object) *loader.Value {
		if o == nil {
			return nil
		}
		return o.Spec()
	}
	b, a := spec(before), spec(after)
	var out []string
	for _, f := range slices.Concat(b.FieldList(), a.FieldList()) {
		if !loader.Equal(b.Get(f.Key), a.Get(f.Key)) && !slices.Contains(out, f.Key) {
			out = append(out, f.Key)
		}
	}
	slices.Sort(out)
	return out
}
