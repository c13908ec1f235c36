package protection

import (
	"sync"

	"github.com/gwplan/gwplan/analyze/catalogue"
)

// rowsOfKinds are the protecting fields of objects that are no policies, by group and kind.
var rowsOfKinds = map[[2]string]func() []catalogue.Protection{
	{"gateway.envoyproxy.io", "Backend"}:        envoyBackendRows,
	{"agentgateway.dev", "AgentgatewayBackend"}: agentgatewayBackendRows,
	{"policy.linkerd.io", "Server"}:             serverRows,
	{"", "Service"}:                             serviceRows,
}

// serviceRows are the rows for a Service behind a route: those that reach it from outside pass by the Gateway (Kubernetes,
// ServiceType).
var serviceRows = sync.OnceValue(func() []catalogue.Protection {
	return catalogue.Nested([]catalogue.Protection{
		{Path: "type", What: Exposure, Loosens: catalogue.Lower, Order: []string{"LoadBalancer", "NodePort", "ClusterIP"}, Unset: []string{"=ClusterIP"}, None: "ClusterIP", Bare: true},
	})
})

// serverRows are the rows for a Server of Linkerd, whose accessPolicy admits those whom no policy does (Linkerd
// policy-controller/k8s/api/src/policy/server.rs; Linkerd, Authorization Policy reference).
var serverRows = sync.OnceValue(func() []catalogue.Protection {
	return catalogue.Nested([]catalogue.Protection{
		{Path: "accessPolicy", What: Authorisation, Loosens: catalogue.Lower, Unset: []string{"=deny"}, None: "deny", Bare: true, Order: []string{
			"audit", "all-unauthenticated", "cluster-unauthenticated", "all-authenticated", "cluster-authenticated", "deny",
		}},
	})
})

// envoyBackendRows are the rows for a backend that defines its own connection (Envoy Gateway
// api/v1alpha1/backend_types.go, BackendTLSSettings).
var envoyBackendRows = sync.OnceValue(func() []catalogue.Protection {
	return catalogue.Nested([]catalogue.Protection{
		// A DynamicResolver connects to the host that the client names.
		{Path: "type", What: Exposure, Loosens: catalogue.Lower, Order: []string{"DynamicResolver", "Endpoints"}, Unset: []string{"=Endpoints"}, None: "Endpoints", Bare: true},
		{Path: "tls", What: TLS, Loosens: catalogue.Removed},
		{Path: "tls.insecureSkipVerify", What: TLS, Loosens: catalogue.Lower, Order: []string{"true", "false"}, Unset: []string{"=false"}, None: "false"},
		{Path: "tls.caCertificateRefs.*", What: TLS, Loosens: catalogue.Added, Unless: "tls.insecureSkipVerify=true"},
		{Path: "tls.wellKnownCACertificates", What: TLS, Loosens: catalogue.Added, Unless: "tls.insecureSkipVerify=true"},
		{Path: "tls.sni", What: TLS, Loosens: catalogue.Changed},
		{Path: "tls.minVersion", What: TLS, Loosens: catalogue.Lower, Order: []string{"1.0", "1.1", "1.2", "1.3"}, Unset: []string{"=1.2"}},
		{Path: "tls.clientCertificateRef", What: Authentication, Loosens: catalogue.Removed},
	})
})

// agentgatewayBackendRows are the rows for the policies in a backend of agentgateway: for the whole, for a provider of models
// and for a target of MCP (agentgateway controller/api/v1alpha1/agentgateway/agentgateway_backend_types.go, and
// agentgateway_policy_types.go, BackendFull).
var agentgatewayBackendRows = sync.OnceValue(func() []catalogue.Protection {
	var out []catalogue.Protection
	for _, at := range []string{"policies.", "ai.provider.policies.", "ai.groups.*.providers.*.policies.", "mcp.targets.*.static.policies."} {
		out = append(out,
			catalogue.Protection{Path: at + "tls", What: TLS, Loosens: catalogue.Removed},
			catalogue.Protection{Path: at + "tls", What: TLS, Loosens: catalogue.Gone},
			catalogue.Protection{Path: at + "tls.insecureSkipVerify", What: TLS, Loosens: catalogue.Lower, Order: []string{"All", "Hostname", "none"}, Unset: []string{"=none"}, None: "none"},
			catalogue.Protection{Path: at + "tls.sni", What: TLS, Loosens: catalogue.Changed},
			catalogue.Protection{Path: at + "tls.caCertificateRefs", What: TLS, Loosens: catalogue.Removed},
			catalogue.Protection{Path: at + "tls.caCertificateRefs.*", What: TLS, Loosens: catalogue.Added, Unless: at + "tls.insecureSkipVerify=All"},
			catalogue.Protection{Path: at + "tls.verifySubjectAltNames", What: TLS, Loosens: catalogue.Removed},
			catalogue.Protection{Path: at + "tls.verifySubjectAltNames.*", What: TLS, Loosens: catalogue.Added},
			catalogue.Protection{Path: at + "tls.mtlsCertificateRef", What: Authentication, Loosens: catalogue.Removed},
		)
	}
	for _, way := range []struct{ path, what string }{
		{"mcp.authorization", Authorisation},
		{"mcp.authentication", Authentication},
		{"mcp.guardrails", Authorisation},
		{"ai.promptGuard", Authorisation},
		{"extAuth", Authentication},
	} {
		out = append(out, catalogue.Protection{Path: "policies." + way.path, What: way.what, Loosens: catalogue.Gone})
	}
	return catalogue.Nested(append(
		out,
		catalogue.Protection{Path: "policies.mcp.authorization.action", What: Authorisation, Loosens: catalogue.Changed},
		catalogue.Protection{Path: "policies.mcp.authorization.policy.matchExpressions", What: Authorisation, Loosens: catalogue.Changed},
		catalogue.Protection{Path: "policies.mcp.authentication", What: Authentication, Loosens: catalogue.Changed},
	))
})
