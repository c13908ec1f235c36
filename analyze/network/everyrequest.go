package network

import (
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// everyRequest reports whether an item of toPorts of Cilium filters requests and lets all of them through, as policies have it
// that only want Cilium to see the requests: DNS queries for any name (pkg/fqdn/matchpattern/matchpattern.go, ToAnchoredRegexp),
// or HTTP without a condition (Documentation/security/policy/language.rst, HTTP).
func everyRequest(entry *loader.Value) bool {
	for _, field := range []string{"serverNames", "terminatingTLS", "originatingTLS", "listener"} {
		if !entry.Get(field).IsNull() {
			return false
		}
	}
	unconditional := func(rule *loader.Value) bool {
		return !slices.ContainsFunc(rule.FieldList(), func(f loader.Field) bool { return !f.Value.IsNull() })
	}
	anyName := func(rule *loader.Value) bool { return rule.Str("matchName") == "" && rule.Str("matchPattern") == "*" }
	return slices.ContainsFunc(entry.List("rules", "http"), unconditional) || slices.ContainsFunc(entry.List("rules", "dns"), anyName)
}
