package status

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
)

// ancestry collects the ancestors of one policy.
type ancestry struct {
	*policyStates
	policy *policy.Policy
	words  wording
	list   ancestorList
}

// byTarget adds the ancestors of each declared target.
func (a *ancestry) byTarget(layers *layers) {
	for _, ref := range inTurn(a.policy.References, layers) {
		if hidden(a.graph, ref.Target) && !a.patchesRefused(ref.Target) {
			a.refused(ref)
			continue
		}
		if layers != nil {
			a.layered(ref, layers)
		} else {
			a.reference(ref)
		}
	}
}

// hidden reports whether a target is, or belongs to, a Gateway that appears in no status.
func hidden(graph *hierarchy.Graph, t hierarchy.Target) bool {
	level := hierarchy.LevelOf(t.Group, t.Kind)
	if level != hierarchy.LevelGateway && level != hierarchy.LevelListenerSet {
		return false
	}
	n := graph.Node(whole(t), level)
	own := graph.Dominant().Policies
	return n != nil && (graph.OnlyInOwnStatus(hierarchy.GatewayOf(n)) || (own.NamedAncestors || own.SectionAncestors) && graph.WithoutController(hierarchy.GatewayOf(n)))
}

// patchesRefused reports whether the policy patches the configuration of a Gateway which its controller refuses: it has one all the
// same, without listeners (Envoy Gateway internal/gatewayapi/translator.go, InitIRs).
func (a *ancestry) patchesRefused(t hierarchy.Target) bool {
	n := a.graph.Node(whole(t), hierarchy.LevelGateway)
	return a.policy.Kind.Target.ByMerging && n != nil && a.graph.OnlyInOwnStatus(n) && !a.graph.WithoutController(n)
}

// refused adds a Gateway of which nothing is built as the ancestor of a policy that targets it, for controllers that then
// say so (NGINX Gateway Fabric, internal/controller/state/graph/policies.go, attachPolicyToGateway).
func (a *ancestry) refused(ref *policy.Reference) {
	gateway := a.graph.Node(whole(ref.Target), hierarchy.LevelGateway)
	if gateway == nil {
		return
	}
	if why := a.graph.WhyNoListeners(gateway); why != nil {
		a.list.add(targetReference(ref.Target), a.graph.Controller(gateway), []plan.Condition{{
			Type: hierarchy.Accepted, Status: "False", Reason: policy.TargetNotFound, Bad: true,
			Message: gateway.Spoken() + " is not translated: " + why.Message, At: ref.Position(),
		}})
	}
}

// reference adds the ancestors of one declared target.
func (a *ancestry) reference(ref *policy.Reference) {
	conditions := a.words.conditions(ref)
	if ref.Reason == policy.Conflicted && a.secures() {
		// No connection uses the policy here, so that its references are not judged (Envoy Gateway,
		// internal/gatewayapi/backendtlspolicy.go, processBackendTLSPolicy and ProcessBackendTLSPolicyStatus).
		conditions = slices.DeleteFunc(conditions, func(c plan.Condition) bool { return c.Type == a.policy.Resolved.Type })
	}
	if a.policy.Kind.Ancestors != "" {
		a.declared(ref, conditions)
		return
	}
	found := a.list.touched
	for _, n := range ref.Nodes {
		a.above(n, conditions)
	}
	if route := a.graph.Node(whole(ref.Target), hierarchy.LevelRoute); len(ref.Nodes) == 0 && route != nil && route.Object != nil && !a.silent() {
		// The rule does not exist, but its route still has Gateways.
		a.above(route, conditions)
	}
	a.byMirrors(ref.Target, conditions)
	a.byReferrers(ref, conditions)
	switch {
	case a.list.touched > found:
	case a.policy.Kind.Status["unused"] != "":
		// Its controller tells of policies that are in no path to a route, too.
		a.list.add(targetReference(ref.Target), "", conditions)
	case a.silent() && ref.Accepted != fact.Unknown:
	case ref.Accepted != fact.True, !a.graph.HasGateways():
		// Nothing is above the target, so the target itself is the ancestor.
		a.list.add(targetReference(ref.Target), "", conditions)
	}
}

// declared adds a declared target as its own ancestor, for kinds whose controller writes that.
func (a *ancestry) declared(ref *policy.Reference, conditions []plan.Condition) {
	controller, routed := "", false
	for _, n := range ref.Nodes {
		for _, up := range a.routes.of(n) {
			controller, routed = up.ControllerName, true
		}
	}
	if exists := len(ref.Nodes) > 0 && ref.Nodes[0].Object != nil; exists && (routed || a.policy.Kind.Ancestors == "target") {
		a.list.add(targetReference(ref.Target), controller, conditions)
	}
}

// above adds the Gateways above a target: the target itself or its parents.
func (a *ancestry) above(n *hierarchy.Node, conditions []plan.Condition) {
	own := a.graph.Dominant().Policies
	if own.DeclaredAncestors && (n.Level == hierarchy.LevelRoute || n.Level == hierarchy.LevelRule) {
		if up := a.routes.of(n); len(up) > 0 {
			a.list.add(targetReference(whole(n.Target)), up[0].ControllerName, conditions)
		}
		return
	}
	switch n.Level {
	case hierarchy.LevelGateway, hierarchy.LevelListenerSet, hierarchy.LevelListener:
		target := n.Target
		if own.ParentRefAncestors {
			target = whole(target)
		}
		a.list.add(targetReference(target), a.graph.Controller(hierarchy.GatewayOf(n)), conditions)
	case hierarchy.LevelRoute, hierarchy.LevelRule, hierarchy.LevelBackend, hierarchy.LevelPort:
		list := a.routes.of(n)
		if a.secures() && (n.Level == hierarchy.LevelBackend || n.Level == hierarchy.LevelPort) {
			list = a.secured(n)
		}
		a.upward(list, conditions)
	default:
		if !a.silent() {
			a.list.add(targetReference(n.Target), "", conditions)
		}
	}
}

// upward adds ancestors that routes bring, as a policy on connections writes them.
func (a *ancestry) upward(list []upward, conditions []plan.Condition) {
	for _, up := range list {
		ref := up.AncestorRef
		if up.verbatim && a.secures() {
			ref.Namespace = up.written
		}
		a.list.add(ref, up.ControllerName, conditions)
	}
}

// silent reports whether a policy without an ancestor has no status.
func (a *ancestry) silent() bool {
	own := a.graph.Dominant().Policies
	return own.AlwaysSilent || a.policy.Kind.Class() == catalogue.Direct && own.Silent
}

func targetReference(t hierarchy.Target) plan.Reference {
	return plan.Reference{Group: t.Group, Kind: t.Kind, Namespace: t.Namespace, Name: t.Name, SectionName: t.Section}
}
