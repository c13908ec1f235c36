package hierarchy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// judgeTelemetry returns the Accepted condition of a Gateway whose parameters send logs, metrics or traces to a backend that cannot be
// used, or chooses logs by what is no expression, or nil (Envoy Gateway internal/gatewayapi/listener.go, processProxyObservability and
// processBackendRefsForTelemetry; api/v1alpha1/accesslogging_types.go, envoyproxy_metric_types.go and envoyproxy_tracing_types.go). Its
// listeners and routes are served all the same.
//
// References are to objects in the namespace of the Gateway's own parameters, also those of its class that are merged into them
// (envoyproxy_merge.go, mergeEnvoyProxies).
func (b *builder) judgeTelemetry(gateway *Node, own *implementation.Implementation) *Condition {
	if !own.Gateways.ReadsTelemetry {
		return nil
	}
	_, wrong := sinksOf(b.gateways, b.references, gateway, own)
	return wrong
}

// Sinks returns the references to what gets the telemetry of a Gateway, as far as its controller looks at them, and the object in whose
// name it does.
func (g *Graph) Sinks(gateway *Node) (parameters loader.ID, refs []*loader.Value) {
	own := g.Implementation(gateway)
	proxy := g.parametersOf(gateway)
	if !own.Gateways.ReadsTelemetry || proxy == nil || g.OnlyInOwnStatus(gateway) {
		return loader.ID{}, nil
	}
	refs, _ = sinksOf(g.gateways, g.references, gateway, own)
	return proxy.ID, refs
}

// sinksOf returns the references that can be used, up to the first that cannot or whose connections cannot be secured, and what is
// said of that.
func sinksOf(g *gateways, r *references, gateway *Node, own *implementation.Implementation) (usable []*loader.Value, wrong *Condition) {
	proxy := g.parametersOf(gateway)
	if proxy == nil {
		return nil, nil
	}
	refuse := func(in *loader.Object, at *loader.Value, why string) *Condition {
		return &Condition{Type: Accepted, Status: fact.False, Reason: invalidParameters, Owner: in, Ref: at, Message: in.ID.Spoken() + why}
	}
	look := func(refs []owned) {
		for _, ref := range refs {
			if wrong != nil {
				return
			}
			if message := unusableSink(r, own, proxy.ID.Namespace, ref.value); message != "" {
				wrong = refuse(ref.owner, ref.value, " sends telemetry to what cannot be used: "+message)
				return
			}
			usable = append(usable, ref.value)
			if message := unsecured(r, named(BackendID(ref.value, proxy.ID.Namespace), own), textOf(ref.value.Get("port"))); message != "" {
				wrong = refuse(ref.owner, ref.value, " sends telemetry to what cannot be used: "+message)
			}
		}
	}
	for _, setting := range logsInForce(g, gateway) {
		if match := wrongMatch(setting.value); match != nil && wrong == nil {
			wrong = refuse(setting.owner, match.at, ": "+match.why)
		}
		for _, sink := range setting.value.List("sinks") {
			look(owned{setting.owner, sink.Get("als", "backendRefs")}.items())
			look(owned{setting.owner, sink.Get("openTelemetry", "backendRefs")}.items())
		}
	}
	look(g.inForce(gateway, "spec", "telemetry", "tracing", "provider", "backendRefs").items())
	for _, sink := range g.inForce(gateway, "spec", "telemetry", "metrics", "sinks").items() {
		look(owned{sink.owner, sink.value.Get("openTelemetry", "backendRefs")}.items())
	}
	return usable, wrong
}

// logsInForce are the settings of logs that are in force at a Gateway, none if logs are switched off.
func logsInForce(g *gateways, gateway *Node) []owned {
	switch off := g.inForce(gateway, "spec", "telemetry", "accessLog", "disable"); {
	case off.value.IsTrue(), off.value != nil && opaque(off.value.Text):
		return nil
	}
	return g.inForce(gateway, "spec", "telemetry", "accessLog", "settings").items()
}

// unusableSink says why telemetry cannot be sent to a backend, or is empty. A Backend may be a Unix socket here.
func unusableSink(r *references, own *implementation.Implementation, namespace string, ref *loader.Value) string {
	id := BackendID(ref, namespace)
	there, message := r.Present(id)
	spec := r.Object(id).Spec()
	switch {
	case opaque(id.Kind):
		return ""
	case id.Kind != "Service" && id.Kind != own.Routes.BackendTLS.Kind.Name:
		return id.Kind + " is not a supported kind of backend"
	case there == fact.False:
		return message
	case id.Kind == "Service" && spec.Str("type") == "ExternalName":
		return id.Spoken() + " is of type ExternalName and has no endpoints in the cluster"
	case spec.Str("type") == dynamicResolver:
		return id.Spoken() + " is a dynamic resolver"
	}
	if reason, message := refusedBackend(r, own, id); message != "" && reason != unsupportedAddressType {
		return message
	}
	port, ports := ref.Get("port"), spec.List("ports")
	if id.Kind != "Service" || port.IsNull() || opaque(port.Text) || len(ports) == 0 || slices.ContainsFunc(ports, func(p *loader.Value) bool {
		number := textOf(p.Get("port"))
		return opaque(number) || number == port.Text && p.Str("protocol") != "UDP"
	}) {
		return ""
	}
	return id.Spoken() + " has no port " + port.Text
}
