package schema_test

import (
	"testing"

	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/schema"
)

// A word that is almost one of an API's is refused without its CRD, one of a newer release is not.
func TestMisspeltWords(t *testing.T) {
	const (
		authorization = "apiVersion: security.istio.io/v1\nkind: AuthorizationPolicy\nmetadata: {name: a}\nspec: {action: %}"
		peers         = "apiVersion: security.istio.io/v1\nkind: PeerAuthentication\nmetadata: {name: a}\nspec: {portLevelMtls: {80: {mode: %}}}"
		rules         = "apiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\nmetadata: {name: a}\nspec: {endpointSelector: {}, %}"
		several       = "apiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\nmetadata: {name: a}\nspecs: [{endpointSelector: {}, %}]"
	)
	for _, tt := range []struct{ manifest, value, path string }{
		{authorization, "DENY", ""},
		{authorization, "Deny", "spec.action"},
		{authorization, "DNEY", "spec.action"},
		{authorization, "RATELIMIT", ""},
		{authorization, "'${ACTION}'", ""},
		{peers, "STRICT", ""},
		{peers, "Strict", "spec.portLevelMtls.80.mode"},
		{rules, "ingress: [{fromEntities: [world]}]", ""},
		{rules, "ingress: [{fromEntities: [wrold]}]", "spec.ingress[0].fromEntities[0]"},
		{several, "egressDeny: [{toEntities: [World]}]", "specs[0].egressDeny[0].toEntities[0]"},
		{rules, "egress: [{toFQDNs: [{matchName: a.example}]}]", ""},
		{rules, "egress: [{toFQDNs: [{matchName: '*.example'}]}]", "spec.egress[0].toFQDNs[0].matchName"},
	} {
		text := tt.manifest
		for i := range text {
			if text[i] == '%' {
				text = text[:i] + tt.value + text[i+1:]
				break
			}
		}
		d := manifest.Decode([]byte(text), manifest.Options{}).Documents[0]
		found, by, _ := schema.NewValidator().Validate(schema.Builtin(), d.Group, d.Version, d.Kind, d.Root, nil)
		switch {
		case tt.path == "" && len(found) > 0:
			t.Errorf("%s: %s: %s", tt.value, found[0].Path, found[0].Message)
		case tt.path != "" && (len(found) != 1 || found[0].Path != tt.path || by == ""):
			t.Errorf("%s: got %v of %q, want one at %s", tt.value, found, by, tt.path)
		}
	}
}
