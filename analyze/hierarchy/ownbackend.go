package hierarchy

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/internal/dns"
	"github.com/gwplan/gwplan/loader"
)

// The reasons for backends of Envoy Gateway's own kind that it refuses.
const (
	invalidBackendRef      = "InvalidBackendRef"
	invalidAddress         = "InvalidAddress"
	unsupportedAddressType = "UnsupportedAddressType"
	dynamicResolver        = "DynamicResolver"
)

// BesideResolver is the reason of an edge to a backend that requests cannot go to because a dynamic resolver is beside it; Envoy
// Gateway looks at the backend all the same.
const BesideResolver = "BesideResolver"

// refusedBackend says why a backend of the implementation's own kind cannot be used because of its own fields, with the reason of
// the condition; both are empty if it can (Envoy Gateway internal/gatewayapi/backend.go, validateBackend; validate.go,
// validateBackendRefBackend; route.go, validateDestinationSettings).
func refusedBackend(r *references, own *implementation.Implementation, id loader.ID) (reason, message string) {
	object := ownBackend(r, own, id)
	if object == nil {
		return "", ""
	}
	spec := object.Spec()
	endpoints := spec.List("endpoints")
	if spec.Str("type") == dynamicResolver && len(endpoints) > 0 {
		return invalidBackendRef, id.Spoken() + " is a dynamic resolver and has endpoints"
	}
	if message := withoutAuthorities(r, object, endpoints); message != "" {
		return invalidBackendRef, message
	}
	if client := spec.At(own.Routes.BackendTLS.Client).Str("namespace"); client != "" && client != id.Namespace && !opaque(client) {
		return invalidBackendRef, "the client certificate of " + id.Spoken() + " is in another namespace"
	}
	for _, endpoint := range endpoints {
		if wrong := wrongAddress(endpoint); wrong != "" {
			return invalidAddress, id.Spoken() + " has an endpoint whose " + wrong
		}
	}
	if has(endpoints, "unix") {
		return unsupportedAddressType, id.Spoken() + " has an endpoint that is a Unix socket"
	}
	if message := mixed(id, endpoints); message != "" {
		return unsupportedAddressType, message
	}
	return "", ""
}

// RefusedByPolicies says why policies cannot send requests to a backend that exists, although some routes can, or is empty (Envoy
// Gateway internal/gatewayapi/validate.go, validateExtServiceBackendReference; ext_service.go, processExtServiceDestination).
func (r *references) RefusedByPolicies(id loader.ID) string {
	if r.Dominant().Routes.ExternalName != "" && id.Group == "" && id.Kind == "Service" && r.Object(id).Spec().Str("type") == "ExternalName" {
		return id.Spoken() + " is of type ExternalName and has no endpoints in the cluster"
	}
	object := ownBackend(r, r.Dominant(), id)
	if object == nil {
		return ""
	}
	if object.Spec().Str("type") == dynamicResolver {
		return id.Spoken() + " is a dynamic resolver, which policies cannot use"
	}
	return mixed(id, object.Spec().List("endpoints"))
}

func has(endpoints []*loader.Value, kind string) bool {
	return slices.ContainsFunc(endpoints, func(endpoint *loader.Value) bool { return endpoint.Get(kind) != nil })
}

func mixed(id loader.ID, endpoints []*loader.Value) string {
	if has(endpoints, "fqdn") && (has(endpoints, "ip") || has(endpoints, "unix")) {
		return id.Spoken() + " has endpoints with hostnames and others with addresses or sockets"
	}
	return ""
}

// ownBackend returns the object of a backend of the implementation's own kind, or nil.
func ownBackend(r *references, own *implementation.Implementation, id loader.ID) *loader.Object {
	kind := implementation.Kind{Group: id.Group, Name: id.Kind}
	if kind.Name == "" || kind != own.Routes.BackendTLS.Kind {
		return nil
	}
	return r.Object(id)
}

// wrongAddress says what is wrong with the hostname or the address of an endpoint, or is empty. What a variable gives is
// not known.
func wrongAddress(endpoint *loader.Value) string {
	for _, host := range []*loader.Value{endpoint.Get("hostname"), endpoint.Get("fqdn", "hostname")} {
		if host == nil || host.Shape != loader.String || unreadable(host) {
			continue
		}
		_, err := netip.ParseAddr(host.Text)
		switch {
		case err == nil:
			return fmt.Sprintf("hostname %q is an address", host.Text)
		case !dns.IsSubdomain(strings.TrimSuffix(host.Text, ".")):
			return fmt.Sprintf("hostname %q is not a domain name", host.Text)
		case !strings.Contains(host.Text, "."):
			return fmt.Sprintf("hostname %q is a single label", host.Text)
		}
	}
	address := endpoint.Get("ip", "address")
	if address == nil || unreadable(address) || endpoint.Get("fqdn") != nil {
		return ""
	}
	switch ip, err := netip.ParseAddr(address.Text); {
	case err != nil:
		return fmt.Sprintf("address %q is not an address", address.Text)
	case ip.IsLoopback():
		return fmt.Sprintf("address %q is the proxy's own", address.Text)
	}
	return ""
}

// withoutAuthorities says that the TLS settings of a backend name no authorities, and that no BackendTLSPolicy names them for it or
// for the ports of all endpoints, or is empty. Such a policy may be in something that is not rendered.
func withoutAuthorities(r *references, backend *loader.Object, endpoints []*loader.Value) string {
	if !namesNoAuthority(backend.Spec().Get("tls")) {
		return ""
	}
	ports := map[string]bool{}
	for _, endpoint := range endpoints {
		for _, kind := range []string{"fqdn", "ip"} {
			if port := endpoint.Get(kind, "port"); port != nil {
				ports[port.Text] = false
			}
		}
	}
	if r.securings().open {
		return "" // one may be for this backend
	}
	for _, by := range r.securings().of[tlsTargetOf(backend.ID)] { // the namespaces are not compared
		authorities := by.policy.Spec().Get("validation")
		if by.section == "" && (authorities.Get("wellKnownCACertificates") != nil || len(authorities.List("caCertificateRefs")) > 0) {
			return ""
		}
		if _, has := ports[by.section]; has {
			ports[by.section] = true
		}
	}
	covered := len(ports) > 0
	for _, has := range ports {
		covered = covered && has
	}
	made, _ := r.ExistsOutsideWhy(loader.ID{Group: loader.GatewayGroup, Kind: "BackendTLSPolicy", Namespace: backend.ID.Namespace, Name: backend.ID.Name})
	if covered || made == fact.Unknown {
		return ""
	}
	return "the TLS settings of " + backend.ID.Spoken() + " name no certificate authority, and no BackendTLSPolicy does for it"
}

// namesNoAuthority reports whether TLS settings of a backend secure its connections, and name nobody who vouches for it.
func namesNoAuthority(tls *loader.Value) bool {
	open := func(v *loader.Value) bool { return v != nil && (v.Opaque || opaque(v.Text)) }
	return !tls.IsNull() && !tls.Get("insecureSkipVerify").IsTrue() && !open(tls) && !open(tls.Get("insecureSkipVerify")) && !open(tls.Get("caCertificateRefs")) &&
		tls.Get("wellKnownCACertificates") == nil && len(tls.List("caCertificateRefs")) == 0
}

// WithoutOwnAuthorities says that the TLS settings of a backend for which there is no BackendTLSPolicy name no authority, or is empty
// (Envoy Gateway internal/gatewayapi/backendtlspolicy.go, applyBackendTLSSetting). One in another namespace, or for another port, keeps
// the backend from being refused and does not secure it.
func WithoutOwnAuthorities(g *Graph, backend loader.ID) string {
	return withoutOwnAuthorities(g.references, backend)
}

func withoutOwnAuthorities(r *references, backend loader.ID) string {
	object := ownBackend(r, r.Dominant(), backend)
	if object == nil || !r.Whole() || !namesNoAuthority(object.Spec().Get("tls")) {
		return ""
	}
	return "the TLS settings of " + backend.Spoken() + " name no certificate authority, and no BackendTLSPolicy does for its connections"
}

// resolvesAlone evaluates a dynamic resolver among the backends of a rule that requests can go to: of an HTTPRoute or a TLSRoute it
// must be the only one, and the hostname of its requests cannot be taken from their path (Envoy Gateway internal/gatewayapi/route.go,
// processHTTPRouteRules, processGRPCRouteRules and processTLSRouteParentRefs). Of other routes nobody asks.
func resolvesAlone(r *referring, rule *loader.Value) *Condition {
	usable := func(ref *loader.Value) bool {
		return !unweighted(ref) && !r.Unseen(r.route, ref) && r.backendCondition(ref).Status != fact.False && !hasFaultyFilter(r, ref)
	}
	refs := rule.List("backendRefs")
	i := slices.IndexFunc(refs, func(ref *loader.Value) bool {
		object := ownBackend(r.references, r.own, named(BackendID(ref, r.route.Namespace()), r.own))
		return object != nil && object.Spec().Str("type") == dynamicResolver && usable(ref)
	})
	if i < 0 {
		return nil
	}
	others := len(refs) - 1
	if r.route.Target.Kind == "TLSRoute" {
		others = len(slices.DeleteFunc(slices.Clone(refs), func(ref *loader.Value) bool { return !usable(ref) })) - 1
	}
	c := r.route.condition(ResolvedRefs, fact.False, invalidBackendRef, "a dynamic resolver cannot be one of several backends", refs[i])
	c.Carrier = BackendRef
	http := r.route.Target.Kind == "HTTPRoute" || r.route.Target.Kind == "GRPCRoute"
	switch {
	case http && hasFaultyFilter(r, rule):
		return nil // the rule answers 500 already
	case http && takesHostFromPath(r, rule):
		c.Reason, c.Message = unsupportedValue, "the hostname of requests to a dynamic resolver cannot be taken from their path"
		return &c
	case others > 0 && (r.route.Target.Kind == "HTTPRoute" || r.route.Target.Kind == "TLSRoute"):
		return &c
	}
	return nil
}

// hasFaultyFilter reports whether a filter of a rule has a fault.
func hasFaultyFilter(r *referring, rule *loader.Value) (found bool) {
	r.filters(rule, func(c Condition) { found = found || c.Status == fact.False })
	return found
}

// takesHostFromPath reports whether a filter of a rule takes the hostname of requests from their path.
func takesHostFromPath(r *referring, rule *loader.Value) bool {
	kind := r.own.Matching.MatchFilter
	return slices.ContainsFunc(rule.List("filters"), func(f *loader.Value) bool {
		ref := f.Get("extensionRef")
		id := loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Namespace: r.route.Namespace(), Name: ref.Str("name")}
		return kind.Group == id.Group && kind.Name == id.Kind && r.Object(id).Spec().Str("urlRewrite", "hostname", "type") == "PathRegex"
	})
}
