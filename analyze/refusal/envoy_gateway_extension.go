package refusal

import (
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// envoyGatewayExtension follows Envoy Gateway, internal/gatewayapi/ext_service.go, translateExtServiceBackendRefs, and
// envoyextensionpolicy.go, buildExtProc and buildLua.
func envoyGatewayExtension(spec *loader.Value) []Refusal {
	for _, one := range spec.List("lua") {
		if text, known := written(one.Get("inline")); known && !calledByEnvoy(text) {
			return []Refusal{{Path: "lua", At: one.Get("inline"), Why: "the program has neither envoy_on_request nor envoy_on_response"}}
		}
	}
	for _, one := range spec.List("wasm") {
		for _, source := range []string{"http", "image"} {
			if ref := one.At("code." + source + ".tls.caCertificateRef"); ref != nil {
				if out := holders([]*loader.Value{ref}, "wasm"); len(out) > 0 {
					return out
				}
			}
		}
	}
	for _, one := range spec.List("extProc") {
		if refs := one.Get("backendRefs"); one.Get("backendRef").IsNull() && len(refs.ItemList()) == 0 && !one.Opaque && (refs == nil || !refs.Opaque) {
			return []Refusal{{Path: "extProc", At: one, Why: "it has no backendRefs"}}
		}
		if out := calledWith(one, "extProc"); len(out) > 0 {
			return out
		}
	}
	return nil
}

// unregisteredModules are the dynamic modules that the parameters of the Gateway do not have (envoyextensionpolicy.go,
// buildDynamicModules).
func unregisteredModules(spec *loader.Value, at Place) (out []Refusal) {
	modules := spec.List("dynamicModule")
	if len(modules) == 0 {
		return nil
	}
	registered, known := at.Parameter("dynamicModules")
	if !known || registered != nil && registered.Opaque {
		return nil
	}
	names := map[string]bool{}
	for _, entry := range registered.ItemList() {
		name, known := written(entry.Get("name"))
		if !known {
			return nil
		}
		names[name] = true
	}
	for _, module := range modules {
		name, known := written(module.Get("name"))
		if !known {
			continue
		}
		if !names[name] {
			out = append(out, Refusal{Path: "dynamicModule", At: module.Get("name"), Why: "the EnvoyProxy has no module " + name})
		}
	}
	return out
}

// calledByEnvoy reports whether a Lua program has a function that Envoy calls (internal/gatewayapi/luavalidator/lua_validator.go,
// Validate). It is not run, as Envoy Gateway does.
func calledByEnvoy(program string) bool {
	return strings.Contains(program, "envoy_on_request") || strings.Contains(program, "envoy_on_response")
}
