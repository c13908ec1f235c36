package unseen

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// unused finds objects that change, to which nothing in the input refers, and that something else may use: Middlewares of
// Traefik, which entry points name in its static configuration (Traefik, EntryPoints, http.middlewares), and Backends of Envoy
// Gateway, if the input holds routes or backends of unknown kinds.
func (s *search) unused() {
	backends := others(s.Base) || others(s.Head)
	for i, pair := range s.Pairs {
		var told map[string]bool
		for _, e := range s.edits.of(pair) {
			o := e.Object()
			middleware := o.ID.Group == "traefik.io" && o.ID.Kind == "Middleware"
			backend := backends && o.ID.Group == "gateway.envoyproxy.io" && o.ID.Kind == "Backend"
			if o.Context || !middleware && !backend {
				continue
			}
			if told == nil {
				told = mentioned(&s.Plan[i])
			}
			what := o.ID.Spoken()
			if told[o.ID.String()] || slices.ContainsFunc(s.found, func(u plan.Unseen) bool { return u.What == what }) {
				continue
			}
			if says := differing(e.Was, e.Is); len(says) > 0 {
				s.add(what, e.Change(), pair.Name(), o.First(), says).Unused = true
			}
		}
	}
}

// others reports whether a snapshot has documents of routes or backends that were not read.
func others(s *loader.Snapshot) bool {
	for name := range s.Skipped {
		if loader.IsRoute(name) || strings.HasSuffix(name, "Backend") {
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
		if !loader.EqualInEffect([]string{f.Key}, b.Get(f.Key), a.Get(f.Key)) && !slices.Contains(out, f.Key) {
			out = append(out, f.Key)
		}
	}
	slices.Sort(out)
	return out
}
