package chart

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gwplan/gwplan/loader/helm"
)

// What a chart asks the cluster for, in templates and helpers of its own, comes with the kinds that it writes of the API.
func TestAsks(t *testing.T) {
	c := &helm.Chart{Templates: []helm.File{
		{Name: "templates/_helpers.tpl", Data: []byte(`{{ define "eg" }}{{ .Capabilities.APIVersions.Has "gateway.envoyproxy.io/v1alpha1" }}{{ end }}`)},
		{Name: "templates/a.yaml", Data: []byte("{{- if include \"eg\" . }}\napiVersion: gateway.envoyproxy.io/v1alpha1\nkind: SecurityPolicy\n{{- end }}")},
		{Name: "templates/b.yaml", Data: []byte("{{- if and (.Capabilities.APIVersions.Has \"v1\") ($.Capabilities.APIVersions.Has `monitoring.coreos.com/v1`) }}\n  - apiVersion: \"monitoring.coreos.com/v1\"\n    kind: 'ServiceMonitor'\n{{ end }}")},
	}}
	want := []Ask{
		{API: "gateway.envoyproxy.io/v1alpha1", Kinds: []Kind{{"gateway.envoyproxy.io", "SecurityPolicy"}}},
		{API: "monitoring.coreos.com/v1", Kinds: []Kind{{"monitoring.coreos.com", "ServiceMonitor"}}},
	}
	if diff := cmp.Diff(want, asks(c, helm.BuiltIn())); diff != "" {
		t.Error(diff)
	}
}

// TestAsksHidden: what an answer takes away counts wherever the template writes it, and however it asks.
func TestAsksHidden(t *testing.T) {
	const policy = "kind: SecurityPolicy\napiVersion: gateway.envoyproxy.io/v1alpha1\n"
	of := []Kind{{"gateway.envoyproxy.io", "SecurityPolicy"}}
	tests := []struct {
		name, helpers, template string
		want                    []Ask
	}{
		{"an API of another group", "", `{{ if not (.Capabilities.APIVersions.Has "cert-manager.io/v1") }}` + policy + "{{ end }}", []Ask{{API: "cert-manager.io/v1", Kinds: of}}},
		{
			"through helpers",
			`{{ define "a" }}{{ include "b" . }}{{ end }}{{- define "b" }}{{ .Capabilities.APIVersions.Has "cert-manager.io/v1" }}{{ end }}`,
			`{{ if include "a" . }}` + policy + "{{ end }}",
			[]Ask{{API: "cert-manager.io/v1", Kinds: of}},
		},
		{
			"through a helper whose name is made", `{{ define "ab" }}{{ .Capabilities.APIVersions.Has "cert-manager.io/v1" }}{{ end }}`,
			`{{ if include (print "a" "b") . }}` + policy + "{{ end }}",
			[]Ask{{API: "cert-manager.io/v1", Kinds: of}},
		},
		{"a name that is made", "", `{{ if .Capabilities.APIVersions.Has (print "x" "/v1") }}` + policy + "{{ end }}", []Ask{{API: EveryAPI, Kinds: of}}},
		{"all of them", "", `{{ range .Capabilities.APIVersions }}{{ end }}` + policy, []Ask{{API: EveryAPI, Kinds: of}}},
		{"one that every cluster has", "", `{{ if .Capabilities.APIVersions.Has "apps/v1" }}` + policy + "{{ end }}", nil},
		{"one in a helper that is not used", `{{ define "a" }}{{ .Capabilities.APIVersions.Has "cert-manager.io/v1" }}{{ end }}`, policy, []Ask{{API: "cert-manager.io/v1"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := &helm.Chart{Templates: []helm.File{{Name: "templates/_helpers.tpl", Data: []byte(tt.helpers)}, {Name: "templates/a.yaml", Data: []byte(tt.template)}}}
			if diff := cmp.Diff(tt.want, asks(c, helm.BuiltIn())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestDemands: a chart that refuses a version which a cluster may have gives what it gives perhaps.
func TestDemands(t *testing.T) {
	for constraint, refuses := range map[string]bool{
		"": false, ">=1.23.0-0": false, "^1.30.0-0": false, ">=1.36": true, "<1.30": true, ">=99": true, "no version": true,
	} {
		c := &helm.Chart{Metadata: &helm.Metadata{KubeVersion: constraint}, Templates: []helm.File{{Name: "a.yaml", Data: []byte("kind: A\napiVersion: b/v1")}}}
		var want []Ask
		if refuses {
			want = []Ask{{API: KubernetesVersion, Kinds: []Kind{{"b", "A"}}}}
		}
		if diff := cmp.Diff(want, demands(c)); diff != "" {
			t.Errorf("%q: %s", constraint, diff)
		}
	}
}
