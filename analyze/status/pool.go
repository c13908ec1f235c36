package status

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

const inferenceGroup = "inference.networking.k8s.io"

// setPools sets the status of each InferencePool, if the controller writes one, and returns them: one
// parent for each Gateway whose requests the pool serves. A pool whose endpoint picker cannot be used
// has a parent without any Gateway, too (agentgateway, plugins/inference_plugin.go,
// translatePoliciesForInferencePool and desiredInferencePoolParentRefs).
func setPools(g *gateways, byID map[loader.ID]plan.Status) []loader.ID {
	own := g.graph.Dominant()
	if !own.Policies.Pools {
		return nil
	}
	var out []loader.ID
	for _, o := range g.graph.AllOf(inferenceGroup, "InferencePool") {
		resolved := picker(g.graph, o)
		var status plan.Status
		add := func(ref plan.Reference) {
			for _, had := range status.Parents {
				if had.ParentRef == ref {
					return
				}
			}
			status.Parents = append(status.Parents, plan.Parent{
				ParentRef: ref, ControllerName: own.Policies.AncestorController,
				Conditions: []plan.Condition{{Type: hierarchy.Accepted, Status: "True", Reason: policy.Accepted}, conditionOf(&resolved)},
			})
		}
		for _, gateway := range g.ofBackend(o.ID, map[loader.ID]bool{}) {
			add(targetReference(gateway.Target))
		}
		if len(status.Parents) == 0 && resolved.Status == fact.False {
			add(plan.Reference{Kind: "Status", Name: "default"})
		}
		out = append(out, o.ID)
		byID[o.ID] = status
	}
	return out
}

// picker is the ResolvedRefs condition for the endpoint picker of a pool: a Service of its namespace
// with a TCP port of the number (validateInferencePoolEndpointPickerRef).
func picker(graph *hierarchy.Graph, pool *loader.Object) hierarchy.Condition {
	ref := pool.Spec().Get("endpointPickerRef")
	c := hierarchy.Condition{Type: hierarchy.ResolvedRefs, Status: fact.True, Reason: hierarchy.ResolvedRefs, Owner: pool, Ref: ref}
	bad := func(message string) hierarchy.Condition {
		c.Status, c.Reason, c.Message = fact.False, "InvalidExtensionRef", message
		return c
	}
	id := loader.ID{Group: ref.Str("group"), Kind: cmp.Or(ref.Str("kind"), "Service"), Namespace: pool.ID.Namespace, Name: ref.Str("name")}
	number := ref.Get("port", "number")
	if id.Group != "" || id.Kind != "Service" || number.IsNull() {
		return bad("an endpoint picker is a port of a Service")
	}
	service := graph.Object(id)
	if service == nil {
		exists, message := graph.ExistsOutsideWhy(id)
		if exists != fact.False {
			c.Status, c.Reason, c.Message = fact.Unknown, hierarchy.NotInInput, message
			return c
		}
		return bad(message)
	}
	tcp := slices.ContainsFunc(service.Spec().List("ports"), func(port *loader.Value) bool {
		return port.Get("port") != nil && port.Get("port").Text == number.Text && cmp.Or(port.Str("protocol"), "TCP") == "TCP"
	})
	if service.Spec().Str("type") == "ExternalName" || !tcp {
		return bad(id.Spoken() + " has no TCP port " + number.Text)
	}
	return c
}
