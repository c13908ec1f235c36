package hierarchy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// UseWaypoint is the label by which a Service, or otherwise its Namespace, names the Gateway that takes the requests of the mesh to
// it; with the suffix -namespace it says where that is (Istio, Resource Labels).
const UseWaypoint = "istio.io/use-waypoint"

// trafficOf is the label of a waypoint, or of its class, for the types of traffic that it takes.
const trafficOf = "istio.io/waypoint-for"

// LabelOf returns a label of an object, or else of its Namespace, and the labels among which it is.
func LabelOf(known *inventory.Inventory, object *loader.Object, key string) (string, inventory.Labels, fact.Fact) {
	labels := inventory.Labels{Values: object.Labels()}
	value, there := labels.Get(key)
	if there == fact.False {
		labels = known.NamespaceLabels(object.ID.Namespace)
		value, there = labels.Get(key)
	}
	return value, labels, there
}

// WaypointTraffic returns what a waypoint of Istio says that it is for: service, workload, all or none.
func WaypointTraffic(known *inventory.Inventory, gateway *loader.Object) string {
	traffic := gateway.Labels()[trafficOf]
	if class := known.Object(loader.ID{Group: loader.GatewayGroup, Kind: "GatewayClass", Name: gateway.Spec().Str("gatewayClassName")}); traffic == "" && class != nil {
		traffic = class.Labels()[trafficOf]
	}
	return cmp.Or(traffic, "service")
}

// WhyNoWaypoint says why a Gateway does not take the requests of the Services of a namespace, "" if it does or if that is not
// known (Istio pilot/pkg/serviceregistry/ambient/waypoints.go, fetchWaypointForTarget and fetchWaypointForService).
func WhyNoWaypoint(known *inventory.Inventory, proxy loader.ID, namespace string) string {
	gateway := known.Object(proxy)
	if gateway == nil {
		if there, message := known.Present(proxy); there == fact.False {
			return message
		}
		return ""
	}
	if traffic := WaypointTraffic(known, gateway); traffic != "service" && traffic != "all" {
		return fmt.Sprintf("%s is for %s (%s), not for Services", proxy.Spoken(), traffic, trafficOf)
	}
	var from *loader.Value
	for _, l := range gateway.Spec().List("listeners") {
		if port := l.Get("port"); l.Str("protocol") == "HBONE" && port != nil && port.Text == "15008" {
			from = l.Get("allowedRoutes", "namespaces")
			break
		}
	}
	if known.AllowedFrom(from, "Same", proxy.Namespace, namespace) == fact.False {
		return fmt.Sprintf("%s does not admit namespace %s", proxy.Spoken(), namespace)
	}
	return ""
}

// NamedWaypoint returns the Gateway that an object, or otherwise its Namespace, names by a label. The name may be "none". there says
// whether the label is there.
func NamedWaypoint(known *inventory.Inventory, object *loader.Object, label string) (proxy loader.ID, there fact.Fact) {
	name, labels, there := LabelOf(known, object, label)
	namespace, _ := labels.Get(label + "-namespace")
	return loader.ID{Group: loader.GatewayGroup, Kind: "Gateway", Namespace: cmp.Or(namespace, object.ID.Namespace), Name: name}, there
}

// waypointOf returns the Gateway that takes the requests of the mesh to a Service, or nil if it is not in the input.
func waypointOf(ns *nodes, service *Node) *Node {
	if service.Object == nil {
		return nil
	}
	proxy, there := NamedWaypoint(ns.Inventory, service.Object, UseWaypoint)
	if there != fact.True || proxy.Name == "" || proxy.Name == "none" {
		return nil
	}
	if gateway := ns.Node(Target{ID: proxy}, LevelGateway); gateway != nil && gateway.Object != nil && WhyNoWaypoint(ns.Inventory, proxy, service.Namespace()) == "" {
		return gateway
	}
	return nil
}

// WaypointOf returns the Gateway that takes the requests of the mesh to a Service, or nil for other nodes and if it is not known.
func WaypointOf(g *Graph, n *Node) *Node {
	if n.Target.Group != "" || n.Target.Kind != "Service" || n.Owner != nil {
		return nil
	}
	return waypointOf(g.nodes, n)
}

// hasForeignWaypoint reports whether a parent of routes in the mesh names a Gateway of another controller as its waypoint: that
// one takes its routes, and the controller of the mesh writes nothing of them (Istio, gateway/conversion.go,
// waypointManagedByAnotherController).
func (g *Graph) hasForeignWaypoint(parent *Node, own *implementation.Implementation) bool {
	if len(own.Routes.Waypoints) == 0 || parent.Object == nil {
		return false
	}
	proxy, there := NamedWaypoint(g.Inventory, parent.Object, UseWaypoint)
	if there != fact.True || strings.EqualFold(proxy.Name, "none") {
		return false
	}
	waypoint := g.Node(Target{ID: proxy}, LevelGateway)
	if waypoint == nil || waypoint.Object == nil {
		return false
	}
	class := classOf(waypoint)
	if class == nil || class.Object == nil { // Istio looks the class up
		return false
	}
	controller := g.Controller(waypoint)
	return controller != "" && !slices.Contains(own.Routes.Waypoints, controller)
}
