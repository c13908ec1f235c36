package refusal

import "github.com/gwplan/gwplan/loader"

// envoyGatewayExtension follows Envoy Gateway, internal/gatewayapi/ext_service.go, translateExtServiceBackendRefs, and
// envoyextensionpolicy.go, buildExtProc.
func envoyGatewayExtension(spec *loader.Value) []Refusal {
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
