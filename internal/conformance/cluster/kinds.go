package cluster

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// kind is a kind of objects that the API server stores.
type kind struct {
	group, version, kind, plural string
	// cluster is true if objects of the kind are in no namespace.
	cluster bool
}

const gatewayGroup = "gateway.networking.k8s.io"

// kinds are those that the suite reads or writes.
var kinds = []kind{
	{"", "v1", "Namespace", "namespaces", true},
	{"", "v1", "Service", "services", false},
	{"", "v1", "ServiceAccount", "serviceaccounts", false},
	{"", "v1", "Secret", "secrets", false},
	{"", "v1", "ConfigMap", "configmaps", false},
	{"", "v1", "Pod", "pods", false},
	{"apps", "v1", "Deployment", "deployments", false},
	{"discovery.k8s.io", "v1", "EndpointSlice", "endpointslices", false},
	{"apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", true},
	{gatewayGroup, "v1", "GatewayClass", "gatewayclasses", true},
	{gatewayGroup, "v1", "Gateway", "gateways", false},
	{gatewayGroup, "v1", "ListenerSet", "listenersets", false},
	{gatewayGroup, "v1", "HTTPRoute", "httproutes", false},
	{gatewayGroup, "v1", "GRPCRoute", "grpcroutes", false},
	{gatewayGroup, "v1", "TLSRoute", "tlsroutes", false},
	{gatewayGroup, "v1", "TCPRoute", "tcproutes", false},
	{gatewayGroup, "v1", "UDPRoute", "udproutes", false},
	{gatewayGroup, "v1", "ReferenceGrant", "referencegrants", false},
	{gatewayGroup, "v1", "BackendTLSPolicy", "backendtlspolicies", false},
}

// kindOf finds a kind by its group and the plural in paths.
func kindOf(group, plural string) (kind, bool) {
	for _, k := range kinds {
		if k.group == group && k.plural == plural {
			return k, true
		}
	}
	return kind{}, false
}

// Mapper tells clients the paths of kinds, which saves them discovery.
func Mapper() meta.RESTMapper {
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, k := range kinds {
		version := schema.GroupVersion{Group: k.group, Version: k.version}
		scope := meta.RESTScopeNamespace
		if k.cluster {
			scope = meta.RESTScopeRoot
		}
		mapper.AddSpecific(version.WithKind(k.kind), version.WithResource(k.plural), version.WithResource(k.plural), scope)
	}
	return mapper
}
