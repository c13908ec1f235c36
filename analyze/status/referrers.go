package status

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// referrers adds the ancestors of a policy on a backend that come from other policies: those
// that refer to the backend and are attached.
func (a *ancestry) referrers(ref *policy.Reference, conditions []plan.Condition) {
	if a.graph.Object(ref.Target.ID) == nil || hierarchy.LevelOf(ref.Target.Group, ref.Target.Kind) == hierarchy.LevelRoute {
		return
	}
	a.through(ref.Target, conditions, map[*policy.Policy]bool{})
}

// through follows the policies that refer to a target and, recursively, those that refer to the
// targets of these policies.
func (a *ancestry) through(target hierarchy.Target, conditions []plan.Condition, met map[*policy.Policy]bool) {
	own := a.graph.Dominant()
	for _, by := range a.referring(target.ID) {
		if met[by.policy] || target.Section != "" && target.Section != a.graph.PortName(target.ID, by.port) {
			continue
		}
		met[by.policy] = true
		if own.Policies.ReferrerAncestors {
			a.add(targetReference(hierarchy.Target{ID: by.policy.ID()}), "", conditions)
			continue
		}
		for _, ref := range by.policy.References {
			for _, n := range ref.Nodes {
				a.above(n, conditions)
			}
			a.through(whole(ref.Target), conditions, met)
		}
	}
}

// referrer is a policy that refers to a backend, with the port of the reference.
type referrer struct {
	policy *policy.Policy
	port   string
}

// refers reports whether a policy's reference to a backend counts: the policy is attached. A
// controller that makes the policy itself an ancestor follows the reference even if another one is
// broken, but not if the reference itself is, or if it does not look at it for any target (Envoy
// Gateway, internal/gatewayapi/ext_service.go).
func (s states) refers(p *policy.Policy, b *policy.Backend) bool {
	if s.graph.Dominant().Policies.ReferrerAncestors && p.Kind.BrokenBackends != "" {
		looks := func(ref *policy.Reference) bool {
			return ref.Hangs() && ref.Checks(s.graph, b.Path) && !slices.ContainsFunc(ref.Nodes, s.untranslated)
		}
		return slices.ContainsFunc(p.References, looks) && b.Unusable(s.graph, p.ID()) == ""
	}
	return slices.ContainsFunc(p.References, func(ref *policy.Reference) bool { return ref.Accepted == fact.True })
}

// untranslated reports whether a target belongs to a Gateway that is not translated.
func (s states) untranslated(n *hierarchy.Node) bool {
	switch n.Level {
	case hierarchy.LevelGateway, hierarchy.LevelListenerSet, hierarchy.LevelListener:
		return !s.graph.Translated(n)
	default:
		return false
	}
}

// referring are the policies that refer to a backend and are attached to
// something.
func (s states) referring(backend loader.ID) []referrer {
	if len(s.referred) == 0 {
		for _, p := range s.policiesOf {
			for _, b := range p.Backends() {
				if !s.refers(p, &b) {
					continue
				}
				by := referrer{policy: p, port: ""}
				if port := b.Ref.Get("port"); port != nil {
					by.port = port.Text
				}
				s.referred[b.ID] = append(s.referred[b.ID], by)
			}
		}
		s.referred[loader.ID{}] = nil // marks the map as filled
	}
	return s.referred[backend]
}
