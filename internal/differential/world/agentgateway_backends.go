package world

// agentBackendSpec is a backend of any kind.
func (b *Builder) agentBackendSpec() fields {
	openAI := func(name string) fields { return fields{"name": name, "openai": fields{}} }
	spec := pick(b,
		fields{"static": fields{"host": "be.example.org", "port": 443}},
		fields{"static": fields{"host": "be.example.org", "port": 443}},
		fields{"ai": fields{"provider": fields{"openai": fields{}}}},
		fields{"ai": fields{"groups": list{fields{"providers": list{openAI("first"), openAI("second")}}}}},
		fields{"mcp": fields{"targets": list{fields{"name": "tools", "static": fields{"host": "mcp.example.org", "port": 80}}}}},
		fields{"aws": fields{"agentCore": fields{"agentRuntimeArn": "arn:aws:bedrock-agentcore:us-east-1:1:runtime/a"}}},
		fields{"dynamicForwardProxy": fields{}})
	if spec["static"] != nil && b.chance(0.3) {
		spec["policies"] = fields{pick(b, "tls", "tls", "auth", "tunnel"): fields{}}
		policies := spec["policies"].(fields)
		for field := range policies {
			policies[field] = b.agentBackend()[field]()
		}
	}
	return spec
}

// clientAuth is how a proxy authenticates at a token endpoint.
func (b *Builder) clientAuth() fields {
	if b.chance(0.2) {
		jwt := b.sometimes(0.3, fields{"assertionAudience": "https://idp.example.com", "signingKeyRef": b.secretRef("cloud")}, fields{"certificateRef": b.secretRef("cloud"), "certificateHeader": "x5c"})
		return fields{"clientId": "c", "method": "PrivateKeyJwt", "privateKeyJwt": jwt}
	}
	auth := fields{"clientId": "c", "method": pick(b, "ClientSecretPost", "ClientSecretBasic")}
	if auth["method"] == "ClientSecretBasic" || b.chance(0.5) {
		auth["secretRef"] = b.secretRef("cloud")
	}
	return auth
}

func (b *Builder) backendAuth() fields {
	switch pick(b, "key", "secretRef", "secretRef", "passthrough", "aws", "azure", "gcp", "oauth", "cross", "sign", "credentials") {
	case "key":
		return fields{"key": "k"}
	case "secretRef":
		return fields{"secretRef": b.sometimes(0.2, b.secretRef("users"), fields{"key": pick(b, "client-secret", "other")})}
	case "passthrough":
		return fields{"passthrough": fields{}}
	case "aws":
		return fields{"aws": pick(b, fields{}, fields{"secretRef": b.secretRef("cloud")}, fields{"secretRef": b.secretRef("cloud"), "region": "eu-west-1"})}
	case "azure":
		return fields{"azure": pick(b, fields{"secretRef": b.secretRef("cloud")}, fields{"workloadIdentity": fields{}})}
	case "gcp":
		return fields{"gcp": pick(b, fields{}, fields{"secretRef": b.secretRef("cloud")})}
	case "oauth":
		oauth := b.endpoint(true)
		if b.chance(0.5) {
			oauth["clientAuth"] = b.clientAuth()
		}
		b.sometimes(0.2, oauth, fields{"additionalParams": fields{pick(b, "extra", "extra", "Scope"): b.expression()}})
		b.sometimes(0.2, oauth, fields{"subjectToken": fields{"source": b.location(), "tokenType": pick(b, "Jwt", "https://example.com/type", "type")}})
		return fields{"oauthTokenExchange": b.sometimes(0.2, oauth, fields{"grantType": "TokenExchange", "actorToken": fields{"source": b.location()}})}
	case "cross":
		return fields{"crossAppAccess": fields{
			"audience": "a", "identityProvider": with(b.endpoint(true), fields{"clientAuth": b.clientAuth()}),
			"resourceAuthorizationServer": with(b.endpoint(false), fields{"clientAuth": b.clientAuth()}),
		}}
	case "sign":
		return fields{"jwtSign": b.sometimes(0.4, fields{"signingKeyRef": b.secretRef("cloud")}, fields{"claims": fields{pick(b, "sub", "exp"): "me"}})}
	default:
		return fields{"credentials": list{fields{"location": fields{"header": fields{"name": "x-key"}}, "secretRef": b.sometimes(0.3, b.secretRef("users"), fields{"key": pick(b, "client-secret", "other")})}}}
	}
}

func (b *Builder) promptGuard() fields {
	webhook := func() fields {
		hook := fields{"backendRef": b.endpoint(false)["backendRef"]}
		if hook["backendRef"] == nil {
			hook["backendRef"] = b.reference()
		}
		return fields{"webhook": b.sometimes(0.3, hook, fields{"headers": b.expressions()})}
	}
	moderation := func() fields {
		return fields{"openAIModeration": fields{"policies": fields{"auth": fields{"secretRef": b.secretRef("users")}}}}
	}
	guard := fields{"request": list{pick(b, webhook, moderation, func() fields { return fields{"regex": fields{"builtins": list{"Email"}}} })()}}
	return b.sometimes(0.3, guard, fields{"response": list{webhook()}})
}

func (b *Builder) agentBackend() map[string]func() any {
	return map[string]func() any{
		"tcp":  func() any { return fields{"connectTimeout": b.duration("s")} },
		"http": func() any { return fields{"requestTimeout": b.duration("s")} },
		"tls": func() any {
			authority := fields{"name": pick(b, "ca", "ca", "missing", "jwks")}
			b.sometimes(0.2, authority, fields{"kind": "Secret", "name": pick(b, "only-ca", "cert", "missing")})
			return pick(b, fields{"sni": "be.example.org"}, fields{"insecureSkipVerify": "All"}, fields{"certificateSource": "SPIFFE"},
				fields{"caCertificateRefs": list{authority}}, fields{"mtlsCertificateRef": list{b.secretRef(pick(b, "cert", "only-ca"))}})
		},
		"auth":           func() any { return b.backendAuth() },
		"tunnel":         func() any { return b.endpoint(false) },
		"transformation": func() any { return b.transformation() },
		"health":         func() any { return fields{"unhealthyCondition": b.expression()} },
		"extAuth":        func() any { return b.extAuth() },
		"mcp": func() any {
			return b.filled(fields{}, 2, map[string]func() any{
				"authorization": func() any { return b.agentAuthorization() },
				"authentication": func() any {
					return b.sometimes(0.3, fields{"issuer": "https://i.example.com", "jwks": b.remoteKeys()}, fields{"clientSecretRef": b.secretRef("cloud")})
				},
				"guardrails": func() any {
					remote := b.sometimes(0.3, b.endpoint(false), fields{"metadata": b.expressions()})
					return fields{"processors": list{fields{"methods": fields{"tools/call": "Full"}, "remote": remote}}}
				},
			})
		},
		"ai": func() any {
			return b.filled(fields{}, 2, map[string]func() any{
				"promptGuard":     func() any { return b.promptGuard() },
				"transformations": func() any { return list{fields{"field": "model", "expression": b.expression()}} },
				"defaults":        func() any { return list{fields{"field": "model", "value": "m"}} },
			})
		},
	}
}

func (b *Builder) agentFrontend() map[string]func() any {
	attributes := func() fields { return fields{"add": list{fields{"name": "a", "expression": b.expression()}}} }
	return map[string]func() any{
		"http":                 func() any { return fields{"maxBufferSize": 1000 + b.next()} },
		"tcp":                  func() any { return fields{"keepalive": fields{"retries": b.between(1, 60)}} },
		"tls":                  func() any { return fields{"handshakeTimeout": b.duration("s")} },
		"proxyProtocol":        func() any { return fields{"version": pick(b, "V1", "V2", "All")} },
		"connect":              func() any { return fields{"mode": pick(b, "Route", "Tunnel", "Deny")} },
		"networkAuthorization": func() any { return b.agentAuthorization() },
		"metrics":              func() any { return fields{"attributes": attributes()} },
		"accessLog": func() any {
			log := b.sometimes(0.3, fields{"attributes": attributes()}, fields{"filter": b.expression()})
			return b.sometimes(0.3, log, fields{"otlp": b.sometimes(0.3, b.endpoint(true), fields{"protocol": "HTTP", "filter": b.expression()})})
		},
		"tracing": func() any {
			tracing := b.sometimes(0.3, b.endpoint(true), fields{"protocol": "HTTP", "attributes": attributes()})
			return b.sometimes(0.3, tracing, fields{"randomSampling": b.expression(), "resources": list{fields{"name": "r", "expression": b.expression()}}})
		},
	}
}
