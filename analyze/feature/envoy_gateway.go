package feature

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/upgrade"
	"github.com/gwplan/gwplan/loader"
)

// envoyGatewayLua reports whether EnvoyExtensionPolicies may have Lua (Envoy Gateway
// api/v1alpha1/envoygateway_helpers.go, LuaDisabled). Since 1.9 it is off unless it is switched on (release-notes/v1.9.0.yaml).
func envoyGatewayLua(env *loader.Environment) State {
	version, apis, known := envoyGateway(env)
	if !known {
		return State{On: fact.Unknown}
	}
	optIn := upgrade.Version{Major: 1, Minor: 9}
	enabled, set := apis.Get("enableLua"), apis.Get("disableLua")
	switch {
	case odd(enabled) || odd(set):
		return State{On: fact.Unknown}
	case enabled.IsTrue():
		return State{On: fact.True}
	case set.IsTrue():
		return State{fact.False, "Lua is off: extensionApis.disableLua of Envoy Gateway is true"}
	case !set.IsNull() || version.Before(optIn):
		return State{On: fact.True}
	}
	return State{fact.False, fmt.Sprintf("Lua is off in Envoy Gateway %s, as extensionApis.enableLua in the values of its chart is not true", version)}
}

// odd reports whether a switch is there and is neither on nor off, such as a variable.
func odd(v *loader.Value) bool { return !v.IsNull() && v.Shape != loader.Bool }

// envoyGateway returns the version of Envoy Gateway that an environment installs from its chart, and the switches in its
// values (charts/gateway-helm/values.tmpl.yaml, config.envoyGateway.extensionApis). It is false unless there is one chart with
// values that are all known.
func envoyGateway(env *loader.Environment) (version upgrade.Version, apis *loader.Value, known bool) {
	for i := range env.Gaps {
		gap := &env.Gaps[i]
		if gap.Chart.Version == "" || gap.Chart.Name != "gateway-helm" {
			continue
		}
		v, ok := upgrade.ParseVersion(gap.Chart.Version)
		if known || !ok || v == (upgrade.Version{}) || slices.ContainsFunc(gap.Options.FieldList(), decides) {
			return upgrade.Version{}, nil, false
		}
		config := gap.Values.Get("config", "envoyGateway")
		version, apis, known = v, config.Get("extensionApis"), true
		if !apis.IsNull() && apis.Shape != loader.Map {
			return upgrade.Version{}, nil, false
		}
	}
	return version, apis, known
}

// decides reports whether an option of a release may set values that the release does not hold, or edit what the chart makes of
// them, such as values in a Secret, files of the chart or a patch of a ConfigMap.
func decides(option loader.Field) bool {
	return !slices.Contains([]string{"ref", loader.OptionMetadata, "kubeVersion", "apiVersions"}, option.Key)
}
