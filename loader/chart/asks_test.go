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
		{"gateway.envoyproxy.io/v1alpha1", []Kind{{"gateway.envoyproxy.io", "SecurityPolicy"}}},
		{"monitoring.coreos.com/v1", []Kind{{"monitoring.coreos.com", "ServiceMonitor"}}},
	}
	if diff := cmp.Diff(want, asks(c, helm.BuiltIn())); diff != "" {
		t.Error(diff)
	}
}
