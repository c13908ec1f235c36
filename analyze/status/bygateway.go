package status

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// byGateway adds the ancestors of a policy whose controller writes one for each Gateway that a
// target belongs to. A target that is missing or belongs to no Gateway adds the stand-in once, with
// the policy's own verdict (agentgateway, plugins/traffic_plugin.go, TranslateAgentgatewayPolicy).
func (a *ancestry) byGateway() {
	own := a.graph.Dominant().Policies
	detached, at := "", loader.Position{}
	if len(a.policy.References) == 0 && len(a.policy.Selected()) > 0 {
		detached, at = "its selectors select nothing", a.policy.Object.First()
	}
	conditions := a.conditions(&policy.Reference{Policy: a.policy, Accepted: fact.True, Reason: policy.Accepted})
	for _, ref := range a.policy.References {
		if ref.Reason != policy.TargetNotFound {
			conditions = a.conditions(ref)
		}
		if ref.Accepted == fact.Unknown {
			a.add(targetReference(ref.Target), "", conditions)
			continue
		}
		found := a.gatewaysOf(ref)
		for _, gateway := range found {
			a.add(targetReference(gateway.Target), own.AncestorController, conditions)
		}
		if len(found) == 0 && detached == "" {
			detached, at = cmp.Or(ref.Message, ref.Target.String()+" belongs to no Gateway"), ref.Position()
		}
	}
	if detached != "" {
		if i := slices.IndexFunc(conditions, func(c plan.Condition) bool { return c.Type == a.said("attached").Type }); i >= 0 {
			conditions = slices.Clone(conditions)
			conditions[i].Status, conditions[i].Reason, conditions[i].Bad = "False", "Pending", true
			conditions[i].Message, conditions[i].At = detached, at
		}
		a.add(plan.Reference{Group: own.StandIn.Group, Name: own.StandIn.Name}, own.AncestorController, conditions)
	}
}

// gatewaysOf are the Gateways that a declared target belongs to, none if it does not exist
// (agentgateway, plugins/reference_indexes.go, LookupGatewaysForTarget).
func (s states) gatewaysOf(ref *policy.Reference) []*hierarchy.Node {
	if ref.Reason == policy.TargetNotFound {
		return nil
	}
	var out []*hierarchy.Node
	for _, n := range ref.Nodes {
		switch n.Level {
		case hierarchy.LevelGateway, hierarchy.LevelListenerSet, hierarchy.LevelListener:
			gateway := hierarchy.GatewayOf(n)
			if !s.hasPort(gateway, ref.Ref.Get("port")) {
				continue
			}
			if n == gateway || n.Owner == gateway || s.takesSet(n, gateway) {
				out = append(out, gateway)
			}
		case hierarchy.LevelRoute:
			out = append(out, s.gatewaysOfRoute(n)...)
		case hierarchy.LevelRule:
			out = append(out, s.gatewaysOfRoute(n.Owner)...)
		default:
			out = append(out, s.gatewaysOfBackend(n.Target.ID, map[loader.ID]bool{})...)
		}
	}
	return out
}

// hasPort reports whether a Gateway has a listener with the port that a targetRef names, if it names
// one (validateGatewayListener).
func (s states) hasPort(gateway *hierarchy.Node, port *loader.Value) bool {
	return port.IsNull() || slices.ContainsFunc(s.graph.Listeners(gateway), func(l *hierarchy.Node) bool {
		number := l.Value.Get("port")
		return number != nil && number.Text == port.Text
	})
}

// takesSet reports whether a Gateway of the controller has a usable listener of the ListenerSet of
// a node. Conflicts do not matter.
func (s states) takesSet(n, gateway *hierarchy.Node) bool {
	return gateway.Object != nil && s.graph.Implementation(gateway) == s.graph.Dominant() &&
		slices.ContainsFunc(s.graph.Listeners(gateway), func(l *hierarchy.Node) bool {
			accepted := l.Condition(hierarchy.Accepted)
			return (l.Owner == n || l.Owner == n.Owner) && (accepted.Status != fact.False || l.Condition(hierarchy.ConflictedIs).Status == fact.True)
		})
}

func (s states) gatewaysOfRoute(route *hierarchy.Node) []*hierarchy.Node {
	var out []*hierarchy.Node
	for _, p := range s.graph.Parents(route) {
		gateway := hierarchy.GatewayOf(p.Target)
		if !p.Missing && p.Accepted.Status == fact.True && s.graph.Implementation(gateway) == s.graph.Dominant() {
			out = append(out, gateway)
		}
	}
	return out
}

// gatewaysOfBackend are the Gateways of the routes that send requests to a backend, and of the
// policies that refer to it. Groups, ports and grants are not compared (agentgateway,
// plugins/reference_indexes.go, lookupGatewaysForBackend).
func (s states) gatewaysOfBackend(backend loader.ID, met map[loader.ID]bool) []*hierarchy.Node {
	backend.Group = ""
	if met[backend] {
		return nil
	}
	met[backend] = true
	var out []*hierarchy.Node
	users := s.usersOf(backend)
	for _, n := range users.nodes {
		for _, e := range n.Up {
			if e.Parent.Level == hierarchy.LevelRule {
				out = append(out, s.gatewaysOfRoute(e.Parent.Owner)...)
			}
		}
	}
	for _, p := range users.policies {
		for _, ref := range p.References {
			for _, n := range ref.Nodes {
				if n.Level == hierarchy.LevelBackend || n.Level == hierarchy.LevelPort || n.Level == hierarchy.LevelOutside {
					out = append(out, s.gatewaysOfBackend(n.Target.ID, met)...)
					continue
				}
				out = append(out, s.gatewaysOf(&policy.Reference{Policy: p, Ref: ref.Ref, Target: ref.Target, Reason: ref.Reason, Nodes: []*hierarchy.Node{n}})...)
			}
		}
	}
	return out
}

// backendUsers are the nodes of a backend, and the policies that refer to it.
type backendUsers struct {
	nodes    []*hierarchy.Node
	policies []*policy.Policy
}

// usersOf returns what leads to a backend, whose ID has no group.
func (s states) usersOf(backend loader.ID) *backendUsers {
	if len(s.users) == 0 {
		at := func(id loader.ID) *backendUsers {
			id.Group = ""
			if s.users[id] == nil {
				s.users[id] = &backendUsers{}
			}
			return s.users[id]
		}
		for _, n := range s.graph.Nodes {
			if n.Level == hierarchy.LevelBackend {
				u := at(n.Target.ID)
				u.nodes = append(u.nodes, n)
			}
		}
		for _, p := range s.policiesOf {
			for _, b := range p.Backends() {
				if u := at(b.ID); !slices.Contains(u.policies, p) {
					u.policies = append(u.policies, p)
				}
			}
		}
		s.users[loader.ID{}] = &backendUsers{} // marks the map as filled
	}
	if u := s.users[backend]; u != nil {
		return u
	}
	return &backendUsers{}
}

// securesByGateway reports whether the policy secures connections to backends and its controller writes its
// status by Gateway.
func (a *ancestry) securesByGateway() bool {
	return a.policy.Kind.Class() == catalogue.Direct && len(a.policy.Kind.References) > 0
}

// securedByGateway adds the ancestors of a policy that secures connections to backends. The verdict
// is the same for all of them: one target of an older policy makes it Conflicted, and one authority
// that cannot be used rejects it. Neither the target nor its section must exist (agentgateway,
// plugins/backend_tls_plugin.go, translatePoliciesForBackendTLS).
func (a *ancestry) securedByGateway() {
	accepted := plan.Condition{Type: hierarchy.Accepted, Status: "True", Reason: policy.Accepted}
	for _, ref := range a.policy.References {
		if first := a.run.Attached.FirstAt(ref.Target); first != nil && first != a.policy {
			accepted = plan.Condition{
				Type: hierarchy.Accepted, Status: "False", Reason: policy.Conflicted, Bad: true, At: ref.Position(),
				Message: first.ID().String() + " has the same target",
			}
			break
		}
		if a.policy.Resolved.Status == fact.False {
			accepted = plan.Condition{
				Type: hierarchy.Accepted, Status: "False", Reason: a.policy.Kind.References[0].NoneValid, Bad: true,
				At: a.policy.Resolved.Position(), Message: a.policy.Resolved.Message,
			}
		}
	}
	for _, ref := range a.policy.References {
		for _, gateway := range a.gatewaysOfBackend(ref.Target.ID, map[loader.ID]bool{}) {
			at := targetReference(gateway.Target)
			at.Namespace = ""
			a.add(at, a.graph.Controller(gateway), []plan.Condition{accepted, conditionOf(&a.policy.Resolved)})
		}
	}
}
