package implementation

// Istio, pilot/pkg/config/kube/{gateway,gatewaycommon}@86c9f01f (2026-08-22).
var istio = Implementation{
	Name: "Istio",
	Controllers: []string{
		"istio.io/gateway-controller", "istio.io/mesh-controller", "istio.io/unmanaged-gateway", "istio.io/eastwest-controller",
	},
	// Istio makes these GatewayClasses itself (gatewaycommon/classinfo.go).
	Classes: map[string]string{
		"istio": "istio.io/gateway-controller", "istio-remote": "istio.io/unmanaged-gateway",
		"istio-waypoint": "istio.io/mesh-controller", "istio-east-west": "istio.io/eastwest-controller",
	},
	PodLabel: "gateway.istio.io/managed=istio.io-gateway-controller", // manifests, files/kube-gateway.yaml
	// Routes of the mesh also have the controllerName of the gateway controller (conditions.go).
	MeshController: "istio.io/gateway-controller",
	Listeners: Listeners{
		SelectorOptional: true,
		// gatewaycommon/conversion.go, generateSupportedKinds. UDP is not supported.
		RouteKinds: map[string][]string{
			"HTTP": {"HTTPRoute", "GRPCRoute"}, "HTTPS": {"HTTPRoute", "GRPCRoute"}, "TCP": {"TCPRoute"},
			"TLS": {"TLSRoute"}, TLSTerminate: {"TLSRoute", "TCPRoute"}, "HBONE": {},
		},
		FirstWins:  ByHostname,
		NoOverlaps: true,
		// gatewaycommon/conversion.go, ReportListenerConflict.
		ConflictsAlone: true,
		// gateway/gateway_collection.go, GatewayListenerConflictCollection (SupportsListenerSet) and
		// GatewayCollection.
		Unconflicted: []string{"istio.io/mesh-controller", "istio.io/eastwest-controller", "istio.io/unmanaged-gateway"},
		Internal:     map[string]string{"istio.io/eastwest-controller": "15008"},
		// gateway/conversion.go, buildListener, unexpectedWaypointListener and
		// unexpectedEastWestWaypointListener; listenerProtocolToIstio.
		Reserved: map[string][]Reservation{
			"istio.io/mesh-controller":     {{Protocol: "HBONE", Port: 15008}},
			"istio.io/eastwest-controller": {{Protocol: "HBONE", Port: 15008, Mode: "Terminate"}, {Protocol: "TLS", Mode: "Passthrough"}},
		},
		Exclusive: []string{"HBONE"},
		// gatewaycommon/conversion.go, GenerateGatewaySupportedKinds and ReportListenerCondition.
		StrictKinds:     true,
		RouteKindsFirst: true,
		// gateway/conversion.go, buildTLS.
		MaxAuthorities: 1, AuthoritiesForTLS: true, OptionsReplaceAuthorities: true, AuthoritiesBySet: true,
		CertificatesFirst: true, AuthoritiesWithCertificates: true,
		GrantBeforeKind:        true,
		CertificatePairs:       [][2]string{{"cert", "key"}, {"tls.crt", "tls.key"}}, // pilot/pkg/credentials/kube/secrets.go, ExtractCertInfo
		MaxCertificates:        2,
		OneCertificateSuffices: true,
		CertificateOptions:     map[string][]string{"gateway.istio.io/tls-terminate-mode": {"ISTIO_SIMPLE", "ISTIO_MUTUAL"}},
		// conversion.go, buildListener: every error except a bad certificate counts as an error
		// of authorities.
		NotPermittedRejects: true,
	},
	Sets: ListenerSets{
		Controllers:   []string{"istio.io/gateway-controller"},
		PartlyReason:  "Accepted",
		WithoutTLS:    "UnsupportedProtocol",
		ParentReasons: []string{"UnsupportedAddress"},
	},
	Gateways: Gateways{
		IgnoresListenerRefs: true,
		SecretBeforeGrant:   true,
		HiddenUnaddressed:   true,
		AuthorityKinds:      []string{"ConfigMap", "Secret"},
		GrantSuffix:         "-cacert",                    // gateway/conversion.go, caCertificateResourceName and SecretAllowed
		AuthorityKeys:       []string{"ca.crt", "cacert"}, // pilot/pkg/credentials/kube/secrets.go, ExtractRoot
		AuthorityIsPEM:      true,                         // gateway/conversion.go, buildCaCertificateReference
		UnresolvedNotValid:  true,
		AlwaysResolved:      true,
		IgnoresParameters:   true,
		// gateway/gateway_collection.go, GatewayCollection (DisableRouteGeneration).
		Unlisted: []string{"istio.io/unmanaged-gateway"},
		// gatewaycommon/gateway_utils.go, IsManaged: several addresses, or a single one that is
		// no IP address, name Services by hostname.
		Addresses:      []string{"Hostname"},
		AloneAddresses: []string{"IPAddress"},
	},
	// conversion.go, sortHTTPRoutes, createGRPCURIMatch and hostnameAllowedByIsolation.
	Proxies: Proxies{Elsewhere: true}, // pilot/pkg/config/kube/gateway/conversion.go, IsManaged
	Matching: Matching{
		ServesMisdirected: true, IntersectedHosts: true, RegexLast: true, GRPCAsPaths: true, SharesHosts: true, IsolatesHosts: true,
		Paths: Paths{Style: EnvoyPaths}, // pilot/pkg/networking/core/listener_builder.go, with the default of meshConfig.pathNormalization
	},
	Routes: Routes{
		HostnameFirst: true,
		Controller:    "istio.io/gateway-controller", // conditions.go, createRouteStatus
		NeedsListener: true,
		Silent:        true,
		Frontends:     []Kind{{"networking.istio.io", "ServiceEntry"}},
		Backends: []Kind{
			{"", "Service"},
			{"multicluster.x-k8s.io", "ServiceImport"},
			{"inference.networking.k8s.io", "InferencePool"},
			{"gateway.networking.x-k8s.io", "XBackend"},
			{"networking.istio.io", "Hostname"},
		},
		Hosts: []Kind{{"networking.istio.io", "Hostname"}},
		Filters: map[string][]string{
			"HTTPRoute": {"RequestHeaderModifier", "ResponseHeaderModifier", "RequestRedirect", "RequestMirror", "URLRewrite", "CORS"},
			"GRPCRoute": {"RequestHeaderModifier", "ResponseHeaderModifier", "RequestMirror"},
		},
		FilterReason: "InvalidFilter",
		// gateway/conversion.go, buildHTTPDestination, buildGRPCDestination, convertHTTPRoute and
		// convertGRPCRoute.
		BackendFilters: map[string][]string{
			"HTTPRoute": {"RequestHeaderModifier", "ResponseHeaderModifier"},
			"GRPCRoute": {"RequestHeaderModifier", "ResponseHeaderModifier"},
		},
		MirrorsEnd: []string{"GRPCRoute"},
		// gateway/gateway_collection.go: waypoints do not convert routes.
		Unrouted:   []string{"istio.io/mesh-controller", "istio.io/unmanaged-gateway"},
		Unreported: []string{"UDPRoute"},
		// gateway/conversion.go, waypointManagedByAnotherController.
		Waypoints: []string{"istio.io/mesh-controller", "istio.io/gateway-controller"},
		// gateway/conversion.go, buildDestination.
		HardReasons: []string{"InvalidDestination", "InvalidFilter"},
		Means:       map[Kind]Kind{{"multicluster.x-k8s.io", "ServiceImport"}: {"", "Service"}},
		Ungrantable: []Kind{{"multicluster.x-k8s.io", "ServiceImport"}},
		KnownHosts:  true,
		// serviceregistry/serviceentry/gateway.go, backendToServiceEntry.
		ExternalBackends: true,
		DottedName:       "InvalidDestination",
		DottedPools:      true, // buildDestination
		NamespacedHost:   "InvalidDestination",
		GrantFirst:       true,
		SkipsUnweighted:  true,
		LastWins:         true,
		NoPort:           "InvalidDestination",
		AnyFrontendPort:  true,
		MissingFrontend:  "NoMatchingParent",
	},
	// gateway/backend_policies.go, BackendTLSPolicyCollection, BackendTrafficPolicyCollection,
	// BackendResourcePolicyCollection and getBackendTLSCredentialName; route_collections.go,
	// extractAncestorBackends.
	Policies: Policies{
		AncestorController: "istio.io/mesh-controller",
		Targets: map[string][]Kind{
			"BackendTLSPolicy":      {{"", "Service"}, {"networking.istio.io", "ServiceEntry"}},
			"XBackendTrafficPolicy": {{"", "Service"}},
		},
		GatewaysOf: []string{"BackendTLSPolicy"}, NoConflicts: []string{"XBackendTrafficPolicy"},
		IgnoreAnnotation: "istio.io/ignore-policy-attachment", IgnoredReason: "IgnoredByIstio",
		FirstAuthority: true, UnreadAuthority: true, NoOwnValues: true, Backends: true,
		// gatewaycommon/references.go, ReferenceSet.internal.
		ReferableKinds: []Kind{{"", "Secret"}, {"", "Service"}, {"networking.istio.io", "ServiceEntry"}},
	},
}
