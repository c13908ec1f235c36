package hierarchy

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// certificates evaluates the references in the TLS settings of listeners and Gateways.
type certificates struct {
	*controllers
}

// judgeTLS evaluates the certificates of a listener that terminates TLS. It checks for a
// ReferenceGrant before it looks up the Secret (Gateway API v1.7, #5306).
func (t *certificates) judgeTLS(n, gateway *Node, own *implementation.Implementation) {
	tls := n.Value.Get("tls")
	protocol := n.Value.Str("protocol")
	switch {
	case tls.IsNull():
		if needsTLS(protocol) {
			n.setMissingTLS(own)
		}
		return
	case protocol == "HTTP" || protocol == "TCP" || protocol == "UDP":
		n.setUnusable(tls, aListener(protocol)+" has no tls")
		return
	case tls.Str("mode") == "Passthrough", opaque(tls.Str("mode")):
		return
	}
	if own.Listeners.NeedsCertificate && len(tls.List("certificateRefs")) == 0 && !optionsReplaceCertificates(tls, own) && needsTLS(protocol) {
		n.setUnresolved(n.condition(ResolvedRefs, fact.False, invalidCertificate, "a listener that terminates TLS needs a certificateRef", tls), own)
		return
	}
	if refusal := t.refusal(n, gateway, own); refusal != nil {
		n.setUnresolved(*refusal, own)
		return
	}
	if c := refusedOption(n, gateway, own); c != nil {
		n.failure = c
		n.rejectFor(*c, c.Reason)
		n.setUnusable(c.Ref, c.Message)
		return
	}
	if optionsReplaceCertificates(tls, own) {
		return
	}
	refs := tls.List("certificateRefs")
	if len(refs) == 0 && tls.Get("options").IsEmpty() && needsTLS(protocol) {
		n.setUnusable(tls, "a listener that terminates TLS needs certificateRefs")
	}
	if most := own.Listeners.MaxCertificates; most > 0 && len(refs) > most {
		n.setUnresolved(n.condition(ResolvedRefs, fact.False, invalidCertificate, fmt.Sprintf("this implementation allows at most %d certificateRefs for a listener; this one has %d", most, len(refs)), tls.Get("certificateRefs")), own)
		return
	}
	var invalid *Condition // the first one that fails for another reason than a missing grant
	failed, reasons := t.judgeEach(refs, func(ref *loader.Value) Condition {
		c := t.judgeCertificate(n, ref, own)
		if invalid == nil && c.Status == fact.False && c.Reason != NotPermitted {
			invalid = &c
		}
		return c
	})
	c := reasons.get(ResolvedRefs)
	if c != nil && c.Reason == NotPermitted && invalid != nil && own.Listeners.InvalidBeforeGrant {
		c = invalid
	}
	switch {
	case c == nil, failed < len(refs) && own.Listeners.OneCertificateSuffices && c.Status == fact.False:
	case failed > 0 && failed < len(refs) && own.Listeners.PartialCertificates != "":
		partly := *c
		partly.Reason = own.Listeners.PartialCertificates
		n.partial = own.Listeners.UnresolvedRejects
		n.setUnresolved(partly, own)
	default:
		n.setUnresolved(*c, own)
	}
}

// setUnresolved records that the certificates of a listener are not resolved, and rejects the listener
// if the implementation does so.
func (n *Node) setUnresolved(c Condition, own *implementation.Implementation) {
	if c.Status == fact.False {
		n.failure = &c
	}
	if kinds := n.Condition(ResolvedRefs); kinds != nil && kinds.Reason == invalidRouteKinds && c.Status == fact.False {
		if own.Listeners.RouteKindsFirst {
			n.setUnusable(c.Ref, c.Message)
		} else {
			n.Conditions.set(c) // an invalid certificate takes precedence over an invalid route kind
		}
	}
	n.Conditions.worsen(c)
	switch {
	case c.Status != fact.False:
	case own.Listeners.NotPermittedRejects && c.Reason == NotPermitted:
		n.rejectFor(c, noValidAuthority)
	case own.Sets.UnresolvedReason != "" && n.Owner.Level == LevelListenerSet:
		n.rejectFor(c, own.Sets.UnresolvedReason)
	case own.Listeners.UnresolvedReason != "" && c.Reason == invalidAuthority:
		n.rejectFor(c, noValidAuthority)
	case own.Listeners.UnresolvedRejects && !n.partial:
		n.rejectFor(c, cmp.Or(own.Listeners.UnresolvedReason, c.Reason))
	case c.Reason == invalidAuthority:
		n.rejectFor(c, noValidAuthority)
	}
}

// refusal returns the condition for a TLS option that conflicts with other settings, or nil.
func (t *certificates) refusal(n, gateway *Node, own *implementation.Implementation) *Condition {
	tls := n.Value.Get("tls")
	for _, r := range own.Listeners.Refusals {
		if tls.Str("options", r.Option) != r.Value {
			continue
		}
		with := tls.Get("options", r.With)
		switch r.With {
		case implementation.WithCertificates:
			with = tls.Get("certificateRefs")
		case implementation.WithAuthorities:
			with = frontendValidation(gateway.Value, n.Value, own).Get("caCertificateRefs")
		}
		if !with.IsEmpty() {
			c := n.condition(ResolvedRefs, fact.False, r.Reason, fmt.Sprintf("%s: %s cannot be combined with %s", r.Option, r.Value, r.With), tls.Get("options", r.Option))
			return &c
		}
	}
	return nil
}

// judgeEach counts the references that fail and returns the worst condition.
func (t *certificates) judgeEach(refs []*loader.Value, judge func(*loader.Value) Condition) (failed int, worst conditions) {
	for _, ref := range refs {
		c := judge(ref)
		if c.Status == fact.False {
			failed++
		}
		if c.Status != fact.True {
			worst.worsen(c)
		}
	}
	return failed, worst
}

// rejectFor sets Accepted to false on a listener because of another condition.
func (n *Node) rejectFor(c Condition, reason string) {
	c.Type, c.Reason = Accepted, reason
	n.Conditions.worsen(c)
}

// setMissingTLS sets the condition of a listener that requires TLS and has no tls.
func (n *Node) setMissingTLS(own *implementation.Implementation) {
	message := aListener(n.Value.Str("protocol")) + " needs tls"
	if reason := own.Sets.WithoutTLS; reason != "" && n.Owner.Level == LevelListenerSet {
		n.Conditions.worsen(n.condition(Accepted, fact.False, reason, message, nil))
		return
	}
	if !own.Judges() && n.Value.Str("protocol") == "HTTPS" {
		n.Conditions.worsen(n.condition(Programmed, fact.Unknown, NotInInput, message+", unless its implementation configures certificates elsewhere", nil))
		return
	}
	n.setUnusable(nil, message)
}

// optionsReplaceCertificates reports whether a TLS option replaces the certificates.
func optionsReplaceCertificates(tls *loader.Value, own *implementation.Implementation) bool {
	for name, values := range own.Listeners.CertificateOptions {
		if slices.Contains(values, tls.Str("options", name)) {
			return true
		}
	}
	return false
}

// HasTLS reports whether a listener has TLS, by its protocol. A listener that passes TLS on has it, too: see TerminatesTLS.
func HasTLS(listener *Node) bool { return needsTLS(listener.Value.Str("protocol")) }

func needsTLS(protocol string) bool { return protocol == "HTTPS" || protocol == "TLS" }

// judgeCertificate evaluates one certificateRef, which is a core Secret by default.
func (t *certificates) judgeCertificate(n *Node, ref *loader.Value, own *implementation.Implementation) Condition {
	id := loader.ID{
		Group: groupOf(ref, ""), Kind: cmp.Or(ref.Str("kind"), "Secret"),
		Namespace: cmp.Or(ref.Str("namespace"), n.Namespace()), Name: ref.Str("name"),
	}
	if opaque(id.Kind) || opaque(id.Group) {
		return n.condition(ResolvedRefs, fact.Unknown, NotInInput, "the kind of the certificate holds a variable that is not resolved", ref)
	}
	secret := loader.ID{Kind: "Secret", Namespace: id.Namespace, Name: id.Name}
	if own.Listeners.GrantBeforeKind && id != secret && t.Permits(n.Target.ID, secret) == fact.False {
		return n.condition(ResolvedRefs, fact.False, NotPermitted, "no ReferenceGrant lets "+n.Owner.Spoken()+" refer to "+secret.Spoken(), ref)
	}
	if id != secret {
		return n.condition(ResolvedRefs, fact.False, invalidCertificate, "a certificate must be a core Secret, not of kind "+kindText(id.Group, id.Kind), ref)
	}
	if made := t.shimmed(n, id); made != "" && t.Object(id) == nil {
		return n.condition(ResolvedRefs, fact.Unknown, NotInInput, id.Spoken()+" is not in the input; it is made by "+made, ref)
	}
	if own.Listeners.SecretBeforeGrant {
		if there, message := t.Present(id); there == fact.False {
			return n.condition(ResolvedRefs, fact.False, invalidCertificate, message, ref)
		}
	}
	if own.Listeners.GrantsWithSecrets && id.Namespace != n.Namespace() && t.Permits(n.Target.ID, id) == fact.True {
		if there, _ := t.Present(id); there == fact.False && !t.usesGrant(n, id.Namespace) {
			return n.condition(ResolvedRefs, fact.False, NotPermitted, "the ReferenceGrant for "+id.Spoken()+" is not read, because the Secret does not exist", ref)
		}
	}
	if kind := rootOf(t.Object(id)).Str("type"); own.Listeners.CertificateType != "" && kind != "" && kind != own.Listeners.CertificateType {
		return n.condition(ResolvedRefs, fact.False, invalidCertificate, id.Spoken()+" is of type "+kind, ref)
	}
	if key := missingKey(t.Object(id), own.Listeners.CertificateKeys); key != "" {
		return n.condition(ResolvedRefs, fact.False, invalidCertificate, id.Spoken()+" has no "+key, ref)
	}
	c := t.resolved(n, n.Target.ID, id, invalidCertificate, ref)
	if wrong := t.WithoutCertificate(id, own.Listeners.CertificatePairs); c.Status == fact.True && wrong != "" {
		return n.condition(ResolvedRefs, fact.False, invalidCertificate, wrong, ref)
	}
	return c
}

// judgeClient evaluates the client certificate of a Gateway for one of its listeners, from the object of the
// listener (agentgateway, translator/conversion.go, resolveGatewayBackendTLS).
func (t *certificates) judgeClient(n, gateway *Node, own *implementation.Implementation) {
	ref := gateway.Value.Get("tls", "backend", "clientCertificateRef")
	if ref.IsNull() || !own.Listeners.ClientCertificate || n.failure != nil {
		return
	}
	c := t.judgeClientCertificate(n.Owner, ref, own)
	if before := n.Condition(ResolvedRefs); c.Status == fact.True || before != nil && before.Status == fact.False {
		return
	}
	n.Conditions.set(c)
	n.partial, n.clientless = true, true
}

// showsClientCertificate reports whether a listener of a Gateway reports the client certificate.
func (n *Node) showsClientCertificate() bool {
	return slices.ContainsFunc(n.Sections, func(l *Node) bool {
		c := l.Condition(ResolvedRefs)
		return l.clientless && c != nil && c.Status == fact.False
	})
}

// usesGrant reports whether a listener of the same kind of object and namespace refers to a certificate
// that exists in another namespace and is granted to it.
func (t *certificates) usesGrant(n *Node, to string) bool {
	return slices.ContainsFunc(t.nodes.Nodes, func(other *Node) bool {
		if other.Level != LevelListener || other.Namespace() != n.Namespace() || other.Target.Kind != n.Target.Kind {
			return false
		}
		return slices.ContainsFunc(other.Value.List("tls", "certificateRefs"), func(ref *loader.Value) bool {
			id := loader.ID{Kind: "Secret", Namespace: ref.Str("namespace"), Name: ref.Str("name")}
			return id.Namespace == to && t.Object(id) != nil && t.Permits(other.Target.ID, id) == fact.True
		})
	})
}

// missingKey returns the first of some keys that a Secret lacks, or "". It returns "" for a Secret without data,
// which something else fills in.
func missingKey(secret *loader.Object, keys []string) string {
	if secret == nil {
		return ""
	}
	data, texts := secret.Root.Get("data"), secret.Root.Get("stringData")
	if data.IsEmpty() && texts.IsEmpty() {
		return ""
	}
	for _, key := range keys {
		if data.Get(key) == nil && texts.Get(key) == nil {
			return key
		}
	}
	return ""
}

// resolved returns the condition of a node for one of its references.
func (t *certificates) resolved(n *Node, from, to loader.ID, missing string, ref *loader.Value) Condition {
	from.Name = ""
	r := t.Resolve(from, to)
	c := n.condition(ResolvedRefs, r.Resolved, missing, r.Message, ref)
	c.Involves, c.Subject = []loader.ID{to}, to.String()
	switch {
	case r.Permitted == fact.False:
		c.Reason = NotPermitted
	case r.Resolved == fact.Unknown:
		c.Reason = NotInInput
	case r.Resolved == fact.True:
		return good(ResolvedRefs, ResolvedRefs)
	}
	return c
}

// shimmed names cert-manager if an annotation of the Gateway or ListenerSet makes cert-manager
// create the certificates of its listeners.
func (t *certificates) shimmed(n *Node, id loader.ID) string {
	if n.Object == nil || id.Namespace != n.Namespace() {
		return ""
	}
	annotations := n.Object.Annotations()
	for _, kind := range []string{"issuer", "cluster-issuer"} {
		if issuer := annotations["cert-manager.io/"+kind]; issuer != "" {
			return fmt.Sprintf("cert-manager (%s: %s)", kind, issuer)
		}
	}
	return ""
}
