package settle

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
)

// istioAuthorizationPolicy puts the policies in the order in which a proxy asks
// them, by action; an unset one is ALLOW (Istio
// pilot/pkg/security/authz/builder/builder.go, build).
func istioAuthorizationPolicy(spec *merge.Tree, _ *hierarchy.Node) *merge.Tree {
	asked := func(policy *merge.Tree) int {
		return (slices.Index([]string{"CUSTOM", "AUDIT", "DENY"}, text(policy, "action")) + 4) % 4
	}
	return sorted(spec, func(a, b *merge.Tree) int { return cmp.Compare(asked(a), asked(b)) })
}
