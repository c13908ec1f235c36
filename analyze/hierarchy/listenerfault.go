package hierarchy

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// judgeAlone evaluates what is written in a listener itself, for implementations that look at nothing else of one that fails: neither
// at its certificates nor at its conflicts. It reports whether it fails (NGINX Gateway Fabric,
// internal/controller/state/graph/gateway_listener.go, configure; of several conditions of a type the last one is written,
// conditions/conditions.go, DeduplicateConditions).
func (l *listeners) judgeAlone(n, gateway *Node, own *implementation.Implementation) bool {
	limits := own.Listeners.Alone
	if limits == nil {
		return false
	}
	accepted, refs := n.Condition(Accepted), n.Condition(ResolvedRefs)
	n.aloof = accepted != nil && accepted.Status == fact.False || refs != nil && refs.Reason == invalidRouteKinds
	n.bare = n.aloof
	if accepted != nil {
		return n.bare // nothing else is looked at without a protocol
	}
	fault := func(reason, message string, at *loader.Value) {
		n.bare = true
		n.Conditions.set(n.condition(Accepted, fact.False, reason, message, at))
	}
	protocol, tls := n.Value.Str("protocol"), n.Value.Get("tls")
	if from := n.Value.Get("allowedRoutes", "namespaces"); selectorless(from) {
		fault(unsupportedValue, "allowedRoutes.namespaces.from is Selector, but selector is missing", from)
		n.aloof = true
	}
	if port := n.Value.Get("port"); protocol != "TLS" && !port.IsNull() && port.Text == metricsPort(l, gateway, limits) {
		fault(unsupportedValue, "port "+port.Text+" is that of the proxy's metrics", port)
	}
	switch {
	case protocol == "HTTP" && !tls.IsNull():
		fault(unsupportedValue, "an HTTP listener has no tls", tls)
	case needsTLS(protocol) && tls.IsNull():
		fault(unsupportedValue, aListener(protocol)+" needs tls", nil)
		n.aloof = n.aloof || protocol == "TLS"
	case protocol == "HTTPS" && tls.Str("mode") == "Passthrough":
		fault(unsupportedValue, "an HTTPS listener terminates TLS", tls.Get("mode"))
	}
	if needsTLS(protocol) && !tls.IsNull() && tls.Str("mode") != "Passthrough" && !opaque(tls.Str("mode")) {
		for _, wrong := range wrongTLS(tls, limits) {
			fault(wrong.reason, wrong.message, wrong.at)
			if wrong.reason == invalidCertificate {
				n.Conditions.set(n.condition(ResolvedRefs, fact.False, wrong.reason, wrong.message, wrong.at))
			}
		}
	}
	return n.bare
}

type wrongValue struct {
	reason, message string
	at              *loader.Value
}

// wrongTLS lists what an implementation refuses in the TLS settings of a listener that terminates TLS, whatever they refer to
// (gateway_listener.go, validateTLSTerminateConfig).
func wrongTLS(tls *loader.Value, limits *implementation.Alone) (out []wrongValue) {
	for _, option := range tls.Get("options").FieldList() {
		pattern := limits.Options[option.Key]
		switch {
		case opaque(option.Value.Text):
		case pattern == nil:
			out = append(out, wrongValue{unsupportedValue, fmt.Sprintf("the TLS option %s is not supported", option.Key), option.Value})
		case !pattern.MatchString(option.Value.Text):
			out = append(out, wrongValue{unsupportedValue, fmt.Sprintf("the TLS option %s does not take %q", option.Key, option.Value.Text), option.Value})
		}
	}
	refs := tls.List("certificateRefs")
	if len(refs) == 0 {
		return append(out, wrongValue{invalidCertificate, "a listener that terminates TLS needs a certificateRef", tls})
	}
	for _, ref := range refs {
		if kind := textOf(ref.Get("kind")); kind != "" && kind != "Secret" && !opaque(kind) || groupOf(ref, "") != "" && !opaque(groupOf(ref, "")) {
			out = append(out, wrongValue{invalidCertificate, "a certificate must be a core Secret, not of kind " + kindText(groupOf(ref, ""), kind), ref})
		}
	}
	return out
}

// metricsPort returns the port at which the proxies of a Gateway offer their metrics, which no listener can have; it is empty if they
// offer none, or that is not known (internal/controller/state/graph/gateway.go, buildProtectedPorts).
func metricsPort(l *listeners, gateway *Node, limits *implementation.Alone) string {
	if limits.MetricsPort == "" {
		return ""
	}
	of := func(field string) *loader.Value {
		path := append(slices.Clone(limits.Metrics), field)
		if v := l.Parameter(gateway, path...); v != nil {
			return v
		}
		return ofClass(l.gateways, gateway).Get(path...)
	}
	if of("disable").IsTrue() {
		return ""
	}
	if port := of("port"); port != nil {
		return port.Text
	}
	return limits.MetricsPort
}
