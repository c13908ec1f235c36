package apptemplate_test

import "testing"

// TestAppTemplateBackendRules: classes/_route.tpl, lib/service/_getByIdentifier.tpl,
// lib/service/_primary_port.tpl, lib/routes/_autoDetectService.tpl.
func TestAppTemplateBackendRules(t *testing.T) {
	route := func(services, backend string) string {
		return services + "route: {main: {enabled: true, " + gate + ", rules: [{backendRefs: [" + backend + "]}]}}\n"
	}
	other := func(backend string) string {
		return many + "route: {main: {enabled: true, primary: true, " + gate + "}, app: {enabled: true, " + gate + ", rules: [{backendRefs: [" + backend + "]}]}}\n"
	}
	const off = "service: {main: {controller: main, ports: {http: {port: 80}}}, spare: {enabled: false, controller: main, ports: {web: {enabled: true, port: 81}}}}\n"
	// loose has two ports of which none is primary.
	const loose = "service: {main: {controller: main, ports: {http: {enabled: true, port: 80, primary: false}, web: {enabled: true, port: 81}}}}\n"
	// bare has no port, which only ExternalName may.
	const bare = "service: {main: {controller: main, type: ExternalName, ports: {http: {enabled: false, port: 1}}}}\n"
	ref := func(name, port string) string {
		text := `{group: "", kind: "Service", `
		if name != "" {
			text += `name: "` + name + `", `
		}
		text += `namespace: "bakery", `
		if port != "" {
			text += "port: " + port + ", "
		}
		return text + "weight: 1}"
	}
	const look = "HTTPRoute spec rules 0 backendRefs 0"
	test(t, []change{
		{"no name in 1.x: that of the route", other("{}"), look, []turn{
			{"1.1.0", ref("web-app", "80")},
			{"1.5.1", ref("web-app", "80")},
		}},
		{"and that of the service", "service: {main: {nameOverride: x, ports: {http: {port: 80}}}}\nroute: {main: {enabled: true, nameOverride: b, " + gate + "}}", look, []turn{{"1.5.1", ref("web-b-x", "80")}}},
		{"no name", route(one, "{}"), look, []turn{
			{"2.0.0", ref("", "")},
			{"3.7.3", ref("", "")},
			{"4.0.0", ref("", "")},
			{"4.0.1", ref("web", "80")},
			{"5.0.0", ref("web", "80")},
		}},
		{"no name and two services", route(many, "{port: 80}"), look, []turn{
			{"3.7.3", ref("", "80")},
			{"4.0.0", ref("", "80")},
			{"4.0.1", "nothing REFUSED route.main: a backend has no name or identifier, and the chart can only choose a service if exactly one is enabled"},
		}},
		{"a key", route(many, "{name: second}"), look, []turn{
			{"1.5.1", ref("second", "80")},
			{"2.0.0", ref("web-second", "82")},
			{"3.7.3", ref("web-second", "82")},
			{"4.0.0", ref("second", "")},
			{"5.0.0", ref("second", "")},
		}},
		{"a key and a port", route(many, "{name: second, port: 81}"), look, []turn{
			{"2.0.0", ref("web-second", "82")},
			{"3.7.2", ref("web-second", "82")},
			{"3.7.3", ref("web-second", "81")},
			{"4.0.0", ref("second", "81")},
		}},
		{"a key and no number", route(many, "{name: second, port: 0}"), look, []turn{{"3.7.2", ref("web-second", "82")}, {"3.7.3", ref("web-second", "82")}}},
		{"no key and no number", route(many, "{name: other, port: 0}"), look, []turn{{"3.7.2", ref("other", "0")}, {"3.7.3", ref("other", "")}, {"4.0.0", ref("other", "")}}},
		{"the key of one that is off", route(off, "{name: spare, port: 9}"), look, []turn{
			{"2.0.0", ref("web-spare", "81")},
			{"3.0.0", ref("web", "81")},
			{"3.7.3", ref("web", "9")},
		}},
		{"the identifier of one that is off", route(off, "{identifier: spare}"), "", []turn{
			{"4.0.0", `Service web REFUSED route.main: the chart finds no service "spare" for a backend`},
			{"5.0.0", `Service web REFUSED route.main: the chart finds no service "spare" for a backend`},
		}},
		{"an identifier", route(many, "{identifier: second}"), look, []turn{
			{"2.6.0", ref("", "")},
			{"3.7.3", ref("", "") + "?"},
			{"4.0.0", ref("web-second", "82")},
		}},
		{"an identifier and a port", route(many, "{identifier: second, port: 81}"), look, []turn{{"4.0.0", ref("web-second", "81")}, {"5.0.0", ref("web-second", "81")}}},
		{"the name of a port", route(many, "{identifier: second, port: web}"), look, []turn{
			{"4.0.0", ref("web-second", `"web"`)}, {"4.1.1", ref("web-second", `"web"`)}, {"4.2.0", ref("web-second", "81")},
		}},
		{"the name of a port by key", route(many, "{name: second, port: web}"), look, []turn{{"3.7.2", ref("web-second", "82")}, {"3.7.3", ref("web-second", `"web"`)}}},
		{"a name and the name of a port", route(many, "{name: other, port: web}"), look, []turn{
			{"4.1.1", ref("other", `"web"`)}, {"4.2.0", "nothing REFUSED route.main: the chart does not accept a port name in a backend that has a name; use a port number or an identifier"},
		}},
		{"a name that is a template", route(one, "{name: 'x{{ .Release.Name }}', port: 1}"), look, []turn{
			{"1.5.1", ref("x{{ .Release.Name }}", "1")}, {"3.7.3", ref("x{{ .Release.Name }}", "1")}, {"4.0.0", ref("xweb", "1")},
		}},
		{"digits", route(one, "{name: other, port: '81'}"), look, []turn{{"1.5.1", ref("other", "81")}, {"2.6.0", ref("other", "81")}, {"4.1.1", ref("other", "81")}}},
		{"no port is primary", route(loose, "{name: main}"), look, []turn{
			{"2.0.0", ref("web", "80") + "?"},
			{"3.7.1", ref("web", "80") + "?"},
			{"3.7.2", ref("web", "80")},
			{"3.7.3", ref("web", "80")},
		}},
		{"no port is primary in 1.x", route(loose, "{name: other}"), look, []turn{{"1.1.0", ref("other", "80") + "?"}, {"1.5.1", ref("other", "80") + "?"}}},
		{"but one is written", route(loose, "{name: other, port: 9}"), look, []turn{{"1.5.1", ref("other", "9")}}},
		{"a service without ports", route(bare, "{name: main, port: 9}"), look, []turn{
			{"2.6.0", `nothing REFUSED route.main: the chart does not accept the service "main" as a backend, because it has no enabled port`},
			{"3.0.3", `nothing REFUSED route.main: the chart does not accept the service "main" as a backend, because it has no enabled port`},
			{"3.0.4", ref("web", "9")},
		}},
		{"a service that is not a map", "service: {main: {controller: main, ports: {http: {port: 80}}}, other: null}\nroute: {main: {enabled: true, " + gate + ", rules: [{backendRefs: [{name: other}]}]}}", "", []turn{
			{"2.6.0", `Service web REFUSED route.main: the chart does not accept the service "other" as a backend, because it is not a map`},
		}},
		{"no service in 1.x", "service: {main: {enabled: false}}\nroute: {main: {enabled: true, " + gate + ", rules: []}}", "", []turn{
			{"1.5.1", " REFUSED route.main: the chart refuses a route without a service"},
			{"2.0.0", "HTTPRoute web"},
		}},
		{"no rules and two services", many + "route: {main: {enabled: true, " + gate + ", rules: []}}", "HTTPRoute spec rules", []turn{
			{"1.5.1", "[]"},
			{"3.7.3", "[]"},
			{"4.0.1", "[]"},
			{"4.1.1", "[]"},
			{"4.2.0", "nothing REFUSED route.main: the route must have rules: the chart adds a default rule only if exactly one service is enabled"},
		}},
		{"a weight of 0", route(one, "{name: other, port: 1, weight: 0}"), look + " weight", []turn{{"1.5.1", "1"}, {"3.0.4", "1"}, {"3.1.0", "0"}, {"4.1.1", "0"}}},
		{"another weight", route(one, "{name: other, port: 1, weight: 5}"), look + " weight", []turn{{"1.5.1", "5"}, {"3.1.0", "5"}}},
	})
}
