// Package implementation says what controllers of Gateway API do in their own
// way: where the specification leaves room, and where they depart from it. It
// is data, one file for each project, chosen by the controllerName of a
// GatewayClass; whoever decides asks it and names no project.
//
// The zero value of every field is the specification, so an unknown controller
// gets that.
package implementation

import (
	"slices"
	"strings"
)

// Implementation is one controller's own way.
type Implementation struct {
	// Name is the project's, empty for the specification.
	Name string
	// Controllers are the controllerNames of its GatewayClasses, Classes those
	// classes that it makes by itself, which are in no repository, with their
	// controllerNames.
	Controllers []string
	Classes     map[string]string
	// PodLabel is a label KEY=VALUE that the pods of its Gateways have besides those
	// of the specification.
	PodLabel string
	// MeshController is the controllerName in the status of a route whose parent
	// is a Service.
	MeshController string

	Listeners Listeners
	Sets      ListenerSets
	Gateways  Gateways
	Routes    Routes
	Policies  Policies
}

// Specification is what an unknown controller is taken to do.
func Specification() *Implementation { return &specification }

var specification = Implementation{}

// All are the implementations that differ from the specification.
func All() []*Implementation {
	return []*Implementation{&envoyGateway, &istio, &agentgateway, &kgateway, &gloo, &nginxGatewayFabric}
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

// ControllerOfClass is the controllerName of a GatewayClass that its controller
// makes by itself, or "".
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

// hosted are the controllerNames of classes that a platform brings along, by the
// beginning of their names.
var hosted = map[string]string{
	"cilium":             "io.cilium/gateway-controller",
	"gke-l7-":            "networking.gke.io/gateway",
	"azure-alb-external": "alb.networking.azure.io/alb-controller",
}

// others are further controllers (Gateway API, site/content/implementations): of their
// Gateways it is known that no other controller applies its policies there.
var others = map[string]bool{
	"io.cilium/gateway-controller": true, "networking.gke.io/gateway": true, "alb.networking.azure.io/alb-controller": true,
	"traefik.io/gateway-controller": true, "konghq.com/kic-gateway-controller": true, "haproxy-ingress.github.io/controller": true,
	"gateway.k8s.aws/alb": true, "gateway.k8s.aws/nlb": true, "application-networking.k8s.aws/gateway-api-controller": true,
	"apisix.apache.org/apisix-ingress-controller": true, "projectcontour.io/gateway-controller": true, "solo.io/gloo-gateway": true,
	"gateway.nginx.org/nginx-gateway-controller": true, "microgateway.airlock.com/gatewayclass-controller": true,
}

// WellKnown says whether a controllerName is that of a controller which is known by it: not
// another name of one that can be configured.
func WellKnown(controller string) bool { return For(controller).Name != "" || others[controller] }

// Kind names a kind of object.
type Kind struct{ Group, Name string }

// TLSTerminate is the protocol TLS where the listener terminates it; TLS alone
// means that it passes through.
const TLSTerminate = "TLS/Terminate"

// Listeners is how listeners are judged.
type Listeners struct {
	// RouteKinds are the kinds of route by protocol; a protocol that is not in it is
	// not supported. Nil means the specification's table, and that nobody knows
	// what other protocols do.
	RouteKinds map[string][]string
	// SelectorOptional says that a selector of namespaces that is missing selects all of
	// them; the specification has it select none.
	SelectorOptional bool
	// OwnKinds are further kinds of route, which count where allowedRoutes list them.
	OwnKinds []Kind
	// FirstWins says that of listeners that are not distinct the first is taken, also
	// inside one object, and how they are told apart. Empty is the specification,
	// which picks no winner inside one Gateway.
	FirstWins Precedence
	// OwnConflictsAside says that a Gateway's own listeners never lose a conflict.
	OwnConflictsAside bool
	// LayerFourFirstWins says the same of TCP, and of UDP, listeners alone.
	LayerFourFirstWins bool
	// InvalidAside says that a listener that is invalid by itself conflicts with
	// none.
	InvalidAside bool
	// PartialCertificates is the reason of a listener of which some certificates are
	// good; it serves with those. Empty: it is as bad as its worst.
	PartialCertificates string
	// OneCertificateSuffices says that bad certificates beside a good one do not
	// matter.
	OneCertificateSuffices bool
	// MaxCertificates is how many certificateRefs a listener may have, 0 for any.
	MaxCertificates int
	// SecretBeforeGrant says that a certificate is looked for before its grant.
	SecretBeforeGrant bool
	// CertificateOptions are TLS options with values for which no certificate is
	// looked at.
	CertificateOptions map[string][]string
	// Refusals are TLS options that do not go with something else.
	Refusals []Refusal
	// NotPermittedRejects says that a certificate without a grant makes the listener
	// not accepted, with the reason NoValidCACertificate.
	NotPermittedRejects bool
	// OneAuthorityFails says that one bad authority is as bad as all of them.
	OneAuthorityFails bool
	// ValidUnresolved are the reasons of unresolved references with which a listener
	// still counts as valid for its Gateway or ListenerSet.
	ValidUnresolved []string
	// SilentlyRejects says that a listener which is bad for another reason than its
	// protocol, a certificate or an authority gets no Accepted condition at all.
	SilentlyRejects bool
	// CountsReferences says that attachedRoutes counts the parentRefs that a listener
	// takes and not the routes.
	CountsReferences bool
}

// Precedence is how the first of several listeners of one port wins.
type Precedence string

// The ways: who comes later loses to a listener with its hostname, or to one of
// another protocol, too, where HTTPS and TLS may count as one.
const (
	ByHostname Precedence = "hostname"
	ByProtocol Precedence = "protocol"
	ByFamily   Precedence = "family"
)

// Refusal is a TLS option that does not go with another option or field of the
// listener, named by With, and the reason that is given.
type Refusal struct {
	Option, Value string
	With, Reason  string
}

// What a TLS option may not go with, beside other options.
const (
	WithCertificates = "certificateRefs"
	WithAuthorities  = "caCertificateRefs"
)

// ListenerSets is how ListenerSets are judged.
type ListenerSets struct {
	// Controllers are the controllerNames whose Gateways take ListenerSets, nil for
	// all.
	Controllers []string
	// PartlyReason is the reason of an accepted ListenerSet some of whose listeners
	// are not valid.
	PartlyReason string
	// WithoutTLS is the reason of an HTTPS or TLS listener without tls that is not
	// accepted.
	WithoutTLS string
	// UnresolvedReason is the reason of a listener that is not accepted because its
	// references are not resolved; empty: it stays accepted.
	UnresolvedReason string
	// ParentReasons are the reasons of a Gateway that is not accepted for which its
	// ListenerSets are not accepted either, with the same reason. Nil: all, as
	// ParentNotAccepted.
	ParentReasons []string
}

// Gateways is how Gateways and their classes are judged.
type Gateways struct {
	// AuthorityKinds are the kinds that hold certificates of authorities; nil is the
	// specification's ConfigMap.
	AuthorityKinds []string
	// AlwaysResolved says that ResolvedRefs is written without a tls stanza, too.
	AlwaysResolved bool
	// UnresolvedNotValid says that a listener whose references are not resolved does
	// not count as valid for its Gateway.
	UnresolvedNotValid bool
	// IgnoresListenerRefs says that a Gateway's ResolvedRefs tells nothing of its
	// listeners' references.
	IgnoresListenerRefs bool
	// SecretBeforeGrant says that a client certificate is looked for before its grant.
	SecretBeforeGrant bool
	// HiddenUnaddressed says that a Gateway without one address that is served has no
	// listeners and no routes in any status.
	HiddenUnaddressed bool
	// AcceptedSuffices says that a Gateway is accepted as long as one listener is, also
	// if none is valid.
	AcceptedSuffices bool
	// IgnoresParameters says that parametersRef of a class is never wrong.
	IgnoresParameters bool
	// Parameters are the kinds that parametersRef may name; nil: any.
	Parameters []Kind
	// ParametersNamespace is that of a class's parametersRef without one.
	ParametersNamespace string
	// Merges is the field of the class's parameters that merges all Gateways of the
	// class into one data plane, where that can be.
	Merges []string
	// Addresses are the types of address that are served, AloneAddresses those that
	// are served where a Gateway asks for one address only; nil: any.
	Addresses, AloneAddresses []string
}

// Routes is how routes and their references are judged.
type Routes struct {
	// HostnameFirst says that hostnames are compared before kind and namespace.
	HostnameFirst bool
	// NeedsListener says that no route attaches to a listener that lost a conflict, that
	// lacks tls, or that is not valid in a ListenerSet.
	NeedsListener bool
	// Isolates says that a hostname which another listener of the same port has for
	// its own is not served by this one, which may leave a route nothing.
	Isolates bool
	// OneRule are the kinds of route that are not accepted, as InvalidRule, unless
	// they have one rule.
	OneRule []string
	// Silent says that a parentRef with no listener to attach to gets no entry in
	// the status, other than one that names the wrong listener.
	Silent bool
	// Frontends are further kinds of parent in a mesh, beside Service.
	Frontends []Kind
	// KindAlone says that the group of a backend is not compared.
	KindAlone bool
	// JoinsReasons says that the reasons of all references that fail are joined, sorted.
	JoinsReasons bool
	// Backends are the kinds of backend, nil if nobody knows; Hosts those that name
	// a host and no object.
	Backends, Hosts []Kind
	// Extensible says that further kinds of backend can be registered with the
	// controller: one that the input has is taken for one of them.
	Extensible bool
	// Delegates says that a route may be a backend and a parent of other routes.
	Delegates bool
	// LabelDelegation is the group of a backendRef of kind label, whose name is the
	// value that the label GROUP/label of the routes has; in namespace all, those of
	// all. Empty: there is no such thing.
	LabelDelegation string
	// PlainDelegates says that requests cannot be delegated to a route that has hostnames, nor is one
	// without a rule below the path of the rule that passes requests on.
	PlainDelegates bool
	// GrantedDelegates says that a route of another namespace that names no parent is
	// passed requests only with a ReferenceGrant.
	GrantedDelegates bool
	// Filters are the types of filter by kind of route, for kinds of which that is
	// known, FilterReason the reason of another.
	Filters      map[string][]string
	FilterReason string
	// Extensions are the kinds of extensionRef, nil if nobody knows.
	Extensions        []Kind
	ExtensionNotFound string
	// GrantFirst says that a reference's grant is asked for before its kind.
	GrantFirst bool
	// SkipsUnweighted says that backends of weight 0 are not looked at.
	SkipsUnweighted bool
	// LastWins says that of several references that fail the last one counts.
	LastWins bool
	// NoPort and PortNotFound are the reasons of a reference to a Service without a
	// port, or with one that the Service does not have.
	NoPort, PortNotFound string
	// ExternalName is the reason of a Service that is a name outside the cluster;
	// empty: it is taken, though the specification says it should not be.
	ExternalName string
	// AnyFrontendPort says that section and port of a parentRef to a Service are not
	// compared with its ports.
	AnyFrontendPort bool
	// MissingFrontend is the reason of a route whose parent is a Service that does
	// not exist; the specification writes nothing.
	MissingFrontend string
}

// NamesHosts says whether a kind of backend names a host and no object.
func (r *Routes) NamesHosts(group, kind string) bool {
	return slices.Contains(r.Hosts, Kind{group, kind})
}

// Policies is how the status of policies is written.
type Policies struct {
	// TargetAncestor says that a policy on a backend has its target as an ancestor,
	// before the Gateways.
	TargetAncestor bool
	// AuthorityKinds are the kinds that hold the authorities of a BackendTLSPolicy;
	// nil is the specification's ConfigMap.
	AuthorityKinds []string
	// SectionAncestors says that the ancestor of a policy on what lies below a route
	// is the parentRef with its section, and not the Gateway as a whole; refused
	// parents are among them.
	SectionAncestors bool
	// Silent says that nothing is written of a Direct policy that no ancestor has,
	// AlwaysSilent the same of any policy.
	Silent, AlwaysSilent bool
	// DeclaredAncestors says that the ancestor of a policy on a Gateway or route is
	// that itself, ParentRefAncestors that the ancestor of one on a route is the
	// parentRef, with its section, of each parent that takes it.
	DeclaredAncestors, ParentRefAncestors bool
	// GatewayAncestors says that ancestors are Gateways alone, without a section, and
	// StandIn is the ancestor of a policy that is attached to nothing.
	GatewayAncestors bool
	StandIn          Kind
	// ReferrerAncestors says that a policy which refers to a backend is an ancestor of the
	// policies on that; otherwise what is above its targets is.
	ReferrerAncestors bool
	// AncestorController is the controllerName beside a target that is an ancestor.
	AncestorController string
}

// Refers says whether some implementation's routes or Gateways refer to objects
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
