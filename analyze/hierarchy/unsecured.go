package hierarchy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// unsecured says why connections to a port of a backend cannot be secured as configured, by the backend itself or by the
// BackendTLSPolicy for it, or is empty (Envoy Gateway internal/gatewayapi/backendtlspolicy.go, applyBackendTLSSetting and
// getBackendTLSPolicy). It is for what is judged before policies are attached.
func unsecured(r *references, backend loader.ID, port string) string {
	if r.Dominant().Routes.BackendTLS.Reason == "" {
		return ""
	}
	if message := r.UnusableTLS(backend); message != "" {
		return message
	}
	policy := securedBy(r, backend, port)
	if policy == nil {
		return withoutOwnAuthorities(r, backend)
	}
	for _, ref := range policy.Spec().Get("validation").List("caCertificateRefs") {
		to := AuthorityOf(loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Namespace: policy.ID.Namespace, Name: ref.Str("name")}, r.Dominant())
		if !slices.Contains(r.AuthorityKinds(nil), to.Kind) {
			continue
		}
		if resolution := r.Resolve(policy.ID, to); resolution.Resolved == fact.False {
			return policy.ID.Spoken() + " secures the connections: " + resolution.Message
		}
		if withoutAnyAuthority(r.Object(to)) {
			return policy.ID.Spoken() + " secures the connections: " + to.Spoken() + " has neither ca.crt nor tls.crt"
		}
	}
	return ""
}

// securedBy returns the BackendTLSPolicy for a port of a backend: the first for the port, or else the first for all.
func securedBy(r *references, backend loader.ID, port string) *loader.Object {
	var atPort, whole *loader.Object
	for _, policy := range r.ObjectsOf(loader.GatewayGroup, "BackendTLSPolicy", backend.Namespace) {
		for _, target := range policy.Spec().List("targetRefs") {
			if target.Str("group") != backend.Group || target.Str("kind") != backend.Kind || target.Str("name") != backend.Name {
				continue
			}
			switch section := target.Str("sectionName"); {
			case section == "":
				whole = earlier(r, whole, policy)
			case port != "" && section == r.PortName(backend, port):
				atPort = earlier(r, atPort, policy)
			}
		}
	}
	if atPort != nil {
		return atPort
	}
	return whole
}

// earlier returns the one of two objects that has precedence, if there are two.
func earlier(r *references, a, b *loader.Object) *loader.Object {
	if a == nil || r.times.Order(a, b).Compare > 0 {
		return b
	}
	return a
}
