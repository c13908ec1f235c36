package upgrade

import "github.com/gwplan/gwplan/analyze/plan"

// The kinds of Envoy Gateway that its releases change.
const (
	egBackend     = "gateway.envoyproxy.io/Backend"
	egTraffic     = "gateway.envoyproxy.io/BackendTrafficPolicy"
	egClient      = "gateway.envoyproxy.io/ClientTrafficPolicy"
	egExtension   = "gateway.envoyproxy.io/EnvoyExtensionPolicy"
	egPatch       = "gateway.envoyproxy.io/EnvoyPatchPolicy"
	egProxy       = "gateway.envoyproxy.io/EnvoyProxy"
	egRouteFilter = "gateway.envoyproxy.io/HTTPRouteFilter"
	egSecurity    = "gateway.envoyproxy.io/SecurityPolicy"
)

// Envoy Gateway, release-notes at d32f2829 (2026-08-21).
var envoyGateway = Project{
	Name: "Envoy Gateway", Word: "envoy-gateway",
	Charts:      []string{"gateway-helm"},
	Images:      []string{"envoyproxy/gateway"},
	Repository:  "envoyproxy/gateway",
	Controllers: []string{"gateway.envoyproxy.io/gatewayclass-controller"},
	First:       Version{1, 7}, Last: Version{1, 9},
	Omitted: []Omission{
		{Version{1, 9}, "the ValidatingAdmissionPolicy safe-upgrades moves into the chart; Helm must be able to adopt one that exists"},
		{Version{1, 9}, "the controller indexes EndpointSlices and needs more memory"},
		{Version{1, 8}, "the controller logs in another format"},
		{Version{1, 7}, "statistics have other tags and prefixes; a rewritten host is resolved by Backends of type DynamicResolver"},
	},
	Changes: []Change{
		{
			Since: Version{1, 9}, Kinds: []string{egExtension}, Severity: plan.Error,
			Cases:  []Case{{{Path: "spec.lua.*"}}},
			Effect: "Lua is off unless extensionApis.enableLua of the controller's configuration turns it on: the policy is not accepted",
			Undone: "Lua is on unless extensionApis.disableLua turns it off",
			Source: egNotes("1.9.0"),
		},
		{
			Since: Version{1, 9}, Kinds: []string{egClient}, Severity: plan.Error,
			Cases: []Case{{{Path: "spec.clientIPDetection", All: []Where{
				{Path: "xForwardedFor", Missing: true}, {Path: "customHeader", Missing: true}, {Path: "directSourceIP", Missing: true},
			}}}},
			Effect: "the API server rejects a clientIPDetection that sets none of xForwardedFor, customHeader and directSourceIP",
			Undone: "the API server accepts a clientIPDetection that sets nothing",
			Source: egNotes("1.9.0"),
		},
		{
			Since: Version{1, 9}, Kinds: []string{egSecurity, egTraffic}, Severity: plan.Error,
			Cases: []Case{
				{{Path: "spec.mergeType"}, {Path: "spec.targetRef.kind", Is: egParents}},
				{{Path: "spec.mergeType"}, {Path: "spec.targetRefs.*.kind", Is: egParents}},
				{{Path: "spec.mergeType"}, {Path: "spec.targetSelectors.*.kind", Is: egParents}},
			},
			Effect: "the API server rejects mergeType in a policy that targets a Gateway or a ListenerSet",
			Undone: "the API server accepts mergeType in a policy that targets a Gateway or a ListenerSet",
			Source: egNotes("1.9.0"),
		},
		{
			Since: Version{1, 9}, Kinds: []string{egSecurity}, Severity: plan.Error,
			Cases: []Case{
				{{Path: "spec.apiKeyAuth.extractFrom", Empty: true}},
				{{Path: "spec.apiKeyAuth.extractFrom.*", All: []Where{
					{Path: "headers", Missing: true}, {Path: "params", Missing: true}, {Path: "cookies", Missing: true},
				}}},
				{{Path: "spec.apiKeyAuth.extractFrom.*", All: []Where{{Path: "headers"}, {Path: "{params,cookies}"}}}},
				{{Path: "spec.apiKeyAuth.extractFrom.*", All: []Where{{Path: "params"}, {Path: "cookies"}}}},
				{{Path: "spec.apiKeyAuth.extractFrom.*.{headers,params,cookies}.*", Is: []string{""}}},
			},
			Effect: "the API server rejects an extractFrom without entries, or with an entry that does not set exactly one of headers, params and cookies to names",
			Undone: "the API server accepts any extractFrom",
			Source: egNotes("1.9.0"),
		},
		{
			Since: Version{1, 9}, Kinds: []string{egProxy}, Severity: plan.Warning,
			Cases:  []Case{{{Path: "spec.telemetry.tracing", All: []Where{{Path: "clientSamplingFraction", Missing: true}}}}},
			Effect: "traces that clients force are sampled at 0 % unless clientSamplingFraction is set (100 % before)",
			Undone: "traces that clients force are sampled at 100 % (0 % before)",
			Source: egNotes("1.9.0"),
		},
		{
			Since: Version{1, 9}, Kinds: []string{gwTCPRoute, gwUDPRoute}, Severity: plan.Error,
			Needs:  Version{1, 6},
			Effect: "the controller reads v1 alone: without the CRDs of Gateway API 1.6 it skips the route",
			Undone: "the controller reads v1alpha2",
			Source: egNotes("1.9.0"),
		},
		{
			Since: Version{1, 9}, Kinds: []string{gwHTTPRoute, gwGRPCRoute}, Severity: plan.Warning,
			Cases:  []Case{{{Path: "spec.rules.*.sessionPersistence.idleTimeout"}}},
			Effect: "the CRDs of Gateway API 1.6 that come with it have no sessionPersistence.idleTimeout",
			Undone: "the controller validates sessionPersistence.idleTimeout",
			Source: egNotes("1.9.0"),
		},
		{
			Since: Version{1, 9}, Kinds: []string{gwBackendTLS, egBackend}, Severity: plan.Note,
			Cases:  []Case{{{Path: "spec.{validation,tls}.wellKnownCACertificates", Is: []string{"System"}}}},
			Effect: "the system's certificates come from one shared secret: connections to the backend may break while it is fetched for the first time",
			Undone: "the system's certificates come from a secret for each resource",
			Source: egNotes("1.9.0"),
		},
		egPatched(Version{1, 9}, "providers and requirements of jwt_authn have names made of their content", "jwt_authn", "requirementMap", "requirement_map"),
		egPatched(Version{1, 9}, "the settings of DNS clusters are in cluster_type (envoy.cluster.dns)", "dns_refresh_rate", "respect_dns_ttl", "dns_lookup_family", "LOGICAL_DNS", "STRICT_DNS"),
		egPatched(Version{1, 9}, "shared global rate limits are in typed_per_filter_config, not in the route's rate_limits", "rate_limits", "rateLimits"),
		egPatched(Version{1, 9}, "all system certificates are in one secret, system_ca_certificates", "validation_context_sds_secret_config", "validationContextSdsSecretConfig"),
		egPatched(Version{1, 9}, "Lua filters are on the listener, with other names", "envoy.filters.http.lua"),
		{
			Since: Version{1, 8}, Kinds: []string{egRouteFilter}, Severity: plan.Warning,
			Cases:  []Case{{{Path: "spec.directResponse.body.inline", Contains: []string{"%"}}}},
			Effect: "what stands between % signs in the body of a direct response is an Envoy command operator and is replaced",
			Undone: "% signs in the body of a direct response mean themselves",
			Source: egNotes("1.8.0"),
		},
		{
			Since: Version{1, 8}, Kinds: []string{egSecurity}, Severity: plan.Warning,
			Cases: []Case{
				{{Path: "spec.extAuth.timeout", Is: zeroDurations}},
				{{Path: "spec.{extAuth,jwt,oidc}.{grpc,http,provider}.backendSettings.timeout.{tcp,http}.*", Is: zeroDurations}},
				{{Path: "spec.jwt.providers.*.remoteJWKS.backendSettings.timeout.{tcp,http}.*", Is: zeroDurations}},
			},
			Effect: "a timeout of 0s never ends (before, it ended at once)",
			Undone: "a timeout of 0s ends at once (before, never)",
			Source: egNotes("1.8.0"),
		},
		{
			Since: Version{1, 8}, Kinds: []string{egProxy}, Severity: plan.Warning,
			Cases:  []Case{{{Path: "spec.telemetry.tracing.samplingFraction"}}},
			Effect: "samplingFraction is read as the fraction that it is: 100 times as many requests are traced",
			Undone: "a hundredth of samplingFraction is traced",
			Source: egNotes("1.8.0"),
		},
		egPatched(Version{1, 8}, "there is one oauth2 filter on the listener, with the settings of routes in typed_per_filter_config", "oauth2"),
		{
			Since: Version{1, 7}, Kinds: []string{gwHTTPRoute}, Severity: plan.Error,
			Cases: []Case{{{Path: "spec.rules.*", All: []Where{
				{Path: "filters.*.type", Is: []string{"RequestMirror"}}, {Path: "filters.*.type", Is: []string{"RequestRedirect"}},
			}}}},
			Effect: "the route is not accepted: RequestMirror excludes RequestRedirect and direct responses in one rule",
			Undone: "RequestMirror is accepted beside RequestRedirect",
			Source: egNotes("1.7.0"),
		},
		{
			Since: Version{1, 7}, Kinds: []string{egTraffic}, Severity: plan.Note,
			Cases:  []Case{{{Path: "spec.{compression,compressor}.*"}}},
			Effect: "backends get no Accept-Encoding, so that only the proxy compresses",
			Undone: "backends get the Accept-Encoding of the client beside the proxy's compression",
			Source: egNotes("1.7.0"),
		},
		{
			Since: Version{1, 7}, Kinds: []string{egTraffic}, Severity: plan.Note,
			Cases:  []Case{{{Path: "spec.responseOverride"}}},
			Effect: "the filter of response overrides runs first, so that it sees local replies and headers differently",
			Undone: "the filter of response overrides runs after the others",
			Source: egNotes("1.7.0"),
		},
	},
}

var (
	egParents     = []string{"Gateway", "ListenerSet", "XListenerSet"}
	zeroDurations = []string{"0s", "0", "0ms", "0m", "0h"}
)

func egNotes(version string) string { return "envoyproxy/gateway release-notes/v" + version + ".yaml" }

// egPatched is a change of the generated configuration that patches with some words refer to.
func egPatched(since Version, effect string, words ...string) Change {
	return Change{
		Since: since, Kinds: []string{egPatch}, Severity: plan.Warning,
		Cases:  []Case{{{Path: "spec.jsonPatches.*", Contains: words}}},
		Effect: "the generated configuration differs from what it patches: " + effect,
		Undone: "the generated configuration is the older one again, not as follows: " + effect,
		Source: egNotes(since.String() + ".0"),
	}
}
