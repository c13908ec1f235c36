package implementation

// Gloo Gateway 1.x, projects/gateway2@8d57572e (2026-08-07). This describes only the delegation
// between its routes and the order of matches. Everything else follows the specification.
var gloo = Implementation{
	Name:        "gloo",
	Controllers: []string{"solo.io/gloo-gateway"},
	Classes:     map[string]string{"gloo-gateway": "solo.io/gloo-gateway"},
	Matching: Matching{
		ServesMisdirected: true, IntersectedHosts: true,
		// translator/httproute/gateway_http_route_translator.go: the error of a plugin is logged, and the route keeps its action.
		MissingFilter: Ignores,
		Paths: Paths{ // projects/gloo/pkg/plugins/hcm/plugin.go
			Style: EnvoyPaths, Policy: Kind{"gateway.solo.io", "HttpListenerOption"}, Normalizes: "httpConnectionManagerSettings.normalizePath",
			Merges: "httpConnectionManagerSettings.mergeSlashes", Escaped: "httpConnectionManagerSettings.pathWithEscapedSlashesAction",
		},
	},
	Routes: Routes{
		Delegates:       true,
		LabelDelegation: "delegation.gateway.solo.io",
		PlainDelegates:  true,
	},
}
