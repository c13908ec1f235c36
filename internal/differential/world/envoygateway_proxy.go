package world

import (
	"fmt"
	"slices"
)

// envoyProxies gives the class, and some Gateways, an EnvoyProxy: one that merges the Gateways, or is refused, or is missing.
func (b *Builder) envoyProxies() {
	ref := fields{"group": envoyGroup, "kind": "EnvoyProxy", "name": "proxy"}
	if b.chance(0.3) {
		if !b.mistake(0.15) {
			spec := b.envoyProxy()
			if b.chance(0.25) {
				spec["mergeGateways"] = true
			}
			b.add(envoyGroup+"/v1alpha1", "EnvoyProxy", "infra", "proxy", spec)
		}
		class := b.objects[slices.IndexFunc(b.objects, func(o Object) bool { return o.Kind() == "GatewayClass" })]
		of := fields{"namespace": "infra"}
		for k, v := range ref {
			of[k] = v
		}
		class["spec"].(fields)["parametersRef"] = of
	}
	for _, o := range b.objects {
		if o.Kind() != "Gateway" || !b.chance(0.15) {
			continue
		}
		own := fields{"group": envoyGroup, "kind": "EnvoyProxy", "name": "own-" + o.Name()}
		if !b.mistake(0.1) {
			b.add(envoyGroup+"/v1alpha1", "EnvoyProxy", o.Namespace(), "own-"+o.Name(), b.sometimes(0.3, b.envoyProxy(), fields{"mergeType": pick(b, "StrategicMerge", "JSONMerge")}))
		}
		if b.mistake(0.05) {
			own["kind"], own["group"] = "ConfigMap", ""
		}
		o["spec"].(fields)["infrastructure"] = fields{"parametersRef": own}
	}
}

func (b *Builder) envoyProxy() fields {
	kubernetes := func(service fields) fields {
		return fields{"type": "Kubernetes", "kubernetes": fields{"envoyService": service}}
	}
	sink := func() any { return list{b.policyBackend()} }
	values := map[string]func() any{
		"logging": func() any { return fields{"level": fields{"default": "warn"}} },
		"provider": func() any {
			if !b.mistake(0.5) {
				return kubernetes(fields{"type": pick(b, "LoadBalancer", "ClusterIP", "NodePort")})
			}
			return pick(b, kubernetes(fields{"type": "ClusterIP", "loadBalancerIP": "1.2.3.4"}), kubernetes(fields{"type": "LoadBalancer", "loadBalancerSourceRanges": list{pick(b, "10.0.0.0/8", "10.0.0.0")}}),
				kubernetes(fields{"type": "LoadBalancer", "loadBalancerIP": pick(b, "1.2.3.4", "1.2.3.256")}), kubernetes(fields{"type": "LoadBalancer", "allocateLoadBalancerNodePorts": true}),
				fields{"type": "Host"}, fields{"type": "Kubernetes", "kubernetes": fields{"envoyDeployment": fields{"patch": fields{"type": "StrategicMerge", "value": fields{"spec": fields{"paused": true}}}}}})
		},
		"telemetry": func() any {
			return pick(b,
				fields{"metrics": fields{"clusterStatName": pick(b, "%ROUTE_NAME%", "%BACKEND_REFS%", "%NONE%", "50%")}},
				fields{"metrics": fields{"sinks": list{fields{"type": "OpenTelemetry", "openTelemetry": fields{"backendRefs": sink()}}}}},
				fields{"accessLog": fields{"settings": list{fields{"sinks": list{fields{"type": "OpenTelemetry", "openTelemetry": fields{"backendRefs": sink()}}}}}}},
				fields{"accessLog": fields{"settings": list{fields{"matches": list{pick(b, "response.code >= 400", "response.code >=")}, "sinks": list{fields{"type": "File", "file": fields{"path": "/dev/stdout"}}}}}}},
				fields{"accessLog": fields{"settings": list{fields{"sinks": list{fields{"type": "ALS", "als": fields{"backendRefs": sink(), "type": "HTTP"}}}}}}},
				fields{"tracing": fields{"provider": fields{"type": "OpenTelemetry", "backendRefs": sink()}}})
		},
		"bootstrap": func() any {
			return pick(b, fields{"type": "Replace", "value": "a: b"}, fields{"type": "Merge", "value": "layered_runtime: {layers: [{name: x, static_layer: {a: 1}}]}"}, fields{"type": "JSONPatch", "jsonPatches": list{fields{"op": "add", "path": "/stats_flush_interval", "value": "5s"}}})
		},
		"filterOrder": func() any {
			filter := func(name, before string) fields {
				return fields{"name": "envoy.filters.http." + name, "before": "envoy.filters.http." + before}
			}
			return pick(b, list{filter("wasm", "jwt_authn")}, list{filter("wasm", "jwt_authn"), filter("jwt_authn", "wasm")})
		},
		"geoIP": func() any {
			local := func(name string) any { return fields{"local": fields{"path": "/" + name + ".mmdb"}} }
			return fields{"provider": fields{"type": "MaxMind", "maxMind": pick(b, fields{"countryDbSource": local("country")}, fields{"cityDbSource": local("city")}, fields{"asnDbSource": local("asn"), "anonymousIpDbSource": local("anonymous")})}}
		},
		"dynamicModules": func() any {
			return list{fields{"name": "known", "source": fields{"type": "Local", "local": fields{"path": "/lib/known.so"}}},
				fields{"name": "far", "source": fields{"type": "Remote", "remote": fields{"url": pick(b, "https://m.example.com/m.so", "http://m.example.com/m.so", "https://m.example.com"), "sha256": fmt.Sprintf("%064d", 1)}}}}
		},
		"luaValidation":      func() any { return pick(b, "Strict", "InsecureSyntax", "Disabled") },
		"routingType":        func() any { return pick(b, "Service", "Endpoint") },
		"ipFamily":           func() any { return pick(b, "IPv4", "IPv6", "DualStack") },
		"preserveRouteOrder": func() any { return true },
		"backendTLS": func() any {
			return pick(b, fields{"minVersion": "1.2"}, fields{"clientCertificateRef": b.certificateRef()})
		},
	}
	return b.filled(fields{}, 3, values)
}
