package hierarchy

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/internal/dns"
	"github.com/gwplan/gwplan/loader"
)

// The reasons of ResolvedRefs for parameters that cannot be used (NGINX Gateway Fabric,
// internal/controller/state/conditions/conditions.go).
const (
	parametersInvalid  = "ParametersRefInvalid"
	parametersNotFound = "ParametersRefNotFound"
)

// reportParameters sets what a GatewayClass reports of its parameters, for implementations that accept it with any (NGINX Gateway
// Fabric, internal/controller/state/graph/gatewayclass.go, validateGatewayClass).
func reportParameters(b *builder, class *Node, own *implementation.Implementation) {
	class.Conditions.set(good(Accepted, Accepted))
	ref := class.Value.Get("parametersRef")
	if ref.IsNull() {
		return
	}
	c := parametersCondition(b.gateways, class, ref, textOf(ref.Get("namespace")), own)
	class.Conditions.set(c)
	if c.Status == fact.False {
		class.Conditions.set(class.condition(Accepted, fact.True, invalidParameters, c.Message, ref))
	}
}

// parametersCondition evaluates a parametersRef as a ResolvedRefs condition.
func parametersCondition(g *gateways, n *Node, ref *loader.Value, namespace string, own *implementation.Implementation) Condition {
	id := loader.ID{Group: groupOf(ref, ""), Kind: ref.Str("kind"), Namespace: namespace, Name: ref.Str("name")}
	known := slices.ContainsFunc(own.Gateways.Parameters, func(k implementation.Kind) bool { return k.Name == id.Kind })
	fails := func(reason, message string) Condition {
		c := n.condition(ResolvedRefs, fact.False, reason, message, ref)
		c.Involves = []loader.ID{id}
		return c
	}
	switch {
	case !known:
		return fails(parametersInvalid, "kind "+id.Kind+" is not supported as parameters")
	case namespace == "":
		return fails(parametersInvalid, "the parameters need a namespace")
	}
	if o := g.Object(id); o != nil {
		if wrong := wrongProxy(o.Spec()); wrong != "" {
			return fails(parametersInvalid, id.Spoken()+": "+wrong)
		}
		return good(ResolvedRefs, ResolvedRefs)
	}
	switch exists, message := g.ExistsOutsideWhy(id); exists {
	case fact.False:
		return fails(parametersNotFound, message)
	case fact.Unknown:
		c := n.condition(ResolvedRefs, fact.Unknown, NotInInput, message, ref)
		c.Involves = []loader.ID{id}
		return c
	case fact.True:
	}
	return good(ResolvedRefs, ResolvedRefs)
}

// resolveParameters sets what a Gateway's ResolvedRefs says of its parameters, below what it says of its client certificate; without
// either the Gateway has none (NGINX Gateway Fabric, internal/controller/state/graph/gateway.go, validateGatewayRefs).
func resolveParameters(b *builder, gateway *Node, own *implementation.Implementation) {
	ref, backend := gateway.Value.Get("infrastructure", "parametersRef"), gateway.Value.Get("tls", "backend")
	if backend == nil {
		gateway.Conditions.remove(ResolvedRefs)
	}
	if before := gateway.Condition(ResolvedRefs); before != nil && before.Status != fact.True || ref.IsNull() && backend == nil {
		return
	}
	c := good(ResolvedRefs, ResolvedRefs)
	if !ref.IsNull() {
		if c = parametersCondition(b.gateways, gateway, ref, gateway.Namespace(), own); c.Status == fact.False {
			c.Reason = parametersInvalid
		}
	}
	gateway.Conditions.set(c)
}

// acceptWithParameters returns the Accepted condition of a Gateway whose parameters cannot be used, nil if they can: its listeners
// have the last word, and what it serves goes on (internal/controller/status/prepare_requests.go, prepareGatewayRequest).
func acceptWithParameters(b *builder, gateway *Node, own *implementation.Implementation) *Condition {
	ref := gateway.Value.Get("infrastructure", "parametersRef")
	if ref.IsNull() {
		return nil
	}
	wrong := parametersCondition(b.gateways, gateway, ref, gateway.Namespace(), own)
	if c := sumUp(gateway, own); c.Reason == notValid || wrong.Status != fact.False {
		return &c
	}
	c := gateway.condition(Accepted, fact.False, invalidParameters, wrong.Message, ref)
	c.Involves = wrong.Involves
	return &c
}

// wrongProxy says why an NginxProxy is not valid, beyond its schema, or is empty (NGINX Gateway Fabric,
// internal/controller/state/graph/nginxproxy.go, validateNginxProxy).
func wrongProxy(spec *loader.Value) string {
	if resolver := spec.Get("dnsResolver"); resolver != nil {
		if wrong := wrongAddresses("dnsResolver.addresses", resolver.List("addresses")); wrong != "" {
			return wrong
		}
		if len(resolver.List("addresses")) == 0 {
			return "dnsResolver has no addresses"
		}
	}
	client := spec.Get("rewriteClientIP")
	trusted := client.List("trustedAddresses")
	if client.Get("mode") != nil && len(trusted) == 0 {
		return "rewriteClientIP has a mode and no trustedAddresses"
	}
	return cmp.Or(wrongAddresses("rewriteClientIP.trustedAddresses", trusted), wrongAddresses("nginxPlus.allowedAddresses", spec.List("nginxPlus", "allowedAddresses")))
}

// wrongAddresses says which of some addresses is not of its type, or is empty.
func wrongAddresses(field string, list []*loader.Value) string {
	for _, address := range list {
		text, wrong := address.Str("value"), false
		switch address.Str("type") {
		case "CIDR":
			_, err := netip.ParsePrefix(text)
			wrong = err != nil
		case "IPAddress":
			_, err := netip.ParseAddr(text)
			wrong = err != nil
		case "Hostname":
			wrong = !dns.IsSubdomain(text)
		}
		if wrong && !opaque(text) {
			return fmt.Sprintf("%q in %s is not of type %s", text, field, address.Str("type"))
		}
	}
	return ""
}
