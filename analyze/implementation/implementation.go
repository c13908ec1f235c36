// Package implementation describes where controllers of Gateway API differ from each other:
// where the specification allows a choice, and where they depart from it. It is data, with one
// file for each project. The controllerName of a GatewayClass selects the project, so the code
// that uses the data names no project.
//
// The zero value of every field means the behaviour of the specification. An unknown controller
// has this behaviour.
package implementation

import (
	"regexp"
	"slices"
	"strings"
)

// Implementation describes the behaviour of one controller.
type Implementation struct {
	// Name is the name of the project, empty for the specification.
	Name string
	// OnlyMatching means that only the order of matches is known. Objects are judged by the specification.
	OnlyMatching bool
	// Controllers are the controllerNames of its GatewayClasses. Classes are the GatewayClasses
	// that the controller itself creates, which are therefore in no repository, with their
	// controllerNames.
	Controllers []string
	Classes     map[string]string
	// PodLabel is a label KEY=VALUE that the pods of its Gateways have in addition to those of
	// the specification.
	PodLabel string
	// Proxies describes the pods of its Gateways where they are not those of the specification.
	Proxies Proxies
	// MeshController is the controllerName in the status of a route whose parent
	// is a Service.
	MeshController string

	Listeners Listeners
	Sets      ListenerSets
	Gateways  Gateways
	Routes    Routes
	Matching  Matching
	Policies  Policies
}

// Specification is the behaviour that is assumed for an unknown controller.
func Specification() *Implementation { return &specification }

var specification = Implementation{}

// All are the implementations that differ from the specification.
func All() []*Implementation {
	return []*Implementation{&envoyGateway, &istio, openshift(), &agentgateway, &kgateway, &gloo, &nginxGatewayFabric, &cilium, &kong, &traefik, &apisix}
}

// For finds the implementation of a controllerName.
func For(controller string) *Implementation {
	for _, i := range All() {
		if slices.Contains(i.Controllers, controller) {
			return i
		}
	}
	return Specification()
}

// Judges reports whether it is known how the controller judges objects.
func (i *Implementation) Judges() bool { return i.Name != "" && !i.OnlyMatching }

// ControllerOfClass is the controllerName of a GatewayClass that its controller or platform
// creates, or "".
func ControllerOfClass(class string) string {
	for _, i := range All() {
		if name := i.Classes[class]; name != "" {
			return name
		}
	}
	for prefix, name := range hosted {
		if strings.HasPrefix(class, prefix) {
			return name
		}
	}
	return ""
}

// hosted are the controllerNames of GatewayClasses that a platform provides, by the prefix of
// the class name.
var hosted = map[string]string{
	"cilium":             "io.cilium/gateway-controller",
	"gke-l7-":            "networking.gke.io/gateway",
	"azure-alb-external": "alb.networking.azure.io/alb-controller",
}

// others are further controllers (Gateway API, site/content/implementations). Policies of any
// other controller are known to have no effect at their Gateways.
var others = map[string]bool{
	"io.cilium/gateway-controller": true, "networking.gke.io/gateway": true, "alb.networking.azure.io/alb-controller": true,
	"traefik.io/gateway-controller": true, "konghq.com/kic-gateway-controller": true, "haproxy-ingress.github.io/controller": true,
	"gateway.k8s.aws/alb": true, "gateway.k8s.aws/nlb": true, "application-networking.k8s.aws/gateway-api-controller": true,
	"apisix.apache.org/apisix-ingress-controller": true, "projectcontour.io/gateway-controller": true, "solo.io/gloo-gateway": true,
	"gateway.nginx.org/nginx-gateway-controller": true, "gate.haproxy.org/hug": true, "microgateway.airlock.com/gatewayclass-controller": true,
}

// WellKnown reports whether a controllerName belongs to a known controller. Any other name may
// be the configured name of a known one.
func WellKnown(controller string) bool { return For(controller).Name != "" || others[controller] }

// Proxies describes the pods that a controller runs for each Gateway. The zero value means those of
// GEP-1762: in the namespace of the Gateway, labelled with its name.
type Proxies struct {
	// None means that no pods belong to one Gateway alone.
	None bool
	// Entity is what Cilium knows as the source of what its Gateways send.
	Entity string
	// Namespace is where the pods are by default, that of the controller; in other modes they are in the namespace of the
	// Gateway. Charts are the names of releases and charts that bring the controller to other namespaces.
	Namespace string
	Charts    []string
	// InGateway is the path of the value of such a chart that, set to GatewayNamespace, has the pods in the namespace of
	// the Gateway alone.
	InGateway []string
	// Elsewhere means that a Gateway with the address of a Service has the pods of that Service, and none of its own.
	Elsewhere bool
	// NameLabel and NamespaceLabel are the labels with the name and the namespace of the Gateway.
	NameLabel, NamespaceLabel string
}

// Kind identifies a kind of object.
type Kind struct{ Group, Name string }

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
	// OtherCertificateKey is a key beside tls.crt that may hold the certificate.
	OtherCertificateKey string
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

// Routes describes how routes and their references are judged.
type Routes struct {
	// HostnameFirst means that hostnames are compared before kind and namespace.
	HostnameFirst bool
	// NeedsListener means that no route attaches to a listener that lost a conflict, that has no
	// tls although it needs one, or that is an invalid listener of a ListenerSet.
	NeedsListener bool
	// Isolates means that a listener does not serve a hostname that another listener of the same
	// port has as its own. A route may then have no hostname at the listener.
	Isolates bool
	// OneRule are the kinds of route that must have exactly one rule. Otherwise they are not
	// accepted, with reason InvalidRule.
	OneRule []string
	// Matches is what a match of a rule must satisfy, nil if that is not known. The controller leaves out a rule with any
	// other match, and does not accept a route of which no rule is left, with the reason UnsupportedValue.
	Matches *Matches
	// Headers is what a filter that changes headers must satisfy, nil if that is not known or judged with all
	// filters of a rule.
	Headers *Headers
	// SingleFilters are the kinds of which a rule may name one in its filters. A rule with another one is left out as one with a
	// refused header is.
	SingleFilters []Kind
	// Ignored are the fields of rules that are ignored, by the kind of route, and IgnoredReason is the reason of a route that is
	// accepted with such a field.
	Ignored       map[string][]Ignored
	IgnoredReason string
	// Silent means that the status has no entry for a parentRef without a listener to attach to.
	// A parentRef that names a wrong listener still has an entry.
	Silent bool
	// Frontends are further kinds of parent in a mesh, in addition to Service.
	Frontends []Kind
	// KindAlone means that the kind of a backend is enough: its group may be that of any kind of
	// backend.
	KindAlone bool
	// JoinsReasons means that the reasons of all references that fail are joined, sorted.
	JoinsReasons bool
	// Backends are the kinds of backend, nil if they are unknown. Hosts are those of them that
	// name a host instead of an object.
	Backends, Hosts []Kind
	// BackendsOf are the kinds of route that take a kind of backend, where not all do.
	BackendsOf map[Kind][]string
	// Protocols are the kinds of route that take a Service port of an appProtocol, where not all do, and ProtocolReason is the reason
	// for any other.
	Protocols      map[string][]string
	ProtocolReason string
	// AuthReason is the reason for the backend of an ExternalAuth filter that cannot be used, empty for that of any backend;
	// HTTPAuthAlone means that a rule with such a filter of another protocol than HTTP is left out.
	AuthReason    string
	HTTPAuthAlone bool
	// LoneBackend are the kinds of route that are bound to no listener, and accepted by all, unless they have one rule with one
	// backend.
	LoneBackend []string
	// Extensible means that further kinds of backend can be registered with the controller. An
	// unknown kind that is in the input counts as one.
	Extensible bool
	// Delegates means that a route may be a backend and a parent of other routes.
	Delegates bool
	// LabelDelegation is the group of backendRefs of kind label. Such a backendRef delegates to
	// the routes that have its name as the value of the label GROUP/label; namespace all means
	// the routes of all namespaces. Empty means that there are no such backendRefs.
	LabelDelegation string
	// InfersParents means that the status of a route without parentRefs has an entry for each route that passes requests on to
	// it, and that what it refers to itself is judged there.
	InfersParents bool
	// PlainDelegates says that requests cannot be delegated to a route that has hostnames, nor is one
	// without a rule below the path of the rule that passes requests on.
	PlainDelegates bool
	// GrantedDelegates means that delegation to a route of another namespace needs a
	// ReferenceGrant if the route names no parent.
	GrantedDelegates bool
	// Filters are the supported types of filter by kind of route, for kinds of which they are
	// known. FilterReason is the reason for any other type.
	Filters      map[string][]string
	FilterReason string
	// FilterDropsRule means that such a filter is no matter of ResolvedRefs: its rule is not accepted, and the
	// route is not if no rule of it is. The requests of the rule get an error either way.
	FilterDropsRule bool
	// SilentFilters are the types of filter of which it is no matter of ResolvedRefs what is wrong with them.
	SilentFilters []string
	// FiltersTogether means that the filters of a rule are judged together, their contents included, and that the requests of
	// a rule with any error of a filter get an error.
	FiltersTogether bool
	// BackendFilters are the supported types of filter at a backend, by the kind of route; the backend is then judged before
	// its filters. Nil means those of the rule. With BackendFilterReason, the reason for any other type, the filters come
	// first, and a backend with such a filter is not looked at. BackendHostAlone means that a URLRewrite there may
	// change the host, and not the path.
	BackendFilters      map[string][]string
	BackendFilterReason string
	BackendHostAlone    bool
	// MirrorsEnd are the kinds of route that end with the first mirror
	// which fails; for any other kind no mirror does, whatever the reason. Nil means the HardReasons.
	MirrorsEnd []string
	// UnreadMirrors are the kinds of route of whose mirrors the controller does not look up the backends. It finds such a
	// backend where another route refers to it, or an object of the BackendReaders.
	UnreadMirrors  []string
	BackendReaders []Kind
	// Extensions are the kinds of extensionRef, nil if they are unknown.
	Extensions        []Kind
	ExtensionNotFound string
	// GrantFirst means that the grant for a reference is checked before its kind.
	GrantFirst bool
	// Ungrantable are the kinds of backend for which no ReferenceGrant counts.
	Ungrantable []Kind
	// FiltersFirst means that a filter that fails decides the reason, whatever the backends are.
	FiltersFirst bool
	// Controller is the controllerName in the status of routes, whatever the class of their Gateway;
	// empty for that of the class.
	Controller string
	// Unrouted are the controllerNames whose Gateways give routes no status.
	Unrouted []string
	// Unreported are the kinds of route that have no status at all. NoMesh means that a Service is no parent.
	Unreported []string
	NoMesh     bool
	// SharesVerdict means that the parentRefs of one parent share a verdict: one that is accepted suffices.
	SharesVerdict bool
	// BackendError is the reason of an HTTPRoute with an error that ends it: of a filter at a backend, or of a
	// name with a dot. It counts before any other of its rule.
	BackendError string
	// DottedPools means that DottedName holds for InferencePools, too.
	DottedPools bool
	// HardReasons are the reasons that end a route: the first of them decides.
	HardReasons []string
	// Means are kinds of backend that mean an object of another kind with the same name.
	Means map[Kind]Kind
	// KnownHosts means that a host must be one of the mesh's registry, in the namespace of the route.
	// ExternalBackends means that an XBackend is the hostname of its spec, which it registers there, and
	// that a port must be its own.
	KnownHosts, ExternalBackends bool
	// DottedName is the reason for a core Service with a name that contains a dot, NamespacedHost
	// the one for a host with a namespace.
	DottedName, NamespacedHost string
	// SkipsUnweighted means that backends of weight 0 are not checked.
	SkipsUnweighted bool
	// InvalidListener is the reason with which a parent does not accept a route if none of the listeners that it attaches to is
	// valid. Its other parents repeat that. Empty means that such listeners suffice.
	InvalidListener string
	// InvalidSet is the reason of a route at a ListenerSet of which no listener is valid; empty for that of its listeners.
	InvalidSet string
	// FirstTells means that of several listeners that do not take a route the first one gives the reason.
	FirstTells bool
	// NoHTTP2 is the field of a Gateway's parameters with which it takes no GRPCRoutes, with the reason NoHTTP2Reason.
	NoHTTP2       []string
	NoHTTP2Reason string
	// LastWins means that the last of several failing references decides the reason.
	LastWins bool
	// NoPort is the reason for a reference to a Service without a port, PortNotFound for one
	// with a port that the Service does not have.
	NoPort, PortNotFound string
	// Ported are other kinds of backend whose ports are compared as those of a Service.
	Ported []Kind
	// PortProtocols means that a port of a Service counts only if it has the protocol of the route.
	PortProtocols bool
	// ExternalName is the reason for a Service of type ExternalName. Empty means that it is
	// accepted, although the specification says that it should not be.
	ExternalName string
	// NameResolver is the field of a Gateway's parameters with which it takes such Services all the same.
	NameResolver []string
	// BackendTLS is how broken TLS settings of backends are reported on routes.
	BackendTLS BackendTLS
	// AnyFrontendPort means that section and port of a parentRef to a Service are not
	// compared with its ports.
	AnyFrontendPort bool
	// MissingFrontend is the reason for a route whose parent is a Service that does not exist.
	// The specification writes nothing for it.
	MissingFrontend string
}

// Ignored is a field of a rule by its path, and the value that it is ignored with; empty for any.
type Ignored struct{ Path, Value string }

// BackendTLS describes how a route reports backends whose TLS settings cannot be used.
type BackendTLS struct {
	// Reason is the reason of ResolvedRefs. Empty means that routes do not report it.
	Reason string
	// Kind is a kind of backend with endpoints and TLS settings of its own; Authorities and Client are the paths
	// of its references to certificates.
	Kind                Kind
	Authorities, Client string
}

// NamesHosts reports whether a kind of backend names a host and no object.
func (r *Routes) NamesHosts(group, kind string) bool {
	return slices.Contains(r.Hosts, Kind{group, kind})
}

// Policies describes how the status of policies is written.
type Policies struct {
	// Targets are the kinds of target of some kinds of policy; any other target counts as missing. The
	// ancestors of such a policy are its targets as written, with AncestorController, and then for
	// GatewaysOf every Gateway that a route with the target as a backend names as its parent, even one
	// that is missing or refuses the route. The verdict on a target that is rejected also holds for what
	// comes after it, and a missing target counts before anything else.
	Targets    map[string][]Kind
	GatewaysOf []string
	// OnlyValidRoutes means that a route of which no rule is accepted counts as missing.
	OnlyValidRoutes bool
	// NoConflicts are the kinds whose policies share a target.
	NoConflicts []string
	// ReferableKinds are kinds that a reference to an authority may name, though they hold none: one
	// that does not exist is missing, and not of a wrong kind.
	ReferableKinds []Kind
	// NoOwnValues means that the implementation has no values of its own for fields that allow some.
	// UnknownValue is the reason for a value that is not supported, if that is not Invalid.
	NoOwnValues  bool
	UnknownValue string
	// AuthorityKinds are the kinds that contain the authorities of a BackendTLSPolicy; nil means
	// the specification's ConfigMap.
	AuthorityKinds []string
	// IgnoresUnusable means that a BackendTLSPolicy whose authorities cannot be used does nothing: connections are without TLS.
	// Otherwise they fail.
	IgnoresUnusable bool
	// OneAuthorityFails means that one bad authority of a BackendTLSPolicy rejects it.
	OneAuthorityFails bool
	// ResolvedWithRefs means that ResolvedRefs is written only for a policy that refers to something.
	ResolvedWithRefs bool
	// SectionAncestors means that the ancestor of a policy on a route, or on a target below it,
	// is the parentRef with its section, not the Gateway as a whole. This includes parents that
	// refuse the route.
	SectionAncestors bool
	// Silent means that a Direct policy without an ancestor has no status. AlwaysSilent means
	// the same for any policy.
	Silent, AlwaysSilent bool
	// DeclaredAncestors means that the ancestor of a policy on a Gateway or route is that target
	// itself. ParentRefAncestors means that the ancestor of a policy on a route is the
	// parentRef, with its section, of each parent that accepts the route.
	DeclaredAncestors, ParentRefAncestors bool
	// NamedAncestors means that the parents of a route count as above it whether or not they accept it.
	NamedAncestors bool
	// GatewayAncestors means that only Gateways are ancestors, without a section. StandIn is the
	// ancestor of a policy that is attached to nothing.
	GatewayAncestors bool
	StandIn          Kind
	// ReferrerAncestors means that a policy that refers to a backend is an ancestor of the
	// policies on that backend. Otherwise the ancestors of the referring policy's targets are.
	ReferrerAncestors bool
	// IgnoreAnnotation is an annotation that, if true, makes the controller leave a policy for
	// backends to others, with the reason IgnoredReason.
	IgnoreAnnotation, IgnoredReason string
	// FirstAuthority means that only the first authority of a BackendTLSPolicy counts.
	FirstAuthority bool
	// Pools means that the controller writes a status for InferencePools, Backends that it does for
	// XBackends.
	Pools, Backends bool
	// AncestorController is the controllerName in the entry of a target that is an ancestor.
	AncestorController string
}

// Refers reports whether some implementation's routes or Gateways refer to objects
// of a kind.
func Refers(group, kind string) bool {
	one := Kind{group, kind}
	for _, i := range All() {
		if slices.Contains(i.Routes.Backends, one) || slices.Contains(i.Routes.Extensions, one) || slices.Contains(i.Routes.Frontends, one) || slices.Contains(i.Gateways.Parameters, one) {
			return true
		}
	}
	return false
}
