package implementation

// kgateway, pkg/kgateway and pkg/krtcollections of v2.3-main, from files of several commits
// (0d44b46, 10e1847, 039f945, 677f42f).
var kgateway = Implementation{
	Name:        "kgateway",
	Controllers: []string{"kgateway.dev/kgateway"},
	Classes:     map[string]string{"kgateway": "kgateway.dev/kgateway", "kgateway-waypoint": "kgateway.dev/kgateway"},
	Listeners: Listeners{
		// translator/listener/validation.go: UDP is not supported.
		RouteKinds: map[string][]string{
			"HTTP": {"HTTPRoute", "GRPCRoute"}, "HTTPS": {"HTTPRoute", "GRPCRoute"}, "TCP": {"TCPRoute"},
			"TLS": {"TLSRoute"}, TLSTerminate: {"TLSRoute", "TCPRoute"}, "HBONE": {},
		},
		FirstWins: ByFamily, // translator/listener/validation.go: HTTPS and TLS count as one protocol
		// translator/listener/gateway_listener_translator.go, reportTLSConfigError.
		UnresolvedRejects: true, UnresolvedReason: "Invalid", PartialCertificates: "InvalidCertificateRef",
		ReservedPorts: []string{"9091", "8082", "19000"}, // validate/gateway.go, ListenerPort
		NoOverlaps:    true,
		// translator/sslutils/ssl_utils.go, TLSExtensionOptionFuncs.
		Options: map[string][]string{
			"kgateway.dev/alpn-protocols": nil, "kgateway.dev/cipher-suites": nil, "kgateway.dev/ecdh-curves": nil,
			"kgateway.dev/min-tls-version": versions, "kgateway.dev/max-tls-version": versions,
			"kgateway.dev/verify-subject-alt-names": nil, "kgateway.dev/verify-certificate-hash": nil, "kgateway.dev/signature-algorithms": nil,
		},
		LeastVersion: "kgateway.dev/min-tls-version", MostVersion: "kgateway.dev/max-tls-version", ClientNames: "kgateway.dev/verify-subject-alt-names",
		// translator/sslutils/ssl_utils.go, ValidateTlsSecretData.
		CertificateKeys: []string{"tls.crt", "tls.key"},
	},
	Gateways: Gateways{
		AlwaysResolved:     true,
		AuthorityKinds:     []string{"ConfigMap", "Secret"}, // translator/listener/gateway_listener_translator.go
		UnresolvedNotValid: true,
		AcceptedSuffices:   true,
		Parameters:         []Kind{{"gateway.kgateway.dev", "GatewayParameters"}},
	},
	// internal/kgateway/translator/routeutils/sortable_route.go, routeWrapperLessFunc and lessPath; its
	// listeners drop the hostnames of more specific ones (filterHTTPListenerIsolationHostnames).
	Matching: Matching{
		// pkg/krtcollections/builtin.go, convertfilterIR; grpc_route.go, convertFiltersToHTTP.
		Filters: map[string]FilterTypes{
			"HTTPRoute": {Types: []string{"RequestHeaderModifier", "ResponseHeaderModifier", "RequestMirror", "RequestRedirect", "URLRewrite", "CORS", "ExtensionRef"}, Other: Ignores},
			"GRPCRoute": {Types: []string{"RequestHeaderModifier", "ResponseHeaderModifier", "RequestMirror"}, Other: Ignores},
		},
		MissingAtBackend:  Ignores, // pkg/krtcollections/policy.go, getBackends
		LoneUnweighted:    true,    // translator/irtranslator/route.go, translateRouteAction
		ServesMisdirected: true, IntersectedHosts: true, RegexUnordered: true, GRPCAsPaths: true, SharesHosts: true, IsolatesHosts: true,
		Paths: Paths{ // pkg/kgateway/translator/irtranslator/fc.go, initializeHCM
			Style: EnvoyPaths, MergesSlashes: true, Policy: Kind{"gateway.kgateway.dev", "ListenerPolicy"}, Normalizes: "default.httpSettings.normalizePath",
			Merges: "default.httpSettings.mergeSlashes", Escaped: "default.httpSettings.pathWithEscapedSlashesAction",
		},
	},
	Routes: Routes{
		Delegates:       true,
		LabelDelegation: "delegation.kgateway.dev",
		PlainDelegates:  true,
		InfersParents:   true,
		SilentFilters:   []string{"ExtensionRef", "RequestMirror"}, // pkg/krtcollections/policy.go, resolveExtension; builtin.go, convertMirrorIR
		Replaced:        Replaced{Reason: "RouteRuleReplaced", Gateway: "GatewayReplaced", Listener: "ListenerReplaced", Direct: Kind{"gateway.kgateway.dev", "DirectResponse"}},
		Backends: []Kind{
			{"", "Service"},
			{"inference.networking.k8s.io", "InferencePool"},
			{"gateway.kgateway.dev", "Backend"},
			{"gateway.networking.k8s.io", "HTTPRoute"},
		},
		Extensions:   []Kind{{"gateway.kgateway.dev", "TrafficPolicy"}, {"gateway.kgateway.dev", "DirectResponse"}},
		LoneRule:     []string{"TCPRoute", "TLSRoute"}, // translator/listener/gateway_listener_translator.go, translateTcpFilterChain
		GrantFirst:   true,
		PortNotFound: "BackendNotFound",
		Portless:     []Kind{{"gateway.kgateway.dev", "Backend"}}, // pkg/krtcollections/policy.go, BackendPortNotAllowedError
	},
	Policies: Policies{AlwaysSilent: true, ParentRefAncestors: true, AuthorityKinds: []string{"ConfigMap", "Secret"}},
}

// versions are those of TLS that kgateway takes (translator/sslutils/ssl_utils.go, tlsProtocolMap).
var versions = []string{"1.0", "1.1", "1.2", "1.3"}
