package world

import (
	"fmt"
	"slices"
)

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
	if !slices.ContainsFunc(b.objects, func(o Object) bool {
		return o.Kind() == "Gateway" && o.String("spec", "gatewayClassName") == "agentgateway"
	}) {
		b.add(gatewayAPI+"/v1", "GatewayClass", "", "agentgateway", fields{"controllerName": agentGroup + "/agentgateway"})
	}
	for _, namespace := range namespaces {
		if b.chance(0.6) {
			b.add(agentGroup+"/v1alpha1", "AgentgatewayBackend", namespace, "be", b.agentBackendSpec())
		}
		if !b.mistake(0.3) {
			b.add("v1", "Secret", namespace, "users", nil)["data"] = fields{".htaccess": encoded("u:{SHA}qUqP5cyxm6YcTAhz05Hph5gvu9M="), "Authorization": encoded("key"), "client-secret": encoded("s")}
		}
		if !b.mistake(0.3) {
			b.add("v1", "ConfigMap", namespace, "jwks", nil)["data"] = fields{"jwks": `{"keys":[]}`}
		}
	}
	b.agentSources()
	b.agentPools()
	b.agentDelegation()
	b.agentOptions()
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
	part := pick(b, "traffic", "traffic", "backend", "frontend")
	target := b.agentTarget(part)
	namespace := target.namespace
	if b.mistake(0.08) {
		namespace = pick(b, namespaces...)
	}
	refs := list{b.agentTargetRef(target, part)}
	if other := b.agentTarget(part); b.chance(0.3) && other.name != target.name && other.kind == target.kind {
		refs = append(refs, b.agentTargetRef(other, part))
	}
	spec := fields{"targetRefs": refs}
	if b.chance(0.15) {
		delete(spec, "targetRefs")
		selector := fields{"group": agentGroups[target.kind], "kind": target.kind, "matchLabels": fields{"app": pick(b, "x", "y")}}
		if ref := b.agentTargetRef(target, part); b.chance(0.3) && ref["sectionName"] != nil {
			selector["sectionName"] = ref["sectionName"]
		}
		spec["targetSelectors"] = list{selector}
	}
	values := map[string]func() map[string]func() any{"traffic": b.agentTraffic, "backend": b.agentBackend, "frontend": b.agentFrontend}[part]()
	if target.kind == "Service" {
		delete(values, "ai")
		delete(values, "mcp")
	}
	for _, ref := range refs {
		if ref := ref.(fields); ref["sectionName"] != nil {
			for _, whole := range []string{"tcp", "networkAuthorization", "tls", "http", "proxyProtocol", "connect"} {
				if part == "frontend" && !b.mistake(0.02) {
					delete(values, whole)
				}
			}
		}
	}
	spec[part] = b.filled(fields{}, 3, values)
	if gates := target.kind == "Gateway" || target.kind == "ListenerSet"; part == "traffic" && gates && b.chance(0.2) {
		spec[part].(fields)["phase"] = pick(b, "PreRouting", "PostRouting")
	}
	if part == "traffic" && b.chance(0.1) {
		spec["strategy"] = fields{"inheritance": pick(b, "Default", "Override")}
	}
	b.add(agentGroup+"/v1alpha1", "AgentgatewayPolicy", namespace, name, spec)
}

// expression is one of CEL, mostly.
func (b *Builder) expression() string {
	if b.mistake(0.1) {
		return "request.path =="
	}
	return fmt.Sprintf("request.path == '/%d'", b.next())
}
