package implementation

import "regexp"

// TLSTerminate is the protocol TLS of a listener that terminates TLS. The protocol TLS alone
// means passthrough.
const TLSTerminate = "TLS/Terminate"

// Listeners describes how listeners are judged.
type Listeners struct {
	// RouteKinds are the kinds of route by protocol. A protocol that is not in the map is not
	// supported. Nil means the specification's table, with unknown behaviour for other
	// protocols.
	RouteKinds map[string][]string
	// SelectorOptional means that a missing selector of namespaces selects all of them. In the
	// specification it selects none.
	SelectorOptional bool
	// OwnKinds are further kinds of route for HTTP and HTTPS, which count only if allowedRoutes lists them and
	// the input has objects of the kind: a setting of the controller turns them on.
	OwnKinds []Kind
	// FirstWins means that the first of several listeners that are not distinct wins, also
	// inside one object. Its value is the rule that makes them distinct. Empty means the
	// specification, which picks no winner inside one Gateway.
	FirstWins Precedence
	// Pairwise means that two listeners of one port conflict by their protocols, as pairConflict in analyze/hierarchy says, and
	// that both lose if they are of one object.
	Pairwise bool
	// OwnConflictsAside means that a Gateway's own listeners never lose a conflict.
	OwnConflictsAside bool
	// DistinctProtocols means that UDP conflicts with HTTP and TLS on one port, too, and HTTPS with TLS where their hostnames overlap.
	DistinctProtocols bool
	// LayerFourFirstWins means that the first listener wins only among TCP and among UDP
	// listeners.
	LayerFourFirstWins bool
	// SetSpoilsHost means that no ListenerSet wins a port and hostname of which one ListenerSet has several listeners.
	SetSpoilsHost bool
	// Alone is what a listener must satisfy by itself before anything else of it is judged, nil if there is no such order.
	Alone *Alone
	// InvalidAside means that a listener that is invalid by itself conflicts with no other.
	InvalidAside bool
	// InvalidUnreported means that a listener that is invalid by itself takes part in conflicts, but
	// reports none.
	InvalidUnreported bool
	// HostnamesByNamespace means that listeners with the same hostname conflict only if they allow
	// routes of the same namespaces, as written, and that two TCP listeners conflict by hostname.
	HostnamesByNamespace bool
	// NoOverlaps means that OverlappingTLSConfig is never written.
	NoOverlaps bool
	// ConflictsAlone means that a listener that lost a conflict has no ResolvedRefs, unless its route kinds
	// are invalid, and that the conflict is also why it is not accepted. Unconflicted are the
	// controllerNames whose Gateways have no conflicts.
	ConflictsAlone bool
	Unconflicted   []string
	// Internal are the ports whose listeners are no parents of routes, by controllerName.
	Internal map[string]string
	// OverlapsValid means that only valid HTTPS listeners are compared for overlapping hostnames,
	// and that a wildcard covers one label.
	OverlapsValid bool
	// UnresolvedRejects means that a listener without any valid certificate is not accepted, for the same reason or for
	// UnresolvedReason. One with a
	// valid one counts as valid.
	UnresolvedRejects bool
	UnresolvedReason  string
	// PartialCertificates is the reason of a listener of which only some certificates are valid;
	// it serves with those. Empty means that the worst certificate decides.
	PartialCertificates string
	// OneCertificateSuffices means that bad certificates do not matter if one is good.
	OneCertificateSuffices bool
	// MaxCertificates is the maximum number of certificateRefs of a listener, 0 for no limit.
	MaxCertificates int
	// SecretBeforeGrant means that the controller checks that a certificate exists before it
	// checks the grant.
	SecretBeforeGrant bool
	// GrantsWithSecrets means that the controller looks for a ReferenceGrant only once it has the
	// certificate: the grant for one that does not exist counts only if another reference of its
	// namespace uses it.
	GrantsWithSecrets bool
	// InvalidBeforeGrant means that a listener without any valid certificate reports a missing
	// grant only if all of its certificates lack one.
	InvalidBeforeGrant bool
	// CertificateType is the type that the Secret of a certificate must have, empty for any.
	CertificateType string
	// CertificateKeys are the keys that the Secret of a certificate must have, nil if it is not
	// known.
	CertificateKeys []string
	// GrantBeforeKind means that the grant for a certificate of another namespace counts before its kind.
	GrantBeforeKind bool
	// CertificatePairs are pairs of keys, for a certificate and its private key, of which the Secret of a certificate must have one
	// whole; the first that it has counts. Nil means that tls.crt suffices.
	CertificatePairs [][2]string
	// CertificatesFirst means that the authorities of a listener are not looked at if one of its
	// certificates fails. RouteKindsFirst means that InvalidRouteKinds hides both.
	CertificatesFirst, RouteKindsFirst bool
	// MaxAuthorities is the maximum number of caCertificateRefs for a listener, 0 for no limit.
	// AuthoritiesForTLS means that they also apply to TLS listeners that terminate TLS, and
	// OptionsReplaceAuthorities that CertificateOptions replace them, too. AuthoritiesBySet means
	// that a reference without a namespace is to the namespace of the listener's own object.
	MaxAuthorities                                                 int
	AuthoritiesForTLS, OptionsReplaceAuthorities, AuthoritiesBySet bool
	// AuthoritiesWithCertificates means that authorities are looked at only beside a certificateRef.
	AuthoritiesWithCertificates bool
	// Reserved are the listeners that Gateways of a controllerName may have. Any other listener has
	// an unsupported protocol, but still counts as valid if the implementation knows its protocol. Exclusive are
	// protocols that only those Gateways support.
	Reserved  map[string][]Reservation
	Exclusive []string
	// StrictKinds means that a kind of route that is listed twice is invalid, and that a TLS
	// listener takes TCPRoutes only if it says that it terminates TLS.
	StrictKinds bool
	// CertificateOptions are TLS options with values for which the certificates are not checked.
	CertificateOptions map[string][]string
	// Options are the TLS options that the controller knows, with the values that each may have, nil for any; several are
	// separated by commas. It refuses a listener that terminates TLS with any other. Nil means that it refuses none.
	Options map[string][]string
	// LeastVersion and MostVersion are the options with the first and the last version, ClientNames the one that needs authorities of
	// the clients' certificates in the Gateway's tls.
	LeastVersion, MostVersion, ClientNames string
	// Refusals are TLS options that cannot be combined with something else.
	Refusals []Refusal
	// NotPermittedRejects means that a certificate without a grant makes the listener
	// not accepted, with the reason NoValidCACertificate.
	NotPermittedRejects bool
	// OneAuthorityFails means that one bad authority has the same effect as if all are bad.
	OneAuthorityFails bool
	// ValidUnresolved are the reasons of unresolved references with which a listener still
	// counts as valid for its Gateway or ListenerSet.
	ValidUnresolved []string
	// SilentlyRejects means that a listener that is invalid for a reason other than its
	// protocol, a certificate or an authority has no Accepted condition at all.
	SilentlyRejects bool
	// ProgramsInvalid means that a listener whose protocol, kinds or missing tls are wrong is programmed all the
	// same: only a conflict, or certificates or authorities all of which fail, prevent it. Such a listener
	// also reports its conflicts, unless its protocol is not supported.
	ProgramsInvalid bool
	// NeedsCertificate means that a listener which terminates TLS needs a certificateRef whatever its options.
	NeedsCertificate bool
	// ClientCertificate means that every listener reports a client certificate of its Gateway that cannot be
	// used, unless its own certificates fail.
	ClientCertificate bool
	// PartialAuthorities means that a listener of which only some authorities fail counts as valid.
	PartialAuthorities bool
	// KnownKindsOnly means that the kinds of routes are looked at only if the protocol is supported.
	KnownKindsOnly bool
	// KindsOnce means that a kind of route that is listed twice is invalid.
	KindsOnce bool
	// Modes is an annotation with the ports of an object that are of another mode: listeners of both modes on one
	// port conflict before anything else is compared, with the reason ModeConflict.
	Modes, ModeConflict string
	// ReservedPorts are ports of the proxy itself: a listener there is in conflict, with the reason Invalid.
	ReservedPorts []string
	// CountsMirrors means that attachedRoutes counts each backend to which a rule mirrors as a route.
	CountsMirrors bool
	// CountsReferences means that attachedRoutes counts the parentRefs that attach to a
	// listener, not the routes.
	CountsReferences bool
}

// Alone is what an implementation demands of what is written in a listener. One that fails has the conditions that say so and no
// others; without a protocol, with a kind of route that the protocol does not have, without a selector, or of the protocol TLS
// without tls no route can attach to it, with the reason InvalidListener of Routes.
type Alone struct {
	// Options are the TLS options that are supported, with the form of their values.
	Options map[string]*regexp.Regexp
	// MetricsPort is the port of the metrics, which no listener has, and Metrics the path in a Gateway's parameters of a map that
	// has another port, or disables them.
	MetricsPort string
	Metrics     []string
}

// Precedence is the rule by which the first of several listeners of one port wins.
type Precedence string

// The rules: a later listener loses to an earlier one with its hostname (hostname), or also to
// one of another protocol (protocol), where HTTPS and TLS count as one protocol (family).
const (
	ByHostname Precedence = "hostname"
	ByProtocol Precedence = "protocol"
	ByFamily   Precedence = "family"
)

// Refusal is a TLS option that cannot be combined with another option or field of the listener,
// named by With, and the reason of the condition.
type Refusal struct {
	Option, Value string
	With, Reason  string
}

// What a TLS option cannot be combined with, in addition to other options.
const (
	WithCertificates = "certificateRefs"
	WithAuthorities  = "caCertificateRefs"
)

// Reservation is a kind of listener: its protocol, its port (0 for any other port), and the mode of
// its tls, empty for any.
type Reservation struct {
	Protocol string
	Port     int
	Mode     string
}
