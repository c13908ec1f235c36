package apptemplate_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/apptemplate"
)

// TestAppTemplateRanges: a range gives what its newest release gives, and the whole if
// all others give the same.
func TestAppTemplateRanges(t *testing.T) {
	const (
		// same is for all from 3.0.0 on, plain since 3.7.3 has another name.
		same  = one
		plain = one + "route: {app: {" + gate + "}}\n"
		zero  = one + "route: {main: {" + gate + ", enabled: true, rules: [{backendRefs: [{name: other, port: 1, weight: 0}]}]}}\n"
	)
	tests := []struct{ version, values, want string }{
		{"3.7.3", same, "Service web"},
		{"v3.7.3", same, "Service web"},
		{" 3.7.3 ", same, "Service web"},
		{"3.x", same, "Service web"},
		{"^3.0.0", same, "Service web"},
		{"^v3.0.0", same, "Service web"},
		{">=3.0.0 <4.0.0", same, "Service web"},
		{">=2.0.0 <3.0.0", same, "Service web"},
		{"3.0.0 - 4.1.1", same, "Service web"},
		{"3.7.2 || 3.7.3", same, "Service web"},
		// Only the target of the port is another one.
		{">=1.0.0 <3.0.0", same, "Service web?"},
		{">1.5.0 <2.0.0", same, "Service web"},
		{"3.7.x", plain, "Service web, HTTPRoute web?"},
		{"^3.7.3", plain, "Service web, HTTPRoute web"},
		{"<3.7.3", plain, "Service web, HTTPRoute web-app?"},
		{">=3.7.3 <5.0.0", plain, "Service web, HTTPRoute web?"},
		{">=3.7.3 <4.1.1", plain, "Service web, HTTPRoute web"},
		{"~3.0", zero, "Service web, HTTPRoute web"},
		{"~3.0.2", zero, "Service web, HTTPRoute web"},
		{"~3.1", zero, "Service web, HTTPRoute web"},
		{">3.0.3 <3.2.0", zero, "Service web, HTTPRoute web?"},
		{">=3.1.0 <3.2.0", zero, "Service web, HTTPRoute web"},
		{">=3.0.4 <3.2.0, !=3.0.x", zero, "Service web, HTTPRoute web"},
		{"5.x", "service: {main: {ports: {http: {port: 80}}}}", "Service web"},
		{"^4.2.0", "service: {main: {ports: {http: {port: 80}}}}", "Service web"},
		// Beyond what is known.
		{"*", "service: {main: {ports: {http: {port: 80}}}}", "Service web?"},
		{">=5.0.0", "service: {main: {ports: {http: {port: 80}}}}", "Service web?"},
		{"<2.0.0", same, "Service web?"},
		{">=6.0.0", same, "?"},
		{"3.0.0-beta1", same, "Service web?"},
		{"no version", same, "?"},
		{strings.Repeat("3.0.0 || ", 100) + "3.0.0", same, "?"},
	}
	for _, tt := range tests {
		out, whole := templateAt(t, tt.version, tt.values)
		if got := seen(out, whole, ""); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.version, got, tt.want)
		}
	}
	out, _ := templateAt(t, "^3.0.0", same)
	if got := seen(out, true, "Service metadata labels helm.sh/chart"); got != "unknown" {
		t.Errorf("the release of a range is %s", got)
	}
}

// TestAppTemplateSchema: where Helm refuses values before it renders, the answer is not
// the whole (charts/library/common/schemas, values.schema.json).
func TestAppTemplateSchema(t *testing.T) {
	service := func(more string) string {
		return "service: {main: {controller: main, ports: {http: {port: 80}}, " + more + "}}\n"
	}
	port := func(more string) string {
		return "service: {main: {controller: main, ports: {http: {port: 80, " + more + "}}}}\n"
	}
	route := func(more string) string {
		return one + "route: {main: {enabled: true, " + gate + ", " + more + "}}\n"
	}
	tests := []struct {
		values string
		// whole and not are the versions at which it is, and is not.
		whole, not string
	}{
		{service("enabled: true"), "1.5.1 2.6.0 3.0.0 4.1.1 5.0.0", ""},
		{service("enabled: 'true'"), "1.5.1 2.6.0 5.0.0", "3.0.0 4.1.1"},
		{service("unknown: 1"), "1.5.1 2.6.0 4.2.0", "3.0.0 3.7.3 4.0.0 4.1.1"},
		{service("externalName: a"), "2.6.0 3.3.0 4.1.1", "3.0.0 3.2.1"},
		{service("loadBalancerClass: a"), "2.6.0 3.4.0 4.1.1", "3.3.2"},
		{service("internalTrafficPolicy: Local"), "2.6.0 3.5.0 4.1.1", "3.4.0"},
		{service("internalTrafficPolicy: Other"), "2.6.0 4.2.0", "3.5.0"},
		{service("externalTrafficPolicy: Local, ipFamilies: [IPv4, IPv6], sessionAffinityConfig: {any: 1}, extraSelectorLabels: {a: b}, externalIPs: [a], clusterIP: a"), "1.5.1 3.0.0 4.1.1", ""},
		{service("ipFamilies: [IPv5]"), "2.6.0", "3.0.0 4.1.1"},
		{service("nameOverride: a"), "3.7.3", "4.0.0 4.1.1"},
		{service("forceRename: a, prefix: b"), "2.6.0 5.0.0", "3.7.3 4.0.0 4.1.1"},
		{service("forceRename: a, suffix: b"), "", "4.0.0 4.1.1"},
		{service("labels: {a: b}, annotations: null"), "3.0.0 4.1.1", ""},
		{service("labels: text"), "", "1.5.1 2.6.0 3.0.0 4.1.1 5.0.0"},
		{service("extraSelectorLabels: text"), "", "1.5.1 2.6.0 3.0.0 4.1.1 5.0.0"},
		{"service: {main: {controller: main, ports: text}}\n", "", "2.6.0 5.0.0"},
		{"service: {main: {controller: main, ports: {http: {port: 80}}}, off: {enabled: false}}\n", "2.6.0 4.0.0", "3.0.0 3.7.3"},
		{"service: {main: {controller: main, ports: {http: {port: 80}, off: {enabled: false}}}}\n", "2.6.0 4.2.0", "3.0.0 4.1.1"},
		{port("nodePort: 30000"), "2.6.0 3.0.3 4.1.1", "3.0.0 3.0.2"},
		{port("protocol: SCTP"), "2.6.0 4.2.0", "3.0.0 4.1.1"},
		{port("targetPort: null"), "1.5.1 2.6.0", "3.0.0 4.1.1"},
		{port("targetPort: 8.5"), "2.6.0", "3.0.0 4.1.1"},
		{route("primary: true"), "1.5.1 2.6.0", "3.0.0 4.1.1"},
		{route("nameOverride: a"), "1.5.1 3.7.3", "4.0.0"},
		{route("hostnames: [a.example.com]"), "1.5.1 2.6.0 3.0.0 4.1.1 5.0.0", ""},
		{route("hostnames: a.example.com"), "", "1.5.1 2.6.0 3.0.0 4.1.1 5.0.0"},
		{route("hostnames: [80]"), "1.5.1 2.0.3", "2.1.0 3.0.0 5.0.0"},
		{route("rules: [{backendRefs: [{name: other, port: 1}], matches: [{path: {type: Exact, value: /}}], filters: [{any: 1}]}]"), "2.6.0 3.0.0 4.1.1", ""},
		{route("rules: [{backendRefs: [{name: other, port: 1}], matches: [{headers: [{name: a, value: b}]}]}]"), "2.6.0 4.2.0", "3.0.0 4.1.1"},
		{route("rules: [{backendRefs: [{name: other, port: 1, weight: '1'}]}]"), "2.6.0", "3.0.0 4.1.1"},
		{route("rules: [{backendRefs: [{name: other, port: 1, identifier: main}]}]"), "2.6.0 4.0.0", "3.7.3"},
		{route("rules: [{sessionPersistence: {}}]"), "2.6.0 4.0.0", "3.7.3"},
		{route("rules: [{matches: text}]"), "", "2.6.0 3.0.0 5.0.0"},
		{"global: {labels: {a: b}, unknown: 1}\n" + one, "1.5.1 2.6.0 3.0.0 4.1.1", ""},
		{"global: {labels: null}\n" + one, "2.6.0 3.7.3", "4.0.0 4.1.1"},
		{"global: {annotations: null}\n" + one, "2.6.0 3.7.3", "4.0.0 4.1.1"},
		{"global: {fullnameOverride: null, nameOverride: null}\n" + one, "1.5.1 3.0.0 4.1.1", ""},
		{"global: {labels: {a: 1}}\n" + one, "", "2.6.0 3.0.0 4.1.1"},
		{"global: {alwaysAppendIdentifierToResourceName: 'true'}\n" + one, "4.0.1", "4.1.0"},
		{one + "route: null\n", "2.6.0 3.7.3", "4.0.0 4.1.1"},
		{"service: null\n", "2.6.0 3.7.3", "4.0.0 4.1.1"},
	}
	for _, tt := range tests {
		for _, version := range strings.Fields(tt.whole) {
			if out, whole := templateAt(t, version, tt.values); !whole {
				t.Errorf("%s: %s: not whole, %v", version, tt.values, out.Problems)
			}
		}
		for _, version := range strings.Fields(tt.not) {
			if _, whole := templateAt(t, version, tt.values); whole {
				t.Errorf("%s: %s: whole", version, tt.values)
			}
		}
	}
}

// TestAppTemplateDefaultPlaces: what the library brings stands where the nearest value
// of the release does.
func TestAppTemplateDefaultPlaces(t *testing.T) {
	v := values(t, "v.yaml", "service:\n  main:\n    ports:\n      http:\n        port: 80\nroute:\n  main:\n    enabled: true\n    parentRefs: [{name: gw, namespace: infra}]\n")
	out, _ := apptemplate.Render("2.3.0", released(v))
	for kind, want := range map[string]string{
		"Service":   `/spec/type "ClusterIP" v.yaml:2:3`,
		"HTTPRoute": `/spec/rules/0/matches/0/path/value "/" v.yaml:7:3`,
	} {
		if got := places(only(t, out, kind), v.Files, 1); !strings.Contains(got, want) {
			t.Errorf("%s lacks\n%s\nin\n%s", kind, want, got)
		}
	}
}

// TestAppTemplateBounds: many objects with many labels are not all made.
func TestAppTemplateBounds(t *testing.T) {
	var text strings.Builder
	text.WriteString("global:\n  labels:\n")
	for i := range 2000 {
		text.WriteString("    a" + strings.Repeat("b", i%50) + string(rune('a'+i%26)) + strings.Repeat("c", i/50) + ": '{{ .Release.Name }}'\n")
	}
	text.WriteString("service:\n")
	for i := range 2000 {
		text.WriteString("  s" + strings.Repeat("x", i%50) + strings.Repeat("y", i/50) + ": {controller: main, ports: {http: {port: 80}}}\n")
	}
	out, whole := templateAt(t, ">=1.0.0 <6.0.0", text.String())
	if n := len(out.Documents); whole || n == 0 || n == 2000 {
		t.Errorf("%d documents, whole: %v", n, whole)
	}
}
