package policy

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// bind refuses a reference to a backend without a proxy that would apply the policy, for kinds
// with target.bound: a label of the object, or else of its Namespace, names a Gateway (Istio
// pilot/pkg/serviceregistry/ambient/waypoints.go, fetchWaypointForTarget and fetchWaypointForService).
func (r finder) bind(out *Reference) {
	if r.target.Bound == "" || out.Accepted != fact.True || len(out.Nodes) == 0 {
		return
	}
	switch out.Nodes[0].Level {
	case hierarchy.LevelBackend, hierarchy.LevelFrontend, hierarchy.LevelOutside:
	default:
		return
	}
	object := out.Nodes[0].Object
	if object == nil {
		return
	}
	out.Bound = true
	proxy, bound := hierarchy.NamedWaypoint(r.graph.Inventory, object, r.target.Bound)
	switch {
	case bound == fact.Unknown:
		out.Accepted, out.Reason = fact.Unknown, NotInInput
		out.Message = fmt.Sprintf("it is unknown whether Namespace %s has the label %s; without it, no proxy applies the policy at %s", object.ID.Namespace, r.target.Bound, out.Target.Spoken())
	case bound == fact.True && (proxy.Name == "none" || proxy.Name == ""):
		out.refuse(NotBound, fmt.Sprintf("the label %s of %s or of its Namespace has the value %s, so no proxy applies the policy there", r.target.Bound, out.Target.Spoken(), cmp.Or(proxy.Name, `""`)))
	case bound == fact.True:
		there, message := r.graph.Present(proxy)
		if why := hierarchy.WhyNoWaypoint(r.graph.Inventory, proxy, object.ID.Namespace); why != "" {
			out.refuse(NotBound, why+", so no proxy applies the policy at "+out.Target.Spoken())
		} else if there == fact.Unknown {
			out.Accepted, out.Reason = fact.Unknown, NotInInput
			out.Message = message + "; without it, no proxy applies the policy at " + out.Target.Spoken()
		}
	default:
		out.refuse(NotBound, fmt.Sprintf("neither %s nor its Namespace has the label %s, so no proxy applies the policy there", out.Target.Spoken(), r.target.Bound))
	}
}

// GoesPast reports whether it is known that requests from Gateways to a backend go past the proxy to which it is bound
// (Istio pilot/pkg/serviceregistry/ambient/services.go, ingressUseWaypointFromLabels).
func GoesPast(g *hierarchy.Graph, k *catalogue.Kind, backend *hierarchy.Node) bool {
	if k.Target.Opens == "" || backend.Object == nil {
		return false
	}
	value, _, there := hierarchy.LabelOf(g.Inventory, backend.Object, k.Target.Opens)
	opened, err := strconv.ParseBool(value)
	return there == fact.False || there == fact.True && (err != nil || !opened)
}
