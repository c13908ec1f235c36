package settle

import (
	"cmp"
	"strconv"

	"github.com/gwplan/gwplan/analyze/merge"
)

// istioEnvoyFilter sorts the filters into the order in which they patch: by priority, lowest first,
// 0 if unset. With equal priority, filters of the root namespace stay first (Istio
// pilot/pkg/model/push_context.go, EnvoyFilters).
func istioEnvoyFilter(spec *merge.Tree, _ Target) *merge.Tree {
	return sorted(spec, func(a, b *merge.Tree) int { return cmp.Compare(priority(a, 0), priority(b, 0)) })
}

// priority returns the priority of a policy, or the value unset if it has none.
func priority(policy *merge.Tree, unset int64) int64 {
	if n, err := strconv.ParseInt(text(policy, "priority"), 10, 32); err == nil {
		return n
	}
	return unset
}
