package implementation

// Envoy Gateway, internal/gatewayapi@d32f2829 (2026-08-21).
var envoyGateway = Implementation{
	Name:        "Envoy Gateway",
	Controllers: []string{"gateway.envoyproxy.io/gatewayclass-controller"},
	// internal/gatewayapi/helpers.go, GatewayOwnerLabels; internal/infrastructure/kubernetes: beside the
	// controller, or in the namespace of the Gateway in the mode GatewayNamespace.
	Proxies: Proxies{
		Namespace: "envoy-gateway-system", Charts: []string{"gateway-helm", "envoy-gateway"},
		InGateway: []string{"config", "envoyGateway", "provider", "kubernetes", "deploy", "type"},
		NameLabel: "gateway.envoyproxy.io/owning-gateway-name", NamespaceLabel: "gateway.envoyproxy.io/owning-gateway-namespace",
	},
	Listeners: Listeners{
		// listener.go, allowedRouteKindsForProtocol.
		RouteKinds: map[string][]string{
			"HTTP": {"HTTPRoute", "GRPCRoute"}, "HTTPS": {"HTTPRoute", "GRPCRoute"},
			"TLS": {"TLSRoute"}, TLSTerminate: {"TCPRoute", "TLSRoute"}, "TCP": {"TCPRoute"}, "UDP": {"UDPRoute"},
		},
		CertificateType:    "kubernetes.io/tls", // validate.go, validateTerminateModeAndGetTLSSecrets
		LayerFourFirstWins: true,
		SetSpoilsHost:      true, // validate.go, validateConflictedHostnameListeners
		InvalidAside:       true,
		KnownKindsOnly:     true, // listener.go, validateListenerSpec
		// listener.go, checkOverlappingHostnames and hostnameMatchesWithOther.
		OverlapsValid:       true,
		PartialCertificates: "PartiallyInvalidCertificateRef",
		InvalidBeforeGrant:  true,
		// internal/provider/kubernetes/controller.go, processSecretRef.
		GrantsWithSecrets: true,
		OneAuthorityFails: true,
		ValidUnresolved:   []string{"InvalidCertificateRef", "PartiallyInvalidCertificateRef"},
		SilentlyRejects:   true,
		CountsReferences:  true,
	},
	// listenerset.go, processListenerSet: the ListenerSets of a Gateway that is not translated are
	// not looked at, and what was accepted stays so.
	Sets: ListenerSets{ParentReasons: []string{}},
	Gateways: Gateways{
		IgnoresListenerRefs: true,
		// translator.go, GetRelevantGateways (failedGateways).
		FailsWhole: true,
		// listener.go, ProcessGatewayTLS.
		SumsAuthorities:     true,
		Addresses:           []string{"IPAddress", "Hostname"},
		AuthorityKinds:      []string{"ConfigMap", "Secret", "ClusterTrustBundle"},
		Parameters:          []Kind{{"gateway.envoyproxy.io", "EnvoyProxy"}},
		ReadsTelemetry:      true,
		Merges:              []string{"spec", "mergeGateways"},
		ParametersNamespace: "default",
	},
	// sort.go, XdsIRRoutes.Less; translator.go, which sorts HTTPRoutes before GRPCRoutes;
	// internal/xds/translator/translator.go, addRouteToRouteConfig: the virtual hosts of all HTTP listeners of a port
	// are in one route configuration.
	Matching: Matching{
		ServesMisdirected: true, PathAsWritten: true, MethodIsHeader: true, ExactFirst: true, GRPCAsPaths: true, SuffixMethods: true, SharesHosts: true, HTTPFirst: true,
		IntersectedHosts: true,
		MatchFilter:      Kind{"gateway.envoyproxy.io", "HTTPRouteFilter"}, Preflights: true,
		Preserves: []string{"spec", "preserveRouteOrder"},
		Paths: Paths{ // internal/xds/translator/listener.go; internal/gatewayapi/listener.go and clienttrafficpolicy.go, translatePathSettings
			Style: EnvoyPaths, MergesSlashes: true, Slashes: RedirectSlashes, Policy: Kind{"gateway.envoyproxy.io", "ClientTrafficPolicy"},
			Separates: "path.disableMergeSlashes", Escaped: "path.escapedSlashesAction",
		},
	},
	Routes: Routes{
		Backends: []Kind{
			{"", "Service"}, {"multicluster.x-k8s.io", "ServiceImport"}, {"gateway.envoyproxy.io", "Backend"},
		},
		// helpers.go, ValidateHTTPRouteFilter and ValidateGRPCRouteFilter; filters.go, processInvalidHTTPFilter; route.go,
		// processHTTPRouteParentRefs; validate.go, validateBackendRefFilters.
		Filters: map[string][]string{
			"HTTPRoute": {"RequestHeaderModifier", "ResponseHeaderModifier", "RequestRedirect", "RequestMirror", "URLRewrite", "CORS", "ExtensionRef"},
			"GRPCRoute": {"RequestHeaderModifier", "ResponseHeaderModifier", "RequestMirror", "ExtensionRef"},
		},
		FilterReason: "UnsupportedValue", FilterDropsRule: true, FiltersTogether: true, DroppedTells: true,
		DroppedFirst: []string{"GRPCRoute"}, // route.go, processGRPCRouteParentRefs
		Matches:      &Matches{},            // internal/utils/regex, Validate
		BackendFilters: map[string][]string{
			"HTTPRoute": {"RequestHeaderModifier", "ResponseHeaderModifier", "URLRewrite", "ExtensionRef"},
			"GRPCRoute": {"RequestHeaderModifier", "ResponseHeaderModifier"},
		},
		BackendFilterReason: "UnsupportedRefValue", BackendHostAlone: true,
		// internal/provider/kubernetes/routes.go, processGRPCRouteFilter; controller.go, the callers of processBackendRef.
		UnreadMirrors: []string{"GRPCRoute"},
		BackendReaders: []Kind{
			{"gateway.envoyproxy.io", "SecurityPolicy"}, {"gateway.envoyproxy.io", "EnvoyExtensionPolicy"}, {"gateway.envoyproxy.io", "EnvoyProxy"},
		},
		Isolates:          true,
		OneRule:           []string{"TCPRoute", "UDPRoute"},
		Silent:            true,
		KindAlone:         true,
		JoinsReasons:      true,
		ExtensionNotFound: "UnsupportedValue",
		Extensions:        []Kind{{"gateway.envoyproxy.io", "HTTPRouteFilter"}},
		Extensible:        true,
		NoPort:            "PortNotSpecified",
		PortNotFound:      "PortNotFound",
		Ported:            []Kind{{"multicluster.x-k8s.io", "ServiceImport"}}, // validate.go, validateBackendServiceImport
		PortProtocols:     true,
		ExternalName:      "UnsupportedValue",
		BackendTLS: BackendTLS{
			Reason: "InvalidBackendTLS", Kind: Kind{"gateway.envoyproxy.io", "Backend"},
			Authorities: "tls.caCertificateRefs", Client: "tls.clientCertificateRef",
		},
	},
	Policies: Policies{
		Silent: true,
		// ext_service.go: the ancestor is the policy that refers to the backend, not its
		// Gateway.
		ReferrerAncestors: true,
		AuthorityKinds:    []string{"ConfigMap", "Secret", "ClusterTrustBundle"},
		AuthoritiesByKind: true, // backendtlspolicy.go, getCaCertsFromCARefs
		SectionAncestors:  true,
	},
}
