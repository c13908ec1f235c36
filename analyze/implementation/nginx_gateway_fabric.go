package implementation

import "regexp"

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
		// createPortConflictResolver.
		DistinctProtocols: true,
		// state/resolver/secrets.go, validate.
		CertificateType: "kubernetes.io/tls",
		CountsMirrors:   true, // httproute.go, buildHTTPMirrorRoutes
		Alone: &Alone{
			// gateway_listener.go, validateSupportedListenerTLSOption.
			Options: map[string]*regexp.Regexp{
				"nginx.org/ssl-protocols":             regexp.MustCompile(`^\s*(SSLv[23]|TLSv1(\.[123])?)(\s+(SSLv[23]|TLSv1(\.[123])?))*\s*$`),
				"nginx.org/ssl-ciphers":               regexp.MustCompile(`^!?[A-Za-z0-9-+_]+(:!?[A-Za-z0-9-+_]+)*$`),
				"nginx.org/ssl-prefer-server-ciphers": regexp.MustCompile(`^(on|off)$`),
				"nginx.org/ssl-session-cache":         regexp.MustCompile(`^(off|none|[0-9]+[kKmM]?)$`),
				"nginx.org/ssl-session-timeout":       regexp.MustCompile(`^[0-9]{1,4}(ms|s|m|h|d)?$`),
				"nginx.org/ssl-ecdh-curve":            regexp.MustCompile(`^(auto|[A-Za-z0-9_]+(:[A-Za-z0-9_]+)*)$`),
			},
			MetricsPort: "9113", Metrics: []string{"spec", "metrics"},
		},
		KnownKindsOnly: true,
		// gateway_listener.go, applyCertRefErrors.
		UnresolvedRejects: true, PartialCertificates: "InvalidCertificateRef", InvalidBeforeGrant: true,
		PartialAuthorities: true,
	},
	Sets: ListenerSets{PartlyReason: "Accepted"},
	Gateways: Gateways{
		IgnoresListenerRefs: true,
		SecretBeforeGrant:   true,
		// gatewayclass.go, processGatewayClasses; the default of the charts.
		ServedClass:        "nginx",
		InsecureInUse:      true, // gateway_listener.go, createFrontendTLSCaCertReferenceResolver
		KeepsParameters:    true,
		UnresolvedNotValid: true,
		AuthorityKinds:     []string{"ConfigMap", "Secret"},
		AuthorityKeys:      []string{"ca.crt"},
		AuthorityIsPEM:     true, // state/graph/shared/secrets/secrets.go, ValidateCA
		Parameters:         []Kind{{"gateway.nginx.org", "NginxProxy"}},
		// gateway.go, validateGateway and buildGateways.
		Addresses:      []string{"IPAddress"},
		FailsByAddress: true,
	},
	// NGINX chooses the location first, of expressions as "~ ^EXPRESSION" (internal/controller/nginx/config/servers.go, createPath); njs
	// then finds the match (internal/controller/nginx/modules/src/httpmatches.js).
	Matching: Matching{ServesMisdirected: true, IntersectedHosts: true, PathFirst: true, RegexEndsOpen: true, OthersBeginOpen: true, ValuesOpen: true, Paths: Paths{Style: NginxPaths, MergesSlashes: true}},
	Routes: Routes{
		// backend_refs.go, validateBackendRef.
		Backends:   []Kind{{"", "Service"}, {"inference.networking.k8s.io", "InferencePool"}},
		Extensions: []Kind{{"gateway.nginx.org", "SnippetsFilter"}, {"gateway.nginx.org", "AuthenticationFilter"}},
		LastWins:   true,
		// backend_refs.go, validateBackendRef and validateBackendRefHTTPRoute; validateRouteBackendRefAppProtocol.
		BackendsOf: map[Kind][]string{{"inference.networking.k8s.io", "InferencePool"}: {"HTTPRoute"}},
		Protocols: map[string][]string{
			"kubernetes.io/h2c": {"HTTPRoute", "GRPCRoute", "TCPRoute", "UDPRoute"}, "kubernetes.io/ws": {"HTTPRoute", "TCPRoute", "UDPRoute"},
			"kubernetes.io/wss": {"TLSRoute", "TCPRoute", "UDPRoute"},
		},
		ProtocolReason: "UnsupportedProtocol",
		// validateRouteBackendRef; common_filter.go, validateFilterExternalAuth; tlsroute.go, buildTLSRoute.
		BackendFilters: map[string][]string{}, BackendFilterReason: "UnsupportedValue",
		AuthReason: "InvalidFilter", HTTPAuthAlone: true,
		LoneBackend: []string{"TLSRoute"},
		// httproute.go, checkForUnsupportedHTTPFields; grpcroute.go, checkForUnsupportedGRPCFields; route_common.go,
		// validateSessionPersistenceConfig.
		Ignored: map[string][]Ignored{
			"HTTPRoute": {{"name", ""}, {"timeouts", ""}, {"retry", ""}, {"sessionPersistence.type", "Header"}},
			"GRPCRoute": {{"name", ""}, {"sessionPersistence.type", "Header"}},
		},
		IgnoredReason: "UnsupportedField",
		// internal/controller/nginx/config/validation/common.go and http_njs_match.go; state/graph/httproute.go, validateMatch;
		// grpcroute.go, validateGRPCMethodMatch.
		Matches: &Matches{
			Perl: true, PathsAlone: true, PathWithout: "{};", Reserved: "/_ngf-internal",
			Refused: []string{"CONNECT", "TRACE"}, WholeMethods: true, Filled: true, PlainNames: true, NoDollar: true,
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
		InvalidSet:      "InvalidListenerSet",
		FirstTells:      true,
		NoHTTP2:         []string{"spec", "disableHTTP2"}, NoHTTP2Reason: "UnsupportedConfiguration",
		NoPort:       "UnsupportedValue",
		PortNotFound: "BackendNotFound",
		ExternalName: "UnsupportedValue",
		NameResolver: []string{"spec", "dnsResolver"},
		// backend_refs.go, validateBackendRef; gateway_listener.go, validateObjectRefKindAndGroup; backend_tls_policy.go,
		// validateBackendTLSCACertRef.
		CoreGroups: []string{"core"},
		// backend_tls_policy.go and backend_refs.go, createBackendRef; extension_ref_filter.go.
		BackendTLS:        BackendTLS{Reason: "UnsupportedValue"},
		ExtensionNotFound: "InvalidFilter",
	},
	// policies.go, processPolicies.
	Policies: Policies{AlwaysSilent: true, DeclaredAncestors: true, NamedAncestors: true, ResolvedWithRefs: true, OnlyValidRoutes: true, AuthorityKinds: []string{"ConfigMap", "Secret"}},
}
