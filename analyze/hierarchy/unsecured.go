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

// tlsTarget is a backend that a BackendTLSPolicy names, without its namespace.
type tlsTarget struct{ group, kind, name string }

func tlsTargetOf(backend loader.ID) tlsTarget {
	return tlsTarget{backend.Group, backend.Kind, backend.Name}
}

// securing is a reference of a BackendTLSPolicy to a backend, or to one of its ports.
type securing struct {
	policy  *loader.Object
	section string
}

// securings are the references of all BackendTLSPolicies.
type securings struct {
	of map[tlsTarget][]securing
	// open means that one of them is to a backend whose name is not known.
	open bool
}

func securingsOf(c *controllers) securings {
	out := securings{of: map[tlsTarget][]securing{}}
	for _, policy := range c.AllOf(loader.GatewayGroup, "BackendTLSPolicy") {
		for _, target := range policy.Spec().List("targetRefs") {
			out.open = out.open || opaque(target.Str("name"))
			to := tlsTarget{target.Str("group"), target.Str("kind"), target.Str("name")}
			out.of[to] = append(out.of[to], securing{policy, target.Str("sectionName")})
		}
	}
	return out
}

// securedBy returns the BackendTLSPolicy for a port of a backend: the first for the port, or else the first for all.
func securedBy(r *references, backend loader.ID, port string) *loader.Object {
	var atPort, whole *loader.Object
	for _, by := range r.securings().of[tlsTargetOf(backend)] {
		switch {
		case by.policy.ID.Namespace != backend.Namespace:
		case by.section == "":
			whole = earlier(r, whole, by.policy)
		case port != "" && by.section == r.PortName(backend, port):
			atPort = earlier(r, atPort, by.policy)
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
