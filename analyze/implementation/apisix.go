package implementation

// APISIX Ingress Controller, apisix-ingress-controller@d510f665 (2026-11): internal/adc/translator/httproute.go. Expressions are
// conditions of routes for every path, with open ends (translateGatewayHTTPRouteMatch; ~~ of lua-resty-expr), so that any longer path comes
// first. A request that no route of a hostname takes goes on to the wildcards (apisix@f519a0f0 apisix/http/router/radixtree_host_uri.lua,
// create_radixtree_router). That an expression ties with the prefix / is not followed.
var apisix = Implementation{
	Name:         "APISIX Ingress Controller",
	OnlyMatching: true,
	Controllers:  []string{"apisix.apache.org/apisix-ingress-controller"},
	Matching: Matching{
		ServesMisdirected: true, IntersectedHosts: true, FallsThrough: true, SharesHosts: true, SharesSecure: true,
		RegexLast: true, RegexEndsOpen: true, RegexBeginsOpen: true, ValuesOpen: true,
		MissingFilter: Ignores, // fillPluginFromExtensionRef
		Filters: map[string]FilterTypes{ // fillPluginsFromHTTPRouteFilters
			"HTTPRoute": {
				Types: []string{"RequestHeaderModifier", "RequestRedirect", "RequestMirror", "URLRewrite", "ResponseHeaderModifier", "ExtensionRef", "CORS"},
				Other: Ignores,
			},
		},
	},
}
