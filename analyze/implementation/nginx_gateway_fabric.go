package implementation

// NGINX Gateway Fabric, internal/controller/state/graph@e55bfe33 (2026-08-20).
var nginxGatewayFabric = Implementation{
	Name:        "NGINX Gateway Fabric",
	Controllers: []string{"gateway.nginx.org/nginx-gateway-controller"},
	Listeners: Listeners{
		// gateway_listener.go, getListenerSupportedKinds.
		RouteKinds: map[string][]string{
			"HTTP": {"HTTPRoute", "GRPCRoute"}, "HTTPS": {"HTTPRoute", "GRPCRoute"},
			"TLS": {"TLSRoute"}, TLSTerminate: {"TLSRoute"}, "TCP": {"TCPRoute"}, "UDP": {"UDPRoute"},
		},
		InvalidAside: true,
		// gateway_listener.go, applyCertRefErrors.
		UnresolvedRejects: true, PartialCertificates: "InvalidCertificateRef", InvalidBeforeGrant: true,
		PartialAuthorities: true,
	},
	Sets: ListenerSets{PartlyReason: "Accepted"},
	Gateways: Gateways{
		IgnoresListenerRefs: true,
		SecretBeforeGrant:   true,
		// A class with bad parameters stays accepted (conditions.go).
		IgnoresParameters:  true,
		UnresolvedNotValid: true,
		AuthorityKinds:     []string{"ConfigMap", "Secret"},
		AuthorityKeys:      []string{"ca.crt"},
		AuthorityIsPEM:     true, // state/graph/shared/secrets/secrets.go, ValidateCA
		Parameters:         []Kind{{"gateway.nginx.org", "NginxProxy"}},
		// gateway.go, validateGateway and buildGateways.
		Addresses:      []string{"IPAddress"},
		FailsByAddress: true,
	},
	// NGINX chooses the location first; njs then finds the match (internal/controller/nginx/modules/src/httpmatches.js).
	Matching: Matching{ServesMisdirected: true, IntersectedHosts: true, PathFirst: true, Paths: Paths{Style: NginxPaths, MergesSlashes: true}},
	Routes: Routes{
		// backend_refs.go, validateBackendRef.
		Backends:   []Kind{{"", "Service"}, {"inference.networking.k8s.io", "InferencePool"}},
		Extensions: []Kind{{"gateway.nginx.org", "SnippetsFilter"}, {"gateway.nginx.org", "AuthenticationFilter"}},
		LastWins:   true,
		// internal/controller/nginx/config/validation/common.go and http_njs_match.go; state/graph/httproute.go, validateMatch;
		// grpcroute.go, validateGRPCMethodMatch.
		Matches: &Matches{
			Perl: true, PathWithout: "{};", Reserved: "/_ngf-internal",
			Refused: []string{"CONNECT", "TRACE"}, WholeMethods: true, Filled: true, PlainNames: true,
		},
		// common.go, validateHeaderName; state/graph/common_filter.go, validateResponseHeaders.
		Headers: &Headers{
			Fixed:            []string{"host", "connection", "upgrade"},
			FixedInResponses: []string{"server", "date", "x-pad", "content-type", "content-length", "x-accel*"},
		},
		// state/graph/common_filter.go, processRouteRuleFilters.
		SingleFilters: []Kind{{"gateway.nginx.org", "AuthenticationFilter"}},
		// route_common.go, buildSectionNameRefs and bindL7RouteToListeners.
		InvalidListener: "InvalidListener",
		NoPort:          "UnsupportedValue",
		PortNotFound:    "BackendNotFound",
		ExternalName:    "UnsupportedValue",
		NameResolver:    []string{"spec", "dnsResolver"},
		// backend_tls_policy.go and backend_refs.go, createBackendRef; extension_ref_filter.go.
		BackendTLS:        BackendTLS{Reason: "UnsupportedValue"},
		ExtensionNotFound: "InvalidFilter",
	},
	Policies: Policies{AlwaysSilent: true, DeclaredAncestors: true, OnlyValidRoutes: true, AuthorityKinds: []string{"ConfigMap", "Secret"}},
}
