package settle

import (
	"cmp"
	"math"
	"slices"

	"github.com/gwplan/gwplan/analyze/merge"
)

// istioTrafficExtension sorts extensions, and WasmPlugins, which Istio converts to extensions, into
// the order in which they run: by phase, without a phase last; then by priority, highest first and
// without one last; then those of the target's namespace before those of the root namespace (Istio
// pilot/pkg/model/push_context.go, sortByPriority and TrafficExtensionsByListenerInfo).
func istioTrafficExtension(spec *merge.Tree, at Target) *merge.Tree {
	phase := func(policy *merge.Tree) int {
		return (slices.Index([]string{"AUTHN", "AUTHZ", "STATS"}, text(policy, "phase")) + 4) % 4
	}
	return sorted(spec, func(a, b *merge.Tree) int {
		return cmp.Or(
			cmp.Compare(phase(a), phase(b)),
			cmp.Compare(priority(b, math.MinInt32), priority(a, math.MinInt32)),
			cmp.Compare(foreign(a, at), foreign(b, at)),
		)
	})
}
