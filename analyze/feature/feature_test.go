package feature_test

import (
	"testing"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/feature"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// Lua of Envoy Gateway is on or off by its version and the values of its chart, and not known without either.
func TestEnvoyGatewayLua(t *testing.T) {
	eg := func(version string) loader.RemoteChart {
		return loader.RemoteChart{Repository: "oci://docker.io/envoyproxy", Name: "gateway-helm", Version: version}
	}
	for _, tt := range []struct {
		name            string
		chart           loader.RemoteChart
		values, options string
		want            fact.Fact
	}{
		{"LuaDisabled: neither is set", eg("v1.9.1"), "", "", fact.False},
		{"LuaDisabled: other switches", eg("1.9.0"), "config: {envoyGateway: {extensionApis: {enableBackend: true}}}", "", fact.False},
		{"LuaDisabled: enableLua", eg("1.9.0"), "config: {envoyGateway: {extensionApis: {enableLua: true}}}", "", fact.True},
		{"LuaDisabled: disableLua", eg("1.9.0"), "config: {envoyGateway: {extensionApis: {disableLua: true}}}", "", fact.False},
		{"LuaDisabled: disableLua false", eg("1.9.0"), "config: {envoyGateway: {extensionApis: {disableLua: false}}}", "", fact.True},
		{"before 1.9", eg("1.8.3"), "", "", fact.True},
		{"before 1.9, disabled", eg("1.8.3"), "config: {envoyGateway: {extensionApis: {disableLua: true}}}", "", fact.False},
		{"a variable", eg("1.9.0"), "config: {envoyGateway: {extensionApis: {enableLua: '${LUA}'}}}", "", fact.Unknown},
		{"values that are not read", eg("1.9.0"), "", "valuesFrom: [{kind: Secret, name: a}]", fact.Unknown},
		{"files of the chart", eg("1.9.0"), "", "valuesFiles: [lua.yaml]", fact.Unknown},
		{"a patch of a ConfigMap", eg("1.9.0"), "", "patches of other kinds: {target: {kind: ConfigMap}}", fact.Unknown},
		{"a tag", eg("1.9.0"), "", "ref: {tag: 1.9.0}, commonMetadata: {labels: {a: b}}", fact.False},
		{"switches that are no map", eg("1.9.0"), "config: {envoyGateway: {extensionApis: '${APIS}'}}", "", fact.Unknown},
		{"the newest state, which names no release", eg("v0.0.0-latest"), "", "", fact.Unknown},
		{"a range of versions", eg(">=1.8"), "", "", fact.Unknown},
		{"a range of two ends", eg(">=1.8 <2"), "", "", fact.Unknown},
		{"another chart", loader.RemoteChart{Repository: "oci://docker.io/envoyproxy", Name: "gateway-crds-helm", Version: "v1.9.1"}, "", "", fact.Unknown},
		{"a chart of the tree", loader.RemoteChart{}, "", "", fact.Unknown},
	} {
		env := &loader.Environment{Gaps: []loader.Gap{{Chart: tt.chart, Values: value(t, tt.values), Options: value(t, tt.options)}}}
		if got := feature.Of(env, "envoy-gateway-lua"); got.On != tt.want || (got.Why != "") != (tt.want == fact.False) {
			t.Errorf("%s: got %v (%s), want %v", tt.name, got.On, got.Why, tt.want)
		}
	}
	two := &loader.Environment{Gaps: []loader.Gap{{Chart: eg("1.8.0")}, {Chart: eg("1.9.0")}}}
	if got := feature.Of(two, "envoy-gateway-lua"); got.On != fact.Unknown {
		t.Errorf("two releases: got %v", got.On)
	}
}

func value(t *testing.T, text string) *loader.Value {
	t.Helper()
	if text == "" {
		return nil
	}
	docs, problems := manifest.Parse([]byte("{apiVersion: v1, kind: X, metadata: {name: x}, spec: {"+text+"}}"), manifest.Limits{})
	if len(docs) != 1 || len(problems) > 0 {
		t.Fatalf("%s: %v", text, problems)
	}
	return docs[0].Get("spec")
}
