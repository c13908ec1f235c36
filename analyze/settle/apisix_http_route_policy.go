package settle

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
)

// apisixHTTPRoutePolicy returns the priority of a rule's policies and the conditions of all of them.
// If their priorities differ, or only some have one, none of the policies applies (APISIX Ingress
// Controller internal/controller/httproutepolicy.go, checkPoliciesConflict).
func apisixHTTPRoutePolicy(s merge.Strategy, steps []Step, _ *hierarchy.Node) *merge.Tree {
	for _, step := range steps {
		if text(step.Spec, "priority") != text(steps[0].Spec, "priority") {
			return nil
		}
	}
	return lay(s, steps, func(step Step) *merge.Tree { return step.Spec })
}
