package hierarchy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// judgeTelemetry returns the Accepted condition of a Gateway whose parameters send logs, metrics or traces to a backend that cannot be
// used, or nil (Envoy Gateway internal/gatewayapi/listener.go, processProxyObservability and processBackendRefsForTelemetry). Its
// listeners and routes are served all the same.
func (b *builder) judgeTelemetry(gateway *Node, own *implementation.Implementation) *Condition {
	if !own.Gateways.ReadsTelemetry {
		return nil
	}
	proxy := b.ParametersOf(gateway)
	if proxy == nil {
		return nil
	}
	for _, ref := range telemetryBackends(proxy.Spec().Get("telemetry")) {
		if message := unusableSink(b.references, proxy.ID.Namespace, ref); message != "" {
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
	for _, setting := range telemetry.List("accessLog", "settings") {
		for _, sink := range setting.List("sinks") {
			out = slices.Concat(out, sink.List("openTelemetry", "backendRefs"), sink.List("als", "backendRefs"))
		}
	}
	for _, sink := range telemetry.List("metrics", "sinks") {
		out = append(out, sink.List("openTelemetry", "backendRefs")...)
	}
	return append(out, telemetry.List("tracing", "provider", "backendRefs")...)
}

// unusableSink says why telemetry cannot be sent to a backend, or is empty.
func unusableSink(r *references, namespace string, ref *loader.Value) string {
	id := BackendID(ref, namespace)
	switch there, message := r.Present(id); {
	case id.Kind != "Service" && id.Kind != r.Dominant().Routes.BackendTLS.Kind.Name:
		return id.Kind + " is not a supported kind of backend"
	case there == fact.False:
		return message
	}
	if reason, message := r.RefusedBackend(id); message != "" && reason != unsupportedAddressType {
		return message
	}
	if message := r.RefusedByPolicies(id); message != "" {
		return message
	}
	port, ports := ref.Get("port"), r.Object(id).Spec().List("ports")
	if id.Kind != "Service" || port.IsNull() || opaque(port.Text) || len(ports) == 0 || slices.ContainsFunc(ports, func(p *loader.Value) bool {
		number := textOf(p.Get("port"))
		return number == port.Text || opaque(number)
	}) {
		return ""
	}
	return id.Spoken() + " has no port " + port.Text
}
