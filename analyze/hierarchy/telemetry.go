package hierarchy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// judgeTelemetry returns the Accepted condition of a Gateway whose parameters send logs, metrics or traces to a backend that cannot be
// used, or chooses logs by what is no expression, or nil (Envoy Gateway internal/gatewayapi/listener.go, processProxyObservability and processBackendRefsForTelemetry). Its
// listeners and routes are served all the same.
func (b *builder) judgeTelemetry(gateway *Node, own *implementation.Implementation) *Condition {
	if !own.Gateways.ReadsTelemetry {
		return nil
	}
	proxy := b.parametersOf(gateway)
	if proxy == nil {
		return nil
	}
	if wrong := wrongMatch(proxy.Spec().Get("telemetry")); wrong != nil {
		return &Condition{Type: Accepted, Status: fact.False, Reason: invalidParameters, Owner: proxy, Ref: wrong.at, Message: proxy.ID.Spoken() + ": " + wrong.why}
	}
	for _, ref := range telemetryBackends(proxy.Spec().Get("telemetry")) {
		if message := unusableSink(b.references, own, proxy.ID.Namespace, ref); message != "" {
			c := Condition{Type: Accepted, Status: fact.False, Reason: invalidParameters, Owner: proxy, Ref: ref, Message: proxy.ID.Spoken() + " sends telemetry to what cannot be used: " + message}
			return &c
		}
	}
	return nil
}

// telemetryBackends are the references to what gets the logs, metrics and traces of an EnvoyProxy (Envoy Gateway
// api/v1alpha1/accesslogging_types.go, envoyproxy_metric_types.go and envoyproxy_tracing_types.go).
func telemetryBackends(telemetry *loader.Value) []*loader.Value {
	var out []*loader.Value
	logs := telemetry.Get("accessLog")
	if off := logs.Get("disable"); off.IsTrue() || off != nil && opaque(off.Text) {
		logs = nil
	}
	for _, setting := range logs.List("settings") {
		for _, sink := range setting.List("sinks") {
			out = slices.Concat(out, sink.List("openTelemetry", "backendRefs"), sink.List("als", "backendRefs"))
		}
	}
	for _, sink := range telemetry.List("metrics", "sinks") {
		out = append(out, sink.List("openTelemetry", "backendRefs")...)
	}
	return append(out, telemetry.List("tracing", "provider", "backendRefs")...)
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
