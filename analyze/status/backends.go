package status

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

const xGroup = "gateway.networking.x-k8s.io"

// setBackends sets the status of each XBackend, if the controller writes one, and returns them: an entry for
// the XBackend itself, and one for each Gateway that routes to it name (Istio, gateway/backend_policies.go,
// BackendResourcePolicyCollection).
func setBackends(p *policyStates, byID map[loader.ID]plan.Status) []loader.ID {
	own := p.graph.Dominant()
	if !own.Policies.Backends {
		return nil
	}
	var out []loader.ID
	for _, o := range p.graph.AllOf(xGroup, "XBackend") {
		conditions := backendConditions(p.graph, o)
		self := o.ID
		self.Namespace = ""
		parents := []plan.Parent{{ParentRef: targetReference(hierarchy.Target{ID: self}), ControllerName: own.Policies.AncestorController, Conditions: conditions}}
		gateways := map[loader.ID]bool{}
		for _, gateway := range p.named.of(o.ID) {
			gateways[gateway] = true
		}
		for _, gateway := range slices.SortedFunc(maps.Keys(gateways), loader.ID.Compare) {
			parents = append(parents, plan.Parent{ParentRef: targetReference(hierarchy.Target{ID: gateway}), ControllerName: own.Routes.Controller, Conditions: conditions})
		}
		out = append(out, o.ID)
		byID[o.ID] = plan.Status{Parents: parents}
	}
	return out
}

// backendConditions are the conditions of an XBackend at each of its ancestors (backendResourceTLSSettings
// and getBackendTLSCredentialName).
func backendConditions(g *hierarchy.Graph, o *loader.Object) []plan.Condition {
	accepted := plan.Condition{Type: hierarchy.Accepted, Status: "True", Reason: policy.Accepted}
	resolved := conditionOf(&hierarchy.Condition{Type: hierarchy.ResolvedRefs, Status: fact.True, Reason: hierarchy.ResolvedRefs})
	reject := func(reason, message string, at *loader.Value) {
		accepted.Status, accepted.Reason, accepted.Message, accepted.Bad, accepted.At = "False", reason, message, true, o.Position(at)
	}
	tls, validation := o.Spec().Get("tls"), o.Spec().Get("tls", "validation")
	switch kind, mode := o.Spec().Get("type"), tls.Get("mode"); {
	case o.Spec().Str("type") != "ExternalHostname" || o.Spec().Get("externalHostname").IsNull():
		reject(policy.Invalid, "only the type ExternalHostname is supported", kind)
	case tls.IsNull(), tls.Str("mode") == "None":
	case tls.Str("mode") != "ServerOnly":
		reject(policy.Invalid, "only the TLS modes ServerOnly and None are supported", mode)
	case validation.Get("wellKnownCACertificates") != nil:
		if known := validation.Get("wellKnownCACertificates"); known.Text != "System" {
			reject(policy.Invalid, "the only known wellKnownCACertificates are System", known)
		}
	case len(validation.List("caCertificateRefs")) > 0:
		authority := catalogue.ObjectReference{
			Kinds: []string{"core/ConfigMap"}, Missing: "InvalidCACertificateRef", WrongKind: hierarchy.InvalidKind, NoneValid: "NoValidCACertificate",
		}
		c := policy.Authority(g, o, authority, validation.List("caCertificateRefs")[0]) // the first one counts
		if c.Status != fact.True {
			resolved = conditionOf(&c)
		}
		if c.Status == fact.False {
			reject(authority.NoneValid, c.Message, c.Ref)
		}
	}
	return []plan.Condition{accepted, resolved}
}
