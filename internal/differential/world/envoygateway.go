package world

import (
	"fmt"
	"slices"
)

const envoyGroup = "gateway.envoyproxy.io"

// EnvoyGateway is the dialect of Envoy Gateway.
var EnvoyGateway = Dialect{
	Controller: envoyGroup + "/gatewayclass-controller", Classes: []string{"eg"},
	RouteKinds:   []string{"HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"},
	ListenerSets: true,
	Backend:      reference{envoyGroup, "Backend"}, Filter: reference{envoyGroup, "HTTPRouteFilter"},
	Add: envoyGateway,
}

// envoyRoutes are the kinds of route that each kind of policy takes; none take Gateways alone.
var envoyRoutes = map[string][]string{
	"BackendTrafficPolicy": {"HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"},
	"SecurityPolicy":       {"HTTPRoute", "GRPCRoute", "TCPRoute"},
	"EnvoyExtensionPolicy": {"HTTPRoute", "GRPCRoute", "TCPRoute"},
	"ClientTrafficPolicy":  nil,
}

func envoyGateway(b *Builder) {
	for _, namespace := range namespaces {
		if b.chance(0.5) {
			endpoint := pick(b, fields{"fqdn": fields{"hostname": "be.example.org", "port": 443}}, fields{"ip": fields{"address": "1.2.3.4", "port": 80}})
			b.add(envoyGroup+"/v1alpha1", "Backend", namespace, "be", fields{"endpoints": list{endpoint}})
		}
		if b.chance(0.7) {
			spec := fields{"urlRewrite": fields{"hostname": fields{"type": "Header", "header": "x-h"}}}
			if b.chance(0.3) {
				spec = fields{"directResponse": fields{"statusCode": 418}}
			}
			b.add(envoyGroup+"/v1alpha1", "HTTPRouteFilter", namespace, "filter", spec)
		}
		if !b.mistake(0.3) {
			b.add("v1", "Secret", namespace, "users", nil)["data"] = fields{".htpasswd": encoded("u:{SHA}qUqP5cyxm6YcTAhz05Hph5gvu9M="), "key": encoded("key"), "client-secret": encoded("s")}
		}
		if !b.mistake(0.3) {
			b.add("v1", "ConfigMap", namespace, "lua", nil)["data"] = fields{"lua": "function envoy_on_response(h) end"}
		}
	}
	if b.chance(0.12) {
		b.envoyProxy()
	}
	for i := range b.between(1, 6) {
		kind := pick(b, "BackendTrafficPolicy", "BackendTrafficPolicy", "SecurityPolicy", "SecurityPolicy", "ClientTrafficPolicy", "EnvoyExtensionPolicy", "BackendTLSPolicy")
		name := fmt.Sprintf("p%d-%d", b.between(0, 9), i)
		if kind == "BackendTLSPolicy" {
			b.backendTLS(name)
			continue
		}
		b.envoyPolicy(kind, name)
	}
}

// envoyProxy gives the class an EnvoyProxy, which may merge its Gateways, or be missing.
func (b *Builder) envoyProxy() {
	if !b.mistake(0.3) {
		spec := fields{"logging": fields{"level": fields{"default": "warn"}}}
		if b.chance(0.7) {
			spec = fields{"mergeGateways": true}
		}
		b.add(envoyGroup+"/v1alpha1", "EnvoyProxy", "infra", "proxy", spec)
	}
	class := b.objects[slices.IndexFunc(b.objects, func(o Object) bool { return o.Kind() == "GatewayClass" })]
	class["spec"].(fields)["parametersRef"] = fields{"group": envoyGroup, "kind": "EnvoyProxy", "name": "proxy", "namespace": "infra"}
}

func (b *Builder) envoyPolicy(kind, name string) {
	kinds := envoyRoutes[kind]
	if kinds == nil || b.chance(0.45) {
		kinds = []string{"Gateway", "Gateway", "ListenerSet"}
	}
	target := b.on(kinds...)
	namespace := target.namespace
	if b.mistake(0.08) {
		namespace = pick(b, namespaces...)
	}
	spec := fields{}
	form := pick(b, "refs", "refs", "refs", "refs", "ref", "selectors", "both")
	if form == "ref" {
		spec["targetRef"] = b.targetRef(target, true)
	}
	if form == "refs" || form == "both" {
		refs := list{b.targetRef(target, true)}
		if other := b.on(kinds...); b.chance(0.3) && other.name != target.name {
			refs = append(refs, b.targetRef(other, true))
		}
		spec["targetRefs"] = refs
	}
	if form == "selectors" || form == "both" {
		spec["targetSelectors"] = list{b.envoySelector(target.kind)}
	}
	if kinds[0] != "Gateway" && b.chance(0.5) {
		spec["mergeType"] = pick(b, "StrategicMerge", "StrategicMerge", "JSONMerge")
	}
	values := map[string]func(target string) map[string]func() any{
		"BackendTrafficPolicy": b.backendTraffic, "SecurityPolicy": b.security, "EnvoyExtensionPolicy": b.extension, "ClientTrafficPolicy": b.clientTraffic,
	}[kind](target.kind)
	b.add(envoyGroup+"/v1alpha1", kind, namespace, name, b.filled(spec, 4, values))
}

func (b *Builder) envoySelector(kind string) fields {
	s := fields{"kind": kind, "matchLabels": fields{"app": pick(b, "x", "y")}}
	if b.chance(0.2) {
		s = fields{"kind": kind, "matchExpressions": list{fields{"key": "app", "operator": pick(b, "Exists", "DoesNotExist")}}}
	}
	return b.sometimes(0.3, s, fields{"namespaces": b.fromNamespaces()})
}

// reference to a Service, which may be missing or belong to somebody else.
func (b *Builder) reference() fields {
	ref := fields{"name": "svc-1", "port": 80}
	if b.mistake(0.2) {
		ref["name"] = "missing"
	}
	if b.mistake(0.15) {
		ref["port"] = 81
	}
	if b.mistake(0.25) {
		ref["namespace"] = pick(b, namespaces...)
	}
	return ref
}

func (b *Builder) secretReference(name string) fields {
	ref := fields{"name": name}
	if b.mistake(0.3) {
		ref["name"] = "missing"
	}
	if b.mistake(0.15) {
		ref["namespace"] = pick(b, namespaces...)
	}
	return ref
}

func (b *Builder) backendTraffic(string) map[string]func() any {
	rule := func() any {
		r := fields{"limit": fields{"requests": b.next(), "unit": "Minute"}}
		return b.sometimes(0.6, r, fields{"clientSelectors": list{fields{"headers": list{fields{"name": "x-u", "value": fmt.Sprint("v", b.next())}}}}})
	}
	return map[string]func() any{
		"retry": func() any {
			return pick(b, fields{"numRetries": b.next()}, fields{"numRetries": b.next(), "retryOn": fields{"httpStatusCodes": list{500 + b.between(0, 9)}}},
				fields{"perRetry": fields{"timeout": b.duration("ms")}}, fields{"retryOn": fields{"triggers": list{"retriable-status-codes"}, "httpStatusCodes": list{503}}})
		},
		"timeout": func() any {
			return pick(b, fields{"http": fields{"requestTimeout": b.duration("s")}}, fields{"tcp": fields{"connectTimeout": b.duration("s")}},
				fields{"http": fields{"connectionIdleTimeout": b.duration("s")}, "tcp": fields{"connectTimeout": b.duration("s")}})
		},
		"circuitBreaker": func() any {
			return pick(b, fields{"maxConnections": b.next()}, fields{"maxPendingRequests": b.next()}, fields{"maxParallelRequests": b.next(), "maxParallelRetries": b.next()})
		},
		"loadBalancer": func() any { return fields{"type": pick(b, "Random", "RoundRobin", "LeastRequest")} },
		"rateLimit": func() any {
			return pick(b, fields{"type": "Global", "global": fields{"rules": list{rule(), rule()}}}, fields{"type": "Local", "local": fields{"rules": list{rule()}}})
		},
		"healthCheck": func() any {
			return pick(b, fields{"passive": fields{"consecutive5XxErrors": b.next()}}, fields{"active": fields{"type": "TCP", "tcp": fields{}, "interval": b.duration("s")}}, fields{"panicThreshold": b.next() % 100})
		},
		"faultInjection": func() any {
			return pick(b, fields{"abort": fields{"httpStatus": 500 + b.next()%90}}, fields{"delay": fields{"fixedDelay": b.duration("ms")}})
		},
		"proxyProtocol": func() any { return fields{"version": pick(b, "V1", "V2")} },
		"tcpKeepalive":  func() any { return pick(b, fields{"probes": b.next()}, fields{"idleTime": b.duration("s")}) },
		"connection":    func() any { return fields{"bufferLimit": b.duration("Ki")} },
		"compressor": func() any {
			return list{pick(b, fields{"type": "Gzip", "gzip": fields{}}, fields{"type": "Brotli", "brotli": fields{}}, fields{"type": "Zstd"})}
		},
		"responseOverride": func() any {
			return list{fields{"match": fields{"statusCodes": list{fields{"type": "Value", "value": 500 + b.next()%90}}}, "response": fields{"body": fields{"inline": "b"}}}}
		},
		"requestBuffer":     func() any { return fields{"limit": b.duration("Ki")} },
		"httpUpgrade":       func() any { return list{fields{"type": pick(b, "websocket", "spdy/3.1", "h2c")}} },
		"dns":               func() any { return fields{"dnsRefreshRate": b.duration("s")} },
		"http2":             func() any { return fields{"maxConcurrentStreams": 100 + b.next()} },
		"useClientProtocol": func() any { return b.chance(0.7) },
		"telemetry": func() any {
			return fields{"tracing": fields{"samplingFraction": fields{"numerator": b.between(1, 99)}}}
		},
	}
}

func (b *Builder) security(target string) map[string]func() any {
	authorization := func() any {
		rules := list{}
		for range b.between(0, 2) {
			rules = append(rules, fields{"name": fmt.Sprint("rule", b.next()), "action": pick(b, "Allow", "Deny"), "principal": fields{"clientCIDRs": list{fmt.Sprintf("10.0.%d.0/24", b.next()%250)}}})
		}
		return fields{"defaultAction": pick(b, "Allow", "Deny"), "rules": rules}
	}
	if target == "TCPRoute" && b.chance(0.9) {
		return map[string]func() any{"authorization": authorization}
	}
	return map[string]func() any{
		"authorization": authorization,
		"cors": func() any {
			return pick(b, fields{"allowOrigins": list{fmt.Sprintf("https://o%d.example.com", b.next())}}, fields{"allowMethods": list{"GET"}, "maxAge": b.duration("s")})
		},
		"jwt": func() any {
			return fields{"providers": list{fields{"name": fmt.Sprint("jwt", b.next()), "issuer": "https://i.example.com", "remoteJWKS": fields{"uri": "https://i.example.com/jwks"}}}}
		},
		"basicAuth": func() any { return fields{"users": b.secretReference("users")} },
		"apiKeyAuth": func() any {
			return fields{"credentialRefs": list{b.secretReference("users")}, "extractFrom": list{fields{"headers": list{fmt.Sprint("x-key-", b.next())}}}}
		},
		"extAuth": func() any {
			return pick(b, fields{"http": fields{"backendRefs": list{b.reference()}, "path": fmt.Sprint("/e", b.next())}}, fields{"grpc": fields{"backendRefs": list{b.reference()}}})
		},
	}
}

func (b *Builder) extension(string) map[string]func() any {
	return map[string]func() any{
		"extProc": func() any { return list{fields{"backendRefs": list{b.reference()}, "messageTimeout": b.duration("s")}} },
		"lua": func() any {
			return list{pick(b, fields{"type": "Inline", "inline": fmt.Sprintf("function envoy_on_response(h) h:logInfo('%d') end", b.next())},
				fields{"type": "ValueRef", "valueRef": fields{"group": "", "kind": "ConfigMap", "name": pick(b, "lua", "lua", "missing")}})}
		},
		"wasm": func() any {
			return list{fields{"name": fmt.Sprint("wasm", b.next()), "code": fields{"type": "HTTP", "http": fields{"url": "https://w.example.com/w.wasm", "sha256": fmt.Sprintf("%064d", 1)}}}}
		},
	}
}

func (b *Builder) clientTraffic(string) map[string]func() any {
	return map[string]func() any{
		"timeout": func() any {
			return pick(b, fields{"http": fields{"requestReceivedTimeout": b.duration("s")}}, fields{"http": fields{"idleTimeout": b.duration("s")}}, fields{"tcp": fields{"idleTimeout": b.duration("s")}})
		},
		"connection": func() any {
			return pick(b, fields{"bufferLimit": b.duration("Ki")}, fields{"connectionLimit": fields{"value": b.next()}})
		},
		"tls": func() any {
			ca := b.sometimes(0.2, fields{"kind": "ConfigMap", "name": pick(b, "ca", "missing")}, fields{"namespace": pick(b, namespaces...)})
			return pick(b, fields{"minVersion": "1.2"}, fields{"maxVersion": "1.3", "ciphers": list{"ECDHE-RSA-AES128-GCM-SHA256"}},
				fields{"clientValidation": fields{"caCertificateRefs": list{ca}}}, fields{"clientValidation": fields{"optional": true, "caCertificateRefs": list{ca}}})
		},
		"http3":               func() any { return fields{} },
		"http2":               func() any { return fields{"maxConcurrentStreams": 100 + b.next()} },
		"path":                func() any { return fields{"disableMergeSlashes": true} },
		"clientIPDetection":   func() any { return fields{"xForwardedFor": fields{"numTrustedHops": b.next()}} },
		"tcpKeepalive":        func() any { return fields{"probes": b.next()} },
		"headers":             func() any { return fields{"enableEnvoyHeaders": true} },
		"enableProxyProtocol": func() any { return true },
	}
}
