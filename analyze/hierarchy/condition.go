package hierarchy

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// Types of conditions (Gateway API, GatewayConditionType and its kin).
const (
	Accepted      = "Accepted"
	ResolvedRefs  = "ResolvedRefs"
	Programmed    = "Programmed"
	ConflictedIs  = "Conflicted"
	OverlapsTLS   = "OverlappingTLSConfig"
	InsecureTLS   = "InsecureFrontendValidationMode"
	NotInInput    = "NotInInput"
	pending       = "Pending"
	notPermitted  = "RefNotPermitted"
	notValid      = "ListenersNotValid"
	notAllowed    = "NotAllowed"
	noConflicts   = "NoConflicts"
	hostConflict  = "HostnameConflict"
	protoConflict = "ProtocolConflict"
	invalidKind   = "InvalidKind"

	invalidCertificate       = "InvalidCertificateRef"
	invalidAuthority         = "InvalidCACertificateRef"
	noValidAuthority         = "NoValidCACertificate"
	invalidClientCertificate = "InvalidClientCertificateRef"
	invalidRouteKinds        = "InvalidRouteKinds"

	backendNotFound = "BackendNotFound"
	parentNotFound  = "ParentNotFound"
	// parentNotAllowed is for a ListenerSet that its Gateway does not take.
	parentNotAllowed = "ParentNotAllowed"

	noMatchingParent      = "NoMatchingParent"
	notAllowedByListeners = "NotAllowedByListeners"
	noMatchingHostname    = "NoMatchingListenerHostname"
)

// Condition is one thing that a controller would write into a status, with the
// place of the line that decides it.
type Condition struct {
	Type            string
	Status          fact.Fact
	Reason, Message string
	// Owner and Ref are the place to change, none where nothing is wrong.
	Owner *loader.Object
	Ref   *loader.Value
	// AgeSensitive says that a time that is not in the input could turn it.
	AgeSensitive bool
	// Subject names what is wrong where a condition may be true of several things: it
	// tells one finding from another.
	Subject string
	// Carrier says what carries a reference of a route: BackendRef or Filter.
	Carrier Carrier
	// Involves are other objects that the verdict rests on: rivals, what a reference
	// names.
	Involves []loader.ID
}

// Carrier is what carries a reference of a route.
type Carrier string

// The carriers.
const (
	BackendRef Carrier = "backendRef"
	Filter     Carrier = "filter"
)

// Position is where the condition is decided, or nothing.
func (c *Condition) Position() loader.Position {
	if c.Owner == nil {
		return loader.Position{}
	}
	return c.Owner.Position(c.Ref)
}

// Bad says whether a condition tells of something wrong: false where true is
// well, or true where false is.
func (c *Condition) Bad() bool {
	switch c.Type {
	case ConflictedIs, OverlapsTLS, InsecureTLS, "PartiallyInvalid":
		return c.Status == fact.True
	default:
	}
	return c.Status == fact.False
}

// good is a condition that is as it should be.
func good(kind, reason string) Condition {
	return Condition{Type: kind, Status: fact.True, Reason: reason}
}

// conditions are those of one status, at most one of each type.
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

// worsen sets a condition that is worse than the one of its type, or the first.
func (c *conditions) worsen(n Condition) {
	if at := c.get(n.Type); at == nil || n.Status < at.Status {
		c.set(n)
	}
}

// order is that in which people read them.
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

// Condition is a node's condition of a type, or nil.
func (n *Node) Condition(kind string) *Condition { return n.Conditions.get(kind) }
