package world

import "fmt"

const nginxGroup = "gateway.nginx.org"

// Nginx is the dialect of NGINX Gateway Fabric.
var Nginx = Dialect{
	Controller: nginxGroup + "/nginx-gateway-controller", Classes: []string{"nginx"},
	RouteKinds:   []string{"HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"},
	ListenerSets: true,
	Backend:      reference{"inference.networking.k8s.io", "InferencePool", []string{"be", "be", "missing"}}, Filter: reference{nginxGroup, "AuthenticationFilter", []string{"filter", "filter", "missing"}},
	Add: nginx,
}

// nginxPolicies are the kinds of policy with what they target; Services are those of backendRefs.
var nginxPolicies = map[string][]string{
	"ClientSettingsPolicy":   {"Gateway", "HTTPRoute", "GRPCRoute"},
	"ProxySettingsPolicy":    {"Gateway", "HTTPRoute", "GRPCRoute"},
	"RateLimitPolicy":        {"Gateway", "HTTPRoute", "GRPCRoute"},
	"ObservabilityPolicy":    {"HTTPRoute", "GRPCRoute"},
	"UpstreamSettingsPolicy": {"Service"},
	"SnippetsPolicy":         {"Gateway"},
	"PayloadProcessor":       {"Gateway", "HTTPRoute"},
	"WAFPolicy":              {"Gateway", "HTTPRoute", "GRPCRoute"},
}

func nginx(b *Builder) {
	for _, namespace := range namespaces {
		b.nginxFilters(namespace)
		if b.chance(0.6) {
			b.inferencePool(namespace)
		}
	}
	b.nginxProxies()
	for _, o := range b.objects {
		switch o.Kind() {
		case "HTTPRoute", "GRPCRoute":
			b.nginxRules(o)
		case "Gateway", "ListenerSet":
			b.nginxListeners(o)
		case "Secret":
			if o["type"] == "kubernetes.io/tls" && b.mistake(0.08) {
				o["type"] = "Opaque"
			}
		}
	}
	for i := range b.between(1, 6) {
		kind := pick(b, "ClientSettingsPolicy", "ClientSettingsPolicy", "ProxySettingsPolicy", "ProxySettingsPolicy", "RateLimitPolicy", "RateLimitPolicy",
			"ObservabilityPolicy", "UpstreamSettingsPolicy", "UpstreamSettingsPolicy", "SnippetsPolicy", "PayloadProcessor", "WAFPolicy", "BackendTLSPolicy", "ExternalLoadBalancer")
		name := fmt.Sprintf("p%d-%d", b.between(0, 9), i)
		switch kind {
		case "BackendTLSPolicy":
			b.backendTLS(name)
		case "ExternalLoadBalancer":
			b.externalLoadBalancer(name)
		default:
			b.nginxPolicy(kind, name)
		}
	}
}

// inferencePool adds the backend of the dialect. The Service that picks its endpoints may be missing.
func (b *Builder) inferencePool(namespace string) {
	spec := fields{"selector": fields{"matchLabels": fields{"app": "model"}}, "targetPorts": list{fields{"number": 8000}}}
	if !b.mistake(0.1) {
		spec["endpointPickerRef"] = fields{"name": pick(b, "svc-1", "svc-1", "missing"), "port": fields{"number": 80}}
	}
	b.add(b.dialect.Backend.group+"/v1", b.dialect.Backend.kind, namespace, "be", spec)
}

// nginxFilters adds what an ExtensionRef may name, with the Secrets of an AuthenticationFilter.
func (b *Builder) nginxFilters(namespace string) {
	secret := func(name, key, value string) {
		if b.mistake(0.2) {
			return
		}
		if b.mistake(0.1) {
			key = "wrong"
		}
		s := b.add("v1", "Secret", namespace, name, nil)
		s["type"], s["data"] = pick(b, "Opaque", "Opaque", "nginx.org/htpasswd"), fields{key: encoded(value)}
	}
	secret("users", "auth", "u:{SHA}qUqP5cyxm6YcTAhz05Hph5gvu9M=")
	secret("jwks", "auth", `{"keys":[]}`)
	secret("oidc", "client-secret", "s")
	secret("token", "token", "t")
	if b.chance(0.7) {
		b.add(nginxGroup+"/v1alpha1", "AuthenticationFilter", namespace, "filter", b.authentication())
	}
	if b.chance(0.7) {
		b.add(nginxGroup+"/v1alpha1", "SnippetsFilter", namespace, "snippets", fields{"snippets": b.snippets()})
	}
}

func (b *Builder) authentication() fields {
	ref := func(name string) fields {
		if b.mistake(0.1) {
			name = "missing"
		}
		return fields{"name": name}
	}
	switch pick(b, "Basic", "Basic", "JWT", "OIDC") {
	case "Basic":
		return fields{"type": "Basic", "basic": fields{"realm": "r", "secretRef": ref("users")}}
	case "JWT":
		if b.chance(0.5) {
			return fields{"type": "JWT", "jwt": fields{"realm": "r", "source": "File", "file": fields{"secretRef": ref("jwks")}}}
		}
		return fields{"type": "JWT", "jwt": fields{"realm": "r", "source": "Remote", "remote": fields{"uri": "https://i.example.com/jwks"}}}
	default:
		return fields{"type": "OIDC", "oidc": fields{"issuer": "https://i.example.com", "clientID": "c", "clientSecretRef": ref("oidc")}}
	}
}

// snippets are of distinct contexts, mostly.
func (b *Builder) snippets() list {
	var snippets list
	for _, context := range some(b, 2, "main", "http", "http.server", "http.server.location") {
		snippets = append(snippets, fields{"context": context, "value": fmt.Sprintf("# %d", b.next())})
	}
	if b.mistake(0.05) {
		snippets = append(snippets, snippets[0])
	}
	return snippets
}

// nginxListeners gives some listeners options of TLS, which become directives, or the port of the metrics.
func (b *Builder) nginxListeners(o Object) {
	for _, l := range o["spec"].(fields)["listeners"].(list) {
		listener := l.(fields)
		if tls, ok := listener["tls"].(fields); ok && tls["mode"] != "Passthrough" && b.mistake(0.08) {
			tls["options"] = pick(b, fields{"example.com/option": "x"}, fields{"nginx.org/ssl-protocols": "TLSv1.2 TLSv1.3"}, fields{"nginx.org/ssl-protocols": "TLSv9"},
				fields{"nginx.org/ssl-ciphers": "HIGH:!aNULL"}, fields{"nginx.org/ssl-ciphers": "a b"})
		}
		if b.mistake(0.03) {
			listener["port"] = 9113
		}
	}
}

// nginxProxies give the class and Gateways their parameters.
func (b *Builder) nginxProxies() {
	for _, namespace := range namespaces {
		if !b.mistake(0.2) {
			b.add(nginxGroup+"/v1alpha2", "NginxProxy", namespace, "proxy", b.nginxProxy())
		}
	}
	for _, o := range b.objects {
		switch {
		case o.Kind() == "GatewayClass" && b.chance(0.2):
			ref := fields{"group": nginxGroup, "kind": "NginxProxy", "name": b.proxyName(), "namespace": pick(b, namespaces...)}
			if b.mistake(0.1) {
				delete(ref, "namespace")
			}
			if b.mistake(0.1) {
				ref["group"], ref["kind"] = "", "ConfigMap"
			}
			o["spec"].(fields)["parametersRef"] = ref
		case o.Kind() == "Gateway" && b.chance(0.2):
			ref := fields{"group": nginxGroup, "kind": "NginxProxy", "name": b.proxyName()}
			if b.mistake(0.1) {
				ref["group"], ref["kind"] = "", "ConfigMap"
			}
			o["spec"].(fields)["infrastructure"] = fields{"parametersRef": ref}
		}
	}
}

func (b *Builder) proxyName() string {
	if b.mistake(0.15) {
		return "missing"
	}
	return "proxy"
}

func (b *Builder) nginxProxy() fields {
	address := "10.0.0.10"
	if b.mistake(0.15) {
		address = "dns"
	}
	return b.filled(fields{}, 3, map[string]func() any{
		"ipFamily": func() any { return pick(b, "dual", "ipv4", "ipv6") },
		"dnsResolver": func() any {
			return fields{"addresses": list{fields{"type": "IPAddress", "value": address}}}
		},
		"rewriteClientIP": func() any {
			return fields{"mode": "XForwardedFor", "trustedAddresses": list{fields{"type": "CIDR", "value": pick(b, "10.0.0.0/8", "10.0.0.0/8", "10.0.0.0/99")}}}
		},
		"telemetry": func() any {
			return pick(b, fields{"exporter": fields{"endpoint": "otel.example.com:4317"}}, fields{"exporter": fields{"endpoint": "otel:4317"}, "disabledFeatures": list{"DisableTracing"}}, fields{"serviceName": "s"})
		},
		"waf":          func() any { return fields{"enable": b.chance(0.8)} },
		"serverTokens": func() any { return pick(b, "off", "on", "custom") },
		"metrics":      func() any { return pick(b, fields{"port": 8080}, fields{"disable": true}) },
		"disableHTTP2": func() any { return true },
		"kubernetes":   func() any { return fields{"deployment": fields{"replicas": 2}} },
		"logging":      func() any { return fields{"errorLevel": "warn"} },
	})
}

func (b *Builder) externalLoadBalancer(name string) {
	target := b.on("Gateway")
	b.add(nginxGroup+"/v1alpha1", "ExternalLoadBalancer", target.namespace, name, fields{
		"targetRefs":  list{b.targetRef(target, false)},
		"gatewayLink": fields{"virtualServerAddress": "192.0.2.7"},
	})
}
