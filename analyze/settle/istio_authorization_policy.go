package settle

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/merge"
)

// asked lists the actions in the order in which a proxy evaluates the policies (Istio
// pilot/pkg/security/authz/builder/builder.go, build).
var asked = []string{"CUSTOM", "AUDIT", "DENY", "ALLOW"}

// istioAuthorizationPolicy groups the policies by action, in the order in which the proxy evaluates
// them. An unset action is ALLOW.
func istioAuthorizationPolicy(spec *merge.Tree, _ Target) *merge.Tree {
	out := *spec
	out.Entries = nil
	for _, action := range asked {
		of := *spec
		of.Entries = slices.DeleteFunc(slices.Clone(spec.Entries), func(e merge.Entry) bool { return actionOf(e.Tree) != action })
		if len(of.Entries) > 0 {
			out.Entries = append(out.Entries, merge.Entry{Key: action, Tree: &of})
		}
	}
	return orNil(&out)
}

func actionOf(policy *merge.Tree) string {
	if action := text(policy, "action"); slices.Contains(asked, action) {
		return action
	}
	return "ALLOW"
}
