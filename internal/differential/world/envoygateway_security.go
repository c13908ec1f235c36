package world

import "fmt"

// security are the fields of a SecurityPolicy. A TCPRoute takes authorisation by addresses alone.
func (b *Builder) security(target string) map[string]func() any {
	if target == "TCPRoute" && b.chance(0.9) {
		return map[string]func() any{"authorization": func() any { return b.authorization(!b.mistake(0.4)) }}
	}
	return map[string]func() any{
		"authorization": func() any { return b.authorization(b.chance(0.4)) },
		"cors": func() any {
			return pick(b, fields{"allowOrigins": list{fmt.Sprintf("https://o%d.example.com", b.next())}}, fields{"allowMethods": list{"GET"}, "maxAge": b.duration("s")})
		},
		"csrf": func() any {
			return fields{"additionalOrigins": list{fmt.Sprintf("https://o%d.example.com", b.next())}}
		},
		"jwt":       func() any { return b.jwt() },
		"oidc":      func() any { return b.oidc() },
		"basicAuth": func() any { return fields{"users": b.secretReference(pick(b, "users", "users", "users", "odd"))} },
		"apiKeyAuth": func() any {
			refs := list{b.secretReference(pick(b, "users", "users", "users", "odd"))}
			if b.chance(0.2) {
				refs = append(refs, b.secretReference("odd"))
			}
			source := fields{"headers": list{fmt.Sprint("x-key-", b.next())}}
			if b.mistake(0.15) {
				source["params"] = list{"key"}
			}
			return fields{"credentialRefs": refs, "extractFrom": list{source}}
		},
		"extAuth": func() any {
			service := b.called()
			spec := fields{}
			if b.chance(0.5) {
				service["path"] = fmt.Sprint("/e", b.next())
				spec["http"] = service
			} else {
				spec["grpc"] = service
			}
			if b.chance(0.15) {
				spec["contextExtensions"] = list{fields{"name": "c", "type": "ValueRef", "valueRef": fields{"group": "", "kind": pick(b, "ConfigMap", "Secret"), "name": pick(b, "lua", "users", "missing"), "key": pick(b, "lua", "key", "gone")}}}
			}
			return b.sometimes(0.3, spec, fields{"failOpen": b.chance(0.7)})
		},
	}
}

// authorization is by addresses alone, or also by what only requests have.
func (b *Builder) authorization(addresses bool) fields {
	rules := list{}
	for range b.between(0, 2) {
		rule := fields{"name": fmt.Sprint("rule", b.next()), "action": pick(b, "Allow", "Deny"), "principal": fields{"clientCIDRs": list{fmt.Sprintf("10.0.%d.0/24", b.next()%250)}}}
		if b.mistake(0.1) {
			rule["principal"] = fields{"clientCIDRs": list{pick(b, "10.0.0.0/33", "10.0.0.1")}}
		}
		if !addresses {
			switch pick(b, "geo", "geo", "jwt", "headers", "cel", "operation", "") {
			case "geo":
				place := pick(b, fields{"country": "DE"}, fields{"country": "US", "region": "CA"}, fields{"asn": 64500}, fields{"anonymous": fields{"isTor": true}})
				rule["principal"] = fields{"clientIPGeoLocations": list{place}}
			case "jwt":
				rule["principal"] = fields{"jwt": fields{"provider": "p", "claims": list{fields{"name": "role", "values": list{"admin"}}}}}
			case "headers":
				rule["principal"] = fields{"headers": list{fields{"name": "x-a", "values": list{"b"}}}}
			case "cel":
				rule["cel"] = pick(b, "request.path == '/a'", "request.path ==", "request.method in ['GET']")
			case "operation":
				rule["operation"] = pick(b, fields{"methods": list{"GET"}}, fields{"path": fields{"type": "RegularExpression", "value": pick(b, "/a.*", "/[")}})
			}
		}
		rules = append(rules, rule)
	}
	return fields{"defaultAction": pick(b, "Allow", "Deny"), "rules": rules}
}

func (b *Builder) jwt() fields {
	provider := fields{"name": fmt.Sprint("jwt", b.next()), "issuer": "https://i.example.com"}
	if b.mistake(0.1) {
		provider["issuer"] = pick(b, "a:b", "a@", "me")
	}
	if b.mistake(0.05) {
		provider["name"] = "two words"
	}
	switch remote := (fields{"uri": "https://i.example.com/jwks"}); pick(b, "remote", "remote", "backend", "inline", "reference") {
	case "remote":
		provider["remoteJWKS"] = remote
	case "backend":
		for k, v := range b.called() {
			remote[k] = v
		}
		provider["remoteJWKS"] = remote
	case "inline":
		provider["localJWKS"] = fields{"type": "Inline", "inline": "{}"}
	case "reference":
		provider["localJWKS"] = fields{"type": "ValueRef", "valueRef": fields{"group": "", "kind": "ConfigMap", "name": pick(b, "lua", "empty", "missing")}}
	}
	return fields{"providers": list{provider}}
}

// oidc names its endpoints, since nobody answers who could be asked for them.
func (b *Builder) oidc() fields {
	provider := fields{"issuer": "https://i.example.com", "authorizationEndpoint": "https://i.example.com/a", "tokenEndpoint": "https://i.example.com/t"}
	if b.mistake(0.15) {
		provider["tokenEndpoint"] = pick(b, "https://1.2.3.4/t", "https://i.example.com:http/t")
	}
	if b.mistake(0.15) {
		provider["issuer"] = pick(b, "http://i.example.com", "https://u@i.example.com", "https://i.example.com/?a=b", "https:///a", "i.example.com")
	}
	if b.chance(0.3) {
		for k, v := range b.called() {
			provider[k] = v
		}
	}
	oidc := fields{"provider": provider, "clientID": "c", "clientSecret": b.secretReference(pick(b, "users", "users", "users", "odd"))}
	if b.chance(0.2) {
		delete(oidc, "clientID")
		oidc["clientIDRef"] = b.secretReference("users")
	}
	if b.chance(0.3) {
		oidc["redirectURL"] = pick(b, "https://a.example.com/callback", "%REQ(x-forwarded-proto)%://%REQ(:authority)%/callback", "https://a.example.com/", "a.example.com/callback")
	}
	return b.sometimes(0.1, oidc, fields{"passThroughAuthHeader": true})
}

// called are the backends of a service that a policy calls, with how they are called.
func (b *Builder) called() fields {
	refs := list{b.policyBackend()}
	if b.chance(0.15) {
		refs = append(refs, b.policyBackend())
	}
	service := fields{"backendRefs": refs}
	if b.chance(0.2) {
		all := b.clusterSettings()
		settings := fields{}
		for _, field := range some(b, 2, "retry", "connection", "http2", "circuitBreaker", "loadBalancer", "timeout") {
			settings[field] = all[field]()
		}
		service["backendSettings"] = settings
	}
	return service
}

// policyBackend is a Service, or a Backend of any form.
func (b *Builder) policyBackend() fields {
	ref := b.reference()
	if b.chance(0.3) {
		delete(ref, "port")
		ref["group"], ref["kind"], ref["name"] = envoyGroup, "Backend", pick(b, envoyBackends...)
		if b.chance(0.3) {
			ref["port"] = 443
		}
	}
	if b.mistake(0.02) {
		delete(ref, "port")
	}
	if b.mistake(0.02) {
		ref = fields{"group": "example.com", "kind": "Bucket", "name": "x"}
	}
	return b.sometimes(0.1, ref, fields{"weight": pick(b, 0, 2)})
}
