package apptemplate_test

import "testing"

// TestAppTemplateMore: what the chart does (rendered with common 4.0.1 to 5.0.1).
func TestAppTemplateMore(t *testing.T) {
	for _, tt := range []struct{ name, values, want string }{
		{"a name of its own has no capitals either", "service: {app: {forceRename: Cart, ports: {http: {port: 80}}}}", "Service cart"},
		{"null switches off", "service: {app: {enabled: null, ports: {http: {port: 80}}}, db: {ports: {http: {port: 80}}}}", "Service web"},
	} {
		if out, _ := template(t, tt.values); names(out) != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, names(out), tt.want)
		}
	}
	// Refused by the chart, or more than the adapter knows: never the whole.
	const service = "service: {app: {ports: {http: {port: 80}}}}\n"
	for _, text := range []string{
		"service: {app: {ports: {}}}",
		"service: {app: {ports: {http: {enabled: false, port: 80}}}}",
		service + "route: {main: {parentRefs: [{name: gw, namespace: i}], rules: [{backendRefs: [{}], filters: [{type: RequestRedirect}]}]}}",
		service + "route: {main: {parentRefs: [{name: gw, namespace: i}], rules: [{backendRefs: [{name: other, port: http}]}]}}",
		service + "route: {main: {namespaceOverride: other, parentRefs: [{name: gw, namespace: i}]}}",
		service + "route: {main: {parentRefs: [{identifier: main}]}}",
		service + "listenerSet: {main: {parentRef: {name: gw}}}",
	} {
		if out, whole := template(t, text); whole {
			t.Errorf("%s: whole, gives %s", text, names(out))
		}
	}
}
