package apptemplate_test

import "testing"

// TestAppTemplateServiceRules: classes/_service.tpl, lib/service/_validate.tpl.
func TestAppTemplateServiceRules(t *testing.T) {
	const port = "ports: {http: {port: 80}}"
	test(t, []change{
		{"the kind of application", "service: {main: {controller: main, ports: {http: {port: 80, appProtocol: kubernetes.io/h2c}}}}", "Service spec ports 0 appProtocol", []turn{
			{"2.2.0", "nothing"}, {"2.3.0", `"kubernetes.io/h2c"`}, {"4.1.1", `"kubernetes.io/h2c"`},
		}},
		{"a name elsewhere", "service: {main: {controller: main, type: ExternalName, externalName: a.example.com, " + port + "}}", "Service spec externalName", []turn{
			{"1.5.1", "nothing"}, {"3.3.0", "nothing"}, {"3.3.1", `"a.example.com"`}, {"4.1.1", `"a.example.com"`}, {"5.0.0", `"a.example.com"`},
		}},
		{"a name elsewhere without ports", "service: {main: {controller: main, type: ExternalName, ports: {http: {enabled: false, port: 80}}}}", "", []turn{
			{"1.5.1", " REFUSED service.main: the chart refuses a Service without an enabled port"},
			{"2.6.0", "Service web?"},
			{"3.0.4", "Service web"},
		}},
		{"the name of a target", "service: {main: {controller: main, ports: {http: {port: 80, targetPort: web}}}}", "", []turn{
			{"1.0.0", ` REFUSED service.main: the chart does not accept the port "http": its targetPort is a name, not a number`},
			{"1.5.1", ` REFUSED service.main: the chart does not accept the port "http": its targetPort is a name, not a number`},
			{"2.0.0", "Service web"},
		}},
		{"the name of a target without a container", "controller: {enabled: false}\nservice: {main: {ports: {http: {port: 80, targetPort: web}}}}", "Service spec ports 0 targetPort", []turn{{"1.5.1", `"web"`}}},
		{"a port without a number", "service: {main: {controller: main, ports: {http: {enabled: true}}}}", "", []turn{
			{"1.5.1", "Service web"},
			{"2.0.0", ` REFUSED service.main: the port "http" has no number, which the chart requires`},
			{"4.1.1", ` REFUSED service.main: the port "http" has no number, which the chart requires`},
			{"4.2.0", "Service web?"},
		}},
		{"a range of ports", "service: {main: {ports: {game: {portRange: {start: 1, end: 2}}}}}", "Service spec ports", []turn{
			{"4.1.1", `nothing REFUSED service.main: the port "game" has no number, which the chart requires`},
			{"4.2.0", `[{port: 1, targetPort: 1, protocol: "TCP", name: "game-1"}, {port: 2, targetPort: 2, protocol: "TCP", name: "game-2"}]`},
		}},
		{"a range of ports that is too long", "service: {main: {ports: {game: {portRange: {start: 1, end: 2000}}}}}", "Service spec ports", []turn{{"5.0.0", "[]?"}}},
		{"digits", "service: {main: {controller: main, ports: {'8080': {enabled: true, port: '80'}, http: {enabled: false, port: 1}}}}", "Service spec ports 0", []turn{
			{"1.5.1", `{port: 80, targetPort: 8080, protocol: "TCP", name: 8080}`},
			{"2.6.0", `{port: 80, targetPort: 80, protocol: "TCP", name: 8080}`},
			{"4.1.1", `{port: 80, targetPort: 80, protocol: "TCP", name: 8080}`},
		}},
		{"another type", "service: {main: {controller: main, type: Foo, " + port + "}}", "", []turn{
			{"1.5.1", "Service web"},
			{"2.0.0", ` REFUSED service.main: "Foo" is not a Service type`},
		}},
		{"an empty type", "service: {main: {controller: main, type: null, " + port + "}}", "Service spec type", []turn{{"1.5.1", `"ClusterIP"`}, {"2.6.0", `"ClusterIP"`}, {"4.1.1", `"ClusterIP"?`}}},
		{"no controller is named", "service: {app: {enabled: true, ports: {http: {enabled: true, port: 80}}}, main: {enabled: false, controller: main, ports: {http: {port: 1}}}}", "", []turn{
			{"1.5.1", "Service web"},
			{"2.0.0", " REFUSED service.app: the chart refuses a Service without a controller"},
			{"3.7.3", " REFUSED service.app: the chart refuses a Service without a controller"},
			{"4.0.0", "Service web"},
			{"5.0.0", "Service web"},
		}},
		{"no controller is named of two", "controllers: {main: {type: deployment}, other: {type: deployment}}\nservice: {app: {" + port + "}}", "", []turn{
			{"4.0.0", " REFUSED service.app: the chart refuses a Service without a controller"},
			{"5.0.0", " REFUSED service.app: the chart refuses a Service without a controller"},
		}},
		{"a controller that is none", "service: {main: {controller: other, " + port + "}}", "", []turn{
			{"2.6.0", "Service web"},
			{"3.0.2", "Service web"},
			{"3.0.3", ` REFUSED service.main: the chart finds no enabled controller "other" for a Service`},
			{"4.1.1", ` REFUSED service.main: the chart finds no enabled controller "other" for a Service`},
		}},
		{"a controller that is off", "controllers: {idle: {enabled: false}}\nservice: {main: {controller: idle, " + port + "}}", "", []turn{
			{"3.0.3", ` REFUSED service.main: the chart finds no enabled controller "idle" for a Service`},
			{"4.0.0", ` REFUSED service.main: the chart finds no enabled controller "idle" for a Service`},
		}},
		{"a controller that is empty", "controllers: {empty: {}}\nservice: {main: {controller: empty, " + port + "}}", "", []turn{
			{"3.0.2", "Service web"},
			{"3.0.3", ` REFUSED service.main: the chart finds no enabled controller "empty" for a Service`},
			{"3.7.3", ` REFUSED service.main: the chart finds no enabled controller "empty" for a Service`},
			{"4.0.0", "Service web"},
		}},
		{"Traefik", "service: {main: {controller: main, ports: {http: {port: 80, protocol: HTTPS}}}}", "Service metadata annotations", []turn{
			{"1.0.0", `{traefik.ingress.kubernetes.io/service.serversscheme: "https"}`},
			{"1.5.1", `{traefik.ingress.kubernetes.io/service.serversscheme: "https"}`},
			{"2.0.0", "nothing"},
		}},
		{"Traefik by chance", "service: {main: {ports: {http: {port: 80, primary: false}, https: {enabled: true, port: 443, protocol: HTTPS}}}}", "Service metadata annotations", []turn{{"1.5.1", "nothing?"}}},
	})
}

// TestAppTemplateLabelRules: classes/_service.tpl, classes/_route.tpl, lib/metadata.
func TestAppTemplateLabelRules(t *testing.T) {
	service := func(more string) string {
		return "service: {main: {controller: main, ports: {http: {port: 80}}, " + more + "}}\n"
	}
	test(t, []change{
		{"the labels of all", one, "Service metadata labels", []turn{
			{"1.0.0", `{app.kubernetes.io/instance: "web", app.kubernetes.io/managed-by: "Helm", app.kubernetes.io/name: "web", helm.sh/chart: "app-template-1.0.0", app.kubernetes.io/service: "web"}`},
			{"5.1.0", `{app.kubernetes.io/instance: "web", app.kubernetes.io/managed-by: "Helm", app.kubernetes.io/name: "web", helm.sh/chart: "app-template-5.1.0", app.kubernetes.io/service: "web"}`},
		}},
		{"own labels", service("labels: {a: '{{ .Release.Name }}'}"), "Service metadata labels a", []turn{
			{"1.5.1", `"{{ .Release.Name }}"`}, {"3.1.0", `"{{ .Release.Name }}"`}, {"3.2.0", `"web"`}, {"4.1.1", `"web"`},
		}},
		{"own annotations", service("annotations: {a: '{{ .Release.Name }}'}"), "Service metadata annotations a", []turn{{"3.1.0", `"{{ .Release.Name }}"`}, {"3.2.0", `"web"`}}},
		{"of a route", one + "route: {a: {enabled: true, " + gate + ", labels: {a: '{{ .Release.Name }}'}}}", "HTTPRoute metadata labels a", []turn{{"3.1.0", `"{{ .Release.Name }}"`}, {"3.2.0", `"web"`}}},
		{"labels for all", "global: {labels: {a: '{{ .Release.Name }}'}}\n" + one, "Service metadata labels a", []turn{{"1.0.0", `"web"`}, {"3.1.0", `"web"`}, {"4.1.1", `"web"`}}},
		{"own labels win", "global: {labels: {a: all, app.kubernetes.io/name: all}}\n" + service("labels: {a: own, app.kubernetes.io/name: own}"), "Service metadata labels app.kubernetes.io/name", []turn{{"1.5.1", `"own"`}, {"4.1.1", `"own"`}}},
		{"empty labels do not", "global: {labels: {a: all}}\n" + service("labels: {a: ''}"), "Service metadata labels a", []turn{{"1.5.1", `"all"`}, {"4.1.1", `"all"`}}},
		{"the label of a Service", service("labels: {app.kubernetes.io/service: own}"), "Service metadata labels app.kubernetes.io/service", []turn{
			{"1.5.1", `"web"?`}, {"2.0.0", `"web"`}, {"4.1.1", `"web"`}, {"4.2.0", `"web"?`},
		}},
		{"without quotes", service("labels: {a: 'true', b: '8080'}"), "Service metadata labels a", []turn{{"3.1.0", `"true"`}, {"3.2.0", "true"}, {"3.2.1", `"true"`}}},
		{"no word without quotes", service("labels: {a: 'x: y'}"), "Service metadata labels a", []turn{{"3.1.0", `"x: y"`}, {"3.2.0", "unknown?"}, {"3.2.1", `"x: y"`}}},
		{"a number", service("labels: {a: 5}"), "Service metadata labels a", []turn{{"2.6.0", "5"}, {"3.2.1", "5?"}, {"5.0.0", "5?"}}},
		{"a null", service("labels: {a: null}"), "Service metadata labels a", []turn{{"2.6.0", "null?"}, {"3.1.0", "null?"}, {"3.2.1", "null?"}}},
		{"the name for all", "global: {nameOverride: cart}\n" + one, "Service metadata labels app.kubernetes.io/name", []turn{{"1.0.0", `"cart"`}, {"4.1.1", `"cart"`}}},
	})
}

// TestAppTemplateRouteRules: classes/_route.tpl, lib/routes/_validate.tpl.
func TestAppTemplateRouteRules(t *testing.T) {
	route := func(more string) string { return one + "route: {main: {enabled: true, " + more + "}}\n" }
	kind := func(kind string) string { return route("kind: " + kind + ", " + gate) }
	rule := func(rule string) string { return route(gate + ", rules: [" + rule + "]") }
	grpc := func(rule string) string { return route("kind: GRPCRoute, " + gate + ", rules: [" + rule + "]") }
	const alpha, beta, stable = `"gateway.networking.k8s.io/v1alpha2"`, `"gateway.networking.k8s.io/v1beta1"`, `"gateway.networking.k8s.io/v1"`
	test(t, []change{
		{"HTTPRoute", kind("HTTPRoute"), "HTTPRoute apiVersion", []turn{{"1.1.0", alpha}, {"1.5.1", alpha}, {"2.0.0", beta}, {"2.0.3", beta}, {"2.1.0", stable}, {"4.1.1", stable}}},
		{"GRPCRoute", kind("GRPCRoute"), "GRPCRoute apiVersion", []turn{{"1.5.1", alpha}, {"2.0.3", alpha}, {"2.1.0", stable}}},
		{"TLSRoute", kind("TLSRoute"), "TLSRoute apiVersion", []turn{{"1.5.1", alpha}, {"2.0.3", alpha}, {"2.1.0", stable}}},
		{"TCPRoute", kind("TCPRoute"), "TCPRoute apiVersion", []turn{{"1.5.1", alpha}, {"2.1.0", alpha}, {"4.1.1", alpha}}},
		{"another kind", kind("Ingress"), "", []turn{
			{"1.1.0", `Service web REFUSED route.main: "Ingress" is not a supported kind of route`},
			{"4.1.1", `Service web REFUSED route.main: "Ingress" is not a supported kind of route`},
		}},
		{"a section", route("parentRefs: [{name: gw, namespace: infra}]"), "HTTPRoute spec parentRefs 0", []turn{
			{"1.1.3", `{group: "gateway.networking.k8s.io", kind: "Gateway", name: "gw", namespace: "infra", sectionName: ""}`},
			{"1.2.0", `{group: "gateway.networking.k8s.io", kind: "Gateway", name: "gw", namespace: "infra"}`},
		}},
		{"the port of a parent", route("parentRefs: [{name: gw, namespace: infra, port: 443}]"), "HTTPRoute spec parentRefs 0 port", []turn{
			{"2.6.0", "nothing"}, {"3.7.3", "nothing?"}, {"4.0.0", "443"},
		}},
		{"a parent without a namespace", route("parentRefs: [{name: gw}]"), "", []turn{
			{"1.1.0", "Service web REFUSED route.main: the chart refuses a parent without a namespace"},
			{"4.1.1", "Service web REFUSED route.main: the chart refuses a parent without a namespace"},
			{"4.2.0", "Service web, HTTPRoute web"},
		}},
		{"a parent without a name", route("parentRefs: [{namespace: infra}]"), "", []turn{
			{"4.1.1", "Service web REFUSED route.main: the chart refuses a parent without a name"},
			{"5.0.0", "Service web REFUSED route.main: the chart refuses a parent without a name"},
		}},
		{"a parent that is a template", route("parentRefs: [{name: 'a{{ .Release.Name }}', namespace: infra}]"), "HTTPRoute spec parentRefs 0 name", []turn{
			{"1.5.1", `"a{{ .Release.Name }}"`}, {"4.1.1", `"a{{ .Release.Name }}"`}, {"4.2.0", `"aweb"?`},
		}},
		{"a parent that breaks the YAML", route("parentRefs: [{name: '{{ .Release.Name }}', namespace: infra}]"), "HTTPRoute spec parentRefs 0 name", []turn{
			{"1.5.1", "unknown?"}, {"4.1.1", "unknown?"}, {"4.2.0", `"web"?`},
		}},
		{"hostnames", route(gate + ", hostnames: ['{{ .Release.Name }}.example.com']"), "HTTPRoute spec hostnames", []turn{
			{"1.1.0", `["{{ .Release.Name }}.example.com"]`}, {"2.0.3", `["{{ .Release.Name }}.example.com"]`}, {"2.1.0", `["web.example.com"]`}, {"4.1.1", `["web.example.com"]`},
		}},
		{"matches of HTTP", rule("{matches: [{path: {value: /x}}]}"), "HTTPRoute spec rules 0 matches", []turn{{"1.1.0", `[{path: {value: "/x"}}]`}, {"4.1.1", `[{path: {value: "/x"}}]`}}},
		{"matches of gRPC", grpc("{matches: [{path: {value: /x}}]}"), "GRPCRoute spec rules 0 matches", []turn{{"1.5.1", "nothing"}, {"2.2.0", "nothing"}, {"2.3.0", `[{path: {value: "/x"}}]`}}},
		{"filters", rule("{filters: [{type: URLRewrite}]}"), "HTTPRoute spec rules 0 filters", []turn{{"1.5.1", "nothing"}, {"2.2.0", "nothing"}, {"2.3.0", `[{type: "URLRewrite"}]`}, {"4.1.1", `[{type: "URLRewrite"}]`}}},
		{"timeouts", rule("{timeouts: {request: 5s}}"), "HTTPRoute spec rules 0 timeouts", []turn{{"2.3.0", "nothing"}, {"2.4.0", `{request: "5s"}`}, {"4.1.1", `{request: "5s"}`}}},
		{"timeouts of gRPC", grpc("{timeouts: {request: 5s}}"), "GRPCRoute spec rules 0 timeouts", []turn{{"2.4.0", "nothing"}, {"4.1.1", "nothing"}}},
		{"sessions", grpc("{sessionPersistence: {sessionName: a}}"), "GRPCRoute spec rules 0 sessionPersistence", []turn{{"2.6.0", "nothing"}, {"3.7.3", "nothing?"}, {"4.0.0", `{sessionName: "a"}`}}},
		{"the name of a rule", rule("{name: '{{ .Release.Name }}'}"), "HTTPRoute spec rules 0 name", []turn{{"2.6.0", "nothing"}, {"4.1.1", "nothing?"}, {"4.2.0", `"web"`}}},
		{"a redirect beside backends", rule("{filters: [{type: RequestRedirect}], backendRefs: [{name: other, port: 1}]}"), "", []turn{
			{"2.3.0", "Service web, HTTPRoute web"},
			{"2.4.0", "Service web REFUSED route.main: the chart does not accept a rule with both a RequestRedirect filter and backendRefs"},
			{"4.1.1", "Service web REFUSED route.main: the chart does not accept a rule with both a RequestRedirect filter and backendRefs"},
		}},
		{"a rule that is not a map", rule("text"), "", []turn{{"1.1.0", "Service web REFUSED route.main: each item of rules must be a map"}, {"2.6.0", "Service web REFUSED route.main: each item of rules must be a map"}}},
		{"a backend that is not a map", rule("{backendRefs: [text]}"), "", []turn{{"2.6.0", "Service web REFUSED route.main: each item of backendRefs must be a map"}}},
		{"a filter that is not a map", rule("{filters: [text], backendRefs: [{name: other, port: 1}]}"), "HTTPRoute spec rules 0 filters", []turn{{"2.3.0", `["text"]`}, {"2.4.0", `["text"]?`}}},
	})
}
