package hierarchy

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// kind is one row of the table of kinds that form the hierarchy.
type kind struct {
	group, name   string
	level         Level
	clusterScoped bool
	// protocols are those of the listeners that take the route when
	// allowedRoutes.kinds is empty (Gateway API, Listener.allowedRoutes).
	protocols []string
	// hostnames says that the route's hostnames are intersected with the
	// listener's.
	hostnames bool
	// terminated says that TLS listeners that terminate take the route in some
	// implementations (Envoy Gateway internal/gatewayapi/listener.go); the
	// specification's table does not list it, a comment in its types allows it.
	terminated bool
}

// kinds is THE TABLE of target kinds: adding a route kind is adding a row.
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

// otherNeeded are kinds whose existence, labels or grants are facts.
var otherNeeded = map[loader.ID]bool{
	{Group: loader.GatewayGroup, Kind: "ReferenceGrant"}: true,
	{Group: "", Kind: "Secret"}:                          true,
	{Group: "", Kind: "ConfigMap"}:                       true,
	// A HelmRelease may render anything in its namespace.
	{Group: "helm.toolkit.fluxcd.io", Kind: "HelmRelease"}:            true,
	{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}: true,
	{Group: "certificates.k8s.io", Kind: "ClusterTrustBundle"}:        true,
}

func lookup(group, name string) *kind {
	for i := range kinds {
		if kinds[i].name == name && kinds[i].group == group {
			return &kinds[i]
		}
	}
	return nil
}

// Needs says whether the hierarchy needs objects of a kind.
func Needs(group, name string) bool {
	id := loader.ID{Group: group, Kind: name}
	return lookup(group, name) != nil || otherNeeded[id] || inventory.Makes(group, name) || slices.Contains(backendKinds, id) || implementation.Refers(group, name)
}

// LevelOf is the level of a kind's objects in the hierarchy; kinds outside the
// table are Apart, though any kind can be a backend.
func LevelOf(group, name string) Level {
	if k := lookup(group, name); k != nil {
		return k.level
	}
	return LevelOutside
}

// ClusterScoped says whether a kind of the hierarchy has no namespace.
func ClusterScoped(group, name string) bool {
	k := lookup(group, name)
	return k != nil && k.clusterScoped
}

// SimilarKind is the kind of a group that is written almost like another one
// that the group does not have, or "".
func SimilarKind(group, name string) string {
	best, closest := "", 3
	known := []string{}
	for i := range kinds {
		if kinds[i].group == group {
			known = append(known, kinds[i].name)
		}
	}
	if group == loader.GatewayGroup {
		known = append(known, "ReferenceGrant", "BackendTLSPolicy")
	}
	for _, kind := range known {
		switch d := spelling.Distance(kind, name); {
		case d == 0:
			return ""
		case strings.EqualFold(kind, name):
			return kind
		case d < closest:
			best, closest = kind, d
		}
	}
	return best
}
