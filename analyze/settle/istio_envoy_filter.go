package settle

import (
	"cmp"
	"strconv"

	"github.com/gwplan/gwplan/analyze/merge"
)

// istioEnvoyFilter puts the filters in the order in which they patch: by
// priority, the lowest first and 0 if unset, then those of the root namespace
// (Istio pilot/pkg/model/push_context.go, EnvoyFilters).
func istioEnvoyFilter(spec *merge.Tree, _ Target) *merge.Tree {
	return sorted(spec, func(a, b *merge.Tree) int { return cmp.Compare(priority(a, 0), priority(b, 0)) })
}

// priority is the number that a policy says, or another if it says none.
func priority(policy *merge.Tree, unset int64) int64 {
	if n, err := strconv.ParseInt(text(policy, "priority"), 10, 32); err == nil {
		return n
	}
	return unset
}
