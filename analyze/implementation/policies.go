package implementation

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
	// AuthoritiesByKind means that an authority is found by its kind, whatever the group in the reference is.
	AuthoritiesByKind bool
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
	// UnreadAuthority means that an authority of a BackendTLSPolicy need be no certificate, whatever one of a Gateway must be.
	UnreadAuthority bool
	// Pools means that the controller writes a status for InferencePools, Backends that it does for
	// XBackends.
	Pools, Backends bool
	// AncestorController is the controllerName in the entry of a target that is an ancestor.
	AncestorController string
}
