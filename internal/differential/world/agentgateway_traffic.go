package world

import "fmt"

// agentSources are the Secrets and ConfigMaps that policies read, some without what they need.
func (b *Builder) agentSources() {
	hash := "sha256:" + fmt.Sprintf("%064x", 1)
	for _, namespace := range namespaces {
		if b.chance(0.5) {
			entry := pick(b, "plain", `{"key":"k"}`, `{"keyHash":"`+hash+`"}`, `{"keyHash":"`+hash+`"}`, `{"keyHash":"sha256:00"}`, `{"key":"k","keyHash":"`+hash+`"}`, "{}", "")
			o := b.add("v1", "ConfigMap", namespace, "keys", nil)
			o["data"], o["metadata"].(fields)["labels"] = fields{"one": entry}, fields{"app": pick(b, "keys", "others")}
		}
		if b.chance(0.5) {
			o := b.add("v1", "Secret", namespace, "keys", nil)
			o["data"], o["metadata"].(fields)["labels"] = fields{"one": encoded("k")}, fields{"app": pick(b, "keys", "others")}
		}
		if b.chance(0.5) {
			all := []string{"accessKey", "secretKey", "clientID", "tenantID", "clientSecret", "signingKey", "certificate", "credentials.json", "Authorization"}
			data := fields{}
			for _, key := range all {
				if !b.mistake(0.15) {
					data[key] = encoded(key)
				}
			}
			b.add("v1", "Secret", namespace, "cloud", nil)["data"] = data
		}
		if b.chance(0.3) {
			b.add("v1", "Secret", namespace, "only-ca", nil)["data"] = fields{"ca.crt": encoded(certificates()["cert"].cert)}
		}
	}
}

// secretRef names a Secret that is there, mostly.
func (b *Builder) secretRef(name string) fields {
	ref := fields{"name": name}
	if b.mistake(0.15) {
		ref["name"] = pick(b, "missing", "cert", "users")
	}
	if b.mistake(0.04) {
		ref["group"], ref["kind"] = "example.com", "Vault"
	}
	return ref
}

// endpoint is a backend or a URL that a policy calls.
func (b *Builder) endpoint(path bool) fields {
	if b.chance(0.15) {
		url := pick(b, "https://auth.example.com", "http://auth.example.com:8080", "https://10.1.2.3")
		if path && b.chance(0.4) {
			url += "/check"
		}
		if b.mistake(0.15) {
			url = pick(b, "https://auth.example.com:99999", "http://:80", "https://auth.example.com:x", "https://a b")
		}
		return fields{"url": url}
	}
	ref := b.reference()
	b.sometimes(0.1, ref, fields{"group": agentGroup, "kind": "AgentgatewayBackend", "name": pick(b, "be", "be", "missing")})
	if ref["kind"] != nil {
		delete(ref, "port")
	}
	return fields{"backendRef": ref}
}

// with gives m what is in more.
func with(m, more fields) fields {
	for k, v := range more {
		m[k] = v
	}
	return m
}

// conditional is one policy, or several with conditions.
func (b *Builder) conditional(one func() fields) any {
	if !b.chance(0.15) {
		return one()
	}
	return fields{"conditional": list{fields{"condition": b.expression(), "policy": one()}, fields{"policy": one()}}}
}

// location is where credentials are read from.
func (b *Builder) location() fields {
	return pick(b, fields{"header": fields{"name": "x-token"}}, fields{"queryParameter": fields{"name": "t"}}, fields{"cookie": fields{"name": "c"}}, fields{"expression": b.expression()})
}

func (b *Builder) expressions() fields { return fields{"a": b.expression()} }

func (b *Builder) extAuth() fields {
	if b.chance(0.5) {
		auth := with(b.endpoint(false), fields{"grpc": b.sometimes(0.4, fields{}, fields{"requestMetadata": b.expressions()})})
		return b.sometimes(0.2, auth, fields{"cache": fields{"key": list{b.expression()}, "ttl": pick(b, "5m", "duration('5m')", "5 minutes")}})
	}
	http := b.filled(fields{}, 3, map[string]func() any{
		"path": func() any { return b.expression() }, "redirect": func() any { return b.expression() }, "body": func() any { return b.expression() },
		"addRequestHeaders": func() any { return b.expressions() }, "responseMetadata": func() any { return b.expressions() },
		"allowedRequestHeaders": func() any { return list{"x-a"} },
	})
	return b.sometimes(0.3, with(b.endpoint(true), fields{"http": http}), fields{"failureMode": pick(b, "FailOpen", "FailClosed")})
}

// keySet is one that is written down, mostly a sound one.
func (b *Builder) keySet() string {
	sound := []string{`{"keys":[]}`, `{"keys":[{"kty":"RSA","n":"eHh4","e":"AQAB"}]}`, `{"keys":[{"kty":"oct","k":"eHh4"}]}`, `{}`, `null`}
	if b.mistake(0.2) {
		return pick(b, `{"keys":[{"kty":"RSA","n":"...","e":"AQAB"}]}`, `no`, `[]`, `{"keys":[{"kty":"EC","crv":"P-256"}]}`, `{"keys":[{}]}`)
	}
	return pick(b, sound...)
}

func (b *Builder) remoteKeys() fields {
	if b.chance(0.2) {
		return fields{"url": "https://idp.example.com/keys"}
	}
	ref := b.reference()
	b.sometimes(0.2, ref, fields{"group": agentGroup, "kind": "AgentgatewayBackend", "name": pick(b, "be", "be", "missing")})
	return fields{"jwksPath": "/jwks", "backendRef": ref}
}

func (b *Builder) transformation() fields {
	one := func() fields {
		return b.filled(fields{}, 2, map[string]func() any{
			"set": func() any { return list{fields{"name": "x-b", "value": b.expression()}} }, "add": func() any { return list{fields{"name": "x-c", "value": b.expression()}} },
			"remove": func() any { return list{"x-d"} }, "body": func() any { return b.expression() }, "metadata": func() any { return b.expressions() },
		})
	}
	return b.sometimes(0.4, fields{pick(b, "request", "response"): one()}, fields{"response": one()})
}

func (b *Builder) agentAuthorization() fields {
	return b.sometimes(0.4, fields{"policy": fields{"matchExpressions": list{b.expression()}}}, fields{"action": pick(b, "Allow", "Deny", "Require")})
}

func (b *Builder) agentTraffic() map[string]func() any {
	return map[string]func() any{
		"timeouts": func() any { return fields{"request": b.duration("s")} },
		"retry": func() any {
			return b.sometimes(0.3, fields{"attempts": b.next(), "codes": list{503}}, fields{"backoff": "1s", "condition": b.expression()})
		},
		"cors": func() any { return fields{"allowOrigins": list{fmt.Sprintf("https://o%d.example.com", b.next())}} },
		"rateLimit": func() any {
			return b.conditional(func() fields {
				if b.chance(0.6) {
					return fields{"local": list{fields{pick(b, "requests", "tokens"): b.next(), "unit": pick(b, "Seconds", "Minutes", "Hours")}}}
				}
				descriptor := b.sometimes(0.3, fields{"entries": list{fields{"name": "path", "expression": b.expression()}}}, fields{"cost": b.expression(), "limitOverride": b.expression()})
				return fields{"global": with(b.endpoint(false), fields{"domain": "d", "descriptors": list{descriptor}})}
			})
		},
		"extAuth": func() any { return b.conditional(b.extAuth) },
		"extProc": func() any {
			return b.conditional(func() fields {
				return b.sometimes(0.4, b.endpoint(false), fields{"requestAttributes": b.expressions(), "metadataContext": fields{"ns": b.expressions()}})
			})
		},
		"authorization": func() any { return b.agentAuthorization() },
		"basicAuthentication": func() any {
			source := pick(b, fields{"secretRef": b.secretRef("users")}, fields{"users": list{"u:{SHA}qUqP5cyxm6YcTAhz05Hph5gvu9M="}})
			return b.sometimes(0.2, source, fields{"location": b.location(), "mode": pick(b, "Strict", "Optional")})
		},
		"apiKeyAuthentication": func() any {
			labels := fields{"matchLabels": fields{"app": pick(b, "keys", "others", "none")}}
			source := pick(b, fields{"secretRef": b.secretRef("keys")}, fields{"secretSelector": labels}, fields{"configMapSelector": labels})
			return b.sometimes(0.2, source, fields{"location": b.location()})
		},
		"jwtAuthentication": func() any {
			var providers list
			for i := range pick(b, 1, 1, 2) {
				jwks := pick(b, fields{"inline": b.keySet()}, fields{"remote": b.remoteKeys()})
				providers = append(providers, fields{"issuer": fmt.Sprintf("https://i%d.example.com", i), "jwks": jwks})
			}
			jwt := b.sometimes(0.2, fields{"providers": providers}, fields{"location": b.location()})
			return b.sometimes(0.1, jwt, fields{"mcp": fields{"provider": "Keycloak", "resourceMetadata": fields{"resource": "r"}}})
		},
		"headerModifiers": func() any {
			return fields{pick(b, "request", "response"): fields{"set": list{fields{"name": "x-a", "value": fmt.Sprint(b.next())}}}}
		},
		"hostRewrite":    func() any { return fields{"mode": pick(b, "Auto", "None")} },
		"transformation": func() any { return b.conditional(b.transformation) },
		"csrf":           func() any { return fields{"additionalOrigins": list{"https://csrf.example.com"}} },
		"directResponse": func() any {
			return b.conditional(func() fields {
				response := b.sometimes(0.3, fields{"status": 400 + b.next()%100}, fields{"headers": list{fields{"name": "x-e", "value": b.expression()}}})
				return b.sometimes(0.4, response, pick(b, fields{"body": "no"}, fields{"bodyExpression": b.expression()}))
			})
		},
		"delay":  func() any { return fields{"duration": pick(b, "1s", "duration('1s')", b.expression())} },
		"buffer": func() any { return fields{"request": fields{"maxBytes": 1000 + b.next()}} },
	}
}
