package apptemplate_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/apptemplate"
	"github.com/gwplan/gwplan/loader/chart"
)

// template reads values of app-template as release web in the namespace bakery. Where
// they say nothing of controllers, there is one.
func template(t *testing.T, text string) (chart.Output, bool) {
	t.Helper()
	return templateAt(t, "5.1.0", text)
}

func templateAt(t *testing.T, version, text string) (chart.Output, bool) {
	t.Helper()
	v := values(t, "default.yaml", "controllers: {main: {type: deployment}}").Over(values(t, "v.yaml", text))
	return apptemplate.Render(version, released(v))
}

// names are the kinds and names of an output, in its order.
func names(out chart.Output) string {
	var list []string
	for _, d := range out.Documents {
		list = append(list, d.Root.Str("kind")+" "+d.Root.Str("metadata", "name"))
	}
	return strings.Join(list, ", ")
}

// only is the one document of a kind.
func only(t *testing.T, out chart.Output, kind string) *loader.Value {
	t.Helper()
	var found []*loader.Value
	for _, d := range out.Documents {
		if d.Root.Str("kind") == kind {
			found = append(found, d.Root)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d of kind %s among %s; %v", len(found), kind, names(out), out.Problems)
	}
	return found[0]
}

// TestAppTemplateNames: lib/common/_determineResourceNameFromValues.tpl and
// lib/chart/_names.tpl.
func TestAppTemplateNames(t *testing.T) {
	const ports = "ports: {http: {port: 80}}"
	tests := []struct{ name, values, want string }{
		{"one has the release's", "service: {app: {" + ports + "}}", "Service web"},
		{"one of its name, too", "service: {web: {" + ports + "}}", "Service web"},
		{"several have their own, too", "service: {app: {" + ports + "}, db: {" + ports + "}}", "Service web-app, Service web-db"},
		{"but never twice", "service: {web: {" + ports + "}, db: {" + ports + "}}", "Service web-db, Service web"},
		{"those switched off do not count", "service: {app: {" + ports + "}, db: {enabled: false, " + ports + "}}", "Service web"},
		{"what is null does not count", "service: {app: {" + ports + "}, other: null}", "Service web"},
		{"always", "global: {alwaysAppendIdentifierToResourceName: true}\nservice: {app: {" + ports + "}}", "Service web-app"},
		{"a name of its own", "service: {app: {forceRename: cart, prefix: a, suffix: b, " + ports + "}, db: {" + ports + "}}", "Service cart, Service web-db"},
		{"a name of its own that is a template", "service: {app: {forceRename: '{{ .Release.Name }}-x', " + ports + "}}", "Service web-x"},
		{"an empty one is none", "service: {app: {forceRename: '', prefix: '', suffix: '', " + ports + "}}", "Service web"},
		{"a prefix", "service: {app: {prefix: my, " + ports + "}}", "Service my-web"},
		{"a prefix that is the name", "service: {app: {prefix: '{{ .Release.Name }}', " + ports + "}}", "Service web"},
		{"a suffix", "service: {app: {suffix: '{{ .Release.Namespace }}', " + ports + "}}", "Service web-bakery"},
		{"a suffix that is there", "fullnameOverride: web-x\nservice: {app: {suffix: x, " + ports + "}}", "Service web-x"},
		{"all of them", "service: {app: {prefix: a, suffix: b, " + ports + "}, db: {" + ports + "}}", "Service a-web-app-b, Service web-db"},
		{"no capitals", "service: {App: {" + ports + "}, db: {" + ports + "}}", "Service web-app, Service web-db"},
		{"the whole name", "fullnameOverride: full\nservice: {app: {" + ports + "}}", "Service full"},
		{"the whole name for all charts", "global: {fullnameOverride: all}\nfullnameOverride: full\nservice: {app: {" + ports + "}}", "Service all"},
		{"a part of the name for all charts", "global: {nameOverride: cart}\nservice: {app: {" + ports + "}}", "Service web-cart"},
		{"a part that the release has", "global: {nameOverride: eb}\nservice: {app: {" + ports + "}}", "Service web"},
		{"a part of the name for this chart counts for nothing", "nameOverride: cart\nservice: {app: {" + ports + "}}", "Service web"},
		{"a long one", "fullnameOverride: " + strings.Repeat("a", 62) + "-bc\nservice: {app: {" + ports + "}}", "Service " + strings.Repeat("a", 62)},
		{"routes are counted by themselves", "service: {a: {" + ports + "}, b: {" + ports + "}}\nroute: {main: {parentRefs: [{name: gw, namespace: infra}], rules: [{backendRefs: [{identifier: a}]}]}}", "Service web-a, Service web-b, HTTPRoute web"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, whole := template(t, tt.values)
			if got := names(out); got != tt.want || !whole {
				t.Errorf("got %s (whole: %v, %v), want %s", got, whole, out.Problems, tt.want)
			}
		})
	}
}

// TestAppTemplateServices: classes/_service.tpl.
func TestAppTemplateServices(t *testing.T) {
	tests := []struct{ name, service, want string }{
		{"a port", "ports: {http: {port: 80}}", `{type: "ClusterIP", ports: [{port: 80, targetPort: 80, protocol: "TCP", name: "http"}], selector: {app.kubernetes.io/instance: "web", app.kubernetes.io/name: "web", app.kubernetes.io/controller: "main"}}`},
		{"ports by name", "ports: {http: {port: 80, targetPort: 8080}, dns: {port: 53, protocol: UDP}}", `{type: "ClusterIP", ports: [{port: 53, targetPort: 53, protocol: "UDP", name: "dns"}, {port: 80, targetPort: 8080, protocol: "TCP", name: "http"}], selector: {app.kubernetes.io/instance: "web", app.kubernetes.io/name: "web", app.kubernetes.io/controller: "main"}}`},
		{"a protocol above TCP", "ports: {a: {port: 1, protocol: HTTP}, b: {port: 2, protocol: HTTPS, appProtocol: kubernetes.io/h2c}}", `{type: "ClusterIP", ports: [{port: 1, targetPort: 1, protocol: "TCP", name: "a"}, {port: 2, targetPort: 2, protocol: "TCP", name: "b", appProtocol: "kubernetes.io/h2c"}], selector: {app.kubernetes.io/instance: "web", app.kubernetes.io/name: "web", app.kubernetes.io/controller: "main"}}`},
		{"a port switched off", "ports: {http: {port: 80}, admin: {enabled: false, port: 81}}", `{type: "ClusterIP", ports: [{port: 80, targetPort: 80, protocol: "TCP", name: "http"}], selector: {app.kubernetes.io/instance: "web", app.kubernetes.io/name: "web", app.kubernetes.io/controller: "main"}}`},
		{"another type", "type: LoadBalancer\n    ports: {http: {port: 80}}", `{type: "LoadBalancer", ports: [{port: 80, targetPort: 80, protocol: "TCP", name: "http"}], selector: {app.kubernetes.io/instance: "web", app.kubernetes.io/name: "web", app.kubernetes.io/controller: "main"}}`},
		{"a name elsewhere", "type: ExternalName\n    externalName: a.example.com\n    ports: {http: {port: 80}}", `{type: "ExternalName", ports: [{port: 80, targetPort: 80, protocol: "TCP", name: "http"}], externalName: "a.example.com", selector: {app.kubernetes.io/instance: "web", app.kubernetes.io/name: "web", app.kubernetes.io/controller: "main"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, whole := template(t, "service:\n  app:\n    "+tt.service+"\n")
			if got := show(only(t, out, "Service").Get("spec")); got != tt.want || !whole {
				t.Errorf("got %s (whole: %v), want %s", got, whole, tt.want)
			}
		})
	}
}

// shopping are services with several ports.
const shopping = `service:
  cart:
    ports: {http: {port: 80}, admin: {port: 9000}}
`

// TestAppTemplateBackends: lib/routes/_autoDetectService.tpl, and which port is meant.
func TestAppTemplateBackends(t *testing.T) {
	const two = shopping + "  pay:\n    ports: {api: {port: 1}, http: {port: 8080, primary: true}, z: {port: 3, primary: false}}\n"
	tests := []struct{ name, services, rules, want string }{
		{"no rules: the only service, its first port", shopping, "", `[{backendRefs: [{group: "", kind: "Service", name: "web", namespace: "bakery", port: 9000, weight: 1}]}]`},
		{"empty rules, too", shopping, "rules: []", `[{backendRefs: [{group: "", kind: "Service", name: "web", namespace: "bakery", port: 9000, weight: 1}]}]`},
		{"an empty backend is the only service", shopping, "rules: [{backendRefs: [{}]}]", `[{backendRefs: [{group: "", kind: "Service", name: "web", namespace: "bakery", port: 9000, weight: 1}]}]`},
		{"so is one with a port alone", shopping, "rules: [{backendRefs: [{port: 80}]}]", `[{backendRefs: [{group: "", kind: "Service", name: "web", namespace: "bakery", port: 80, weight: 1}]}]`},
		{"the name of a port", shopping, "rules: [{backendRefs: [{identifier: cart, port: http}]}]", `[{backendRefs: [{group: "", kind: "Service", name: "web", namespace: "bakery", port: 80, weight: 1}]}]`},
		{"one of two", two, "rules: [{backendRefs: [{identifier: cart}]}]", `[{backendRefs: [{group: "", kind: "Service", name: "web-cart", namespace: "bakery", port: 9000, weight: 1}]}]`},
		{"the primary port", two, "rules: [{backendRefs: [{identifier: pay}]}]", `[{backendRefs: [{group: "", kind: "Service", name: "web-pay", namespace: "bakery", port: 8080, weight: 1}]}]`},
		{"the port that is said", two, "rules: [{backendRefs: [{identifier: pay, port: 3}]}]", `[{backendRefs: [{group: "", kind: "Service", name: "web-pay", namespace: "bakery", port: 3, weight: 1}]}]`},
		{"a name is taken as it is", two, "rules: [{backendRefs: [{name: other, port: 81}]}]", `[{backendRefs: [{group: "", kind: "Service", name: "other", namespace: "bakery", port: 81, weight: 1}]}]`},
		{"a name wins over an identifier", two, "rules: [{backendRefs: [{name: other, identifier: pay, port: 81}]}]", `[{backendRefs: [{group: "", kind: "Service", name: "other", namespace: "bakery", port: 81, weight: 1}]}]`},
		{"a name that is a template", two, "rules: [{backendRefs: [{name: '{{ .Release.Name }}-x', port: 81}]}]", `[{backendRefs: [{group: "", kind: "Service", name: "web-x", namespace: "bakery", port: 81, weight: 1}]}]`},
		{"another kind", two, "rules: [{backendRefs: [{group: gateway.envoyproxy.io, kind: Backend, name: b, namespace: infra, weight: 0}]}]", `[{backendRefs: [{group: "gateway.envoyproxy.io", kind: "Backend", name: "b", namespace: "infra", weight: 0}]}]`},
		{"none", two, "rules: [{filters: [{type: RequestRedirect}]}]", `[{filters: [{type: "RequestRedirect"}], backendRefs: []}]`},
		{
			"two rules", shopping, "rules: [{name: '{{ .Release.Name }}-a', backendRefs: [{port: 80}]}, {matches: [{path: {value: /x}}], backendRefs: [{port: 9000}], timeouts: {request: 5s}}]",
			`[{name: "web-a", backendRefs: [{group: "", kind: "Service", name: "web", namespace: "bakery", port: 80, weight: 1}]}, {matches: [{path: {value: "/x"}}], timeouts: {request: "5s"}, backendRefs: [{group: "", kind: "Service", name: "web", namespace: "bakery", port: 9000, weight: 1}]}]`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, whole := template(t, tt.services+"route:\n  main:\n    parentRefs: [{name: gw, namespace: infra}]\n    "+tt.rules+"\n")
			if got := show(only(t, out, "HTTPRoute").Get("spec", "rules")); got != tt.want || !whole {
				t.Errorf("got\n%s (whole: %v)\nwant\n%s", got, whole, tt.want)
			}
		})
	}
}

// TestAppTemplateRoutes: classes/_route.tpl.
func TestAppTemplateRoutes(t *testing.T) {
	const rest = ", rules: [{backendRefs: [{group: \"\", kind: \"Service\", name: \"web\", namespace: \"bakery\", port: 9000, weight: 1}]}]}"
	tests := []struct{ name, route, kind, version, want string }{
		{"a parent", "parentRefs: [{name: gw, namespace: infra, sectionName: https}]", "HTTPRoute", "v1", `{parentRefs: [{group: "gateway.networking.k8s.io", kind: "Gateway", name: "gw", namespace: "infra", sectionName: "https"}]` + rest},
		{"another kind of parent", "parentRefs: [{group: '', kind: Service, name: s, namespace: infra, port: 80}]", "HTTPRoute", "v1", `{parentRefs: [{group: "gateway.networking.k8s.io", kind: "Service", name: "s", namespace: "infra", port: 80}]` + rest},
		{"hostnames, some of them templates", "hostnames: ['{{ .Release.Name }}.example.com', a.example.com, '{{ .Values.global.host }}.example.com']", "HTTPRoute", "v1", `{parentRefs: [], hostnames: ["web.example.com", "a.example.com", "shop.example.com"]` + rest},
		{"a hostname of which not all is known", "hostnames: ['{{ .Release.Name }}.${DOMAIN}', '${HOST}']", "HTTPRoute", "v1", `{parentRefs: [], hostnames: [unknown, unknown]` + rest},
		{"GRPC", "kind: GRPCRoute", "GRPCRoute", "v1", `{parentRefs: []` + rest},
		{"TLS", "kind: TLSRoute\n    hostnames: [a.example.com]", "TLSRoute", "v1", `{parentRefs: [], hostnames: ["a.example.com"]` + rest},
		{"TCP has no hostnames", "kind: TCPRoute\n    hostnames: [a.example.com]", "TCPRoute", "v1alpha2", `{parentRefs: []` + rest},
		{"UDP has no matches", "kind: UDPRoute\n    rules: [{matches: [{}], filters: [{}], backendRefs: [{}]}]", "UDPRoute", "v1alpha2", `{parentRefs: []` + rest},
		{"GRPC has no timeouts", "kind: GRPCRoute\n    rules: [{timeouts: {request: 5s}, backendRefs: [{}]}]", "GRPCRoute", "v1", `{parentRefs: []` + rest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, whole := template(t, "global: {host: shop}\n"+shopping+"route:\n  main:\n    "+tt.route+"\n")
			root := only(t, out, tt.kind)
			if got := show(root.Get("spec")); got != tt.want || !whole {
				t.Errorf("got\n%s (whole: %v)\nwant\n%s", got, whole, tt.want)
			}
			if got := root.Str("apiVersion"); got != "gateway.networking.k8s.io/"+tt.version || root.Str("metadata", "namespace") != "bakery" {
				t.Errorf("%s in %s", got, root.Str("metadata", "namespace"))
			}
		})
	}
}

func TestAppTemplateLabels(t *testing.T) {
	out, _ := template(t, "global: {labels: {team: '{{ .Release.Namespace }}'}}\nservice: {app: {labels: {tier: a, team: own}, annotations: {note: '{{ .Release.Name }}'}, ports: {http: {port: 80}}}}\n")
	meta := only(t, out, "Service").Get("metadata")
	for key, want := range map[string]string{
		"app.kubernetes.io/name": "web", "app.kubernetes.io/instance": "web", "app.kubernetes.io/managed-by": "Helm", "tier": "a", "team": "own",
	} {
		if got := meta.Str("labels", key); got != want {
			t.Errorf("label %s is %q, want %q", key, got, want)
		}
	}
	if got := show(meta.Get("annotations")); got != `{note: "web"}` {
		t.Error(got)
	}
}

// TestAppTemplateProblems: what the chart would refuse is said, and costs nothing
// else.
func TestAppTemplateProblems(t *testing.T) {
	const two = "service: {a: {ports: {http: {port: 80}}}, b: {ports: {http: {port: 80}}}}\n"
	tests := []struct{ name, values, want, left string }{
		{"several services and no rules", two + "route: {main: {}}", "route.main: the route must have rules", "Service web-a, Service web-b"},
		{"several services and a backend without a name", two + "route: {main: {rules: [{backendRefs: [{}]}]}}", "route.main: a backend has no name or identifier", "Service web-a, Service web-b"},
		{"no service and no rules", "route: {main: {}}", "route.main: the route must have rules", ""},
		{"a service that is none", two + "route: {main: {rules: [{backendRefs: [{identifier: c}]}]}}", `finds no service "c"`, "Service web-a, Service web-b"},
		{"a service that is switched off", "service: {a: {enabled: false, ports: {http: {port: 80}}}}\nroute: {main: {rules: [{backendRefs: [{identifier: a}]}]}}", `finds no service "a"`, ""},
		{"a port that is none", two + "route: {main: {rules: [{backendRefs: [{identifier: a, port: https}]}]}}", `the service "a" has no port named "https"`, "Service web-a, Service web-b"},
		{"a kind that is none", two + "route: {main: {kind: Ingress}}", `"Ingress" is not a supported kind of route`, "Service web-a, Service web-b"},
		{"one of two routes", two + "route: {bad: {}, good: {rules: [{backendRefs: [{identifier: a}]}]}}", "route.bad", "Service web-a, Service web-b, HTTPRoute web-good"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, whole := template(t, tt.values)
			if len(out.Problems) != 1 || !strings.Contains(out.Problems[0].Message, tt.want) || whole {
				t.Errorf("problems %v (whole: %v), want %q", out.Problems, whole, tt.want)
			}
			if got := names(out); got != tt.left {
				t.Errorf("left is %s, want %s", got, tt.left)
			}
		})
	}
}

// TestAppTemplateWhole: where another version, or more than is known, may be there,
// the answer is not the whole.
func TestAppTemplateWhole(t *testing.T) {
	const app = "service: {app: {ports: {http: {port: 80}}}}\n"
	tests := []struct {
		version, values string
		whole           bool
		want            string
	}{
		{"5.1.0", app, true, "Service web"},
		{"v5.0.1", app, true, "Service web"},
		{"4.6.2", app, true, "Service web"},
		{"6.0.0", app, false, ""},
		{"0.2.2", app, false, ""},
		{"", app, false, ""},
		{"latest", app, false, ""},
		{"5.1.0", "", true, ""},
		{"5.1.0", "controllers: {app: {}}\n", true, ""},
		{"5.1.0", app + "rawResources: {grant: {apiVersion: gateway.networking.k8s.io/v1beta1, kind: ReferenceGrant}}\n", false, "Service web"},
		{"5.1.0", app + "rawResources: {}\n", true, "Service web"},
		{"5.1.0", app + "listenerSets: {main: {parentRef: {name: gw}}}\n", false, "Service web"},
		// The values of the library itself can be set, too.
		{"5.1.0", app + "common: {global: {fullnameOverride: other}}\n", false, "Service web"},
		{"5.1.0", app + "global: text\n", false, "Service web"},
		{"5.1.0", "service: {app: {ports: {http: {port: 80}}}, db: text}\n", false, "Service web"},
		{"5.1.0", "service: {app: {enabled: '${ON}', ports: {http: {port: 80}}}}\n", false, "Service web"},
		{"5.1.0", "service: {app: {labels: {service: a, app.kubernetes.io/service: b}, ports: {http: {port: 80}}}}\n", false, "Service web"},
		// A template that fails makes the chart fail, or needs more than is known.
		{"5.1.0", app + "route: {main: {hostnames: ['{{ broken']}}\n", false, "Service web, HTTPRoute web"},
		{"5.1.0", app + "route: {main: {hostnames: ['{{ .Values.none }}.example.com']}}\n", false, "Service web, HTTPRoute web"},
		{"5.1.0", app + "route: {main: {hostnames: ['{{ include \"x\" . }}']}}\n", false, "Service web, HTTPRoute web"},
		// Some releases render all values, others those that are said to be templates.
		{"5.1.0", app + "route: {main: {parentRefs: [{name: '{{ .Release.Name }}'}]}}\n", false, "Service web, HTTPRoute web"},
		{"5.1.0", app + "route: {main: {rules: [{matches: [{path: {value: '{{ .Release.Name }}'}}], backendRefs: [{}]}]}}\n", false, "Service web, HTTPRoute web"},
		// What stands in YAML without quotes and is no word breaks it.
		{"5.1.0", app + "route: {main: {parentRefs: [{name: 'a: b'}]}}\n", false, "Service web, HTTPRoute web"},
		{"5.1.0", "fullnameOverride: '80'\n" + app, false, "Service 80"},
	}
	for _, tt := range tests {
		out, whole := templateAt(t, tt.version, tt.values)
		if got := names(out); got != tt.want || whole != tt.whole {
			t.Errorf("%s %q: got %q, whole %v; want %q, %v", tt.version, tt.values, got, whole, tt.want, tt.whole)
		}
	}
}

// TestAppTemplatePlaces: what comes out stands where its values do.
func TestAppTemplatePlaces(t *testing.T) {
	v := values(t, "base.yaml", "service:\n  app:\n    ports:\n      http:\n        port: 80\ncontrollers:\n  main: {}\n").
		Over(values(t, "prod.yaml", "route:\n  main:\n    hostnames:\n    - '{{ .Release.Name }}.example.com'\n    parentRefs:\n    - name: gw\n      namespace: infra\n"))
	out, _ := apptemplate.Render("5.1.0", released(v))
	for _, tt := range []struct{ kind, want string }{
		{"Service", `/apiVersion "v1" base.yaml:2:3
/kind "Service" base.yaml:2:3
/spec/type "ClusterIP" base.yaml:2:3
/spec/ports/0/port 80 base.yaml:5:15
/spec/ports/0/targetPort 80 base.yaml:5:15
/spec/ports/0/protocol "TCP" base.yaml:4:7
/spec/ports/0/name "http" base.yaml:4:7
/spec/selector/app.kubernetes.io/instance "web" base.yaml:2:3
/spec/selector/app.kubernetes.io/name "web" base.yaml:2:3
/spec/selector/app.kubernetes.io/controller "main" base.yaml:2:3`},
		{"HTTPRoute", `/apiVersion "gateway.networking.k8s.io/v1" prod.yaml:2:3
/kind "HTTPRoute" prod.yaml:2:3
/spec/parentRefs/0/group "gateway.networking.k8s.io" prod.yaml:6:7
/spec/parentRefs/0/kind "Gateway" prod.yaml:6:7
/spec/parentRefs/0/name "gw" prod.yaml:6:13
/spec/parentRefs/0/namespace "infra" prod.yaml:7:18
/spec/hostnames/0 "web.example.com" prod.yaml:4:7
/spec/rules/0/backendRefs/0/group "" prod.yaml:2:3
/spec/rules/0/backendRefs/0/kind "Service" prod.yaml:2:3
/spec/rules/0/backendRefs/0/name "web" prod.yaml:2:3
/spec/rules/0/backendRefs/0/namespace "bakery" prod.yaml:2:3
/spec/rules/0/backendRefs/0/port 80 base.yaml:5:15
/spec/rules/0/backendRefs/0/weight 1 prod.yaml:2:3`},
	} {
		var got []string
		for line := range strings.Lines(places(only(t, out, tt.kind), v.Files, 1)) {
			if !strings.HasPrefix(line, "/metadata") {
				got = append(got, strings.TrimSpace(line))
			}
		}
		if text := strings.Join(got, "\n"); text != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.kind, text, tt.want)
		}
	}
}

// TestAppTemplateHostile: templates in values are as bounded as those of charts.
func TestAppTemplateHostile(t *testing.T) {
	for _, text := range []string{
		`{{ range 1000000000000 }}{{ end }}`,
		`{{ repeat 1000000000 "x" }}`,
		`{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}`,
		`{{ env "HOME" }}`,
		`{{ tpl "x" . }}`,
		`{{ index .Values "a" "b" "c" }}`,
		`{{ gwplanStep 1 }}`,
	} {
		out, _ := template(t, shopping+"route:\n  main:\n    hostnames: ['"+text+"', a.example.com]\n")
		if got := show(only(t, out, "HTTPRoute").Get("spec", "hostnames")); got != `[unknown, "a.example.com"]` {
			t.Errorf("%s: got %s", text, got)
		}
	}
	out, _ := template(t, shopping+"route:\n  main:\n    hostnames: ['a{{ getHostByName \"localhost\" }}']\n")
	if got := show(only(t, out, "HTTPRoute").Get("spec", "hostnames")); got != `[unknown]` { // only a cluster knows the result
		t.Error(got)
	}
}
