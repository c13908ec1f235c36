package policy

import (
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// claims are the listeners and ListenerSets that policies target by themselves, of kinds with target.sharedPorts: policies of
// the kind on what they belong to are not translated for them, whatever becomes of the former (Envoy Gateway,
// internal/gatewayapi/clienttrafficpolicy.go, ProcessClientTrafficPolicies, claimedSections).
type claims map[*hierarchy.Node]bool

func claimsOf(policies []*Policy) claims {
	out := claims{}
	for _, p := range policies {
		if p.Kind.Target.SharedPorts == "" {
			continue
		}
		for _, ref := range p.References {
			for _, n := range ref.Nodes {
				if ref.Accepted != fact.False && (n.Level == hierarchy.LevelListener || n.Level == hierarchy.LevelListenerSet) {
					out[n] = true
				}
			}
		}
	}
	return out
}

// from reports whether a listener of a target belongs to a policy with a more specific one.
func (c claims) from(target, listener *hierarchy.Node) bool {
	return listener != target && c[listener] || listener.Owner != target && c[listener.Owner]
}
