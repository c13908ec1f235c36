package hierarchy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// kind is one row of the table of kinds in the hierarchy.
type kind struct {
	group, name   string
	level         Level
	clusterScoped bool
	// protocols lists the listener protocols that accept the route if allowedRoutes.kinds is empty
	// (Gateway API, Listener.allowedRoutes).
	protocols []string
	// hostnames means that the route's hostnames are intersected with the listener's hostname.
	hostnames bool
	// terminated means that in some implementations TLS listeners that terminate TLS accept the
	// route (Envoy Gateway internal/gatewayapi/listener.go). The specification's table does not
	// list it, but a comment in its types allows it.
	terminated bool
}

// kinds is the table of target kinds. To support another route kind, add a row.
var kinds = []kind{
	{group: loader.GatewayGroup, name: "GatewayClass", level: LevelGatewayClass, clusterScoped: true},
	{group: loader.GatewayGroup, name: "Gateway", level: LevelGateway},
	{group: loader.GatewayGroup, name: "ListenerSet", level: LevelListenerSet},
	// XListenerSet is the experimental name of the same kind.
	{group: loader.ExperimentalGroup, name: "XListenerSet", level: LevelListenerSet},
	{group: loader.GatewayGroup, name: "HTTPRoute", level: LevelRoute, protocols: []string{"HTTP", "HTTPS"}, hostnames: true},
	{group: loader.GatewayGroup, name: "GRPCRoute", level: LevelRoute, protocols: []string{"HTTP", "HTTPS"}, hostnames: true},
	{group: loader.GatewayGroup, name: "TLSRoute", level: LevelRoute, protocols: []string{"TLS"}, hostnames: true},
	{group: loader.GatewayGroup, name: "TCPRoute", level: LevelRoute, protocols: []string{"TCP"}, terminated: true},
	{group: loader.GatewayGroup, name: "UDPRoute", level: LevelRoute, protocols: []string{"UDP"}},
	{group: "", name: "Service", level: LevelBackend},
	{group: "", name: "Namespace", level: LevelNamespace, clusterScoped: true},
}

// otherNeeded lists kinds whose existence, labels or grants the hierarchy uses.
var otherNeeded = map[loader.ID]bool{
	{Group: loader.GatewayGroup, Kind: "ReferenceGrant"}: true,
	{Group: "", Kind: "Secret"}:                          true,
	{Group: "", Kind: "ConfigMap"}:                       true,
	// A HelmRelease may render anything in its namespace.
	{Group: "helm.toolkit.fluxcd.io", Kind: "HelmRelease"}:            true,
	{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}: true,
	{Group: "certificates.k8s.io", Kind: trustBundle}:                 true,
	{Group: "discovery.k8s.io", Kind: "EndpointSlice"}:                true,
	{Group: "", Kind: "Endpoints"}:                                    true,
	// Network policies of Calico select by its labels.
	{Group: "", Kind: "ServiceAccount"}: true,
}

// trustBundle is the kind of certificate authorities that all namespaces share.
const trustBundle = "ClusterTrustBundle"

// AuthorityOf returns the object that a reference to a certificate authority names, by the kind and the name in it and
// by the namespace of its owner. A ClusterTrustBundle is found by its name alone, whatever group is written (Envoy Gateway
// internal/gatewayapi/backendtlspolicy.go, getCaCertsFromCARefs).
func AuthorityOf(id loader.ID, own *implementation.Implementation) loader.ID {
	if id.Kind == trustBundle {
		return loader.ID{Group: "certificates.k8s.io", Kind: id.Kind, Name: id.Name}
	}
	if own.Policies.AuthoritiesByKind || slices.Contains(own.Routes.CoreGroups, id.Group) {
		id.Group = ""
	}
	return id
}

func lookup(group, name string) *kind {
	for i := range kinds {
		if kinds[i].name == name && kinds[i].group == group {
			return &kinds[i]
		}
	}
	return nil
}

// Needs reports whether the hierarchy needs objects of a kind.
func Needs(group, name string) bool {
	id := loader.ID{Group: group, Kind: name}
	return lookup(group, name) != nil || otherNeeded[id] || inventory.Makes(group, name) || slices.Contains(backendKinds, id) || implementation.Refers(group, name)
}

// LevelOf returns the level of a kind in the hierarchy. Kinds outside the table are LevelOutside,
// though any kind can be a backend.
func LevelOf(group, name string) Level {
	if k := lookup(group, name); k != nil {
		return k.level
	}
	return LevelOutside
}

// ClusterScoped reports whether a kind of the hierarchy has no namespace.
func ClusterScoped(group, name string) bool {
	k := lookup(group, name)
	return k != nil && k.clusterScoped || group == "certificates.k8s.io" && name == trustBundle
}

// Namespaced reports whether objects of a kind of the hierarchy have a namespace.
func Namespaced(group, name string) bool {
	k := lookup(group, name)
	return k != nil && !k.clusterScoped
}
