package status

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
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
	if selector, why := policy.SelectsInVain(a.policy, a.graph); selector != nil {
		detached, at = why, a.policy.Object.Position(selector)
	}
	conditions := a.words.conditions(&policy.Reference{Policy: a.policy, Accepted: fact.True, Reason: policy.Accepted})
	for _, ref := range a.policy.References {
		if ref.Reason != policy.TargetNotFound {
			conditions = a.words.conditions(ref)
		}
		if ref.Accepted == fact.Unknown {
			a.list.add(targetReference(ref.Target), "", conditions)
			continue
		}
		found := a.gateways.ofTarget(ref)
		for _, gateway := range found {
			a.list.add(targetReference(gateway.Target), own.AncestorController, conditions)
		}
		if len(found) == 0 && detached == "" {
			detached, at = cmp.Or(ref.Message, ref.Target.Spoken()+" belongs to no Gateway"), ref.Position()
		}
	}
	if detached != "" {
		attached := a.words.said("attached").Type
		conditions = slices.DeleteFunc(slices.Clone(conditions), func(c plan.Condition) bool { return c.Type == attached })
		if attached != "" { // beside whatever verdict the policy has of its own
			conditions = append(conditions, plan.Condition{Type: attached, Status: "False", Reason: "Pending", Bad: true, Message: detached, At: at})
		}
		a.list.add(plan.Reference{Group: own.StandIn.Group, Name: own.StandIn.Name}, own.AncestorController, conditions)
	}
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
				Message: first.ID().Spoken() + " has the same target",
			}
			break
		}
		if a.policy.Invalid != "" && a.graph.Dominant().Policies.UnknownValue != "" {
			accepted = plan.Condition{
				Type: hierarchy.Accepted, Status: "False", Reason: a.graph.Dominant().Policies.UnknownValue, Bad: true, At: ref.Position(), Message: a.policy.Invalid,
			}
		}
		if a.policy.Resolved.Status == fact.False {
			accepted = plan.Condition{
				Type: hierarchy.Accepted, Status: "False", Reason: a.policy.Kind.References[0].NoneValid, Bad: true,
				At: a.policy.Resolved.Position(), Message: a.policy.Resolved.Message,
			}
		}
	}
	for _, ref := range a.policy.References {
		for _, gateway := range a.gateways.ofBackend(ref.Target.ID, map[loader.ID]bool{}) {
			at := targetReference(gateway.Target)
			at.Namespace = ""
			here := accepted
			known := slices.Contains(a.graph.Dominant().Routes.Backends, implementation.Kind{Group: ref.Target.Group, Name: ref.Target.Kind})
			if message := a.withoutClient(gateway); known && message != "" && here.Reason != policy.Conflicted {
				here = plan.Condition{Type: hierarchy.Accepted, Status: "False", Reason: policy.Invalid, Bad: true, At: gateway.Object.First(), Message: message}
			}
			a.list.add(at, a.graph.Controller(gateway), []plan.Condition{here, conditionOf(&a.policy.Resolved)})
		}
	}
}

// withoutClient says why the client certificate of a Gateway cannot be used for the connections that a policy
// secures, or is empty. It must be a Secret of the Gateway's namespace, and name none (agentgateway,
// plugins/backend_tls_plugin.go, applyGatewayBackendClientCert).
func (a *ancestry) withoutClient(gateway *hierarchy.Node) string {
	ref := gateway.Value.Get("tls", "backend", "clientCertificateRef")
	if ref.IsNull() || gateway.Object == nil || a.policy.Invalid != "" {
		return ""
	}
	id := loader.ID{Kind: cmp.Or(ref.Str("kind"), "Secret"), Group: ref.Str("group"), Namespace: gateway.Namespace(), Name: ref.Str("name")}
	if ref.Get("namespace") != nil || id.Kind != "Secret" || id.Group != "" {
		return "the client certificate of " + gateway.Spoken() + " is not a Secret named without a namespace"
	}
	if there, message := a.graph.Present(id); there == fact.False {
		return message
	}
	return ""
}
