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
	const chart = "oci://docker.io/envoyproxy gateway-helm "
	for _, tt := range []struct {
		name, chart, values, options string
		want                         fact.Fact
	}{
		{"LuaDisabled: neither is set", chart + "v1.9.1", "", "", fact.False},
		{"LuaDisabled: other switches", chart + "1.9.0", "config: {envoyGateway: {extensionApis: {enableBackend: true}}}", "", fact.False},
		{"LuaDisabled: enableLua", chart + "1.9.0", "config: {envoyGateway: {extensionApis: {enableLua: true}}}", "", fact.True},
		{"LuaDisabled: disableLua", chart + "1.9.0", "config: {envoyGateway: {extensionApis: {disableLua: true}}}", "", fact.False},
		{"LuaDisabled: disableLua false", chart + "1.9.0", "config: {envoyGateway: {extensionApis: {disableLua: false}}}", "", fact.True},
		{"before 1.9", chart + "1.8.3", "", "", fact.True},
		{"before 1.9, disabled", chart + "1.8.3", "config: {envoyGateway: {extensionApis: {disableLua: true}}}", "", fact.False},
		{"a variable", chart + "1.9.0", "config: {envoyGateway: {extensionApis: {enableLua: '${LUA}'}}}", "", fact.Unknown},
		{"values that are not read", chart + "1.9.0", "", "valuesFrom: [{kind: Secret, name: a}]", fact.Unknown},
		{"files of the chart", chart + "1.9.0", "", "valuesFiles: [lua.yaml]", fact.Unknown},
		{"a patch of a ConfigMap", chart + "1.9.0", "", "patches of other kinds: {target: {kind: ConfigMap}}", fact.Unknown},
		{"a tag", chart + "1.9.0", "", "ref: {tag: 1.9.0}, commonMetadata: {labels: {a: b}}", fact.False},
		{"switches that are no map", chart + "1.9.0", "config: {envoyGateway: {extensionApis: '${APIS}'}}", "", fact.Unknown},
		{"the newest state, which names no release", chart + "v0.0.0-latest", "", "", fact.Unknown},
		{"a range of versions", chart + ">=1.8", "", "", fact.Unknown},
		{"another chart", "oci://docker.io/envoyproxy gateway-crds-helm v1.9.1", "", "", fact.Unknown},
		{"a chart of the tree", "", "", "", fact.Unknown},
	} {
		env := &loader.Environment{Gaps: []loader.Gap{{Chart: tt.chart, Values: value(t, tt.values), Options: value(t, tt.options)}}}
		if got := feature.Of(env, "envoy-gateway-lua"); got.On != tt.want || (got.Why != "") != (tt.want == fact.False) {
			t.Errorf("%s: got %v (%s), want %v", tt.name, got.On, got.Why, tt.want)
		}
	}
	two := &loader.Environment{Gaps: []loader.Gap{{Chart: chart + "1.8.0"}, {Chart: chart + "1.9.0"}}}
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
