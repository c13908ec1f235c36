package upgrade

import "github.com/gwplan/gwplan/analyze/plan"

// Istio, upgrade notes and change notes of 1.29 to 1.31 (istio.io).
var istio = Project{
	Name: "Istio", Word: "istio",
	Charts:      []string{"istiod"},
	Images:      []string{"istio/pilot"},
	Controllers: []string{"istio.io/gateway-controller", "istio.io/mesh-controller", "istio.io/unmanaged-gateway", "istio.io/eastwest-controller"},
	First:       Version{1, 29}, Last: Version{1, 31},
	Omitted: []Omission{
		{Version{1, 31}, "a DestinationRule's fields count before those of a BackendTLSPolicy or XBackendTrafficPolicy of the same host; of two BackendTLSPolicies of one target the older wins"},
		{Version{1, 31}, "unhealthy endpoints are sent to proxies unless minHealthPercent is set"},
		{Version{1, 31}, "filters with invalid header values are reported as InvalidFilter; registries move from gcr.io to Docker Hub and ghcr.io"},
		{Version{1, 31}, "workloads that registered themselves before are reached without HBONE until they register again"},
		{Version{1, 30}, "of a hostname in several namespaces sidecars take the Kubernetes Service, then the oldest (before, the first namespace by name)"},
		{Version{1, 30}, "the CNI agent honours excludeNamespaces; debug endpoints need authentication"},
		{Version{1, 29}, "DNS of ambient workloads is captured; debug endpoints are restricted; metrics are compressed, and remaining circuit breaker capacity is not tracked"},
		{Version{1, 29}, "the chart base has no roles and service accounts of istiod any more"},
	},
	Changes: []Change{
		{
			Since: Version{1, 31}, Kinds: []string{gwGateway}, Severity: plan.Warning,
			Cases: []Case{
				{{Path: "spec.tls.frontend.default.validation.mode", Is: insecureFallback}},
				{{Path: "spec.tls.frontend.perPort.*.tls.validation.mode", Is: insecureFallback}},
			},
			Effect: "AllowInsecureFallback is implemented: clients without a valid certificate are let in",
			Undone: "AllowInsecureFallback is not implemented",
			Source: istioNotes("1.31", "change"),
		},
		{
			Since: Version{1, 31}, Kinds: []string{gwBackendTLS, gwxTraffic}, Severity: plan.Error,
			Cases:  []Case{{{Path: "metadata.annotations", Contains: []string{"istio.io/ignore-policy-attachment"}}}},
			Effect: "the annotation istio.io/ignore-policy-attachment makes Istio ignore the policy",
			Undone: "the annotation istio.io/ignore-policy-attachment means nothing: the policy counts",
			Source: istioNotes("1.31", "change"),
		},
		{
			Since: Version{1, 30}, Kinds: []string{gwTLSRoute}, Severity: plan.Error,
			Needs:  Version{1, 5},
			Effect: "Istio reads v1 alone: without the CRDs of Gateway API 1.5 the route is not processed",
			Undone: "Istio reads v1alpha2",
			Source: istioNotes("1.31", "change"),
		},
	},
}

var insecureFallback = []string{"AllowInsecureFallback"}

func istioNotes(minor, kind string) string {
	return "istio/istio.io content/en/news/releases/" + minor + ".x/announcing-" + minor + "/" + kind + "-notes/index.md"
}
