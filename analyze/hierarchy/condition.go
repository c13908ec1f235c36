package hierarchy

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// Types and reasons of conditions (Gateway API, GatewayConditionType and similar types).
const (
	Accepted      = "Accepted"
	ResolvedRefs  = "ResolvedRefs"
	Programmed    = "Programmed"
	ConflictedIs  = "Conflicted"
	OverlapsTLS   = "OverlappingTLSConfig"
	InsecureTLS   = "InsecureFrontendValidationMode"
	NotInInput    = "NotInInput"
	pending       = "Pending"
	NotPermitted  = "RefNotPermitted"
	notValid      = "ListenersNotValid"
	notAllowed    = "NotAllowed"
	noConflicts   = "NoConflicts"
	hostConflict  = "HostnameConflict"
	protoConflict = "ProtocolConflict"
	InvalidKind   = "InvalidKind"

	UnsupportedAddress       = "UnsupportedAddress"
	invalidCertificate       = "InvalidCertificateRef"
	invalidAuthority         = "InvalidCACertificateRef"
	noValidAuthority         = "NoValidCACertificate"
	invalidClientCertificate = "InvalidClientCertificateRef"
	invalidRouteKinds        = "InvalidRouteKinds"
	invalidParameters        = "InvalidParameters"
	reservedPort             = "Invalid" // kgateway translator/listener/validation.go

	unsupportedValue    = "UnsupportedValue"
	incompatibleFilters = "IncompatibleFilters"
	invalidFilter       = "InvalidFilter"

	BackendNotFound = "BackendNotFound"
	parentNotFound  = "ParentNotFound"
	// parentNotAllowed is the reason for a ListenerSet that its Gateway does not allow.
	parentNotAllowed = "ParentNotAllowed"

	NoMatchingParent      = "NoMatchingParent"
	NotAllowedByListeners = "NotAllowedByListeners"
	noMatchingHostname    = "NoMatchingListenerHostname"
)

// Condition is a condition that a controller would write into a status, with the position of the
// line that decides it.
type Condition struct {
	Type            string
	Status          fact.Fact
	Reason, Message string
	// Owner and Ref locate what to change. They are empty if nothing is wrong.
	Owner *loader.Object
	Ref   *loader.Value
	// AgeSensitive means that a creation time which is not in the input could change the status.
	AgeSensitive bool
	// Subject names what is wrong, if a condition can apply to several things. It distinguishes one
	// finding from another.
	Subject string
	// Carrier is the part of a route that decides: BackendRef, Filter, or MatchOfRule.
	Carrier Carrier
	// Involves lists other objects that the verdict depends on: competing objects and the targets
	// of references.
	Involves []loader.ID
	// ends means that nothing after this reference of a route is looked at, whatever the reason; goesOn
	// that everything is.
	ends, goesOn bool
	// quiet means that Accepted does not repeat this conflict, rejected the reason with which it does, if it is another.
	quiet    bool
	rejected string
	// ofBackend means that it is about the backend of a filter.
	ofBackend bool
	// drops means that the rule is not accepted because of it.
	drops bool
	// filter is the type of a filter that it is about.
	filter string
	// rule is the position of the rule that has the reference.
	rule int
}

// Carrier is the part of a route that a condition is about.
type Carrier string

// The carriers.
const (
	BackendRef  Carrier = "backendRef"
	Filter      Carrier = "filter"
	MatchOfRule Carrier = "match"
)

// Position returns the place that decides the condition, or nothing.
func (c *Condition) Position() loader.Position {
	if c.Owner == nil {
		return loader.Position{}
	}
	return c.Owner.Position(c.Ref)
}

// Bad reports whether a condition shows a problem: its status is false, or it is true for the types
// where true means a problem.
func (c *Condition) Bad() bool {
	switch c.Type {
	case ConflictedIs, OverlapsTLS, InsecureTLS, PartiallyInvalid:
		return c.Status == fact.True
	default:
	}
	return c.Status == fact.False
}

// good returns a condition that reports no problem.
func good(kind, reason string) Condition {
	return Condition{Type: kind, Status: fact.True, Reason: reason}
}

// conditions holds the conditions of one status, at most one of each type.
type conditions []Condition

func (c conditions) get(kind string) *Condition {
	for i := range c {
		if c[i].Type == kind {
			return &c[i]
		}
	}
	return nil
}

// set replaces the condition of a type.
func (c *conditions) set(n Condition) {
	if at := c.get(n.Type); at != nil {
		*at = n
		return
	}
	*c = append(*c, n)
}

// remove removes the condition of a type.
func (c *conditions) remove(kind string) {
	*c = slices.DeleteFunc(*c, func(one Condition) bool { return one.Type == kind })
}

// worsen sets a condition if it is worse than the present one of its type, or if there is none.
func (c *conditions) worsen(n Condition) {
	if at := c.get(n.Type); at == nil || n.Status < at.Status {
		c.set(n)
	}
}

// order is the display order of condition types.
var order = []string{Accepted, ResolvedRefs, ConflictedIs, Programmed}

func (c conditions) sort() {
	rank := func(kind string) int {
		if i := slices.Index(order, kind); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(c, func(a, b Condition) int {
		return cmp.Or(cmp.Compare(rank(a.Type), rank(b.Type)), cmp.Compare(a.Type, b.Type))
	})
}

// Condition returns a node's condition of a type, or nil.
func (n *Node) Condition(kind string) *Condition { return n.Conditions.get(kind) }

// firstBad returns the first condition of a listener that shows a problem, with its status set to
// false.
func (c conditions) firstBad() *Condition {
	for _, one := range c {
		if one.Bad() && one.Type != OverlapsTLS {
			one.Status = fact.False
			return &one
		}
	}
	return nil
}

// certificateFailed reports whether the certificates of a listener cannot be used.
func (c conditions) certificateFailed() bool {
	refs, programmed := c.get(ResolvedRefs), c.get(Programmed)
	return refs != nil && refs.Status == fact.False && refs.Reason != invalidRouteKinds || programmed != nil && programmed.Status == fact.False
}

// lostHostname reports whether a listener is rejected because another one has its hostname.
func (c conditions) lostHostname() bool {
	conflict := c.get(ConflictedIs)
	return conflict != nil && conflict.Status == fact.True && conflict.Reason == hostConflict
}
