package hierarchy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// frontendValidation returns the client validation that a Gateway configures for an HTTPS listener.
// An entry of perPort replaces the whole default, even if the entry has no validation (Gateway API,
// GatewaySpec.tls.frontend).
func frontendValidation(gateway *loader.Value, listener *loader.Value, own *implementation.Implementation) *loader.Value {
	switch protocolOf(listener) {
	case "HTTPS":
	case implementation.TLSTerminate, "HBONE":
		if !own.Listeners.AuthoritiesForTLS {
			return nil
		}
	default:
		return nil
	}
	return frontendAt(gateway, listener).Get("validation")
}

// frontendAt returns what decides about the clients of a listener: the entry for its port, else the default.
func frontendAt(gateway, listener *loader.Value) *loader.Value {
	frontend := gateway.Get("tls", "frontend")
	for _, p := range frontend.List("perPort") {
		if textOf(p.Get("port")) == textOf(listener.Get("port")) {
			return cmp.Or(p.Get("tls"), p)
		}
	}
	return frontend.Get("default")
}

// Frontend returns what the Gateway of a listener that ends TLS configures for the clients at its port, and the Gateway. Either
// may be nil.
func (n *Node) Frontend() (frontend *loader.Value, gateway *Node) {
	gateway = n.Owner
	if gateway != nil && gateway.Level == LevelListenerSet && len(gateway.Up) > 0 {
		gateway = gateway.Up[0].Parent
	}
	protocol := protocolOf(n.Value)
	if gateway == nil || gateway.Value == nil || protocol != "HTTPS" && protocol != implementation.TLSTerminate {
		return nil, gateway
	}
	return frontendAt(gateway.Value, n.Value), gateway
}

// judgeFrontend evaluates the CA references that validate the clients of a listener.
func (t *certificates) judgeFrontend(n, gateway *Node, own *implementation.Implementation) {
	if own.Listeners.CertificatesFirst && n.Conditions.certificateFailed() {
		return
	}
	validation := frontendValidation(gateway.Value, n.Value, own)
	refs := validation.List("caCertificateRefs")
	if own.Listeners.OptionsReplaceAuthorities && (optionsReplaceCertificates(n.Value.Get("tls"), own) || n.Value.Get("tls").IsNull()) {
		return
	}
	if own.Listeners.AuthoritiesWithCertificates && len(n.Value.List("tls", "certificateRefs")) == 0 {
		return
	}
	from := gateway
	if own.Listeners.AuthoritiesBySet {
		from = n.Owner
	}
	failed, reasons := 0, conditions(nil)
	if own.Gateways.SumsAuthorities && len(refs) > 0 {
		if c := t.judgeStanza(gateway, validation, own); c.Status != fact.True {
			reasons = conditions{c}
			if c.Status == fact.False {
				failed = len(refs)
			}
		}
	} else {
		failed, reasons = t.judgeEach(refs, func(ref *loader.Value) Condition { return t.judgeAuthority(from, ref, own) })
	}
	if most := own.Listeners.MaxAuthorities; most > 0 && len(refs) > most {
		failed = len(refs)
		reasons = conditions{from.condition(ResolvedRefs, fact.False, invalidAuthority,
			fmt.Sprintf("this implementation allows at most %d caCertificateRefs; there are %d", most, len(refs)), refs[most])}
	}
	c := reasons.get(ResolvedRefs)
	if c == nil {
		return
	}
	if before := n.Condition(ResolvedRefs); before == nil || c.Status <= before.Status && !(own.Listeners.RouteKindsFirst && before.Reason == invalidRouteKinds) {
		n.Conditions.set(*c)
	}
	switch {
	case failed == 0 || failed < len(refs) && own.Listeners.PartialAuthorities:
		n.partial = failed > 0
	case failed == len(refs) || own.Listeners.OneAuthorityFails:
		n.failure = c
		reason := noValidAuthority
		if own.Listeners.AuthoritiesBySet && own.Sets.UnresolvedReason != "" && n.Owner.Level == LevelListenerSet {
			reason = own.Sets.UnresolvedReason
		}
		n.rejectFor(*c, reason)
	}
}

// judgeAuthority evaluates one caCertificateRef of a Gateway: a ConfigMap, or another kind that the
// implementation supports.
func (t *certificates) judgeAuthority(gateway *Node, ref *loader.Value, own *implementation.Implementation) Condition {
	id := authorityOf(gateway, ref, own)
	granted := false
	if suffix := own.Gateways.GrantSuffix; suffix != "" && id.Namespace != gateway.Namespace() {
		asked := id
		if asked.Name += suffix; !slices.Contains(authorityKinds(own), id.Kind) {
			asked.Group, asked.Kind = "", "ConfigMap"
		}
		if t.Permits(gateway.Target.ID, asked) == fact.False {
			return gateway.condition(ResolvedRefs, fact.False, NotPermitted, fmt.Sprintf("no ReferenceGrant lets %s refer to %s, for which this implementation looks", gateway.Spoken(), asked.Spoken()), ref)
		}
		granted = t.Permits(gateway.Target.ID, asked) == fact.True
	}
	if !slices.Contains(authorityKinds(own), id.Kind) || id.Group != "" && id.Kind != trustBundle {
		return gateway.condition(ResolvedRefs, fact.False, "InvalidCACertificateKind", id.Kind+" is not a supported kind of certificate authority", ref)
	}
	if there, message := t.Present(id); own.Gateways.SecretBeforeGrant && own.Gateways.AuthorityKeys != nil && own.Listeners.ClientCertificate && there == fact.False {
		return gateway.condition(ResolvedRefs, fact.False, invalidAuthority, message, ref)
	}
	if wrong := t.WithoutAuthority(id, own.Gateways.AuthorityKeys, own.Gateways.AuthorityIsPEM); own.Gateways.AuthorityKeys != nil && wrong != "" {
		return gateway.condition(ResolvedRefs, fact.False, invalidAuthority, wrong, ref)
	}
	c := t.resolved(gateway, gateway.Target.ID, id, invalidAuthority, ref)
	if there, _ := t.Present(id); granted && c.Reason == NotPermitted && there == fact.True {
		return good(ResolvedRefs, ResolvedRefs)
	}
	return c
}

// authorityOf returns what a caCertificateRef names.
func authorityOf(gateway *Node, ref *loader.Value, own *implementation.Implementation) loader.ID {
	return AuthorityOf(loader.ID{
		Group: groupOf(ref, ""), Kind: ref.Str("kind"),
		Namespace: cmp.Or(ref.Str("namespace"), gateway.Namespace()), Name: ref.Str("name"),
	}, own)
}

// authorityKinds returns the kinds that hold CA certificates.
func authorityKinds(own *implementation.Implementation) []string {
	if own.Gateways.AuthorityKinds != nil {
		return own.Gateways.AuthorityKinds
	}
	return []string{"ConfigMap"}
}

// AuthorityKinds returns the kinds that hold CA certificates for policies. The default is
// specified, the kinds of the specification.
func (c *controllers) AuthorityKinds(specified []string) []string {
	if kinds := c.Dominant().Policies.AuthorityKinds; kinds != nil {
		return kinds
	}
	return specified
}

// judgeGatewayTLS evaluates the references in the tls stanza of a Gateway, and reports client
// validation that can be bypassed.
func (t *certificates) judgeGatewayTLS(gateway *Node, own *implementation.Implementation) {
	tls := gateway.Value.Get("tls")
	insecure, where := insecureValidation(tls.Get("frontend"))
	if own.Gateways.SumsAuthorities {
		insecure, where = t.sumAuthorities(gateway, own)
	}
	if own.Gateways.InsecureInUse && !slices.ContainsFunc(gateway.Sections, func(l *Node) bool {
		return l.Level == LevelListener && !l.bare && textOf(frontendValidation(gateway.Value, l.Value, own).Get("mode")) == "AllowInsecureFallback"
	}) {
		insecure = nil
	}
	if insecure != nil {
		c := gateway.condition(InsecureTLS, fact.True, "ConfigurationChanged",
			"clients without a valid certificate are accepted (AllowInsecureFallback): "+strings.Join(where, ", "), insecure)
		c.Subject = strings.Join(where, ",")
		gateway.Conditions.set(c)
	}
	ref := tls.Get("backend", "clientCertificateRef")
	if ref.IsNull() {
		return
	}
	c := t.judgeClientCertificate(gateway, ref, own)
	if own.Gateways.SumsAuthorities && c.Status == fact.False {
		gateway.Conditions.set(c) // it replaces what the authorities gave
		return
	}
	gateway.Conditions.worsen(c)
}

// judgeClientCertificate evaluates tls.backend.clientCertificateRef of a Gateway.
func (t *certificates) judgeClientCertificate(gateway *Node, ref *loader.Value, own *implementation.Implementation) Condition {
	id := loader.ID{
		Group: groupOf(ref, ""), Kind: cmp.Or(ref.Str("kind"), "Secret"),
		Namespace: cmp.Or(ref.Str("namespace"), gateway.Namespace()), Name: ref.Str("name"),
	}
	if id.Group != "" || id.Kind != "Secret" {
		return gateway.condition(ResolvedRefs, fact.False, invalidClientCertificate, "a client certificate is a Secret; "+id.Kind+" is none", ref)
	}
	if there, message := t.Present(id); own.Gateways.SecretBeforeGrant && there == fact.False {
		return gateway.condition(ResolvedRefs, fact.False, invalidClientCertificate, message, ref)
	}
	c := t.resolved(gateway, gateway.Target.ID, id, invalidClientCertificate, ref)
	if wrong := t.WithoutCertificate(id, own.Listeners.CertificatePairs); (c.Status == fact.True || own.Gateways.SecretBeforeGrant) && wrong != "" {
		return gateway.condition(ResolvedRefs, fact.False, invalidClientCertificate, wrong, ref)
	}
	return c
}

// sumAuthorities evaluates each stanza of tls.frontend, of which the last one that fails decides the
// reason of the Gateway's own ResolvedRefs. It returns what insecureValidation does, of the stanzas
// that do not fail.
func (t *certificates) sumAuthorities(gateway *Node, own *implementation.Implementation) (insecure *loader.Value, where []string) {
	look := func(stanza *loader.Value, name string) {
		validation := stanza.Get("validation")
		if validation.IsNull() {
			return
		}
		if c := t.judgeStanza(gateway, validation, own); c.Status != fact.True {
			if c.Status == fact.False {
				c.Reason = invalidParameters
				gateway.Conditions.set(c)
				return
			}
			gateway.Conditions.worsen(c)
		}
		if mode := validation.Get("mode"); textOf(mode) == "AllowInsecureFallback" {
			insecure, where = orValue(insecure, mode), append(where, name)
		}
	}
	frontend := gateway.Value.Get("tls", "frontend")
	look(frontend.Get("default"), "by default")
	for _, p := range frontend.List("perPort") {
		look(p.Get("tls"), "on port "+textOf(p.Get("port")))
	}
	return insecure, where
}

// judgeStanza evaluates the authorities of one stanza: the first one that fails decides, kinds that
// are not supported are passed over, and at least one must be supported (Envoy Gateway,
// internal/gatewayapi/backendtlspolicy.go, getCaCertsFromCARefs).
func (t *certificates) judgeStanza(gateway *Node, validation *loader.Value, own *implementation.Implementation) Condition {
	worst, supported := good(ResolvedRefs, ResolvedRefs), false
	for _, ref := range validation.List("caCertificateRefs") {
		if !slices.Contains(authorityKinds(own), ref.Str("kind")) {
			// Grants are checked before kinds.
			if c := t.resolved(gateway, gateway.Target.ID, authorityOf(gateway, ref, own), invalidAuthority, ref); c.Reason == NotPermitted {
				return c
			}
			continue
		}
		supported = true
		c := t.judgeAuthority(gateway, ref, own)
		if c.Status == fact.False {
			return c
		}
		if c.Status < worst.Status {
			worst = c
		}
	}
	if !supported {
		return gateway.condition(ResolvedRefs, fact.False, "InvalidCACertificateKind", "no caCertificateRef is of a supported kind", validation)
	}
	return worst
}

// insecureValidation returns the first stanza that accepts clients without a valid certificate, or
// nil, and describes where each of them applies.
func insecureValidation(frontend *loader.Value) (first *loader.Value, where []string) {
	look := func(stanza *loader.Value, name string) {
		if mode := stanza.Get("validation", "mode"); textOf(mode) == "AllowInsecureFallback" {
			first, where = orValue(first, mode), append(where, name)
		}
	}
	look(frontend.Get("default"), "by default")
	for _, p := range frontend.List("perPort") {
		look(p.Get("tls"), "on port "+textOf(p.Get("port")))
	}
	return first, where
}
