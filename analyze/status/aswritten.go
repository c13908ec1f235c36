package status

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// asWritten adds an ancestor for each target of a policy as it is written, and then the Gateways that routes
// with these targets as backends name, without their namespace (Istio, gateway/backend_policies.go,
// BackendTLSPolicyCollection and BackendTrafficPolicyCollection). The conditions of the targets share one
// error: once a target is rejected, what comes after it is, too.
func (a *ancestry) asWritten() {
	own := a.graph.Dominant()
	var last []plan.Condition
	var spread *plan.Condition
	gateways := map[loader.ID]bool{}
	for _, ref := range a.policy.References {
		conditions := a.words.conditions(ref)
		if ref.Reason == policy.TargetNotFound || ref.Reason == policy.Conflicted {
			spread = &conditions[0]
		} else if spread != nil && ref.Reason != own.Policies.IgnoredReason {
			conditions[0] = *spread
		}
		last = conditions
		a.list.add(targetReference(ref.Target), own.Policies.AncestorController, conditions)
		if ref.Reason == policy.TargetNotFound || ref.Reason == own.Policies.IgnoredReason || !slices.Contains(own.Policies.GatewaysOf, a.policy.Kind.Name()) {
			continue
		}
		for _, gateway := range a.named.of(ref.Target.ID) {
			gateways[gateway] = true
		}
	}
	for gateway := range gateways {
		gateway.Namespace = ""
		a.list.add(targetReference(hierarchy.Target{ID: gateway}), own.Routes.Controller, last)
	}
}

// namedGateways finds the Gateways that routes name as their parents.
type namedGateways struct {
	graph *hierarchy.Graph
	// byBackend are the Gateways of the routes with a backend. It is nil until its first use.
	byBackend map[loader.ID][]loader.ID
}

// of returns the Gateways that routes with a backend name, whether they exist or not (Istio,
// gateway/route_collections.go, extractAncestorBackends).
func (n *namedGateways) of(backend loader.ID) []loader.ID {
	if n.byBackend == nil {
		n.byBackend = map[loader.ID][]loader.ID{}
		for _, kind := range []string{"HTTPRoute", "GRPCRoute", "TCPRoute", "TLSRoute"} {
			for _, route := range n.graph.AllOf(loader.GatewayGroup, kind) {
				n.add(route)
			}
		}
	}
	return n.byBackend[backend]
}

func (n *namedGateways) add(route *loader.Object) {
	var gateways []loader.ID
	for _, ref := range route.Spec().List("parentRefs") {
		if id := hierarchy.ParentID(ref, route.ID.Namespace); id.Group == loader.GatewayGroup && id.Kind == "Gateway" {
			gateways = append(gateways, id)
		}
	}
	for _, rule := range route.Spec().List("rules") {
		for _, ref := range rule.List("backendRefs") {
			id := hierarchy.BackendID(ref, route.ID.Namespace)
			n.byBackend[id] = append(n.byBackend[id], gateways...)
		}
	}
}
