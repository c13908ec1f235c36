package status

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/policy"
)

// inTurn returns references in the order in which a controller with layers comes to them: the last verdict that is not good counts at an
// ancestor that several of them have (Envoy Gateway internal/gatewayapi/securitypolicy.go, ProcessSecurityPolicies). What is selected comes
// before what is named (helpers.go, composePolicyTargetRefs).
func inTurn(refs []*policy.Reference, l *layers) []*policy.Reference {
	if l == nil {
		return refs
	}
	turn := func(ref *policy.Reference) int {
		turn := map[hierarchy.Level]int{hierarchy.LevelRoute: 0, hierarchy.LevelListenerSet: 3, hierarchy.LevelGateway: 6}[hierarchy.LevelOf(ref.Target.Group, ref.Target.Kind)]
		switch {
		case ref.Target.Section != "":
			return turn
		case ref.Ref.Get("name") == nil:
			return turn + 1
		}
		return turn + 2
	}
	refs = slices.Clone(refs)
	slices.SortStableFunc(refs, func(a, b *policy.Reference) int { return cmp.Compare(turn(a), turn(b)) })
	return refs
}

// layered adds the ancestors of a declared target of a kind with layers. A Gateway, ListenerSet
// or listener is its own ancestor; a route has its parentRefs. A target that is known not to
// exist has none.
func (a *ancestry) layered(ref *policy.Reference, l *layers) {
	conditions := a.words.conditions(ref)
	if ref.Holds && a.policy.Broken != nil && l.asksToMerge(ref) && a.policy.Forbids(ref.Target.Kind, "") == "" && !policy.JudgedFirst(a.policy, ref.Target.Kind) {
		// It is judged at each listener, by the result of the merge there. What its target does not allow is found before.
		alone := *ref
		alone.Accepted, alone.Reason, alone.Message, alone.Holds = fact.True, policy.Accepted, "", false
		conditions = a.words.conditions(&alone)
	}
	// A policy with a field that its target does not allow is looked at no further (securitypolicy.go,
	// processSecurityPolicyForRoute). Shared ports are found later (clienttrafficpolicy.go, ProcessClientTrafficPolicies).
	forbidden := ref.Accepted == fact.False && ref.Holds && a.policy.Broken == nil && a.policy.Kind.Target.SharedPorts == ""
	if names := l.overriding(ref.Target); ref.IsAttached() && !forbidden && len(names) > 0 {
		c := a.words.said("overridden")
		c.Message = "more specific policies override it at " + listed(names)
		conditions = append(conditions, c)
	}
	if names := l.merged[ref.Target].names(); ref.IsAttached() && len(names) > 0 {
		c := a.words.said("merged")
		c.Message = "the policies of " + listed(names) + " are merged with it"
		conditions = append(conditions, c)
	}
	switch hierarchy.LevelOf(ref.Target.Group, ref.Target.Kind) {
	case hierarchy.LevelRoute:
		for _, p := range l.managed(ref.Target.ID) {
			at := parentRef(&p)
			at.Port = 0
			a.list.add(at, p.Controller, conditions)
		}
		for _, m := range l.merges(ref) {
			c := a.words.said("merged")
			c.Message = "it is merged with the policy of " + m.with.String()
			if m.refused != "" {
				c = a.words.said("invalid")
				c.Message, c.Bad, c.At = m.refused, true, ref.Position()
			}
			a.list.note(targetReference(m.listener), c)
		}
	case hierarchy.LevelGateway, hierarchy.LevelListenerSet:
		gateway := a.graph.Node(l.gatewayOf(ref.Target), hierarchy.LevelGateway)
		if gateway != nil && gateway.Object != nil && a.graph.Object(ref.Target.ID) != nil && a.graph.Implementation(gateway).Policies.SectionAncestors {
			a.list.add(targetReference(ref.Target), a.graph.Controller(gateway), conditions)
		}
	default:
	}
	if ref.Accepted == fact.Unknown {
		a.list.add(targetReference(ref.Target), "", conditions)
	}
}
