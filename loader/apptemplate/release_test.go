package apptemplate_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
)

// turn is what a look at the output shows from a version on.
type turn struct{ version, want string }

// change is a rule of app-template that differs between its releases: the same values
// give what each turn says.
type change struct {
	name, values string
	// look is a kind and the keys to a value of its first object, 0 for the first item;
	// empty are the names of all.
	look  string
	turns []turn
}

// test reads the values at each version. What is not the whole ends in a question mark,
// and what the chart refuses is told.
func test(t *testing.T, changes []change) {
	t.Helper()
	for _, c := range changes {
		t.Run(c.name, func(t *testing.T) {
			for _, turn := range c.turns {
				out, whole := templateAt(t, turn.version, c.values)
				if got := seen(out, whole, c.look); got != turn.want {
					t.Errorf("%s:\n got %s\nwant %s", turn.version, got, turn.want)
				}
			}
		})
	}
}

func seen(out chart.Output, whole bool, look string) string {
	text := names(out)
	if look != "" {
		text = show(found(out, strings.Split(look, " ")))
	}
	for _, p := range out.Problems {
		text += " REFUSED " + p.Message
	}
	if !whole && len(out.Problems) == 0 {
		text += "?"
	}
	return text
}

// found is the value at a path in the first object of a kind.
func found(out chart.Output, path []string) *loader.Value {
	for _, d := range out.Documents {
		if d.Root.Str("kind") != path[0] {
			continue
		}
		v := d.Root
		for _, key := range path[1:] {
			if items := v.ItemList(); len(items) > 0 && key == "0" {
				v = items[0]
			} else {
				v = v.Get(key)
			}
		}
		return v
	}
	return nil
}

const (
	// one is a service, gate a parent: each release takes them.
	one  = "service: {main: {controller: main, ports: {http: {port: 80}}}}\n"
	gate = "parentRefs: [{name: gw, namespace: infra}]"
	// many are two services, of which the first has two ports.
	many = "service: {main: {controller: main, ports: {http: {port: 80}}}, second: {enabled: true, controller: main, ports: {web: {enabled: true, port: 81}, admin: {enabled: true, port: 82, primary: true}}}}\n"
)

// TestAppTemplateDefaults: charts/library/common/values.yaml.
func TestAppTemplateDefaults(t *testing.T) {
	test(t, []change{
		{"no values", "", "", []turn{
			{"1.0.0", "Service web"},
			{"1.5.1", "Service web"},
			{"2.0.0", ` REFUSED service.main: the port "http" has no number, which the chart requires`},
			{"2.6.0", ` REFUSED service.main: the port "http" has no number, which the chart requires`},
			{"3.0.0", ""},
			{"4.0.0", ""},
		}},
		{"the port of main", "service: {main: {ports: {http: {port: 80}}}}", "Service spec ports", []turn{
			{"1.5.1", `[{port: 80, targetPort: "http", protocol: "TCP", name: "http"}]`},
			{"2.0.0", `[{port: 80, targetPort: 80, protocol: "TCP", name: "http"}]`},
		}},
		{"a null takes a default away", "service: {main: {ports: {http: null, web: {enabled: true, port: 80}}}}", "Service spec ports 0 name", []turn{
			{"1.1.0", `"web"`},
			{"2.6.0", `"web"`},
		}},
		{"a null switches off", "service: {main: {enabled: null}}", "", []turn{{"1.5.1", ""}, {"2.6.0", ""}}},
		{"no services in 1.x", "service: null", "", []turn{{"1.5.1", "?"}, {"2.6.0", ""}}},
		{"a route without rules", one + "route: {main: {enabled: true, " + gate + "}}", "HTTPRoute spec rules", []turn{
			{"1.1.0", `[{matches: [{path: {type: "PathPrefix", value: "/"}}], backendRefs: [{group: "", kind: "Service", name: "web-main", namespace: "bakery", port: 80, weight: 1}]}]`},
			{"1.5.1", `[{matches: [{path: {type: "PathPrefix", value: "/"}}], backendRefs: [{group: "", kind: "Service", name: "web", namespace: "bakery", port: 80, weight: 1}]}]`},
			{"2.0.0", `[{matches: [{path: {type: "PathPrefix", value: "/"}}], backendRefs: [{group: "", kind: "Service", name: "web", namespace: "bakery", port: 80, weight: 1}]}]`},
			{"2.3.0", `[{matches: [{path: {type: "PathPrefix", value: "/"}}], backendRefs: [{group: "", kind: "Service", name: "web", namespace: "bakery", port: 80, weight: 1}]}]`},
			{"2.4.0", `[{matches: [{path: {type: "PathPrefix", value: "/"}}], backendRefs: []}]`},
			{"3.0.0", "[]"},
			{"4.1.0", "[]"},
			{"4.1.1", `[{backendRefs: [{group: "", kind: "Service", name: "web", namespace: "bakery", port: 80, weight: 1}]}]`},
		}},
		{"other routes have no defaults", one + "route: {app: {enabled: true, " + gate + "}}", "HTTPRoute spec rules", []turn{{"1.5.1", "[]"}, {"2.0.0", "[]"}}},
		{"a route without parents", one + "route: {main: {enabled: true}}", "", []turn{
			{"1.5.1", "Service web REFUSED route.main: the chart refuses a parent without a name"},
			{"2.6.0", "Service web REFUSED route.main: the chart refuses a parent without a name"},
			{"3.0.0", "Service web, HTTPRoute web"},
		}},
	})
}

// TestAppTemplateSwitches: render/_services.tpl, render/_routes.tpl,
// lib/service/_enabled_services.tpl, lib/service/_enabled_ports.tpl.
func TestAppTemplateSwitches(t *testing.T) {
	test(t, []change{
		{"a service that says nothing", "service: {main: {controller: main, ports: {http: {port: 80}}}, other: {controller: main, ports: {web: {enabled: true, port: 81}}}}", "", []turn{
			{"1.0.0", "Service web"},
			{"1.0.1", "Service web"},
			{"1.1.0", "Service web, Service web-other"},
			{"2.0.0", "Service web, Service web-other"},
			{"3.0.0", "Service web-main, Service web-other"},
		}},
		{"a service that is off", "service: {main: {controller: main, ports: {http: {port: 80}}}, other: {enabled: false, controller: main, ports: {web: {enabled: true, port: 81}}}}", "", []turn{
			{"1.0.1", "Service web"},
			{"1.1.0", "Service web, Service web-other"},
			{"1.1.2", "Service web, Service web-other"},
			{"1.1.3", "Service web"},
			{"3.0.0", "Service web"},
			{"5.0.0", "Service web"},
		}},
		{"a port that says nothing", "service: {main: {controller: main, ports: {http: {port: 80}, web: {port: 81}}}}", "Service spec ports", []turn{
			{"1.0.1", `[{port: 80, targetPort: "http", protocol: "TCP", name: "http"}]`},
			{"1.1.0", `[{port: 80, targetPort: "http", protocol: "TCP", name: "http"}, {port: 81, targetPort: "web", protocol: "TCP", name: "web"}]`},
		}},
		{"no port", "service: {main: {controller: main, ports: {http: {enabled: false}}}}", "", []turn{
			{"1.0.0", " REFUSED service.main: the chart refuses a Service without an enabled port"},
			{"1.5.1", " REFUSED service.main: the chart refuses a Service without an enabled port"},
			{"2.0.0", " REFUSED service.main: the chart refuses a Service without an enabled port"},
			{"4.1.1", " REFUSED service.main: the chart refuses a Service without an enabled port"},
		}},
		{"a route that says nothing", one + "route: {app: {" + gate + "}}", "", []turn{
			{"1.0.1", "Service web"},
			{"1.5.1", "Service web"},
			{"2.0.0", "Service web, HTTPRoute web-app"},
			{"3.7.3", "Service web, HTTPRoute web"},
			{"5.0.0", "Service web, HTTPRoute web"},
		}},
		{"a route that is on", one + "route: {app: {enabled: true, " + gate + "}}", "", []turn{
			{"1.0.1", "Service web"},
			{"1.1.0", "Service web, HTTPRoute web-app"},
		}},
		{"a service that is null", "service: {main: {controller: main, ports: {http: {port: 80}}}, other: null}", "", []turn{
			{"1.0.0", "Service web REFUSED service.other: the chart accepts only a map here"},
			{"1.5.1", "Service web REFUSED service.other: the chart accepts only a map here"},
			{"2.0.0", "Service web"},
			{"3.0.0", "Service web?"},
			{"4.1.1", "Service web?"},
		}},
		{"a route that is null", one + "route: {app: null}", "", []turn{
			{"1.0.1", "Service web"},
			{"1.1.0", "Service web REFUSED route.app: the chart accepts only a map here"},
			{"2.6.0", "Service web REFUSED route.app: the chart accepts only a map here"},
			{"3.7.2", "Service web REFUSED route.app: the chart accepts only a map here"},
			{"3.7.3", "Service web?"},
		}},
		{"code-server", one + "addons: {codeserver: {enabled: true}}", "", []turn{
			{"1.0.1", "Service web, Service web-addon-codeserver?"},
			{"1.1.0", "Service web, Service web-addon-codeserver"},
			{"1.5.1", "Service web, Service web-addon-codeserver"},
			{"2.0.0", "Service web"},
		}},
		{"code-server without a Service", one + "addons: {codeserver: {enabled: true, service: {enabled: false}}}", "", []turn{{"1.5.1", "Service web"}}},
		{"other objects", one + "rawResources: {a: {apiVersion: v1, kind: ConfigMap}}", "", []turn{
			{"3.2.1", "Service web"},
			{"3.3.0", "Service web?"},
			{"4.1.1", "Service web?"},
		}},
		{"other objects of later releases", one + "listenerSets: {a: {}}\nlistenerSet: {a: {}}\nreferenceGrant: {a: {}}", "", []turn{
			{"4.1.1", "Service web"},
			{"4.2.0", "Service web?"},
		}},
	})
}

// TestAppTemplateReleaseNames: render/_services.tpl and render/_routes.tpl, then
// lib/service/_valuesToObject.tpl and lib/routes/_valuesToObject.tpl, then
// lib/common/_determineResourceNameFromValues.tpl.
func TestAppTemplateReleaseNames(t *testing.T) {
	test(t, []change{
		{"a service that is not main", "service: {main: {enabled: false}, app: {enabled: true, controller: main, ports: {http: {enabled: true, port: 80}}}}", "", []turn{
			{"1.0.0", "Service web"},
			{"1.5.1", "Service web"},
			{"2.0.0", "Service web-app"},
			{"2.6.0", "Service web-app"},
			{"3.0.0", "Service web?"},
		}},
		{"two services", many, "", []turn{
			{"1.0.0", "Service web, Service web-second"},
			{"2.6.0", "Service web, Service web-second"},
			{"3.0.0", "Service web-main, Service web-second"},
			{"4.1.1", "Service web-main, Service web-second"},
		}},
		{"two services without a primary one", "service: {main: {primary: false, controller: main, ports: {http: {port: 80}}}, app: {enabled: true, controller: main, ports: {http: {enabled: true, port: 80}}}}", "", []turn{
			{"1.0.0", "Service web, Service web-main?"},
			{"1.5.1", "Service web, Service web-main?"},
			{"2.0.0", "Service web-app, Service web-main"},
		}},
		{"two primary services", "service: {main: {controller: main, ports: {http: {port: 80}}}, second: {enabled: true, primary: true, controller: main, ports: {http: {enabled: true, port: 80}}}}", "", []turn{
			{"1.0.0", "Service web-main, Service web"},
			{"1.5.1", "Service web-main, Service web"},
			{"2.6.0", "Service web, Service web"},
			{"3.0.0", "Service web-main, Service web"},
			{"3.7.3", "Service web-main, Service web"},
			{"4.0.0", "Service web-main, Service web-second"},
		}},
		{"a key that is the name", "service: {web: {controller: main, ports: {http: {port: 80}}}, other: {controller: main, ports: {http: {port: 80}}}}", "", []turn{
			{"3.0.1", "Service web-other, Service web-web"},
			{"3.0.2", "Service web-other, Service web"},
			{"3.7.3", "Service web-other, Service web"},
			{"4.0.0", "Service web-other, Service web-web"},
			{"4.0.1", "Service web-other, Service web-web"},
			{"4.1.0", "Service web-other, Service web"},
		}},
		{"a key that is the end of the name", "fullnameOverride: my-web\nservice: {web: {controller: main, ports: {http: {port: 80}}}, other: {controller: main, ports: {http: {port: 80}}}}", "", []turn{
			{"3.7.3", "Service my-web-other, Service my-web-web"},
			{"4.0.0", "Service my-web-other, Service my-web"},
		}},
		{"nameOverride", "service: {main: {nameOverride: x, controller: main, ports: {http: {port: 80}}}}", "", []turn{
			{"1.0.0", "Service web-x"},
			{"2.6.0", "Service web-x"},
			{"3.0.0", "Service web-x"},
			{"3.7.3", "Service web-x"},
			{"4.0.0", "Service web?"},
		}},
		{"nameOverride that is a template", "service: {main: {nameOverride: 'x{{ .Release.Namespace }}', controller: main, ports: {http: {port: 80}}}}", "", []turn{
			{"2.6.0", "Service web-x{{ .Release.Namespace }}"},
			{"3.0.1", "Service web-x{{ .Release.Namespace }}"},
			{"3.0.2", "Service web-xbakery"},
		}},
		{"nameOverride that is the name", "service: {main: {nameOverride: web, controller: main, ports: {http: {port: 80}}}}", "", []turn{
			{"3.0.1", "Service web-web"},
			{"3.0.2", "Service web"},
		}},
		{"forceRename", "service: {main: {forceRename: X, controller: main, ports: {http: {port: 80}}}}", "", []turn{
			{"2.6.0", "Service web"},
			{"3.7.3", "Service web?"},
			{"4.0.0", "Service x"},
		}},
		{"prefix and suffix", "service: {main: {prefix: '{{ .Release.Namespace }}', suffix: b, controller: main, ports: {http: {port: 80}}}}", "", []turn{
			{"3.7.3", "Service web?"},
			{"4.0.0", "Service bakery-web-b"},
		}},
		{"capitals", "fullnameOverride: Web\n" + one, "", []turn{{"3.7.3", "Service Web"}, {"4.0.0", "Service web"}}},
		{"keys in all names", "global: {alwaysAppendIdentifierToResourceName: true}\n" + one, "", []turn{{"4.0.1", "Service web"}, {"4.1.0", "Service web-main"}}},
		{"one route that is on", one + "route: {app: {enabled: true, " + gate + "}}", "", []turn{
			{"1.1.0", "Service web, HTTPRoute web-app"},
			{"1.1.3", "Service web, HTTPRoute web-app"},
			{"1.2.0", "Service web, HTTPRoute web"},
			{"2.6.0", "Service web, HTTPRoute web"},
			{"3.7.3", "Service web, HTTPRoute web"},
		}},
		{"one route that says nothing", one + "route: {app: {" + gate + "}}", "", []turn{
			{"2.0.0", "Service web, HTTPRoute web-app"},
			{"3.7.2", "Service web, HTTPRoute web-app"},
			{"3.7.3", "Service web, HTTPRoute web"},
		}},
		{"one route that has the name", one + "route: {web: {" + gate + "}}", "", []turn{
			{"3.0.1", "Service web, HTTPRoute web-web"},
			{"3.0.2", "Service web, HTTPRoute web"},
		}},
		{"two routes that are on", one + "route: {a: {enabled: true, " + gate + "}, b: {enabled: true, " + gate + "}}", "", []turn{
			{"1.1.3", "Service web, HTTPRoute web-a, HTTPRoute web-b"},
			{"1.2.0", "Service web, HTTPRoute web, HTTPRoute web-b?"},
			{"2.6.0", "Service web, HTTPRoute web, HTTPRoute web-b?"},
			{"3.7.2", "Service web, HTTPRoute web, HTTPRoute web-b?"},
			{"3.7.3", "Service web, HTTPRoute web-a, HTTPRoute web-b"},
		}},
		{"two routes of which one says that it is on", one + "route: {a: {" + gate + "}, b: {enabled: true, " + gate + "}}", "", []turn{
			{"2.0.0", "Service web, HTTPRoute web-a, HTTPRoute web"},
			{"3.7.2", "Service web, HTTPRoute web-a, HTTPRoute web"},
			{"3.7.3", "Service web, HTTPRoute web-a, HTTPRoute web-b"},
		}},
		{"two routes, one primary", one + "route: {a: {enabled: true, " + gate + "}, b: {enabled: true, primary: true, " + gate + "}}", "", []turn{
			{"1.5.1", "Service web, HTTPRoute web-a, HTTPRoute web"},
			{"2.6.0", "Service web, HTTPRoute web-a, HTTPRoute web"},
			{"3.0.0", "Service web, HTTPRoute web-a, HTTPRoute web?"},
			{"3.7.3", "Service web, HTTPRoute web-a, HTTPRoute web?"},
			{"4.0.0", "Service web, HTTPRoute web-a, HTTPRoute web-b?"},
		}},
	})
}
