package settle

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/merge"
)

// asked lists the actions in the order in which a proxy evaluates the policies (Istio
// pilot/pkg/security/authz/builder/builder.go, build).
var asked = []string{"CUSTOM", "AUDIT", "DENY", "ALLOW"}

// atZtunnel marks the actions of policies that ztunnel enforces. A waypoint asks the policies that name their targets before it,
// and each of the two has its own list of what is allowed (Istio pilot/pkg/model/policyattachment.go, ShouldAttachPolicy).
const atZtunnel = " at ztunnel"

// istioAuthorizationPolicy groups the policies by action, in the order in which the proxies evaluate
// them. An unset action is ALLOW. What ztunnel enforces is less than what is written.
func istioAuthorizationPolicy(spec *merge.Tree, at Target) *merge.Tree {
	out := *spec
	out.Entries = nil
	group := func(entries []merge.Entry, by string) {
		for _, action := range asked {
			of := *spec
			of.Entries = slices.DeleteFunc(slices.Clone(entries), func(e merge.Entry) bool { return actionOf(e.Tree) != action })
			if len(of.Entries) > 0 {
				out.Entries = append(out.Entries, merge.Entry{Key: action + by, Tree: &of})
			}
		}
	}
	if !at.Ambient {
		group(spec.Entries, "")
		return orNil(&out)
	}
	named := slices.DeleteFunc(slices.Clone(spec.Entries), func(e merge.Entry) bool { return !byWaypoint(e.Tree) })
	group(named, "")
	group(inAmbient(slices.DeleteFunc(slices.Clone(spec.Entries), func(e merge.Entry) bool { return byWaypoint(e.Tree) })), atZtunnel)
	return orNil(&out)
}

func actionOf(policy *merge.Tree) string {
	if action := text(policy, "action"); slices.Contains(asked, action) {
		return action
	}
	return "ALLOW"
}

// ztunnelActions are the actions that ztunnel knows (Istio pilot/pkg/serviceregistry/ambient/authorization.go,
// convertAuthorizationPolicy).
var ztunnelActions = []string{"ALLOW", "DENY"}

// byWaypoint reports whether a policy names its targets: then a waypoint enforces it, not ztunnel.
func byWaypoint(policy *merge.Tree) bool {
	by := false
	policy.Walk(func(_ []string, leaf *merge.Tree) {
		if leaf.Source != nil {
			spec := leaf.Source.Object.Spec()
			by = by || !spec.Get("targetRefs").IsEmpty() || !spec.Get("targetRef").IsEmpty()
		}
	})
	return by
}

// inAmbient returns what is enforced of policies where ztunnel takes the connections. A policy without rules stays if it is of
// ALLOW: it allows nothing.
func inAmbient(policies []merge.Entry) []merge.Entry {
	var out []merge.Entry
	for _, e := range policies {
		action := actionOf(e.Tree)
		if !slices.Contains(ztunnelActions, action) {
			continue
		}
		rules := e.Tree.Get("rules")
		if rules == nil {
			out = append(out, e)
			continue
		}
		switch enforced, http := AtZtunnel(action, rules.Value.ItemList()); {
		case len(http) == 0:
		case len(enforced) > 0:
			list := *rules.Value
			list.Items = enforced
			e.Tree = e.Tree.With(whole(&list, rules.Source), "rules")
		case action == "DENY":
			continue
		default:
			e.Tree = e.Tree.Without("rules")
		}
		out = append(out, e)
	}
	return out
}
