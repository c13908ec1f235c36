package implementation

// agentgateway, controller/pkg/agentgateway@75b4e6ce (2026-08-21).
var agentgateway = Implementation{
	Name:        "agentgateway",
	Controllers: []string{"agentgateway.dev/agentgateway"},
	Classes:     map[string]string{"agentgateway": "agentgateway.dev/agentgateway"},
	Signs:       []Kind{{"agentgateway.dev", "AgentgatewayPolicy"}, {"agentgateway.dev", "AgentgatewayBackend"}},
	Listeners: Listeners{
		SelectorOptional: true,
		// translator/conditions.go, generateSupportedKinds.
		RouteKinds: map[string][]string{
			"HTTP": {"HTTPRoute", "GRPCRoute"}, "HTTPS": {"HTTPRoute", "GRPCRoute"}, "TCP": {"TCPRoute"},
			"TLS": {"TLSRoute"}, TLSTerminate: {"TLSRoute", "TCPRoute"}, "HBONE": {},
		},
		// translator/conditions.go, GenerateSupportedKinds.
		OwnKinds:  []Kind{{"agentgateway.dev", "AgentgatewayModel"}},
		KindsOnce: true,
		// translator/conversion.go, BuildListener, buildTLS and resolveGatewayBackendTLS.
		ProgramsInvalid: true, NeedsCertificate: true, ClientCertificate: true, PartialAuthorities: true,
		AuthoritiesForTLS: true, OptionsReplaceAuthorities: true, AuthoritiesBySet: true,
		// api/annotations, ParseInternalPorts; translator/gateway_collection.go, validateListenerConflicts.
		Modes: "agentgateway.dev/internal-ports", ModeConflict: "BindModeConflict",
		// translator/gateway_collection.go: the first listener of a port fixes its protocol. The
		// controller never reports a conflict between a Gateway's own listeners.
		FirstWins:         ByProtocol,
		OwnConflictsAside: true,
		// translator/conversion.go, buildHostnameMatch; pkg/syncer/syncer.go, buildFinalListenerSetStatus.
		HostnamesByNamespace: true,
		InvalidUnreported:    true,
		NoOverlaps:           true,
		// translator/conversion.go, buildSecretReference.
		CertificateKeys: []string{"tls.crt", "tls.key"},
		// translator/conversion.go, BuildListener; translator/conditions.go, reportListenerCondition.
		CertificatesFirst: true,
		RouteKindsFirst:   true,
		// translator/conversion.go, buildTLS.
		MaxCertificates:   1,
		SecretBeforeGrant: true,
		CertificateOptions: map[string][]string{
			"gateway.istio.io/tls-terminate-mode": {"ISTIO_SIMPLE", "ISTIO_MUTUAL"}, "agentgateway.dev/tls-certificate-source": {"SPIFFE"},
		},
		Refusals: []Refusal{
			{"agentgateway.dev/tls-certificate-source", "SPIFFE", "gateway.istio.io/tls-terminate-mode", "InvalidCertificateRef"},
			{"agentgateway.dev/tls-certificate-source", "SPIFFE", WithAuthorities, "InvalidCACertificateRef"},
			{"agentgateway.dev/tls-certificate-source", "SPIFFE", WithCertificates, "InvalidCertificateRef"},
			{"agentgateway.dev/tls-certificate-source", "DYNAMIC_CA", WithAuthorities, "InvalidCACertificateRef"},
		},
	},
	Sets: ListenerSets{
		// translator/gateway_collection.go, GatewayTransformationFunc: creation times are not filled in.
		ByName:           true,
		UnresolvedReason: "ListenersNotValid",
		ParentReasons:    []string{},
	},
	Gateways: Gateways{
		IgnoresListenerRefs: true,
		// reports/status.go, BuildGWStatus.
		ResolvedWithBackend: true,
		// translator/conversion.go, ExtractGatewayServices; reports/status.go, handleInvalidAddresses.
		BlankUnaddressed:   true,
		AuthorityKinds:     []string{"ConfigMap", "Secret"},
		AuthorityKeys:      []string{"ca.crt"},
		AuthorityIsPEM:     true, // cacert/ca.go, Resolve
		SecretBeforeGrant:  true,
		UnresolvedNotValid: true,
		AcceptedSuffices:   true,
		Parameters:         []Kind{{"agentgateway.dev", "AgentgatewayParameters"}},
		Addresses:          []string{"IPAddress", "Hostname"},
	},
	// crates/agentgateway/src/types/agent.rs, compare_route; src/http/route.rs, select_best_route. The key of
	// a route is its namespace and name (controller/pkg/utils, InternalRouteRuleKey).
	Matching: Matching{
		ServesMisdirected: true, RegexByLength: true, GRPCAsPaths: true, FallsThrough: true, TiesByName: true,
		Paths: Paths{Style: LiteralPaths}, // crates/agentgateway/src/http/route.rs, matches_request
	},
	Routes: Routes{
		HostnameFirst: true,
		Silent:        true,
		Delegates:     true,
		// translator/route_collections.go, childAllowsParent.
		GrantedDelegates: true,
		// translator/route_collections.go, buildHTTPRouteGroupBindings and setDelegatedRouteParentStatus.
		TakenDelegates: true,
		Backends: []Kind{
			{"", "Service"},
			{"inference.networking.k8s.io", "InferencePool"},
			{"agentgateway.dev", "AgentgatewayBackend"},
			{"agentgateway.dev", "AgentgatewayModel"},
			{"gateway.networking.k8s.io", "HTTPRoute"},
		},
		Hosts: []Kind{{"agentgateway.dev", "AgentgatewayModel"}},
		// Any error in a route appears in ResolvedRefs (translator/conversion.go).
		Filters: map[string][]string{
			"HTTPRoute": {
				"RequestHeaderModifier", "ResponseHeaderModifier", "RequestRedirect", "RequestMirror", "URLRewrite", "CORS", "ExternalAuth",
			},
			// translator/agw.go, BuildAgwGRPCTrafficPolicies.
			"GRPCRoute": {"RequestHeaderModifier", "ResponseHeaderModifier", "RequestMirror"},
		},
		// translator/conversion.go, BuildAgwBackendPolicyFilters and buildAgwHTTPDestination;
		// plugins/reference_indexes.go, DefaultRouteBackend.
		BackendFilters: map[string][]string{
			"HTTPRoute": {"RequestHeaderModifier", "ResponseHeaderModifier", "RequestRedirect", "RequestMirror"},
			"GRPCRoute": {"RequestHeaderModifier", "ResponseHeaderModifier", "RequestRedirect", "RequestMirror"},
		},
		BackendError: "BackendError",
		DottedName:   "UnsupportedValue",
		DottedPools:  true,
		// translator/route_collections.go: there are no UDPRoutes, RouteParents.ParentsFor knows no Services, and
		// ProcessParentReferences gives each parent one verdict.
		Unreported: []string{"UDPRoute"}, NoMesh: true, SharesVerdict: true,
		FilterReason: "IncompatibleFilters",
		GrantFirst:   true,
		// plugins/reference_indexes.go, KnownToReferences.
		Ungrantable: []Kind{{"inference.networking.k8s.io", "InferencePool"}},
		// translator/route_collections.go, computeRoute.
		FiltersFirst: true,
		LastWins:     true,
		HardReasons:  []string{"UnsupportedValue"}, // translator/conversion.go, isInvalidBackend
		NoPort:       "UnsupportedValue",
	},
	Policies: Policies{
		Silent:         true,
		AuthorityKinds: []string{"ConfigMap"},
		// plugins/backend_tls_plugin.go, getBackendTLSCACert.
		OneAuthorityFails: true, NoOwnValues: true, UnknownValue: "NoValidCACertificate",
		GatewayAncestors: true,
		StandIn:          Kind{"agentgateway.dev", "StatusSummary"},
		// plugins/inference_plugin.go, translatePoliciesForInferencePool.
		Pools:              true,
		AncestorController: "agentgateway.dev/agentgateway",
	},
}
