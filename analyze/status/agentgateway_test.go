package status_test

import (
	"slices"
	"strings"
	"testing"
)

// The statuses that agentgateway writes, by the functions of controller/pkg/agentgateway.
func TestAgentgateway(t *testing.T) {
	const (
		gateway = "{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g, namespace: shop}, spec: {gatewayClassName: agentgateway, listeners: [{name: l, port: 80, protocol: HTTP}]}}"
		class   = "{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: agentgateway}, spec: {controllerName: agentgateway.dev/agentgateway}}"
		svc     = "{apiVersion: v1, kind: Service, metadata: {name: svc, namespace: shop}, spec: {ports: [{name: http, port: 80}, {name: alt, port: 81}]}}"
		ca      = "{apiVersion: v1, kind: ConfigMap, metadata: {name: ca, namespace: shop}, data: {ca.crt: \"-----BEGIN CERTIFICATE-----\\nMA==\\n-----END CERTIFICATE-----\\n\"}}"
		plain   = "{backendRefs: [{name: svc, port: 80}]}"
		valid   = " Accepted=True/Valid"
		good    = valid + " Attached=True/Attached"
		pending = valid + " Attached=False/Pending"
		summary = "StatusSummary" + pending
		partial = " Accepted=True/PartiallyValid"
	)
	policy := func(targets string) string {
		return "{apiVersion: agentgateway.dev/v1alpha1, kind: AgentgatewayPolicy, metadata: {name: p, namespace: shop}, spec: {targetRefs: [" + targets + "], traffic: {timeouts: {request: 1s}}}}"
	}
	target := func(kind, more string) string {
		return "{group: gateway.networking.k8s.io, kind: " + kind + ", " + more + "}"
	}
	toSvc := egRoute("HTTPRoute", "shop", "r", "", plain)
	pool := func(picker string) string {
		return "{apiVersion: inference.networking.k8s.io/v1, kind: InferencePool, metadata: {name: pool, namespace: shop}, spec: {endpointPickerRef: " + picker + "}}"
	}
	toPool := egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{group: inference.networking.k8s.io, kind: InferencePool, name: pool}]}")
	traffic := func(settings string) string {
		return strings.Replace(policy(target("HTTPRoute", "name: r")), "timeouts: {request: 1s}", settings, 1)
	}
	toBackends := func(settings string) string {
		return strings.Replace(policy(target("HTTPRoute", "name: r")), "traffic: {timeouts: {request: 1s}}", "backend: {"+settings+"}", 1)
	}
	secret := func(data string) string {
		return "{apiVersion: v1, kind: Secret, metadata: {name: secret, namespace: shop}, data: {" + data + "}}"
	}
	keyBackend := func(spec string) string {
		return "{apiVersion: agentgateway.dev/v1alpha1, kind: AgentgatewayBackend, metadata: {name: be, namespace: shop}, spec: {" + spec + "}}"
	}
	remoteKeys := traffic("jwtAuthentication: {providers: [{issuer: a, jwks: {remote: {jwksPath: /keys, backendRef: {group: agentgateway.dev, kind: AgentgatewayBackend, name: be}}}}]}")
	keySet := func(keys ...string) string {
		return traffic("jwtAuthentication: {providers: [{issuer: a, jwks: {inline: '{\"keys\": [" + strings.Join(keys, ", ") + "]}'}}]}")
	}
	keys := func(key string) string {
		return "{apiVersion: v1, kind: ConfigMap, metadata: {name: keys, namespace: shop, labels: {k: v}}, data: {a: " + key + "}}"
	}
	orphan := "{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r, namespace: shop}, spec: {rules: [" + plain + "]}}"
	for _, tt := range []struct {
		name, object string
		manifests    []string
		want         []string
	}{
		{"TranslateAgentgatewayPolicy: a route", "AgentgatewayPolicy/p", []string{toSvc, policy(target("HTTPRoute", "name: r"))}, []string{"g" + good}},
		{"TranslateAgentgatewayPolicy: a target that does not exist", "AgentgatewayPolicy/p", []string{policy(target("HTTPRoute", "name: gone"))}, []string{summary}},
		{"TranslateAgentgatewayPolicy: it does not spoil the other target", "AgentgatewayPolicy/p", []string{
			toSvc, policy(target("HTTPRoute", "name: r") + ", " + target("HTTPRoute", "name: gone")),
		}, []string{summary, "g" + good}},
		{"TranslateAgentgatewayPolicy: a rule that does not exist", "AgentgatewayPolicy/p", []string{toSvc, policy(target("HTTPRoute", "name: r, sectionName: gone"))}, []string{summary}},
		{"PolicyTargetsBySelector: one of two selects nothing", "AgentgatewayPolicy/p", []string{
			toSvc, strings.Replace(policy(""), "targetRefs: []", "targetSelectors: [{group: gateway.networking.k8s.io, kind: HTTPRoute, matchLabels: {}}, {group: gateway.networking.k8s.io, kind: HTTPRoute, matchLabels: {a: nope}}]", 1),
		}, []string{summary, "g" + good}},
		{"PolicyTargetsBySelector: one selected lacks the rule", "AgentgatewayPolicy/p", []string{
			toSvc, strings.Replace(policy(""), "targetRefs: []", "targetSelectors: [{group: gateway.networking.k8s.io, kind: HTTPRoute, matchLabels: {}, sectionName: gone}]", 1),
		}, []string{summary}},
		{"PolicyTargetsBySelector: a backend that no route leads to", "AgentgatewayPolicy/p", []string{
			toSvc, keyBackend("static: {host: idp.example, port: 443}"),
			strings.Replace(policy(""), "targetRefs: [], traffic: {timeouts: {request: 1s}}", "targetSelectors: [{group: agentgateway.dev, kind: AgentgatewayBackend, matchLabels: {}}], backend: {http: {requestTimeout: 1s}}", 1),
		}, []string{summary}},
		{"ParseHTTPURL: a port that is none", "AgentgatewayPolicy/p", []string{toSvc, traffic("extAuth: {grpc: {}, url: 'https://auth.example:99999'}")}, []string{"g" + partial}},
		{"ParseHTTPURL: no host", "AgentgatewayPolicy/p", []string{toSvc, traffic("extProc: {conditional: [{policy: {url: 'http://:80'}}]}")}, []string{"g" + partial}},
		{"ParseHTTPURL: a sound URL", "AgentgatewayPolicy/p", []string{toSvc, traffic("extAuth: {http: {}, url: 'https://auth.example:8443/check'}")}, []string{"g" + good}},
		{"processModeration: only logged", "AgentgatewayPolicy/p", []string{toSvc, toBackends("ai: {promptGuard: {request: [{openAIModeration: {policies: {tunnel: {url: 'http://:80'}}}}]}}")}, []string{"g" + good}},
		{"buildJwtSignAuthPolicy: a claim of the signer", "AgentgatewayPolicy/p", []string{toSvc, secret("signingKey: eA=="), toBackends("auth: {jwtSign: {signingKeyRef: {name: secret}, claims: {exp: 1}}}")}, []string{"g" + partial}},
		{"buildJwtSignAuthPolicy: another claim", "AgentgatewayPolicy/p", []string{toSvc, secret("signingKey: eA=="), toBackends("auth: {jwtSign: {signingKeyRef: {name: secret}, claims: {sub: me}}}")}, []string{"g" + good}},
		{"isOAuthReservedAdditionalParam", "AgentgatewayPolicy/p", []string{toSvc, toBackends("auth: {oauthTokenExchange: {url: 'https://idp.example', additionalParams: {Scope: '1'}}}")}, []string{"g" + partial}},
		{"validateOAuthTokenType: no URI", "AgentgatewayPolicy/p", []string{toSvc, toBackends("auth: {oauthTokenExchange: {url: 'https://idp.example', subjectToken: {tokenType: own}}}")}, []string{"g" + partial}},
		{"validateOAuthTokenType: a URI", "AgentgatewayPolicy/p", []string{toSvc, toBackends("auth: {oauthTokenExchange: {url: 'https://idp.example', subjectToken: {tokenType: 'https://idp.example/own'}}}")}, []string{"g" + good}},
		{"buildOAuthPrivateKeyJWT: a Secret without a certificate", "AgentgatewayPolicy/p", []string{toSvc, secret("signingKey: eA=="), toBackends(
			"auth: {oauthTokenExchange: {url: 'https://idp.example', clientAuth: {clientId: a, method: PrivateKeyJwt, privateKeyJwt: {assertionAudience: a, signingKeyRef: {name: secret}, certificateRef: {name: secret}, certificateHeader: x5c}}}}",
		)}, []string{"g" + partial}},
		{"ResolveCredentialRef: no Secret", "AgentgatewayPolicy/p", []string{toSvc, secret("Authorization: eA=="), toBackends("auth: {secretRef: {name: secret, group: acme.io, kind: Vault}}")}, []string{"g" + partial}},
		{"cleanedSslKeyPair: an authority alone", "AgentgatewayPolicy/p", []string{toSvc, secret("ca.crt: eA=="), toBackends("tls: {mtlsCertificateRef: [{name: secret}]}")}, []string{"g" + good}},
		{"cleanedSslKeyPair: an authority and a key", "AgentgatewayPolicy/p", []string{toSvc, secret("ca.crt: eA==, tls.key: eA=="), toBackends("tls: {mtlsCertificateRef: [{name: secret}]}")}, []string{"g" + partial}},
		{"cacert.Resolve: a Secret without an authority", "AgentgatewayPolicy/p", []string{toSvc, secret("tls.crt: eA=="), toBackends("tls: {caCertificateRefs: [{kind: Secret, name: secret}]}")}, []string{"g" + partial}},
		{"resolveBackendConnection: keys of a static backend", "AgentgatewayPolicy/p", []string{toSvc, keyBackend("static: {host: idp.example, port: 443}"), remoteKeys}, []string{"g" + good}},
		{"resolveBackendConnection: keys of another backend", "AgentgatewayPolicy/p", []string{toSvc, keyBackend("dynamicForwardProxy: {}"), remoteKeys}, []string{"g" + partial}},
		{"resolvedTLSFromBackendTLS: keys of one whose authority is not there", "AgentgatewayPolicy/p", []string{
			toSvc, keyBackend("static: {host: idp.example, port: 443}, policies: {tls: {caCertificateRefs: [{name: gone}]}}"), remoteKeys,
		}, []string{"g" + partial}},
		{"delegatedGatewayRouteAttachmentCountCollection: a route that another one passes requests on to", "AgentgatewayPolicy/p", []string{
			egRoute("HTTPRoute", "shop", "root", "", "{backendRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: r}]}"), orphan, policy(target("HTTPRoute", "name: r")),
		}, []string{"g" + good}},
		{"delegatedHTTPAncestors: its backend", "BackendTLSPolicy/b", []string{
			egRoute("HTTPRoute", "shop", "root", "", "{backendRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: r}]}"), orphan, tlsPolicy("b", "", "ca"),
		}, []string{"g Accepted=True/Accepted ResolvedRefs=True/ResolvedRefs"}},
		{"delegatedGatewayRouteAttachmentCountCollection: no Gateway takes the one above", "AgentgatewayPolicy/p", []string{
			egRoute("HTTPRoute", "shop", "root", ", sectionName: gone", "{backendRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: r}]}"), orphan, policy(target("HTTPRoute", "name: r")),
		}, []string{summary}},
		{"processDelayPolicy: nothing is left", "AgentgatewayPolicy/p", []string{toSvc, traffic("delay: {duration: '1 +'}")}, []string{"g Accepted=False/Invalid Attached=False/Pending"}},
		{"processDelayPolicy: something else is left", "AgentgatewayPolicy/p", []string{toSvc, traffic("delay: {duration: '1 +'}, timeouts: {request: 1s}")}, []string{"g" + partial}},
		{"processDelayPolicy: a duration", "AgentgatewayPolicy/p", []string{toSvc, traffic("delay: {duration: 1s}")}, []string{"g" + good}},
		{"processAPIKeyAuthenticationPolicy: a key in plain text", "AgentgatewayPolicy/p", []string{toSvc, keys("raw"), traffic("apiKeyAuthentication: {configMapSelector: {matchLabels: {k: v}}}")}, []string{"g" + partial}},
		{"processAPIKeyAuthenticationPolicy: its hash", "AgentgatewayPolicy/p", []string{
			toSvc, keys("'{\"keyHash\": \"sha256:" + strings.Repeat("a", 64) + "\"}'"), traffic("apiKeyAuthentication: {configMapSelector: {matchLabels: {k: v}}}"),
		}, []string{"g" + good}},
		{"processAPIKeyAuthenticationPolicy: of other labels", "AgentgatewayPolicy/p", []string{toSvc, keys("raw"), traffic("apiKeyAuthentication: {configMapSelector: {matchLabels: {k: w}}}")}, []string{"g" + good}},
		{"processJWTAuthenticationPolicy: no key set", "AgentgatewayPolicy/p", []string{toSvc, traffic("jwtAuthentication: {providers: [{issuer: a, jwks: {inline: x}}]}")}, []string{"g" + partial}},
		{"go-jose, JSONWebKey.UnmarshalJSON: a key whose modulus is to be filled in", "AgentgatewayPolicy/p", []string{toSvc, keySet(`{"kty": "RSA", "kid": "a", "n": "...", "e": "AQAB"}`)}, []string{"g" + partial}},
		{"go-jose: padded base64", "AgentgatewayPolicy/p", []string{toSvc, keySet(`{"kty": "oct", "k": "eA=="}`)}, []string{"g" + partial}},
		{"go-jose: a key without an exponent", "AgentgatewayPolicy/p", []string{toSvc, keySet(`{"kty": "RSA", "n": "eHh4"}`)}, []string{"g" + partial}},
		{"go-jose: a kind of key that is not known", "AgentgatewayPolicy/p", []string{toSvc, keySet(`{"kty": "AKP", "pub": "eHh4"}`)}, []string{"g" + partial}},
		{"go-jose: a point that is not on its curve", "AgentgatewayPolicy/p", []string{toSvc, keySet(`{"kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "y": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"}`)}, []string{"g" + partial}},
		{"go-jose: sound keys", "AgentgatewayPolicy/p", []string{toSvc, keySet(
			`{"kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}`,
			`{"kty": "RSA", "n": "eHh4", "e": "AQAB", "alg": "RS256"}`, `{"kty": "oct", "k": "eHh4"}`, `{"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`,
		)}, []string{"g" + good}},
		{"processJWTAuthenticationPolicy: a key set", "AgentgatewayPolicy/p", []string{toSvc, traffic("jwtAuthentication: {providers: [{issuer: a, jwks: {inline: '{\"keys\": []}'}}]}")}, []string{"g" + good}},
		{"getBackendTLSCACert: no certificate", "BackendTLSPolicy/b", []string{
			toSvc, tlsPolicy("b", "", "bad"), "{apiVersion: v1, kind: ConfigMap, metadata: {name: bad, namespace: shop}, data: {ca.crt: x}}",
		}, []string{"g Accepted=False/NoValidCACertificate ResolvedRefs=False/InvalidCACertificateRef"}},
		{"LookupGatewaysForTarget: no Gateway takes the route", "AgentgatewayPolicy/p", []string{
			egRoute("HTTPRoute", "shop", "r", ", sectionName: gone", plain), policy(target("HTTPRoute", "name: r")),
		}, []string{summary}},
		{"validateGatewayListener: a port without a listener", "AgentgatewayPolicy/p", []string{policy(target("Gateway", "name: g, port: 81"))}, []string{summary}},
		{"lookupGatewaysForBackend: ports are not compared", "AgentgatewayPolicy/p", []string{
			toSvc, strings.Replace(policy("{group: '', kind: Service, name: svc, sectionName: '81'}"), "traffic: {timeouts: {request: 1s}}", "backend: {http: {requestTimeout: 1s}}", 1),
		}, []string{"g" + good}},
		{"translatePoliciesForBackendTLS: the section does not matter, nor does the namespace appear", "BackendTLSPolicy/b", []string{
			toSvc, tlsPolicy("b", ", sectionName: gone", "ca"),
		}, []string{"g Accepted=True/Accepted ResolvedRefs=True/ResolvedRefs"}},
		{"getBackendTLSCACert: one bad authority", "BackendTLSPolicy/b", []string{
			toSvc, strings.Replace(tlsPolicy("b", "", "ca"), "caCertificateRefs: [", "caCertificateRefs: [{group: '', kind: ConfigMap, name: gone}, ", 1),
		}, []string{"g Accepted=False/NoValidCACertificate ResolvedRefs=False/InvalidCACertificateRef"}},
		{"checkConflicted: the older policy wins", "BackendTLSPolicy/b", []string{
			toSvc, tlsPolicy("b", "", "ca"), tlsPolicy("a", "", "ca"),
		}, []string{"g Accepted=False/Conflicted ResolvedRefs=True/ResolvedRefs"}},
		{"translatePoliciesForBackendTLS: no Gateway, no status", "BackendTLSPolicy/b", []string{tlsPolicy("b", "", "ca")}, nil},
		{"PolicyConditionMap: a Secret that is not there", "AgentgatewayPolicy/p", []string{
			toSvc, strings.Replace(policy(target("HTTPRoute", "name: r")), "timeouts: {request: 1s}", "basicAuthentication: {secretRef: {name: gone}}", 1),
		}, []string{"g" + partial}},
		{"PolicyConditionMap: a Secret that is there", "AgentgatewayPolicy/p", []string{
			toSvc, "{apiVersion: v1, kind: Secret, metadata: {name: users, namespace: shop}, data: {.htaccess: eA==}}",
			strings.Replace(policy(target("HTTPRoute", "name: r")), "timeouts: {request: 1s}", "basicAuthentication: {secretRef: {name: users}}", 1),
		}, []string{"g" + good}},
		{"PolicyConditionMap: a backend that is not there", "AgentgatewayPolicy/p", []string{
			toSvc, strings.Replace(policy(target("HTTPRoute", "name: r")), "timeouts: {request: 1s}", "extAuth: {backendRef: {name: gone, port: 80}}", 1),
		}, []string{"g" + partial}},
		{"PolicyConditionMap: a backend of another kind", "AgentgatewayPolicy/p", []string{
			toSvc, strings.Replace(policy(target("HTTPRoute", "name: r")), "timeouts: {request: 1s}", "extAuth: {backendRef: {group: inference.networking.k8s.io, kind: InferencePool, name: pool}}", 1),
		}, []string{"g" + partial}},
		{"PolicyConditionMap: ports and grants do not matter", "AgentgatewayPolicy/p", []string{
			toSvc, "{apiVersion: v1, kind: Service, metadata: {name: far, namespace: far}, spec: {ports: [{port: 80}]}}",
			strings.Replace(policy(target("HTTPRoute", "name: r")), "timeouts: {request: 1s}", "extAuth: {backendRef: {name: far, namespace: far, port: 99}}", 1),
		}, []string{"g" + good}},
		{"PolicyConditionMap: an authority without ca.crt", "AgentgatewayPolicy/p", []string{
			toSvc, "{apiVersion: v1, kind: ConfigMap, metadata: {name: other, namespace: shop}, data: {x: y}}",
			strings.Replace(policy("{group: '', kind: Service, name: svc}"), "traffic: {timeouts: {request: 1s}}", "backend: {tls: {caCertificateRefs: [{name: other}]}}", 1),
		}, []string{"g" + partial}},
		{"validateBackendSection: a target of MCP", "AgentgatewayPolicy/p", []string{
			egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{group: agentgateway.dev, kind: AgentgatewayBackend, name: be}]}"),
			"{apiVersion: agentgateway.dev/v1alpha1, kind: AgentgatewayBackend, metadata: {name: be, namespace: shop}, spec: {mcp: {targets: [{name: t}]}}}",
			strings.Replace(policy("{group: agentgateway.dev, kind: AgentgatewayBackend, name: be, sectionName: t}"), "traffic: {timeouts: {request: 1s}}", "backend: {http: {requestTimeout: 1s}}", 1),
		}, []string{"g" + good}},
		{"validateBackendSection: the provider that has no name", "AgentgatewayPolicy/p", []string{
			egRoute("HTTPRoute", "shop", "r", "", "{backendRefs: [{group: agentgateway.dev, kind: AgentgatewayBackend, name: be}]}"),
			"{apiVersion: agentgateway.dev/v1alpha1, kind: AgentgatewayBackend, metadata: {name: be, namespace: shop}, spec: {ai: {provider: {openai: {}}}}}",
			strings.Replace(policy("{group: agentgateway.dev, kind: AgentgatewayBackend, name: be, sectionName: backend}"), "traffic: {timeouts: {request: 1s}}", "backend: {http: {requestTimeout: 1s}}", 1),
		}, []string{"g" + good}},
		{"getBackendTLSCACert: an unknown well-known authority", "BackendTLSPolicy/b", []string{
			toSvc, strings.Replace(tlsPolicy("b", "", "ca"), "caCertificateRefs: [{group: '', kind: ConfigMap, name: ca}]", "wellKnownCACertificates: acme.io/own", 1),
		}, []string{"g Accepted=False/NoValidCACertificate ResolvedRefs=True/ResolvedRefs"}},
		{"applyGatewayBackendClientCert: a client certificate that is not there", "BackendTLSPolicy/b", []string{
			toSvc, tlsPolicy("b", "", "ca"), strings.Replace(gateway, "listeners:", "tls: {backend: {clientCertificateRef: {name: gone}}}, listeners:", 1),
		}, []string{"g Accepted=False/Invalid ResolvedRefs=True/ResolvedRefs"}},
		{"applyGatewayBackendClientCert: one with a namespace", "BackendTLSPolicy/b", []string{
			toSvc, tlsPolicy("b", "", "ca"), "{apiVersion: v1, kind: Secret, metadata: {name: cert, namespace: shop}}",
			strings.Replace(gateway, "listeners:", "tls: {backend: {clientCertificateRef: {name: cert, namespace: shop}}}, listeners:", 1),
		}, []string{"g Accepted=False/Invalid ResolvedRefs=True/ResolvedRefs"}},
		{"translatePoliciesForInferencePool: a picker", "InferencePool/pool", []string{toPool, pool("{name: svc, port: {number: 80}}")}, []string{"g Accepted=True/Accepted ResolvedRefs=True/ResolvedRefs"}},
		{"validateInferencePoolEndpointPickerRef: no such port", "InferencePool/pool", []string{toPool, pool("{name: svc, port: {number: 99}}")}, []string{"g Accepted=True/Accepted ResolvedRefs=False/InvalidExtensionRef"}},
		{"desiredInferencePoolParentRefs: no Gateway", "InferencePool/pool", []string{pool("{name: gone, port: {number: 80}}")}, []string{"default Accepted=True/Accepted ResolvedRefs=False/InvalidExtensionRef"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := shown(statuses(t, strings.Join(append([]string{class, gateway, svc, ca}, tt.manifests...), "\n---\n"))[tt.object])
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s:\n got %q\nwant %q", tt.object, got, tt.want)
			}
		})
	}
}
