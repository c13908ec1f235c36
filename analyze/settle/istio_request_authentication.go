package settle

import (
	"cmp"

	"github.com/gwplan/gwplan/analyze/merge"
)

// istioRequestAuthentication sorts the rules by issuer, and keeps all rules of an issuer (Istio
// pilot/pkg/security/authn/policy_applier.go, newPolicyApplier).
func istioRequestAuthentication(spec *merge.Tree, _ Target) *merge.Tree {
	rules := spec.Get("jwtRules")
	if rules == nil || rules.Kind != merge.Keyed {
		return spec
	}
	return spec.Put("jwtRules", sorted(rules, func(a, b *merge.Tree) int { return cmp.Compare(text(a, "issuer"), text(b, "issuer")) }))
}
