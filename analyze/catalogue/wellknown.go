package catalogue

import "github.com/gwplan/gwplan/loader"

// WellKnown are the kinds that a reference may name without their group or in another case, if
// it is read tolerantly.
var WellKnown = []loader.ID{
	{Group: loader.GatewayGroup, Kind: "GatewayClass"},
	{Group: loader.GatewayGroup, Kind: "Gateway"},
	{Group: loader.GatewayGroup, Kind: "ListenerSet"},
	{Group: loader.ExperimentalGroup, Kind: "XListenerSet"},
	{Group: loader.GatewayGroup, Kind: "HTTPRoute"},
	{Group: loader.GatewayGroup, Kind: "GRPCRoute"},
	{Group: loader.GatewayGroup, Kind: "TLSRoute"},
	{Group: loader.GatewayGroup, Kind: "TCPRoute"},
	{Group: loader.GatewayGroup, Kind: "UDPRoute"},
	{Kind: "Service"},
	{Kind: "Namespace"},
}

// IstioRoot is the usual root namespace of Istio (meshConfig.rootNamespace), whose policies are for the pods of all namespaces.
const IstioRoot = "istio-system"
