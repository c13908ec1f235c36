package implementation

import "slices"

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
	// SingleFilters are the kinds of which a rule may name only one in its filters. A rule with a second one is left
	// out, as is one with a refused header.
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
	// CoreGroups are further groups that mean the core group in references to backends and to authorities.
	CoreGroups []string
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
	// LoneRule are the kinds of route of which the controller leaves out all rules, without a word in the status, unless they have
	// exactly one.
	LoneRule []string
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
	// PlainDelegates says that requests cannot be delegated to a route with hostnames, and that a match of a rule
	// delegates requests only to routes that demand all that the match does. Without such a route, the rule answers
	// 500.
	PlainDelegates bool
	// GrantedDelegates means that delegation to a route of another namespace needs a
	// ReferenceGrant if the route names no parent.
	GrantedDelegates bool
	// TakenDelegates means that a route which its Gateways refuse delegates no requests, in the status of the routes that
	// name it as their parent.
	TakenDelegates bool
	// Filters are the supported types of filter by kind of route, for kinds of which they are
	// known. FilterReason is the reason for any other type.
	Filters      map[string][]string
	FilterReason string
	// FilterDropsRule means that such a filter does not affect ResolvedRefs: its rule is not accepted, and the route is
	// not accepted if none of its rules is. The requests of the rule get an error either way.
	FilterDropsRule bool
	// DroppedTells means that what a parent says of rules that are not accepted takes the place of that no listener allows the route:
	// with some other rules, the route is then accepted there.
	DroppedTells bool
	// DroppedFirst are the kinds of route of which nothing more is asked where none of their rules is accepted: the hostnames of
	// listeners are not compared, and attachedRoutes does not count the route.
	DroppedFirst []string
	// Replaced describes the rules that the controller replaces with an error.
	Replaced Replaced
	// SilentFilters are the types of filter whose faults do not affect ResolvedRefs.
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
	// Waypoints are the controllerNames of the waypoints whose routes of the mesh have a status; nil for any.
	Waypoints []string
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
	// Portless are kinds of backend of which a reference must not name a port, with the same reason.
	Portless []Kind
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

// Replaced describes the rules whose requests get 500 because of their filters, or because nothing answers them.
type Replaced struct {
	// Reason is the reason of a route that is not accepted because of one such rule, whatever its others are. Empty means that there
	// are no such rules.
	Reason string
	// Gateway and Listener are the reasons of a Gateway and of a listener that answer all requests so because of a policy on them.
	Gateway, Listener string
	// Direct is the kind of extension that answers requests itself: with a backend, a redirect or another one beside it, the rule
	// is replaced.
	Direct Kind
}

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
