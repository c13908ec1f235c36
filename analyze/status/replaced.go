package status

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

// failingPolicies are the nodes to which policies are attached that cannot be used, with the condition of the first one of each. Some
// controllers replace what such a policy is on by an error, and say so in the status of the object (kgateway
// translator/irtranslator/route.go, envoyRoutes and computeVirtualHost; policy.go, reportRouteConfigPolicyErrors).
type failingPolicies map[*hierarchy.Node]*hierarchy.Condition

func failingOf(r *effective.Run) failingPolicies {
	out := failingPolicies{}
	for _, p := range r.Attached.Policies {
		why := p.Failing()
		if why == "" || p.Broken == nil {
			continue
		}
		for _, ref := range p.References {
			if !ref.IsAttached() {
				continue
			}
			for _, n := range ref.Nodes {
				if out[n] == nil {
					c := *p.Broken
					c.Type, c.Status, c.Message = hierarchy.Accepted, fact.False, why
					out[n] = &c
				}
			}
		}
	}
	return out
}

// route is the condition of a route because of a policy of it or of its rules, or of a route that passes requests on to it, or nil.
func (f failingPolicies) route(route, parent *hierarchy.Node, reason string) *hierarchy.Condition {
	for _, n := range slices.Concat([]*hierarchy.Node{route}, route.Sections, []*hierarchy.Node{parent}) {
		if c := f.at(n, reason); c != nil && (n != parent || parent.Level == hierarchy.LevelRoute) {
			return c
		}
	}
	return nil
}

func (f failingPolicies) at(n *hierarchy.Node, reason string) *hierarchy.Condition {
	if f[n] == nil || reason == "" {
		return nil
	}
	c := *f[n]
	c.Reason = reason
	return &c
}

// replacedListener is the condition of a listener because of a policy of it, or of its ListenerSet, or nil.
func (s states) replacedListener(n *hierarchy.Node) *hierarchy.Condition {
	reason := s.graph.Implementation(hierarchy.GatewayOf(n)).Routes.Replaced.Listener
	if c := s.failing.at(n, reason); c != nil || n.Owner.Level != hierarchy.LevelListenerSet {
		return c
	}
	return s.failing.at(n.Owner, reason)
}

// overwritten writes a condition over the one of its type, if that is true.
func overwritten(conditions []plan.Condition, c *hierarchy.Condition) []plan.Condition {
	for i := range conditions {
		if c != nil && conditions[i].Type == c.Type && conditions[i].Status == "True" {
			conditions[i] = conditionOf(c)
		}
	}
	return conditions
}
