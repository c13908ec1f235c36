package implementation

// ListenerSets describes how ListenerSets are judged.
type ListenerSets struct {
	// Controllers are the controllerNames whose Gateways accept ListenerSets, nil for all.
	Controllers []string
	// ByName means that the precedence among ListenerSets goes by namespace and name, not by age.
	ByName bool
	// PartlyReason is the reason of an accepted ListenerSet if some of its listeners are not
	// valid.
	PartlyReason string
	// WithoutTLS is the reason with which an HTTPS or TLS listener without tls is not accepted.
	WithoutTLS string
	// UnresolvedReason is the reason with which a listener is not accepted if its references are
	// not resolved. Empty means that it stays accepted.
	UnresolvedReason string
	// ParentReasons are reasons for which a Gateway is not accepted. Its ListenerSets are then
	// not accepted either, with the same reason. Nil means all reasons, which become
	// ParentNotAccepted.
	ParentReasons []string
}

// Gateways describes how Gateways and their classes are judged.
type Gateways struct {
	// AuthorityKinds are the kinds that contain certificates of authorities; nil means the
	// specification's ConfigMap.
	AuthorityKinds []string
	// ServedClass is the GatewayClass that an installation serves where there are several of its controllerName; no status of the
	// Gateways of another one is written.
	ServedClass string
	// AlwaysResolved means that ResolvedRefs is written even without a tls stanza;
	// ResolvedWithBackend means that it is written only with tls.backend.
	AlwaysResolved, ResolvedWithBackend bool
	// UnresolvedNotValid means that a listener with unresolved references does not count as
	// valid for its Gateway.
	UnresolvedNotValid bool
	// IgnoresListenerRefs means that a Gateway's ResolvedRefs does not include the references of
	// its listeners.
	IgnoresListenerRefs bool
	// SecretBeforeGrant means that the controller checks that a client certificate exists before
	// it checks the grant.
	SecretBeforeGrant bool
	// GrantSuffix means that the grant for an authority of another namespace counts before its kind, and must be for
	// its name with this suffix.
	GrantSuffix string
	// AuthorityKeys are the keys of a ConfigMap of which one holds an authority; nil if any does.
	AuthorityKeys []string
	// AuthorityIsPEM means that what is there must be a certificate.
	AuthorityIsPEM bool
	// InsecureInUse means that a Gateway reports AllowInsecureFallback only where a sound HTTPS listener has it.
	InsecureInUse bool
	// HiddenUnaddressed means that a Gateway that requests addresses, none of which is served,
	// has no listeners and no routes in any status.
	HiddenUnaddressed bool
	// Unlisted are the controllerNames whose Gateways have only the condition Accepted, and no
	// listeners in their status.
	Unlisted []string
	// BlankUnaddressed means that a Gateway whose addresses are not a single IPAddress, and of which none is a Hostname, is
	// not translated: its listeners show no problem and take no routes.
	BlankUnaddressed bool
	// FailsWhole means that a Gateway whose parameters cannot be used, or one of whose addresses is
	// of an unsupported type, is not translated: it has the condition Accepted alone, and no
	// listeners and no routes in any status.
	FailsWhole bool
	// FailsByAddress means that a Gateway one of whose addresses is of an unsupported type is not translated: it has no
	// listeners, its ListenerSets are not accepted, and only routes that name a section or a port have a status, as it has
	// none to match. Its parameters and references are judged all the same.
	FailsByAddress bool
	// SumsAuthorities means that the first authority that fails decides for all of a stanza, that a
	// missing grant counts before the kind, and that kinds which are not supported are passed over if
	// another authority is. A Gateway's own ResolvedRefs reports the authorities of tls.frontend with
	// the reason InvalidParameters, and AllowInsecureFallback counts only where all of them resolve.
	SumsAuthorities bool
	// AcceptedSuffices means that a Gateway is accepted as long as one listener is accepted,
	// even if none is valid.
	AcceptedSuffices bool
	// IgnoresParameters means that the parametersRef of a class is never checked.
	IgnoresParameters bool
	// KeepsParameters means that parameters which cannot be used are left out: the class stays accepted, the Gateway is translated,
	// and ResolvedRefs of both, which is about nothing else but a client certificate, says so.
	KeepsParameters bool
	// Parameters are the kinds that parametersRef may name; nil means any.
	Parameters []Kind
	// ParametersNamespace is the namespace of a class's parametersRef that names none.
	ParametersNamespace string
	// ReadsTelemetry means that a Gateway is not accepted if its parameters send logs, metrics or traces to a backend that cannot
	// be used.
	ReadsTelemetry bool
	// Merges is the field of the class's parameters that merges all Gateways of the class into
	// one data plane. Nil means that no field does this.
	Merges []string
	// Addresses are the types of address that are served; nil means any. AloneAddresses are
	// types that are served only if a Gateway requests a single address.
	Addresses, AloneAddresses []string
}
