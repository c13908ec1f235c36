package schema_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/schema"
)

// A word that is almost one of an API's is refused without its CRD, and so is another where all words of the kind are known.
func TestMisspeltWords(t *testing.T) {
	const (
		authorization = "apiVersion: security.istio.io/v1\nkind: AuthorizationPolicy\nmetadata: {name: a}\nspec: {action: %}"
		peers         = "apiVersion: security.istio.io/v1\nkind: PeerAuthentication\nmetadata: {name: a}\nspec: {selector: {matchLabels: {a: b}}, portLevelMtls: {80: {mode: %}}}"
		rules         = "apiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\nmetadata: {name: a}\nspec: {endpointSelector: {}, %}"
		several       = "apiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\nmetadata: {name: a}\nspecs: [{endpointSelector: {}, %}]"
	)
	for _, tt := range []struct{ manifest, value, path string }{
		{authorization, "DENY", ""},
		{authorization, "Deny", "spec.action"},
		{authorization, "DNEY", "spec.action"},
		{authorization, "RATELIMIT", "spec.action"},
		{authorization, "'${ACTION}'", ""},
		{peers, "STRICT", ""},
		{peers, "Strict", "spec.portLevelMtls.80.mode"},
		{rules, "ingress: [{fromEntities: [world]}]", ""},
		{rules, "ingress: [{fromEntities: [wrold]}]", "spec.ingress[0].fromEntities[0]"},
		{several, "egressDeny: [{toEntities: [World]}]", "specs[0].egressDeny[0].toEntities[0]"},
		{rules, "egress: [{toFQDNs: [{matchName: a.example}]}]", ""},
		{rules, "egress: [{toFQDNs: [{matchName: '*.example'}]}]", "spec.egress[0].toFQDNs[0].matchName"},
	} {
		text := tt.manifest
		for i := range text {
			if text[i] == '%' {
				text = text[:i] + tt.value + text[i+1:]
				break
			}
		}
		d := manifest.Decode([]byte(text), manifest.Options{}).Documents[0]
		found, by, _ := schema.NewValidator().Validate(schema.Builtin(), d.Group, d.Version, d.Kind, d.Root, nil)
		switch {
		case tt.path == "" && len(found) > 0:
			t.Errorf("%s: %s: %s", tt.value, found[0].Path, found[0].Message)
		case tt.path != "" && (len(found) != 1 || found[0].Path != tt.path || by == ""):
			t.Errorf("%s: got %v of %q, want one at %s", tt.value, found, by, tt.path)
		}
	}
}

// TestVocabulary: what is almost a field or a word of a kind is a mistake, and so is another form than all that a field takes.
func TestVocabulary(t *testing.T) {
	const eg = "gateway.envoyproxy.io/v1alpha1"
	for _, tc := range []struct{ api, kind, spec, want string }{
		{eg, "BackendTrafficPolicy", "{timeout: {http: {requestTimeuot: 20s}}}", "spec.timeout.http.requestTimeuot: requestTimeout?"},
		{eg, "BackendTrafficPolicy", "{timeout: {http: {requestTimeout: 20s, somethingNew: 1s}}}", ""},
		{eg, "BackendTrafficPolicy", "{timeout: {http: {requestTimeout: 20sec}}}", "spec.timeout.http.requestTimeout: must be a duration such as 10s or 1m30s"},
		{eg, "BackendTrafficPolicy", "{timeout: {http: {requestTimeout: '${TIMEOUT}'}}}", ""},
		{eg, "BackendTrafficPolicy", "{retry: {numRetries: '2'}}", "spec.retry.numRetries: must be a number"},
		{eg, "BackendTrafficPolicy", "{loadBalancer: {type: RoundRobbin}}", "spec.loadBalancer.type: must be one of "},
		{eg, "BackendTrafficPolicy", "{loadBalancer: {type: Maglev}}", "spec.loadBalancer.type: must be one of "},
		{eg, "SecurityPolicy", "{authorization: {defaultAction: Denied}}", "spec.authorization.defaultAction: must be one of Allow, Deny"},
		{eg, "SecurityPolicy", "{authorization: {defaultAction: Allowances}}", "spec.authorization.defaultAction: must be one of Allow, Deny"},
		{eg, "SecurityPolicy", "{authorisation: {defaultAction: Deny}}", "spec.authorisation: authorization?"},
		{eg, "ClientTrafficPolicy", "{path: {escapedSlashesAction: Reject}}", "spec.path.escapedSlashesAction: must be one of "},
		{"gateway.kgateway.dev/v1alpha1", "TrafficPolicy", "{ratelimit: {}}", "spec.ratelimit: rateLimit?"},
		{"kuadrant.io/v1", "RateLimitPolicy", "{limits: {any name: {rates: [{limit: 1, window: 1 minute}]}}}", "spec.limits.any name.rates[0].window: must "},
		{"kuadrant.io/v1", "RateLimitPolicy", "{targetRef: {group: gateway.networking.k8s.io, kind: HTTPRoute, name: r}, limits: {ratse: {rates: [{limit: 1, window: 1m}]}}}", ""},
		{"networking.istio.io/v1", "DestinationRule", "{host: h, trafficPolicy: {outlierDetection: {interval: 0.5s, baseEjectionTime: 1.5m}}}", ""},
		{"networking.istio.io/v1", "DestinationRule", "{trafficPolicy: {outlierDetection: {interval: 5sec}}}", "spec.trafficPolicy.outlierDetection.interval: must be a duration such as 10s or 0.5s"},
		{eg, "BackendTrafficPolicy", "{timeout: {http: {requestTimeout: 20}}}", "spec.timeout.http.requestTimeout: must be of type string"},
		{eg, "BackendTrafficPolicy", "{retry: {numRetries: -2}}", "spec.retry.numRetries: must be at least 0"},
		{eg, "BackendTrafficPolicy", "{retry: {numRetries: -2, somethingNew: 1}}", ""},
		{eg, "BackendTrafficPolicy", "{retry: {numRetries: '${RETRIES}'}}", ""},
		{eg, "ClientTrafficPolicy", "{targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: g}], tls: {minVersion: 1.2}}", "spec.tls.minVersion: must be of type string"},
		{eg, "SecurityPolicy", "{targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: g}], jwt: {providers: [{name: a, issuer: i}]}}", "spec.jwt.providers[0]: either remoteJWKS or localJWKS must be specified."},
		{eg, "SecurityPolicy", "{targetRefs: [{group: gateway.networking.x-k8s.io, kind: Gateway, name: g}]}", "spec: this policy can only have a targetRefs[*].group of gateway.networking.k8s.io"},
		{"security.istio.io/v1", "AuthorizationPolicy", "{rules: [{from: [{source: {requestPrinciples: ['*']}}]}]}", "spec.rules[0].from[0].source.requestPrinciples: requestPrincipals?"},
		{"security.istio.io/v1", "AuthorizationPolicy", "{rules: [{from: [{source: {trustDomains: ['*']}}]}]}", ""},
		{"security.istio.io/v1", "AuthorizationPolicy", "{action: ALOW}", "spec.action: must be one of ALLOW"},
	} {
		root := parse(t, "{apiVersion: "+tc.api+", kind: "+tc.kind+", metadata: {name: p}, spec: "+tc.spec+"}")
		group, version, _ := strings.Cut(tc.api, "/")
		var got []string
		unknown, _ := schema.Builtin().Unknown(group, version, tc.kind, root, nil)
		for _, u := range unknown {
			got = append(got, u.Path+": "+u.Near+"?")
		}
		wrong, _, _ := schema.NewValidator().Validate(schema.Builtin(), group, version, tc.kind, root, nil)
		for _, v := range wrong {
			got = append(got, v.Path+": "+v.Message)
		}
		if text := strings.Join(got, "; "); text != tc.want && (tc.want == "" || !strings.HasPrefix(text, tc.want)) {
			t.Errorf("%s %s: %q, want %q", tc.kind, tc.spec, text, tc.want)
		}
	}
}
