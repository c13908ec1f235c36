package policy

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
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
	name, labels, bound := labelOf(r.graph, object, r.target.Bound)
	switch {
	case bound == fact.Unknown:
		out.Accepted, out.Reason = fact.Unknown, NotInInput
		out.Message = fmt.Sprintf("it is unknown whether Namespace %s has the label %s; without it, no proxy applies the policy at %s", object.ID.Namespace, r.target.Bound, out.Target.Spoken())
	case bound == fact.True && (name == "none" || name == ""):
		out.refuse(NotBound, fmt.Sprintf("the label %s of %s or of its Namespace has the value %s, so no proxy applies the policy there", r.target.Bound, out.Target.Spoken(), cmp.Or(name, `""`)))
	case bound == fact.True:
		namespace, _ := labels.Get(r.target.Bound + "-namespace")
		proxy := loader.ID{Group: loader.GatewayGroup, Kind: "Gateway", Namespace: cmp.Or(namespace, object.ID.Namespace), Name: name}
		there, message := r.graph.Present(proxy)
		if why := r.unbound(proxy, object.ID.Namespace); why != "" {
			out.refuse(NotBound, why+", so no proxy applies the policy at "+out.Target.Spoken())
		} else if there == fact.Unknown {
			out.Accepted, out.Reason = fact.Unknown, NotInInput
			out.Message = message + "; without it, no proxy applies the policy at " + out.Target.Spoken()
		}
	default:
		out.refuse(NotBound, fmt.Sprintf("neither %s nor its Namespace has the label %s, so no proxy applies the policy there", out.Target.Spoken(), r.target.Bound))
	}
}

// labelOf returns a label of an object, or else of its Namespace, and the labels among which it is.
func labelOf(g *hierarchy.Graph, object *loader.Object, key string) (string, inventory.Labels, fact.Fact) {
	labels := inventory.Labels{Values: object.Labels()}
	value, there := labels.Get(key)
	if there == fact.False {
		labels = g.NamespaceLabels(object.ID.Namespace)
		value, there = labels.Get(key)
	}
	return value, labels, there
}

// GoesPast reports whether it is known that requests from Gateways to a backend go past the proxy to which it is bound
// (Istio pilot/pkg/serviceregistry/ambient/services.go, ingressUseWaypointFromLabels).
func GoesPast(g *hierarchy.Graph, k *catalogue.Kind, backend *hierarchy.Node) bool {
	if k.Target.Opens == "" || backend.Object == nil {
		return false
	}
	value, _, there := labelOf(g, backend.Object, k.Target.Opens)
	opened, err := strconv.ParseBool(value)
	return there == fact.False || there == fact.True && (err != nil || !opened)
}

// trafficOf is the label of a waypoint, or of its class, for the types of traffic that it takes.
const trafficOf = "istio.io/waypoint-for"

// WaypointTraffic returns what a waypoint of Istio says that it is for: service, workload, all or none.
func WaypointTraffic(g *hierarchy.Graph, gateway *loader.Object) string {
	traffic := gateway.Labels()[trafficOf]
	if class := g.Object(loader.ID{Group: loader.GatewayGroup, Kind: "GatewayClass", Name: gateway.Spec().Str("gatewayClassName")}); traffic == "" && class != nil {
		traffic = class.Labels()[trafficOf]
	}
	return cmp.Or(traffic, "service")
}

// unbound says why a Gateway does not take the requests of the Services of a namespace, "" if it does or if that is not
// known.
func (r finder) unbound(proxy loader.ID, namespace string) string {
	gateway := r.graph.Object(proxy)
	if gateway == nil {
		if there, message := r.graph.Present(proxy); there == fact.False {
			return message
		}
		return ""
	}
	if traffic := WaypointTraffic(r.graph, gateway); traffic != "service" && traffic != "all" {
		return fmt.Sprintf("%s is for %s (%s), not for Services", proxy.Spoken(), traffic, trafficOf)
	}
	var from *loader.Value
	for _, l := range gateway.Spec().List("listeners") {
		if port := l.Get("port"); l.Str("protocol") == "HBONE" && port != nil && port.Text == "15008" {
			from = l.Get("allowedRoutes", "namespaces")
			break
		}
	}
	if r.graph.AllowedFrom(from, "Same", proxy.Namespace, namespace) == fact.False {
		return fmt.Sprintf("%s does not admit namespace %s", proxy.Spoken(), namespace)
	}
	return ""
}
