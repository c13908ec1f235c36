package implementation

// Traefik, traefik@fd5a576d (2026-11): pkg/provider/kubernetes/gateway/httproute.go, buildMatchRule and buildPathRule;
// grpcroute.go; pkg/muxer/http/mux.go, Less; matcher.go, pathRegexp. An entry point serves all Gateways with its port,
// which is not followed.
var traefik = Implementation{
	Name:         "Traefik",
	Proxies:      Proxies{None: true},
	OnlyMatching: true,
	Controllers:  []string{"traefik.io/gateway-controller"},
	// httproute.go, loadHTTPRoute: only backends change the condition.
	Routes: Routes{SilentFilters: []string{"RequestHeaderModifier", "ResponseHeaderModifier", "RequestRedirect", "RequestMirror", "URLRewrite", "CORS", "ExternalAuth", "ExtensionRef"}},
	Matching: Matching{
		ServesMisdirected: true, IntersectedHosts: true, PathAsWritten: true, FallsThrough: true, SharesHosts: true, SharesSecure: true, Scores: true,
		// httproute.go, loadMiddlewares; grpcroute.go, loadGRPCMiddlewares.
		Filters: map[string]FilterTypes{
			"HTTPRoute": {Types: []string{"RequestRedirect", "RequestHeaderModifier", "ResponseHeaderModifier", "ExtensionRef", "URLRewrite", "CORS"}},
			"GRPCRoute": {Types: []string{"RequestHeaderModifier", "ExtensionRef"}},
		},
		// pkg/server/router/router.go, buildEntryPointHandler: a router whose middlewares or service cannot be built is left out.
		MissingFilter: LeavesOut,
		Built:         []Kind{{"traefik.io", "Middleware"}, {"traefik.io", "TraefikService"}},
		TiesUnknown:   true, RegexEndsOpen: true, RegexBeginsOpen: true, ValuesOpen: true,
		Paths: Paths{Style: TraefikPaths, MergesSlashes: true}, // since 3.4.1, as long as no entry point turns it off
	},
}
