package world

import "fmt"

const agentGroup = "agentgateway.dev"

// Agentgateway is the dialect of agentgateway.
var Agentgateway = Dialect{
	Controller: agentGroup + "/agentgateway", Classes: []string{"agentgateway"}, BuiltinClasses: true,
	RouteKinds:   []string{"HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute"},
	ListenerSets: true,
	Backend:      reference{agentGroup, "AgentgatewayBackend", []string{"be", "be", "missing"}},
	Add:          agentgateway,
}

func agentgateway(b *Builder) {
	for _, namespace := range namespaces {
		if b.chance(0.6) {
			b.add(agentGroup+"/v1alpha1", "AgentgatewayBackend", namespace, "be", pick(b,
				fields{"static": fields{"host": "be.example.org", "port": 443}},
				fields{"ai": fields{"provider": fields{"openai": fields{}}}},
				fields{"mcp": fields{"targets": list{fields{"name": "tools", "static": fields{"host": "mcp.example.org", "port": 80}}}}},
				fields{"dynamicForwardProxy": fields{}}))
		}
		if !b.mistake(0.3) {
			b.add("v1", "Secret", namespace, "users", nil)["data"] = fields{".htaccess": encoded("u:{SHA}qUqP5cyxm6YcTAhz05Hph5gvu9M="), "Authorization": encoded("key"), "client-secret": encoded("s")}
		}
		if !b.mistake(0.3) {
			b.add("v1", "ConfigMap", namespace, "jwks", nil)["data"] = fields{"jwks": `{"keys":[]}`}
		}
	}
	for i := range b.between(1, 6) {
		name := fmt.Sprintf("p%d-%d", b.between(0, 9), i)
		if b.chance(0.15) {
			b.backendTLS(name)
			continue
		}
		b.agentPolicy(name)
	}
}

func (b *Builder) agentPolicy(name string) {
	kinds := pick(b, []string{"Gateway"}, []string{"Gateway", "ListenerSet"}, []string{"HTTPRoute", "GRPCRoute"}, []string{"HTTPRoute"}, []string{"TCPRoute", "TLSRoute"})
	part := pick(b, "traffic", "traffic", "backend", "frontend")
	if part == "frontend" && !b.mistake(0.3) {
		kinds = []string{"Gateway"}
	}
	target := b.on(kinds...)
	namespace := target.namespace
	if b.mistake(0.08) {
		namespace = pick(b, namespaces...)
	}
	refs := list{b.targetRef(target, true)}
	if part == "backend" && b.chance(0.5) {
		ref := b.targetRef(b.serviceTarget(namespace), true)
		if b.chance(0.3) {
			ref = fields{"group": agentGroup, "kind": "AgentgatewayBackend", "name": pick(b, "be", "missing")}
		}
		refs = list{ref}
	} else if other := b.on(kinds...); b.chance(0.3) && other.name != target.name && other.kind == target.kind {
		refs = append(refs, b.targetRef(other, true))
	}
	spec := fields{"targetRefs": refs}
	if b.chance(0.15) {
		delete(spec, "targetRefs")
		spec["targetSelectors"] = list{fields{"group": gatewayAPI, "kind": target.kind, "matchLabels": fields{"app": pick(b, "x", "y")}}}
	}
	values := map[string]func() map[string]func() any{"traffic": b.agentTraffic, "backend": b.agentBackend, "frontend": b.agentFrontend}[part]()
	spec[part] = b.filled(fields{}, 3, values)
	b.add(agentGroup+"/v1alpha1", "AgentgatewayPolicy", namespace, name, spec)
}

// expression is one of CEL, mostly.
func (b *Builder) expression() string {
	if b.mistake(0.1) {
		return "request.path =="
	}
	return fmt.Sprintf("request.path == '/%d'", b.next())
}

func (b *Builder) agentTraffic() map[string]func() any {
	service := func() any {
		ref := b.reference()
		b.sometimes(0.1, ref, fields{"group": agentGroup, "kind": "AgentgatewayBackend", "name": "be"})
		if ref["kind"] != nil {
			delete(ref, "port")
		}
		return ref
	}
	return map[string]func() any{
		"timeouts": func() any { return fields{"request": b.duration("s")} },
		"retry":    func() any { return fields{"attempts": b.next(), "codes": list{503}} },
		"cors":     func() any { return fields{"allowOrigins": list{fmt.Sprintf("https://o%d.example.com", b.next())}} },
		"rateLimit": func() any {
			if b.chance(0.6) {
				return fields{"local": list{fields{"requests": b.next(), "unit": pick(b, "Seconds", "Minutes", "Hours")}}}
			}
			return fields{"global": fields{"backendRef": service(), "domain": "d", "descriptors": list{fields{"entries": list{fields{"name": "path", "expression": b.expression()}}}}}}
		},
		"extAuth": func() any {
			return b.sometimes(0.5, fields{"backendRef": service()}, fields{"grpc": fields{}})
		},
		"extProc": func() any { return fields{"backendRef": service()} },
		"authorization": func() any {
			return b.sometimes(0.4, fields{"policy": fields{"matchExpressions": list{b.expression()}}}, fields{"action": pick(b, "Allow", "Deny", "Require")})
		},
		"basicAuthentication": func() any {
			return pick(b, fields{"secretRef": fields{"name": pick(b, "users", "users", "missing")}}, fields{"users": list{"u:{SHA}qUqP5cyxm6YcTAhz05Hph5gvu9M="}})
		},
		"apiKeyAuthentication": func() any {
			return pick(b, fields{"secretRef": fields{"name": pick(b, "users", "missing")}}, fields{"secretSelector": fields{"matchLabels": fields{"app": "keys"}}})
		},
		"jwtAuthentication": func() any {
			jwks := pick(b, fields{"inline": `{"keys":[]}`}, fields{"remote": fields{"jwksPath": "/jwks", "backendRef": b.reference()}})
			return fields{"providers": list{fields{"issuer": "https://i.example.com", "jwks": jwks}}}
		},
		"headerModifiers": func() any {
			return fields{"request": fields{"set": list{fields{"name": "x-a", "value": fmt.Sprint(b.next())}}}}
		},
		"hostRewrite": func() any { return fields{"mode": pick(b, "Auto", "None")} },
		"transformation": func() any {
			return fields{"request": fields{"set": list{fields{"name": "x-b", "value": b.expression()}}}}
		},
		"csrf":           func() any { return fields{"additionalOrigins": list{"https://csrf.example.com"}} },
		"directResponse": func() any { return fields{"status": 400 + b.next()%100} },
	}
}

func (b *Builder) agentBackend() map[string]func() any {
	return map[string]func() any{
		"tcp":  func() any { return fields{"connectTimeout": b.duration("s")} },
		"http": func() any { return fields{"requestTimeout": b.duration("s")} },
		"tls": func() any {
			return pick(b, fields{"sni": "be.example.org"}, fields{"insecureSkipVerify": "All"},
				fields{"caCertificateRefs": list{fields{"name": pick(b, "ca", "ca", "missing")}}}, fields{"mtlsCertificateRef": list{fields{"name": pick(b, "cert", "missing")}}})
		},
		"auth": func() any {
			return pick(b, fields{"key": "k"}, fields{"secretRef": fields{"name": pick(b, "users", "users", "missing")}}, fields{"passthrough": fields{}})
		},
	}
}

func (b *Builder) agentFrontend() map[string]func() any {
	return map[string]func() any{
		"http": func() any { return fields{"maxBufferSize": 1000 + b.next()} },
		"tcp":  func() any { return fields{"keepalive": fields{"retries": b.between(1, 60)}} },
		"tls":  func() any { return fields{"handshakeTimeout": b.duration("s")} },
		"accessLog": func() any {
			return fields{"attributes": fields{"add": list{fields{"name": "a", "expression": b.expression()}}}}
		},
		"tracing": func() any { return fields{"backendRef": b.reference()} },
	}
}
