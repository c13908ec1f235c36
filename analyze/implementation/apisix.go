package implementation

// APISIX Ingress Controller, apisix-ingress-controller@d510f665 (2026-11): internal/adc/translator/httproute.go. This describes
// only its filters; routes are ordered as in the specification.
var apisix = Implementation{
	Name:         "APISIX Ingress Controller",
	OnlyMatching: true,
	Controllers:  []string{"apisix.apache.org/apisix-ingress-controller"},
	Matching: Matching{
		ServesMisdirected: true, IntersectedHosts: true,
		MissingFilter: Ignores, // fillPluginFromExtensionRef
		Filters: map[string]FilterTypes{ // fillPluginsFromHTTPRouteFilters
			"HTTPRoute": {
				Types: []string{"RequestHeaderModifier", "RequestRedirect", "RequestMirror", "URLRewrite", "ResponseHeaderModifier", "ExtensionRef", "CORS"},
				Other: Ignores,
			},
		},
	},
}
