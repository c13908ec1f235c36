package effective_test

import (
	"fmt"
	"testing"
)

const telemetryKind = "Telemetry"

// telemetry writes a Telemetry of a namespace, the mesh's own or that of the
// Gateway g.
func telemetry(namespace, body string) string {
	return fmt.Sprintf("{apiVersion: telemetry.istio.io/v1, kind: Telemetry, metadata: {name: t, namespace: %s}, spec: {%s}}", namespace, body)
}

// The cases are those of Istio's pilot/pkg/model/telemetry_test.go,
// TestTelemetryFilters, TestTracing and TestAccessLogging, as far as they do not
// need a mesh configuration.
func TestIstioTelemetry(t *testing.T) {
	const (
		prometheus = "providers: [{name: prometheus}]"
		tags       = "overrides: [{match: {metric: REQUEST_COUNT}, tagOverrides: {remove: {operation: REMOVE}, add: {value: bar}}}]"
		tagsJSON   = `"REQUEST_COUNT":{"tagOverrides":{"add":{"value":"bar"},"remove":{"operation":"REMOVE"}}}`
		allOff     = "metrics: [{" + prometheus + ", overrides: [{match: {metric: ALL_METRICS}, disabled: true}]}]"
	)
	for _, tt := range []struct{ name, mesh, namespace, want string }{
		{"disabled", allOff, "", `{"metrics":{"prometheus":{"client":{"disabled":true}}}}`},
		{"disabled, implicitly", "metrics: [{" + prometheus + ", overrides: [{disabled: true}]}]", "", `{"metrics":{"prometheus":{"client":{"disabled":true}}}}`},
		{"disabled, then empty", allOff, "metrics: [{" + prometheus + "}]", `{"metrics":{"prometheus":{"client":{"disabled":true}}}}`},
		{"disabled, then enabled", allOff, "metrics: [{" + prometheus + ", overrides: [{match: {metric: ALL_METRICS}}]}]", `{"metrics":{"prometheus":{}}}`},
		{"disabled, then overridden", allOff, "metrics: [{" + prometheus + ", " + tags + "}]", `{"metrics":{"prometheus":{"client":{` + tagsJSON + `}}}}`},
		{"disabled for servers alone", "metrics: [{" + prometheus + ", overrides: [{match: {mode: SERVER}, disabled: true}]}]", "", `{"metrics":{"prometheus":{}}}`},
		{"the provider of the parent", "metrics: [{" + prometheus + "}]", "metrics: [{" + tags + "}]", `{"metrics":{"prometheus":{"client":{` + tagsJSON + `}}}}`},
		{"the default provider", "", "metrics: [{" + tags + "}]", `{"metrics":{"(default provider)":{"client":{` + tagsJSON + `}}}}`},
		{"another provider", "metrics: [{" + prometheus + ", " + tags + "}]", "metrics: [{providers: [{name: other}]}]", `{"metrics":{"other":{}}}`},
		{
			"the interval of the last", "metrics: [{" + prometheus + ", reportingInterval: 15s}]", "metrics: [{" + prometheus + ", reportingInterval: 10s}]",
			`{"metrics":{"prometheus":{"reportingInterval":"10s"}}}`,
		},
		{
			"a metric of one's own", "metrics: [{" + prometheus + ", overrides: [{match: {customMetric: my.metric}, disabled: true}]}]", "",
			`{"metrics":{"prometheus":{"client":{"my.metric":{"disabled":true}}}}}`,
		},
		{
			"tracing by field", "tracing: [{providers: [{name: a}, {name: b}], randomSamplingPercentage: 10, customTags: {one: {literal: {value: one}}}}]",
			"tracing: [{customTags: {two: {literal: {value: two}}}}]",
			`{"tracing":{"client":{"customTags":{"two":{"literal":{"value":"two"}}},"provider":"a","randomSamplingPercentage":10}}}`,
		},
		{"tracing of servers", "tracing: [{match: {mode: SERVER}, disableSpanReporting: true}]", "", ""},
		{"access logs of the parent's provider", "accessLogging: [{providers: [{name: envoy}], filter: {expression: a}}]", "accessLogging: [{disabled: true}]", `{"accessLogging":{"client":{"envoy":{"disabled":true}}}}`},
		{"access logs of another provider", "accessLogging: [{providers: [{name: envoy}]}]", "accessLogging: [{providers: [{name: otel}]}]", `{"accessLogging":{"client":{"otel":{}}}}`},
		{
			"access logs of two providers", "accessLogging: [{providers: [{name: envoy}, {name: otel}], filter: {expression: a}}]", "accessLogging: [{providers: [{name: envoy}], filter: {expression: b}}]",
			`{"accessLogging":{"client":{"envoy":{"filter":{"expression":"b"}}}}}`,
		},
		{
			"access logs enabled again", "accessLogging: [{providers: [{name: envoy}], disabled: true}]", "accessLogging: [{providers: [{name: envoy}]}]",
			`{"accessLogging":{"client":{"envoy":{}}}}`,
		},
		{"a filter without a provider", "accessLogging: [{providers: [{name: envoy}]}]", "accessLogging: [{filter: {expression: a}}]", `{"accessLogging":{"client":{"envoy":{}}}}`},
		{"what is not known yet", "profiling: {rate: 1}", "profiling: {rate: 2}", `{"profiling":{"rate":2}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := stage(t, "", one, telemetry("istio-system", tt.mesh), telemetry("ns", tt.namespace))
			s.check(expect{name: tt.name, got: s.spec(telemetryKind, "g"), want: tt.want})
		})
	}
}

// A Gateway sends, a waypoint receives, and the pods of a Service do both.
func TestIstioTelemetryModes(t *testing.T) {
	const waypoint = `{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: w}, spec: {gatewayClassName: istio-waypoint, listeners: [{name: mesh, port: 15008, protocol: HBONE}]}}`
	s := stage(t, "", one, waypoint, telemetry("istio-system", "tracing: [{match: {mode: CLIENT}, randomSamplingPercentage: 1}, {match: {mode: SERVER}, randomSamplingPercentage: 2}]"))
	s.check(
		expect{name: "Gateway", got: s.spec(telemetryKind, "g"), want: `{"tracing":{"client":{"randomSamplingPercentage":1}}}`},
		expect{name: "waypoint", got: s.spec(telemetryKind, "w"), want: `{"tracing":{"server":{"randomSamplingPercentage":2}}}`},
		expect{name: "Service", got: s.spec(telemetryKind, "b"), want: `{"tracing":{"client":{"randomSamplingPercentage":1},"server":{"randomSamplingPercentage":2}}}`},
	)
}
