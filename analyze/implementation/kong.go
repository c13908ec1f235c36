package implementation

// Kong Ingress Controller with the expressions router, kubernetes-ingress-controller@1fa68f86 (2026-11):
// internal/dataplane/translator/subtranslator/httproute_atc.go, compareSplitHTTPRouteMatchesRelativePriority;
// atc_utils.go, the priorities of kinds; route_utils.go, filterHostnames. The router traditional_compatible orders
// matches in another way, which is not followed. Expressions are those of Rust, with the end of a path open and both ends of a value.
var kong = Implementation{
	Name:         "Kong Ingress Controller",
	Proxies:      Proxies{None: true},
	OnlyMatching: true,
	Controllers:  []string{"konghq.com/kic-gateway-controller"},
	// internal/controllers/gateway/backendtlspolicy_utils.go, validateBackendTLSPolicy; backendtlspolicy_controller.go, Reconcile,
	// deletes what is not accepted.
	Policies: Policies{IgnoresUnusable: true, OneAuthorityFails: true, AuthorityKinds: []string{"ConfigMap", "Secret"}},
	Matching: Matching{
		ServesMisdirected: true, IntersectedHosts: true, PathAsWritten: true, FallsThrough: true, SharesHosts: true, SharesSecure: true, HTTPAlways: true,
		RegexEndsOpen: true, ValuesOpen: true,
		Paths: Paths{Style: KongPaths, MergesSlashes: true},
		// internal/dataplane/kongstate/kongstate.go, buildPlugins: a missing KongPlugin is an event.
		MissingFilter: Ignores,
		AlikeServices: "konghq.com/", // translator/ingressrules.go, collectInconsistentAnnotations
		// subtranslator/httproute.go, generatePluginsFromHTTPRouteFilters: the service of the rule is not translated;
		// grpcroute.go reads no filters.
		Filters: map[string]FilterTypes{
			"HTTPRoute": {Types: []string{"RequestHeaderModifier", "RequestRedirect", "ResponseHeaderModifier", "ExtensionRef", "URLRewrite"}, Other: LeavesOut},
			"GRPCRoute": {Other: Ignores},
		},
	},
}
