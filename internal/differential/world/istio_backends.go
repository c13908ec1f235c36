package world

import (
	"fmt"
	"maps"
)

// oddRules have backends that are no Services, filters at backends, and filters that are not supported.
func (b *Builder) oddRules() {
	b.each(0.35, func(o Object, spec fields) {
		rules, _ := spec["rules"].(list)
		for _, v := range rules {
			rule := v.(fields)
			http := o.Kind() == "HTTPRoute" || o.Kind() == "GRPCRoute"
			refs, _ := rule["backendRefs"].(list)
			for i, v := range refs {
				if b.chance(0.3) {
					refs[i] = b.sometimes(0.3, b.oddBackend(), fields{"weight": pick(b, 0, 1)})
				}
				if http && b.chance(0.15) {
					refs[i].(fields)["filters"] = list{b.oddFilter(o.Kind(), v.(fields))}
				}
			}
			if http && b.chance(0.25) {
				filters, _ := rule["filters"].(list)
				rule["filters"] = append(filters, b.oddFilter(o.Kind(), b.oddBackend()))
			}
		}
	}, "HTTPRoute", "GRPCRoute", "TCPRoute", "TLSRoute")
}

// oddBackend is a reference to a backend, which few controllers take.
func (b *Builder) oddBackend() fields {
	ref := pick(b,
		fields{"name": "svc-1", "port": 80},
		fields{"name": "svc-1.shop.svc.cluster.local", "port": 80},
		fields{"name": "missing", "port": 80},
		fields{"group": "networking.istio.io", "kind": "Hostname", "name": "outside.example.com", "port": 443},
		fields{"group": "networking.istio.io", "kind": "Hostname", "name": "svc-1.shop.svc.cluster.local", "port": 80},
		fields{"group": "networking.istio.io", "kind": "Hostname", "name": "nowhere.example.com", "port": 443},
		fields{"group": "networking.istio.io", "kind": "ServiceEntry", "name": "outside", "port": 443},
		fields{"group": "multicluster.x-k8s.io", "kind": "ServiceImport", "name": pick(b, "svc-1", "missing"), "port": 80},
		fields{"group": "example.com", "kind": "Service", "name": "svc-1", "port": 80},
		fields{"group": "", "kind": "ConfigMap", "name": "ca", "port": 80},
	)
	if b.chance(0.1) {
		delete(ref, "port")
	}
	return b.sometimes(0.3, ref, fields{"namespace": pick(b, namespaces...)})
}

// oddFilter is a filter, which not all take; a mirror goes to backend.
func (b *Builder) oddFilter(kind string, backend fields) fields {
	backend = maps.Clone(backend)
	delete(backend, "weight")
	delete(backend, "filters")
	mirror := fields{"type": "RequestMirror", "requestMirror": fields{"backendRef": backend}}
	if kind == "GRPCRoute" {
		return pick(b,
			fields{"type": "RequestHeaderModifier", "requestHeaderModifier": fields{"set": list{fields{"name": "x-a", "value": pick(b, "two", "tab\tbed")}}}},
			fields{"type": "ResponseHeaderModifier", "responseHeaderModifier": fields{"add": list{fields{"name": "x-a", "value": "four"}}}},
			mirror, fields{"type": "ExtensionRef", "extensionRef": fields{"group": "example.com", "kind": "Filter", "name": "f"}})
	}
	return pick(b,
		fields{"type": "RequestHeaderModifier", "requestHeaderModifier": fields{"set": list{fields{"name": "x-a", "value": pick(b, "two", "tab\tbed")}}}},
		fields{"type": "ResponseHeaderModifier", "responseHeaderModifier": fields{"add": list{fields{"name": "x-a", "value": "four"}}}},
		fields{"type": "URLRewrite", "urlRewrite": fields{"hostname": "new.example.com"}},
		fields{"type": "RequestRedirect", "requestRedirect": fields{"statusCode": 302}},
		fields{"type": "CORS", "cors": fields{"allowOrigins": list{"*"}}},
		fields{"type": "ExternalAuth", "externalAuth": fields{"protocol": "HTTP", "backendRef": fields{"name": "svc-1", "port": 80}, "http": fields{}}},
		fields{"type": "ExtensionRef", "extensionRef": fields{"group": "example.com", "kind": "Filter", "name": "f"}},
		mirror, mirror)
}

// backendPolicy adds a policy of a kind about connections to backends with several targets.
func (b *Builder) backendPolicy(kind, name string) {
	namespace := pick(b, namespaces...)
	var refs list
	for range pick(b, 1, 1, 2, 3) {
		ref := pick(b,
			fields{"group": "", "kind": "Service", "name": "svc-1"},
			fields{"group": "", "kind": "Service", "name": "svc-2"},
			fields{"group": "", "kind": "Service", "name": "missing"},
			fields{"group": "networking.istio.io", "kind": "ServiceEntry", "name": pick(b, "outside", "outside", "missing")},
			fields{"group": gatewayAPI, "kind": "HTTPRoute", "name": "http-1"},
			fields{"group": "", "kind": pick(b, "ConfigMap", "Secret"), "name": pick(b, "ca", "cert")},
			fields{"group": "example.com", "kind": "Service", "name": "svc-1"},
		)
		if kind == "BackendTLSPolicy" {
			b.sometimes(0.35, ref, fields{"sectionName": pick(b, "http", "alt", "h2c", "tls", "nowhere")})
		}
		refs = append(refs, ref)
	}
	spec := fields{"targetRefs": refs}
	apiVersion := gatewayAPI + "/v1"
	if kind == "BackendTLSPolicy" {
		validation := fields{"hostname": fmt.Sprintf("v%d.example.com", b.next())}
		switch pick(b, "system", "custom", "ca", "ca", "ca") {
		case "system":
			validation["wellKnownCACertificates"] = "System"
		case "custom":
			validation["wellKnownCACertificates"] = "example.com/own"
		default:
			var cas list
			for range pick(b, 1, 1, 2) {
				cas = append(cas, fields{"group": pick(b, "", "", "", "example.com"), "kind": pick(b, "ConfigMap", "ConfigMap", "ConfigMap", "Secret", "Service", "Other"), "name": pick(b, "ca", "ca", "cert", "svc-1", "missing")})
			}
			validation["caCertificateRefs"] = cas
		}
		spec["validation"] = validation
		b.sometimes(0.2, spec, fields{"options": fields{"example.com/option": "x"}})
	} else {
		apiVersion = "gateway.networking.x-k8s.io/v1alpha1"
		if b.chance(0.5) {
			spec["sessionPersistence"] = fields{"sessionName": "s"}
		} else {
			spec["retryConstraint"] = fields{"budget": fields{"percent": 20, "interval": "10s"}, "minRetryRate": fields{"count": 10, "interval": "1s"}}
		}
	}
	o := b.add(apiVersion, kind, namespace, name, spec)
	if b.chance(0.1) {
		o["metadata"].(fields)["annotations"] = fields{"istio.io/ignore-policy-attachment": pick(b, "true", "True", "false")}
	}
}
