package world

import "fmt"

// agentGroups are the API groups of what an AgentgatewayPolicy can target.
var agentGroups = map[string]string{
	"Gateway": gatewayAPI, "ListenerSet": gatewayAPI, "HTTPRoute": gatewayAPI, "GRPCRoute": gatewayAPI, "TCPRoute": gatewayAPI, "TLSRoute": gatewayAPI,
	"Service": "", "AgentgatewayBackend": agentGroup, "InferencePool": inferenceGroup,
}

const inferenceGroup = "inference.networking.k8s.io"

// agentTarget is what a policy targets with settings of one part.
func (b *Builder) agentTarget(part string) placed {
	kinds := pick(b, []string{"Gateway"}, []string{"Gateway", "ListenerSet"}, []string{"HTTPRoute", "GRPCRoute"}, []string{"HTTPRoute"}, []string{"HTTPRoute", "TLSRoute"})
	if part == "frontend" && !b.mistake(0.1) {
		kinds = []string{"Gateway"}
	}
	namespace := pick(b, namespaces...)
	switch {
	case part == "backend" && b.chance(0.3):
		service := b.serviceTarget(namespace)
		service.sections = []string{"80", "8080"}
		return service
	case part == "backend" && b.chance(0.4):
		return placed{"AgentgatewayBackend", namespace, pick(b, "be", "be", "be", "missing"), []string{"tools", "backend", "first"}}
	case part != "frontend" && b.chance(0.1):
		return placed{"InferencePool", namespace, pick(b, "pool", "pool", "missing"), []string{"any"}}
	}
	return b.on(kinds...)
}

func (b *Builder) agentTargetRef(target placed, part string) fields {
	ref := b.targetRef(target, true)
	ref["group"] = agentGroups[target.kind]
	if part == "frontend" && target.kind == "Gateway" && ref["sectionName"] == nil && b.chance(0.1) {
		ref["port"] = pick(b, 80, 443, 8080, 9000)
	}
	return ref
}

// agentPools adds InferencePools, and routes to them.
func (b *Builder) agentPools() {
	for _, namespace := range namespaces {
		if !b.chance(0.25) {
			continue
		}
		picker := fields{"name": pick(b, "svc-1", "svc-1", "missing"), "port": fields{"number": pick(b, 80, 80, 8080, 81, 53)}}
		b.sometimes(0.1, picker, fields{"kind": pick(b, "Service", "Other")})
		if b.mistake(0.1) {
			delete(picker, "port")
		}
		b.add(inferenceGroup+"/v1", "InferencePool", namespace, "pool", fields{
			"selector": fields{"matchLabels": fields{"app": "model"}}, "targetPorts": list{fields{"number": 8000}}, "endpointPickerRef": picker,
		})
	}
	for _, o := range b.objects {
		if o.Kind() != "HTTPRoute" || !b.chance(0.15) {
			continue
		}
		ref := fields{"group": inferenceGroup, "kind": "InferencePool", "name": pick(b, "pool", "pool", "pool", "missing", "pool.example")}
		b.sometimes(0.1, ref, fields{"namespace": pick(b, namespaces...)})
		b.lastRule(o)["backendRefs"] = list{ref}
	}
}

// lastRule is the last rule of a route.
func (b *Builder) lastRule(route Object) fields {
	rules := route["spec"].(fields)["rules"].(list)
	rule := rules[len(rules)-1].(fields)
	delete(rule, "filters")
	return rule
}

// agentDelegation sometimes makes a route pass requests on to others, by name, by label or to all of a namespace.
func (b *Builder) agentDelegation() {
	for _, o := range b.objects {
		if o.Kind() != "HTTPRoute" || !b.chance(0.12) {
			continue
		}
		ref := fields{"group": gatewayAPI, "kind": "HTTPRoute", "name": pick(b, "child-1", "child-1", "child-2", "*", "missing")}
		b.sometimes(0.4, ref, fields{"namespace": pick(b, namespaces...)})
		b.lastRule(o)["backendRefs"] = list{ref}
		for i := range b.between(1, 2) {
			spec := fields{"rules": list{fields{"backendRefs": list{b.backendRef("HTTPRoute")}}}}
			if b.chance(0.3) {
				spec["parentRefs"] = list{fields{"group": gatewayAPI, "kind": "HTTPRoute", "name": pick(b, o.Name(), o.Name(), "missing"), "namespace": o.Namespace()}}
			}
			namespace := o.Namespace()
			if to, ok := ref["namespace"].(string); ok && b.chance(0.8) {
				namespace = to
			}
			name := fmt.Sprintf("child-%d", i+1)
			b.add(gatewayAPI+"/v1", "HTTPRoute", namespace, name, spec)
			b.routes = append(b.routes, placed{"HTTPRoute", namespace, name, nil})
		}
	}
}

// agentOptions sometimes gives listeners options of agentgateway, and Gateways parameters or internal ports.
func (b *Builder) agentOptions() {
	for _, o := range b.objects {
		if o.Kind() != "Gateway" && o.Kind() != "ListenerSet" {
			continue
		}
		if b.chance(0.06) {
			o["metadata"].(fields)["annotations"] = fields{agentGroup + "/internal-ports": pick(b, "80", "443", "80,8080", "none")}
		}
		for _, l := range o["spec"].(fields)["listeners"].(list) {
			tls, ok := l.(fields)["tls"].(fields)
			if !ok || !b.chance(0.08) {
				continue
			}
			tls["options"] = pick(b,
				fields{"gateway.istio.io/tls-terminate-mode": pick(b, "ISTIO_MUTUAL", "ISTIO_SIMPLE", "MUTUAL")},
				fields{agentGroup + "/tls-certificate-source": pick(b, "SPIFFE", "DYNAMIC_CA", "OTHER")})
			if b.chance(0.5) {
				delete(tls, "certificateRefs")
			}
		}
	}
}
