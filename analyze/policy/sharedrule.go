package policy

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// refuseBeside rejects the policies of kinds with target.sharedRules at a backend if a rule of
// an HTTPRoute lists the backend together with one without the policy. Such a rule gets no
// policy, whatever its route is attached to. If other rules also lead to the backend, the policy
// stays in effect for them (Kong internal/controllers/configuration/kongupstreampolicy_utils.go,
// getConflictedServices, and internal/dataplane/kongstate/kongupstreampolicy.go,
// GetKongUpstreamPolicyForServices).
func refuseBeside(policies []*Policy) {
	for _, p := range policies {
		reason := p.Kind.Target.SharedRules
		if reason == "" {
			continue
		}
		targeted := map[loader.ID]bool{}
		for _, ref := range p.References {
			targeted[ref.Target.ID] = true
		}
		for _, ref := range p.References {
			if ref.Accepted == fact.False {
				continue
			}
			rule, other, alone := besideIn(ref, targeted)
			if rule == nil {
				continue
			}
			ref.refuse(reason, fmt.Sprintf("in %s it shares a rule with %s, which does not have the policy", rule.Spoken(), other.Spoken()))
			ref.Holds = alone
		}
	}
}

// besideIn finds a rule that lists a backend together with one that is not targeted. alone
// reports whether another rule leads to the backend without such a one.
func besideIn(ref *Reference, targeted map[loader.ID]bool) (rule *hierarchy.Node, other loader.ID, alone bool) {
	for _, n := range ref.Nodes {
		for _, e := range n.Up {
			if e.Parent.Level != hierarchy.LevelRule || e.Parent.Target.Kind != "HTTPRoute" {
				continue
			}
			if id, found := untargeted(e.Parent, targeted); !found {
				alone = true
			} else if rule == nil {
				rule, other = e.Parent, id
			}
		}
	}
	return rule, other, alone
}

func untargeted(rule *hierarchy.Node, targeted map[loader.ID]bool) (loader.ID, bool) {
	for _, ref := range rule.Value.List("backendRefs") {
		id := hierarchy.BackendID(ref, rule.Namespace())
		if id.Group == "" && id.Kind == "Service" && !targeted[id] {
			return id, true
		}
	}
	return loader.ID{}, false
}
