package world

import "fmt"

// Istio is the dialect of Istio.
var Istio = Dialect{
	Controller: "istio.io/gateway-controller", Classes: []string{"istio"}, BuiltinClasses: true,
	RouteKinds:   []string{"HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute"},
	ListenerSets: true,
	Add:          istio,
}

func istio(b *Builder) {
	b.waypoints()
	b.meshRoutes()
	if b.chance(0.4) {
		b.add("networking.istio.io/v1", "ServiceEntry", pick(b, namespaces...), "outside", fields{
			"hosts": list{"outside.example.com"}, "ports": list{fields{"number": 443, "name": "tls", "protocol": pick(b, "TLS", "HTTPS", "HTTP")}},
			"resolution": pick(b, "DNS", "STATIC", "NONE"), "location": "MESH_EXTERNAL",
		})
	}
	b.widen()
	for i := range b.between(1, 6) {
		name := fmt.Sprintf("p%d-%d", b.between(0, 9), i)
		if b.chance(0.3) {
			b.backendPolicy(pick(b, "BackendTLSPolicy", "BackendTLSPolicy", "XBackendTrafficPolicy"), name)
			continue
		}
		switch kind := pick(b, "AuthorizationPolicy", "AuthorizationPolicy", "RequestAuthentication", "Telemetry", "WasmPlugin", "PeerAuthentication", "DestinationRule", "BackendTLSPolicy"); kind {
		case "BackendTLSPolicy":
			b.backendTLS(name)
		case "DestinationRule":
			b.destinationRule(name)
		case "PeerAuthentication":
			spec := fields{"mtls": fields{"mode": pick(b, "STRICT", "PERMISSIVE", "DISABLE")}}
			b.sometimes(0.5, spec, fields{"selector": fields{"matchLabels": fields{"app": "x"}}})
			if spec["selector"] != nil {
				b.sometimes(0.4, spec, fields{"portLevelMtls": fields{"8080": fields{"mode": pick(b, "STRICT", "DISABLE")}}})
			}
			b.add("security.istio.io/v1", kind, pick(b, append(namespaces, "istio-system")...), name, spec)
		default:
			b.istioPolicy(kind, name)
		}
	}
}

// waypoints are Gateways that namespaces and Services may use.
func (b *Builder) waypoints() {
	if b.chance(0.5) {
		return
	}
	namespace := pick(b, namespaces...)
	listener := fields{"name": "mesh", "port": 15008, "protocol": "HBONE"}
	b.sometimes(0.3, listener, fields{"allowedRoutes": fields{"namespaces": b.fromNamespaces()}})
	if b.mistake(0.2) {
		listener["port"] = 15009
	}
	b.add(gatewayAPI+"/v1", "Gateway", namespace, "waypoint", fields{"gatewayClassName": "istio-waypoint", "listeners": list{listener}})
	labels := b.objects[len(b.objects)-1]["metadata"].(fields)
	b.sometimes(0.5, labels, fields{"labels": fields{"istio.io/waypoint-for": pick(b, "service", "workload", "all", "none")}})
	b.gateways = append(b.gateways, placed{"Gateway", namespace, "waypoint", []string{"mesh"}})
	for _, o := range b.objects {
		if (o.Kind() != "Namespace" && o.Kind() != "Service") || !b.chance(0.3) {
			continue
		}
		labels := fields{"istio.io/use-waypoint": pick(b, "waypoint", "waypoint", "waypoint", "none", "missing")}
		b.sometimes(0.4, labels, fields{"istio.io/use-waypoint-namespace": pick(b, namespaces...)})
		if old, ok := o["metadata"].(fields)["labels"].(fields); ok {
			for k, v := range old {
				labels[k] = v
			}
		}
		o["metadata"].(fields)["labels"] = labels
	}
}

// meshRoutes have a Service as their parent.
func (b *Builder) meshRoutes() {
	for i := range pick(b, 0, 0, 1, 2) {
		namespace := pick(b, namespaces...)
		parent := fields{"group": "", "kind": "Service", "name": pick(b, "svc-1", "svc-2")}
		b.sometimes(0.3, parent, fields{"port": pick(b, 80, 8080)})
		b.sometimes(0.3, parent, fields{"namespace": pick(b, namespaces...)})
		if b.mistake(0.1) {
			parent["name"] = "missing"
		}
		if b.chance(0.1) {
			parent = fields{"group": "networking.istio.io", "kind": "ServiceEntry", "name": "outside"}
		}
		b.sometimes(0.15, parent, fields{"sectionName": pick(b, "http", "nowhere")})
		refs := list{parent}
		if b.chance(0.3) {
			refs = append(refs, b.parentRef(namespace))
		}
		kind, name := pick(b, "HTTPRoute", "HTTPRoute", "GRPCRoute", "TCPRoute", "TLSRoute"), fmt.Sprintf("mesh-%d", i)
		spec := fields{"parentRefs": refs, "rules": list{b.rule(kind, name, 0)}}
		version := "v1"
		switch kind {
		case "TCPRoute":
			version = "v1alpha2"
		case "TLSRoute":
			spec["hostnames"] = list{"svc-1.shop.svc.cluster.local"}
		}
		b.add(gatewayAPI+"/"+version, kind, namespace, name, spec)
	}
}

func (b *Builder) destinationRule(name string) {
	host := fmt.Sprintf("svc-%d.%s.svc.cluster.local", b.between(1, 2), pick(b, namespaces...))
	spec := fields{"host": pick(b, host, host, "svc-1", "outside.example.com"), "trafficPolicy": fields{"tls": fields{"mode": pick(b, "SIMPLE", "DISABLE", "ISTIO_MUTUAL")}}}
	if b.chance(0.3) {
		spec["trafficPolicy"] = fields{"connectionPool": fields{"tcp": fields{"maxConnections": b.next()}}}
	}
	b.add("networking.istio.io/v1", "DestinationRule", pick(b, namespaces...), name, spec)
}

// istioPolicy adds a policy that selects pods or names its targets.
func (b *Builder) istioPolicy(kind, name string) {
	target := b.on("Gateway")
	namespace := target.namespace
	if b.mistake(0.15) {
		namespace = pick(b, append(namespaces, "istio-system")...)
	}
	spec := fields{}
	switch pick(b, "selector", "targets", "targets", "targets", "none") {
	case "selector":
		labels := fields{"app": pick(b, "x", "y")}
		if b.chance(0.3) {
			labels = fields{"gateway.networking.k8s.io/gateway-name": target.name}
		}
		spec["selector"] = fields{"matchLabels": labels}
	case "targets":
		refs := list{}
		for range pick(b, 1, 1, 2, 3) {
			refs = append(refs, b.istioTarget(target, namespace))
		}
		spec["targetRefs"] = refs
		if len(refs) == 1 && b.chance(0.2) {
			delete(spec, "targetRefs")
			spec["targetRef"] = refs[0]
		}
	}
	apiVersion := "security.istio.io/v1"
	switch kind {
	case "AuthorizationPolicy":
		spec["action"] = pick(b, "ALLOW", "DENY", "AUDIT", "CUSTOM")
		if spec["action"] == "CUSTOM" {
			spec["provider"] = fields{"name": "ext"}
		}
		if b.chance(0.8) {
			spec["rules"] = list{fields{"to": list{fields{"operation": fields{"paths": list{fmt.Sprintf("/%d", b.next())}}}}}}
		}
	case "RequestAuthentication":
		spec["jwtRules"] = list{fields{"issuer": "https://i.example.com", "jwksUri": "https://i.example.com/jwks"}}
	case "Telemetry":
		apiVersion = "telemetry.istio.io/v1"
		spec["accessLogging"] = list{fields{"providers": list{fields{"name": "envoy"}}}}
	case "WasmPlugin":
		apiVersion = "extensions.istio.io/v1alpha1"
		spec["url"] = "oci://example.com/plugin:1"
	}
	b.add(apiVersion, kind, namespace, name, spec)
}

func (b *Builder) istioTarget(target placed, namespace string) fields {
	switch pick(b, "gateway", "gateway", "gateway", "service", "class", "entry") {
	case "service":
		return b.targetRef(b.serviceTarget(namespace), b.chance(0.2))
	case "class":
		return fields{"group": gatewayAPI, "kind": "GatewayClass", "name": pick(b, "istio-waypoint", "istio-waypoint", "istio", "other", "missing")}
	case "entry":
		return fields{"group": "networking.istio.io", "kind": "ServiceEntry", "name": pick(b, "outside", "missing")}
	}
	return b.targetRef(pick(b, target, b.on("Gateway")), b.chance(0.1))
}
