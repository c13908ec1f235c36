package refusal_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/refusal"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// What Envoy Gateway refuses, by the functions of its package internal/gatewayapi.
func TestEnvoyGateway(t *testing.T) {
	const traffic, security = "envoy-gateway-backend-traffic", "envoy-gateway-security"
	const clients, extensions = "envoy-gateway-client-traffic", "envoy-gateway-extension"
	for _, tt := range []struct {
		name, kind, spec, want string
	}{
		{"buildLocalRateLimit: one rule for all requests", traffic, "rateLimit: {local: {rules: [{limit: {requests: 1, unit: Second}}, {clientSelectors: [{methods: [{value: GET}]}], limit: {requests: 1, unit: Minute}}]}}", ""},
		{"buildLocalRateLimit: two", traffic, "rateLimit: {local: {rules: [{limit: {requests: 1, unit: Second}}, {limit: {requests: 9, unit: Minute}}]}}", "rateLimit.local.rules: only one rule may have no clientSelectors"},
		{"buildRateLimit: local rules do not count with the type Global", traffic, "rateLimit: {type: Global, global: {}, local: {rules: [{limit: {unit: Second}}, {limit: {unit: Minute}}]}}", ""},
		{"buildLocalRateLimit: units are multiples", traffic, "rateLimit: {local: {rules: [{limit: {unit: Minute}}, {clientSelectors: [{}], limit: {unit: Second}}]}}", "rateLimit.local.rules: the unit Second is not a multiple of Minute, the unit of the rule without clientSelectors"},
		{"UnitToSeconds: a year is not a multiple of a month", traffic, "rateLimit: {local: {rules: [{limit: {unit: Month}}, {clientSelectors: [{}], limit: {unit: Year}}]}}", "rateLimit.local.rules: the unit Year is not a multiple of Month, the unit of the rule without clientSelectors"},
		{"buildLocalRateLimit: without such a rule it is a second", traffic, "rateLimit: {local: {rules: [{clientSelectors: [{}], limit: {unit: Hour}}]}}", ""},
		{"buildLocalRateLimit: a unit that is not known", traffic, "rateLimit: {local: {rules: [{limit: {unit: '${UNIT}'}}, {clientSelectors: [{}], limit: {unit: Second}}]}}", ""},
		{"buildRateLimitRule: each value", traffic, "rateLimit: {global: {rules: [{clientSelectors: [{headers: [{name: a, type: Distinct, invert: true}]}]}]}}", "rateLimit.global.rules.clientSelectors.headers: a match of type Distinct cannot be inverted"},
		{"buildRateLimitRule: each value of a parameter", traffic, "rateLimit: {local: {rules: [{clientSelectors: [{queryParams: [{name: a, type: Distinct, value: x}]}]}]}}", "rateLimit.local.rules.clientSelectors.queryParams: a match of type Distinct has no value"},
		{"buildRetry: intervals", traffic, "retry: {perRetry: {backOff: {baseInterval: 2s, maxInterval: 500ms}}}", "retry.perRetry.backOff: maxInterval 500ms is less than baseInterval 2s"},
		{"buildRetry: equal intervals", traffic, "retry: {perRetry: {backOff: {baseInterval: 2s, maxInterval: 2000ms}}}", ""},
		{"buildRetry: no interval", traffic, "retry: {perRetry: {backOff: {baseInterval: 0s}}}", "retry.perRetry.backOff: baseInterval cannot be 0s"},
		{"buildRetry: no longest interval", traffic, "retry: {perRetry: {backOff: {maxInterval: 0ms}}}", "retry.perRetry.backOff: maxInterval cannot be 0s"},
		{"buildGlobalRateLimit", traffic, "rateLimit: {type: Global, local: {}}", "rateLimit: type Global needs global"},
		{"buildRateLimitRule: a header without a value", traffic, "rateLimit: {global: {rules: [{clientSelectors: [{headers: [{name: a}]}]}]}}", "rateLimit.global.rules.clientSelectors.headers: a match has no value"},
		{"buildRateLimitRule: a header with an empty one", traffic, "rateLimit: {global: {rules: [{clientSelectors: [{headers: [{name: a, value: ''}]}]}]}}", ""},
		{"buildRateLimitRule: a parameter with an empty value", traffic, "rateLimit: {global: {rules: [{clientSelectors: [{queryParams: [{name: a, value: ''}]}]}]}}", "rateLimit.global.rules.clientSelectors.queryParams: a match has no value"},
		{"buildBackendConnection", traffic, "connection: {bufferLimit: 5Gi}", "connection.bufferLimit: 5Gi is not between 0 and 4294967295"},
		{"buildConsistentHashLoadBalancer", traffic, "loadBalancer: {type: ConsistentHash, consistentHash: {type: SourceIP, tableSize: 1000}}", "loadBalancer.consistentHash.tableSize: 1000 is not a prime"},
		{"buildConsistentHashLoadBalancer: a prime", traffic, "loadBalancer: {type: ConsistentHash, consistentHash: {type: SourceIP, tableSize: 1009}}", ""},
		{"buildConsistentHashLoadBalancer: not known", traffic, "loadBalancer: {consistentHash: {tableSize: '${SIZE}'}}", ""},
		{"buildBackendConnection: the most", traffic, "connection: {bufferLimit: 4294967295}", ""},
		{"buildIRHTTP2Settings", traffic, "http2: {initialStreamWindowSize: 1Ki}", "http2.initialStreamWindowSize: 1Ki is not between 65535 and 2147483647"},
		{"buildRequestBuffer", traffic, "requestBuffer: {limit: 4Gi}", "requestBuffer.limit: 4Gi is not between 0 and 4294967295"},
		{"bandwidthToKibps", traffic, "bandwidthLimit: {request: {limit: {value: 59Ki, unit: Minute}}}", "bandwidthLimit.request: 59Ki is below 1 KiB in a second"},
		{"bandwidthToKibps: the least", traffic, "bandwidthLimit: {response: {limit: {value: 60Ki, unit: Minute}}}", ""},
		{"ValidateRouteStatName", traffic, "telemetry: {metrics: {routeStatName: '%ROUTE_NAME%.%BACKEND_REFS%'}}", "telemetry.metrics.routeStatName: there is no operator %BACKEND_REFS%"},
		{"ValidateRouteStatName: a percent sign", traffic, "telemetry: {metrics: {routeStatName: '5%'}}", "telemetry.metrics.routeStatName: a percent sign begins no operator"},
		{"ValidateRouteStatName: known", traffic, "telemetry: {metrics: {routeStatName: '%ROUTE_NAMESPACE%.%ROUTE_NAME%'}}", ""},

		{"validateCipherSuites", clients, "tls: {ciphers: [AES256-SHA, FOO]}", "tls.ciphers: Envoy does not know the cipher FOO"},
		{"validateCipherSuites: known", clients, "tls: {ciphers: [TLS_RSA_WITH_AES_256_CBC_SHA]}", ""},
		{"translateHeaderModifier: a value", clients, "headers: {earlyRequestHeaders: {set: [{name: a, value: ' x'}]}}", "headers.earlyRequestHeaders: a header has a value that no header can have"},
		{"translateHeaderModifier: a name with a slash", clients, "headers: {earlyRequestHeaders: {add: [{name: a/b, value: x}]}}", "headers.earlyRequestHeaders: a header has a name that no header can have"},
		{"translateHeaderModifier: nothing", clients, "headers: {lateResponseHeaders: {}}", "headers.lateResponseHeaders: it neither adds, sets nor removes a header"},
		{"translateHeaderModifier: a name", clients, "headers: {lateResponseHeaders: {remove: ['']}}", "headers.lateResponseHeaders: a header without a name cannot be removed"},
		{"translateHeaderModifier", clients, "headers: {lateResponseHeaders: {remove: [server], add: [{name: a, value: 'x y'}]}}", ""},
		{"buildConnection", clients, "connection: {bufferLimit: 5Gi}", "connection.bufferLimit: 5Gi is not between 0 and 4294967295"},

		{"translateExtServiceBackendRefs", extensions, "extProc: [{}]", "extProc: it has no backendRefs"},
		{"luavalidator", extensions, "lua: [{type: Inline, inline: 'print(1)'}]", "lua: the program has neither envoy_on_request nor envoy_on_response"},
		{"luavalidator: a function", extensions, "lua: [{type: Inline, inline: 'function envoy_on_request(h) end'}]", ""},
		{"buildExtProc: settings", extensions, "extProc: [{backendRefs: [{name: a}], backendSettings: {connection: {bufferLimit: 5Gi}}}]", "extProc.backendSettings.connection.bufferLimit: 5Gi is not between 0 and 4294967295"},
		{"translateExtServiceBackendRefs: one", extensions, "extProc: [{backendRefs: [{name: a}]}]", ""},

		{"buildExtAuth: settings", security, "extAuth: {http: {backendSettings: {retry: {perRetry: {backOff: {baseInterval: 0s}}}}}}", "extAuth.http.backendSettings.retry.perRetry.backOff: baseInterval cannot be 0s"},
		{"buildOIDCProvider: settings", security, "oidc: {provider: {backendSettings: {http2: {initialStreamWindowSize: 1Ki}}}}", "oidc.provider.backendSettings.http2.initialStreamWindowSize: 1Ki is not between 65535 and 2147483647"},
		{"buildRemoteJWKS: settings", security, "jwt: {providers: [{name: a, remoteJWKS: {backendSettings: {loadBalancer: {consistentHash: {tableSize: 4}}}}}]}", "jwt.providers.remoteJWKS.backendSettings.loadBalancer.consistentHash.tableSize: 4 is not a prime"},
		{"validateJWTProvider: no qualified name", security, "jwt: {providers: [{name: a/b/c}]}", "jwt.providers: the name of a provider must have letters, digits, '-', '_' and '.', at most 63, with a domain and a slash before it or none"},
		{"validateJWTProvider: a name with a domain", security, "jwt: {providers: [{name: example.com/a}]}", ""},
		{"validateJWTProvider: an empty claim", security, "jwt: {providers: [{name: a, claimToHeaders: [{header: x, claim: ''}]}]}", "jwt.providers: claimToHeaders needs a claim"},
		{"validateTokenEndpoint", security, "oidc: {provider: {tokenEndpoint: 'https://1.2.3.4/x'}}", "oidc: the host of tokenEndpoint must have a name, not an address"},
		{"validateTokenEndpoint: a name", security, "oidc: {provider: {tokenEndpoint: 'https://id.example.com/x'}}", ""},

		{"validateAPIKeyAuth", security, "apiKeyAuth: {extractFrom: [{headers: [a], cookies: [b]}]}", "untaken: apiKeyAuth.extractFrom: only one of headers, params and cookies is allowed"},
		{"validateAPIKeyAuth: several sources", security, "apiKeyAuth: {extractFrom: [{headers: [a]}, {cookies: [b]}]}", ""},
		{"validateSecurityPolicy: a token passes to jwt", security, "oidc: {passThroughAuthHeader: true}, jwt: {providers: [{name: a}]}", ""},
		{"validateSecurityPolicy: a token passes, and nothing looks at it", security, "oidc: {passThroughAuthHeader: true}", "untaken: oidc: passThroughAuthHeader needs jwt"},
		{"validateSecurityPolicy: jwt reads cookies only", security, "oidc: {passThroughAuthHeader: true}, jwt: {providers: [{name: a, extractFrom: {cookies: [x]}}]}", "untaken: oidc: passThroughAuthHeader needs a provider of jwt that reads a header"},
		{"validateSecurityPolicy: one header for two things", security, "oidc: {passThroughAuthHeader: true, forwardIDToken: {header: authorization}}, jwt: {providers: [{name: a}]}", "untaken: oidc: forwardIDToken cannot use a header from which a provider of jwt reads, with passThroughAuthHeader"},
		{"validateJWTProvider: an issuer with a colon", security, "jwt: {providers: [{name: a, issuer: ':8080'}]}", "jwt.providers: an issuer with a colon must be a URI"},
		{"validateJWTProvider: an issuer with @", security, "jwt: {providers: [{name: a, issuer: 'a@'}]}", "jwt.providers: an issuer with @ must be an e-mail address"},
		{"validateJWTProvider: any other issuer", security, "jwt: {providers: [{name: a, issuer: me}]}", ""},
		{"validateJWTProvider: keys", security, "jwt: {providers: [{name: a, remoteJWKS: {uri: auth/keys}}]}", "jwt.providers: remoteJWKS.uri is not a URI"},
		{"validateJWTProvider: names", security, "jwt: {providers: [{name: a}, {name: a}]}", "jwt.providers: two providers have the name a"},
		{"extractRedirectPath", security, "oidc: {redirectURL: 'https://a.example.com/callback'}", ""},
		{"extractRedirectPath: of the request's scheme", security, "oidc: {redirectURL: '%REQ(x-forwarded-proto)%://%REQ(:authority)%/callback'}", ""},
		{"extractRedirectPath: no path", security, "oidc: {redirectURL: 'https://a.example.com/'}", "oidc: redirectURL must be http or https with a host and a path"},
		{"extractRedirectPath: another scheme", security, "oidc: {redirectURL: 'ftp://a.example.com/x'}", "oidc: redirectURL must be http or https with a host and a path"},
		{"extractRedirectPath: not known", security, "oidc: {redirectURL: 'https://${DOMAIN}'}", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, r := range refusal.By(tt.kind)(read(t, tt.spec)) {
				text := r.Path + ": " + r.Why
				if r.Untaken {
					text = "untaken: " + text
				}
				if r.At == nil {
					t.Errorf("%s has no place", text)
				}
				got = append(got, text)
			}
			if strings.Join(got, "\n") != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// read returns a spec with the fields that a text has, in the form of a map on one line.
func read(t *testing.T, fields string) *loader.Value {
	t.Helper()
	docs, problems := manifest.Parse([]byte("{apiVersion: v1, kind: X, metadata: {name: x}, spec: {"+fields+"}}"), manifest.Limits{})
	if len(problems) > 0 || len(docs) != 1 {
		t.Fatalf("%s: %v", fields, problems)
	}
	return docs[0].Get("spec")
}

// What NGINX Gateway Fabric refuses (internal/controller/nginx/config/policies/proxysettings/validator.go,
// validateBusyBufferSizeRelationships).
func TestNginxProxySettings(t *testing.T) {
	for fields, want := range map[string]string{
		"buffering: {busyBuffersSize: 16k, bufferSize: 8k, buffers: {number: 8, size: 4k}}": "",
		"buffering: {busyBuffersSize: 8k, bufferSize: 8K}":                                  "must be larger than bufferSize",
		"buffering: {busyBuffersSize: 28k, buffers: {number: 8, size: 4k}}":                 "must be less than the size of all buffers but one",
		"buffering: {busyBuffersSize: 1m, bufferSize: 2g}":                                  "must be larger than bufferSize",
		"buffering: {busyBuffersSize: '${SIZE}', bufferSize: 8k}":                           "",
		"buffering: {bufferSize: 8k}":                                                       "",
		"buffering: {busyBuffersSize: wide, bufferSize: 8k}":                                "",
	} {
		got := ""
		for _, r := range refusal.By("nginx-proxy-settings")(read(t, fields)) {
			got += r.Why
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", fields, got, want)
		}
	}
}

// What kgateway refuses (pkg/kgateway/extensions2/plugins/trafficpolicy/basic_auth_policy.go, validateAndFilterSHAUsers).
func TestValidateAndFilterSHAUsers(t *testing.T) {
	const a, b = "'a:{SHA}aaaaaaaaaaaaaaaaaaaaaaaaaaaa'", "'b:{SHA}bbbbbbbbbbbbbbbbbbbbbbbbbbbb'"
	for fields, want := range map[string]string{
		"basicAuth: {users: [" + a + ", " + b + "]}":     "",
		"basicAuth: {users: ['#', " + a + ", '']}":       "",
		"basicAuth: {users: [" + a + ", " + a + "]}":     "a user is there twice",
		"basicAuth: {users: [" + a + ", 'b:$apr1$x$y']}": "a user has no password with the hash {SHA}",
		"basicAuth: {users: ['a:{SHA}aaaa']}":            "a user has no password with the hash {SHA}",
		"basicAuth: {users: [a]}":                        "a user has no password with the hash {SHA}",
		"basicAuth: {users: ['# none']}":                 "there is no user",
		"basicAuth: {users: ['${USERS}']}":               "",
		"basicAuth: {users: ['b:x'], disable: {}}":       "",
		"basicAuth: {secretRef: {name: users}}":          "",
		"apiKeyAuth: {secretRef: {name: users}}":         "",
		"basicAuth: {users: [\"a:b\\n# c\"]}":            "a user has no password with the hash {SHA}",
		"basicAuth: {users: [\"#\\nc\"]}":                "a user has no password with the hash {SHA}",
	} {
		got := ""
		for _, r := range refusal.By("kgateway-traffic")(read(t, fields)) {
			got += r.Why
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", fields, got, want)
		}
	}
}

// What kgateway refuses (pkg/kgateway/extensions2/plugins/backendconfigpolicy/tls.go, buildTLSContext).
func TestBuildTLSContext(t *testing.T) {
	for fields, want := range map[string]string{
		"tls: {verifySubjectAltNames: [a], wellKnownCACertificates: System}": "",
		"tls: {verifySubjectAltNames: [a], secretRef: {name: x}}":            "",
		"tls: {verifySubjectAltNames: [a], files: {rootCA: /ca}}":            "",
		"tls: {verifySubjectAltNames: [a], insecureSkipVerify: true}":        "",
		"tls: {verifySubjectAltNames: [a]}":                                  "no authority is named whose certificates have them",
		"tls: {verifySubjectAltNames: [a], files: {}}":                       "no authority is named whose certificates have them",
		"tls: {files: {tlsCertificate: /a}}":                                 "tlsCertificate and tlsKey need each other",
		"tls: {files: {tlsKey: /a}}":                                         "tlsCertificate and tlsKey need each other",
		"tls: {files: {tlsCertificate: /a}, simpleTLS: true}":                "",
		"tls: {files: {tlsCertificate: /a}, insecureSkipVerify: true}":       "",
		"tls: {sni: a}":      "",
		"connectTimeout: 1s": "",
	} {
		got := ""
		for _, r := range refusal.By("kgateway-backend-config")(read(t, fields)) {
			got += r.Why
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", fields, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for _, word := range refusal.Words() {
		if refusal.By(word) == nil {
			t.Errorf("%s is no function", word)
		}
	}
	if refusal.By("none") != nil {
		t.Error("a word that nobody knows is a function")
	}
}
