package settle

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/merge"
)

// asked are the actions in the order in which a proxy asks the policies (Istio
// pilot/pkg/security/authz/builder/builder.go, build).
var asked = []string{"CUSTOM", "AUDIT", "DENY", "ALLOW"}

// istioAuthorizationPolicy puts the policies of one action together, as the proxy
// does, in the order in which it asks them; an unset action is ALLOW.
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
