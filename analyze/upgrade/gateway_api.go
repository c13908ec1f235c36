package upgrade

import "github.com/gwplan/gwplan/analyze/plan"

// Gateway API itself, CHANGELOG at v1.7.0 (2026-08).
var gatewayAPI = Project{
	Name: "Gateway API", Word: "gateway-api",
	Repository: "kubernetes-sigs/gateway-api",
	Bundle:     true,
	First:      Version{1, 5}, Last: Version{1, 7},
	Omitted: []Omission{
		{Version{1, 7}, "implementations may order routes by their own hostnames instead of those that a listener leaves of them"},
		{Version{1, 6}, "HTTPRoutes and GRPCRoutes of one hostname no longer exclude each other: what happens is the implementation's choice"},
		{Version{1, 5}, "the ValidatingAdmissionPolicy safe-upgrades refuses experimental CRDs over standard ones, and older releases"},
	},
	Changes: []Change{
		{
			Since: Version{1, 7}, Kinds: []string{gwHTTPRoute, gwGRPCRoute, gwxTraffic}, Severity: plan.Error,
			Cases: []Case{
				{{Path: "spec.rules.*.sessionPersistence.{sessionName,cookieConfig}"}},
				{{Path: "spec.sessionPersistence.{sessionName,cookieConfig}"}},
			},
			Effect: "sessionName is cookie.name or header.name, and cookieConfig is cookie: the API server drops the old fields",
			Undone: "cookie and header are sessionName and cookieConfig: the API server drops the new fields",
			Source: apiNotes("1.7"),
		},
		{
			Since: Version{1, 7}, Kinds: []string{gwHTTPRoute, gwGRPCRoute, gwxTraffic}, Severity: plan.Warning,
			Cases: []Case{
				{{Path: "spec.rules.*.sessionPersistence", All: cookieWithoutPath}},
				{{Path: "spec.sessionPersistence", All: cookieWithoutPath}},
			},
			Effect: "the path of the session's cookie is / unless cookie.path sets another (before, it came from the matches of the route)",
			Undone: "the path of the session's cookie comes from the matches of the route",
			Source: apiNotes("1.7"),
		},
		{
			Since: Version{1, 7}, Kinds: []string{gwxBackend}, Severity: plan.Error,
			Cases:  []Case{{{Path: "spec.port.{port,name}"}}},
			Effect: "port.port of an XBackend is port.number, and port.name is gone",
			Undone: "port.number of an XBackend is port.port",
			Source: apiNotes("1.7"),
		},
		{
			Since: Version{1, 7}, Kinds: []string{gwHTTPRoute, gwGRPCRoute, gwTCPRoute, gwUDPRoute, gwTLSRoute}, Severity: plan.Error,
			Cases:  []Case{{{Path: "spec.rules.*.backendRefs.*", All: []Where{{Path: "kind", Is: []string{"XBackend"}}, {Path: "port"}}}}},
			Effect: "a backendRef to an XBackend must not have a port",
			Undone: "a backendRef to an XBackend may have a port",
			Source: apiNotes("1.7"),
		},
		{
			Since: Version{1, 7}, Kinds: []string{gwHTTPRoute}, Severity: plan.Warning,
			Cases:  []Case{{{Path: "spec.rules.*.retry", All: []Where{{Path: "attempts", Missing: true}}}}},
			Effect: "retry without attempts is one attempt, by the CRD's default (before, the implementation chose)",
			Undone: "how often a retry without attempts tries is the implementation's choice",
			Source: apiNotes("1.7"),
		},
		{
			Since: Version{1, 6}, Kinds: []string{gwHTTPRoute, gwGRPCRoute, gwxTraffic}, Severity: plan.Warning,
			Cases: []Case{
				{{Path: "spec.rules.*.sessionPersistence.idleTimeout"}},
				{{Path: "spec.sessionPersistence.idleTimeout"}},
			},
			Effect: "sessionPersistence has no idleTimeout: the API server drops it",
			Undone: "sessionPersistence has an idleTimeout",
			Source: apiNotes("1.6"),
		},
		{
			Since: Version{1, 6}, Kinds: []string{gwReferenceGrant}, Severity: plan.Error,
			Cases:  []Case{{{Path: "spec", Missing: true}}},
			Effect: "the API server rejects a ReferenceGrant without spec",
			Undone: "the API server accepts a ReferenceGrant without spec",
			Source: apiNotes("1.6"),
		},
		{
			Since: Version{1, 6}, Kinds: []string{gwTCPRoute, gwUDPRoute}, Severity: plan.Note,
			Cases:  []Case{{{Path: "apiVersion", Is: []string{"gateway.networking.k8s.io/v1alpha2"}}}},
			Effect: "v1alpha2 is deprecated: the standard channel does not serve it",
			Undone: "there is v1alpha2 alone, in the experimental channel",
			Source: apiNotes("1.6"),
		},
		{
			Since: Version{1, 5}, Kinds: []string{"gateway.networking.x-k8s.io/XListenerSet"}, Severity: plan.Error,
			Effect: "there is no XListenerSet: it is ListenerSet of gateway.networking.k8s.io/v1",
			Undone: "there is no ListenerSet: it is XListenerSet of gateway.networking.x-k8s.io/v1alpha1",
			Source: apiNotes("1.5"),
		},
	},
}

var cookieWithoutPath = []Where{{Path: "cookie.path", Missing: true}, {Path: "header", Missing: true}}

// The kinds of Gateway API that releases change.
const (
	gwGateway        = "gateway.networking.k8s.io/Gateway"
	gwGRPCRoute      = "gateway.networking.k8s.io/GRPCRoute"
	gwHTTPRoute      = "gateway.networking.k8s.io/HTTPRoute"
	gwTCPRoute       = "gateway.networking.k8s.io/TCPRoute"
	gwTLSRoute       = "gateway.networking.k8s.io/TLSRoute"
	gwUDPRoute       = "gateway.networking.k8s.io/UDPRoute"
	gwBackendTLS     = "gateway.networking.k8s.io/BackendTLSPolicy"
	gwReferenceGrant = "gateway.networking.k8s.io/ReferenceGrant"
	gwxBackend       = "gateway.networking.x-k8s.io/XBackend"
	gwxTraffic       = "gateway.networking.x-k8s.io/XBackendTrafficPolicy"
)

func apiNotes(minor string) string {
	return "kubernetes-sigs/gateway-api CHANGELOG/" + minor + "-CHANGELOG.md"
}
