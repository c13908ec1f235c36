package status

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// referrers finds the policies that refer to a backend, whose targets are above it, too.
type referrers struct {
	graph    *hierarchy.Graph
	attached *policy.Attachments
	// byBackend are the policies that refer to each backend. The map is nil until its first use.
	byBackend map[loader.ID][]referrer
}

// referrer is a policy that refers to a backend, with the port of the reference.
type referrer struct {
	policy *policy.Policy
	port   string
}

// counts reports whether a policy's reference to a backend counts: the policy is attached. A
// controller that makes the policy itself an ancestor follows the reference even if another one is
// broken, but not if the reference itself is, or if it does not look at it for any target (Envoy
// Gateway, internal/gatewayapi/ext_service.go).
func (r *referrers) counts(p *policy.Policy, b *policy.Backend) bool {
	if r.graph.Dominant().Policies.ReferrerAncestors && p.Kind.BrokenBackends != "" {
		looks := func(ref *policy.Reference) bool {
			return ref.IsAttached() && r.attached.Checks(r.graph, ref, b.Path) && !slices.ContainsFunc(ref.Nodes, r.untranslated)
		}
		return slices.ContainsFunc(p.References, looks) && b.Unusable(r.graph, p.ID()) == ""
	}
	return slices.ContainsFunc(p.References, func(ref *policy.Reference) bool { return ref.Accepted == fact.True })
}

// untranslated reports whether the controller does not look at a target: nothing that it translates is above it (Envoy
// Gateway, internal/provider/kubernetes/routes.go, loads the routes of its Gateways only).
func (r *referrers) untranslated(n *hierarchy.Node) bool {
	switch n.Level {
	case hierarchy.LevelGateway, hierarchy.LevelListenerSet, hierarchy.LevelListener:
		gateway := hierarchy.GatewayOf(n)
		present, _ := r.graph.Present(gateway.Target.ID)
		return present == fact.False || !r.graph.Translated(n) || !r.graph.Implementation(gateway).Policies.ReferrerAncestors
	case hierarchy.LevelRoute:
		return !slices.ContainsFunc(r.graph.Parents(n), func(p hierarchy.Parent) bool {
			return !p.Missing && p.Target.Level != hierarchy.LevelRoute && !r.untranslated(p.Target)
		})
	case hierarchy.LevelRule:
		return r.untranslated(n.Owner)
	default:
		return false
	}
}

// of are the policies that refer to a backend and are attached to something.
func (r *referrers) of(backend loader.ID) []referrer {
	if r.byBackend == nil {
		r.byBackend = map[loader.ID][]referrer{}
		for _, p := range r.attached.Policies {
			if r.graph.Dominant().Gateways.ReadsTelemetry && p.Kind.Target.Via == "parametersRef" {
				r.bySinks(p)
				continue
			}
			ended := map[*loader.Value]bool{}
			for _, b := range p.Backends() {
				if r.ends(&b, p) {
					ended[b.In] = true
				}
				if ended[b.In] || r.idle(&b) || !r.counts(p, &b) {
					continue
				}
				r.byBackend[b.ID] = append(r.byBackend[b.ID], referrer{policy: p, port: portOf(b.Ref)})
			}
		}
	}
	return r.byBackend[backend]
}

// ends reports whether a controller that makes the policy itself an ancestor looks at no reference of a list from this one on, or not at
// this one (Envoy Gateway, internal/gatewayapi/ext_service.go, translateExtServiceBackendRefs).
func (r *referrers) ends(b *policy.Backend, p *policy.Policy) bool {
	return r.graph.Dominant().Policies.ReferrerAncestors && b.Unusable(r.graph, p.ID()) != ""
}

// idle reports whether such a controller does nothing with a backend of weight 0.
func (r *referrers) idle(b *policy.Backend) bool {
	weight := b.Ref.Get("weight")
	return r.graph.Dominant().Policies.ReferrerAncestors && weight != nil && weight.Text == "0"
}

// bySinks adds parameters that send the telemetry of a Gateway to backends. Of parameters that are merged, those of the Gateway count.
func (r *referrers) bySinks(p *policy.Policy) {
	for _, n := range r.graph.Nodes {
		if n.Level != hierarchy.LevelGateway || n.Object == nil {
			continue
		}
		id, refs := r.graph.Sinks(n)
		if id != p.ID() {
			continue
		}
		for _, ref := range refs {
			backend := hierarchy.BackendID(ref, id.Namespace)
			r.byBackend[backend] = append(r.byBackend[backend], referrer{policy: p, port: portOf(ref)})
		}
	}
}

// byReferrers adds the ancestors of a policy on a backend that come from other policies: those
// that refer to the backend and are attached.
func (a *ancestry) byReferrers(ref *policy.Reference, conditions []plan.Condition) {
	if a.graph.Object(ref.Target.ID) == nil || hierarchy.LevelOf(ref.Target.Group, ref.Target.Kind) == hierarchy.LevelRoute {
		return
	}
	a.through(ref.Target, conditions, map[*policy.Policy]bool{})
}

// through follows the policies that refer to a target and, recursively, those that refer to the
// targets of these policies.
func (a *ancestry) through(target hierarchy.Target, conditions []plan.Condition, met map[*policy.Policy]bool) {
	own := a.graph.Dominant()
	for _, by := range a.referrers.of(target.ID) {
		if met[by.policy] || target.Section != "" && target.Section != a.graph.PortName(target.ID, by.port) {
			continue
		}
		port := hierarchy.Target{ID: target.ID, Section: a.graph.PortName(target.ID, by.port)}
		if own.Policies.ReferrerAncestors && target.Section == "" && by.port != "" && a.run.Attached.FirstAt(port) != nil {
			continue // the policy of the port comes first
		}
		met[by.policy] = true
		if own.Policies.ReferrerAncestors {
			a.list.add(targetReference(hierarchy.Target{ID: by.policy.ID()}), "", conditions)
			continue
		}
		for _, ref := range by.policy.References {
			for _, n := range ref.Nodes {
				a.above(n, conditions)
			}
			a.through(whole(ref.Target), conditions, met)
		}
	}
}
