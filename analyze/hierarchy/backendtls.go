package hierarchy

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// UnusableTLS says why the TLS settings in a backend's own spec cannot be used, or is empty. Its
// references are to objects in the namespace of the backend; authorities of an unknown kind are
// ignored if there are others (Envoy Gateway, internal/gatewayapi/backendtlspolicy.go,
// processServerValidationTLSSettings, processClientTLSSettings and getCaCertsFromCARefs).
func (r *references) UnusableTLS(backend loader.ID) string {
	own := &r.Dominant().Routes.BackendTLS
	object := r.Object(backend)
	if object == nil || (implementation.Kind{Group: backend.Group, Name: backend.Kind}) != own.Kind {
		return ""
	}
	written := object.Spec().At(own.Authorities).ItemList()
	refs := slices.DeleteFunc(slices.Clone(written), func(ref *loader.Value) bool {
		return !slices.Contains(r.AuthorityKinds(nil), ref.Str("kind"))
	})
	if len(written) > 0 && len(refs) == 0 {
		return backend.Spoken() + " refers to no authority of a supported kind"
	}
	if client := object.Spec().At(own.Client); client != nil {
		if namespace := client.Str("namespace"); namespace != "" && namespace != backend.Namespace && !opaque(namespace) {
			return "the client certificate of " + backend.Spoken() + " is in another namespace"
		}
		refs = append(refs, client)
	}
	for _, ref := range refs {
		to := AuthorityOf(loader.ID{Group: ref.Str("group"), Kind: cmp.Or(ref.Str("kind"), "Secret"), Namespace: backend.Namespace, Name: ref.Str("name")}, r.Dominant())
		if resolution := r.Resolve(backend, to); resolution.Resolved == fact.False {
			return backend.Spoken() + " secures its connections: " + resolution.Message
		}
		if client := ref == object.Spec().At(own.Client); !client && withoutAnyAuthority(r.Object(to)) {
			return backend.Spoken() + " secures its connections: " + to.Spoken() + " has neither ca.crt nor tls.crt"
		}
	}
	return ""
}

// UnusableClientCertificate says why the certificate that the parameters of a Gateway give it for its backends cannot be used, or is
// empty. Connections that are secured then fail. A Gateway with settings of its own does not read them (contexts.go,
// GetBackendTLSConfig).
func UnusableClientCertificate(g *Graph, gateway *Node) string {
	proxy := g.parametersOf(gateway)
	if proxy == nil || g.Implementation(gateway).Routes.BackendTLS.Reason == "" || gateway.Value.Get("tls", "backend") != nil {
		return ""
	}
	ref := g.gateways.inForce(gateway, "spec", "backendTLS", "clientCertificateRef").value
	if ref == nil {
		return ""
	}
	secret := loader.ID{Kind: "Secret", Namespace: cmp.Or(ref.Str("namespace"), proxy.ID.Namespace), Name: ref.Str("name")}
	if secret.Namespace != proxy.ID.Namespace && !opaque(secret.Namespace) {
		return "the client certificate of " + proxy.ID.Spoken() + " is in another namespace"
	}
	if there, message := g.Present(secret); there == fact.False {
		return "the client certificate of " + proxy.ID.Spoken() + " cannot be used: " + message
	}
	return ""
}

// withoutAnyAuthority reports whether a ConfigMap is known to have none of the keys of an authority, and not exactly one other key
// (internal/gatewayapi/helpers.go, getFirstMatchOrFirstFromData).
func withoutAnyAuthority(config *loader.Object) bool {
	if config == nil || config.ID.Group != "" || config.ID.Kind != "ConfigMap" {
		return false
	}
	data := config.Root.Get("data")
	fields := data.FieldList()
	return len(fields) != 1 && (data == nil || !data.Opaque) && !slices.ContainsFunc(fields, func(f loader.Field) bool {
		return f.Key == "ca.crt" || f.Key == "tls.crt" || opaque(f.Key)
	})
}
