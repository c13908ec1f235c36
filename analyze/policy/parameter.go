package policy

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// refuseUnset refuses the references of a policy whose kind needs a setting in the parameters of a Gateway, where one above the target
// does not have it: the policy is not in force then (NGINX Gateway Fabric, internal/controller/nginx/config/policies, ValidateGlobalSettings
// of waf/validator.go and observability/validator.go; internal/controller/state/graph/policies.go, attachPolicyToGateway and
// attachPolicyToRoute).
func (c collector) refuseUnset(p *Policy, refs []*Reference) {
	needed := p.Kind.Target.Parameter
	if needed == nil {
		return
	}
	for _, ref := range refs {
		for _, gateway := range c.gatewaysAbove(ref) {
			p.settings = append(p.settings, c.graph.SettingsOf(gateway)...)
			bare, value, known := c.graph.Setting(gateway, strings.Split(needed.Path, ".")...)
			route := hierarchy.LevelOf(ref.Target.Group, ref.Target.Kind) == hierarchy.LevelRoute
			switch {
			case bare && (needed.Optional || route):
			case !known && ref.Accepted == fact.True:
				ref.Accepted, ref.Reason, ref.Message = fact.Unknown, NotInInput, "the parameters of "+gateway.Spoken()+" are not in the input"
			case known && (value == nil || needed.Value != "" && value.Text != needed.Value):
				ref.refuse(needed.Reason, "the parameters of "+gateway.Spoken()+" do not set "+needed.Path)
			}
		}
	}
}

// gatewaysAbove returns the Gateways of a target in the hierarchy, each once.
func (c collector) gatewaysAbove(ref *Reference) (out []*hierarchy.Node) {
	add := func(n *hierarchy.Node) {
		for _, known := range out {
			if known == n {
				return
			}
		}
		if n != nil && n.Object != nil && n.Level == hierarchy.LevelGateway {
			out = append(out, n)
		}
	}
	for _, n := range ref.Nodes {
		switch n.Level {
		case hierarchy.LevelRoute, hierarchy.LevelRule:
			if n.Owner != nil {
				n = n.Owner
			}
			for _, e := range n.Up {
				add(hierarchy.GatewayOf(e.Parent))
			}
		case hierarchy.LevelGateway, hierarchy.LevelListener, hierarchy.LevelListenerSet:
			add(hierarchy.GatewayOf(n))
		default:
		}
	}
	return out
}
