package unseen

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/catalogue"
)

// configMaps finds ConfigMaps that change and that something in the input reads from which no settings are drawn: the
// authorities of client certificates of a Gateway, those of a Backend (Gateway API, FrontendTLSValidation.caCertificateRefs;
// Envoy Gateway, Backend.spec.tls.caCertificateRefs).
func configMaps(s *search, pair applied.Pair, told map[string]bool) {
	for _, e := range s.edits.of(pair) {
		o := e.Object()
		if o.ID.Group != "" || o.ID.Kind != "ConfigMap" || o.Context || told[o.ID.String()] || e.Was != nil && e.Is != nil && e.Was.SameBody(e.Is) {
			continue
		}
		env := pair.Head
		if e.Is == nil {
			env = pair.Base
		}
		by := slices.DeleteFunc(slices.Clone(s.readersOf(env, o.ID)), func(name string) bool { return draws(s, name) })
		if e.Was == nil || e.Is == nil {
			by = undecided(by)
		}
		if len(by) > 0 {
			s.add(o.ID.Spoken(), e.Change(), pair.Name(), o.First(), by).Sealed = true
		}
	}
}

// draws reports whether settings of ConfigMaps are drawn into policies of the kind that begins a name: the plan compares these.
func draws(s *search, name string) bool {
	kind, _, _ := strings.Cut(name, " ")
	isConfigMap := func(kind string) bool { return strings.HasSuffix(kind, "/ConfigMap") }
	return slices.ContainsFunc(s.Table.Kinds(), func(k *catalogue.Kind) bool {
		return k.Kind == kind && slices.ContainsFunc(k.Draws, func(d catalogue.DrawEntry) bool { return slices.ContainsFunc(d.Kinds, isConfigMap) })
	})
}
