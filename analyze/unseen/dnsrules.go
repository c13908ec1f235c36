package unseen

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/loader"
)

// dnsRules finds policies of Cilium whose rules for DNS change while some policy allows connections to domain names: Cilium knows
// only the addresses that it saw in answers to queries which such a rule let through (Cilium, DNS based policies).
func dnsRules(s *search, pair applied.Pair) {
	if pair.Base == nil || pair.Head == nil || !slices.ContainsFunc(pair.Head.Workloads, namesDomains) {
		return
	}
	for _, e := range workloadEdits(s, pair) {
		if o := e.Object(); o.ID.Group == "cilium.io" && !slices.EqualFunc(dnsOf(e.Was), dnsOf(e.Is), loader.Equal) {
			s.add(o.ID.Spoken(), e.Change(), pair.Name(), o.First(), []string{"the connections to domain names (toFQDNs)"}).Global = true
		}
	}
}

// namesDomains reports whether an object is a policy of Cilium that allows connections to domain names.
func namesDomains(o *loader.Object) bool {
	found := false
	if o.ID.Group == "cilium.io" {
		eachField(o.Root, func(key string, v *loader.Value) { found = found || key == "toFQDNs" && !v.IsEmpty() })
	}
	return found
}

// dnsOf returns the rules for DNS of a policy, which may be nil.
func dnsOf(o *loader.Object) []*loader.Value {
	if o == nil {
		return nil
	}
	var out []*loader.Value
	eachField(o.Root, func(key string, v *loader.Value) {
		if key == "dns" && v.Shape == loader.List {
			out = append(out, v)
		}
	})
	return out
}
