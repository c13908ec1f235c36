package hierarchy

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
)

// unresolvedListener returns the worst ResolvedRefs condition of the listeners for their Gateway,
// or nil if all are true. If it is false, the reason is ListenersNotResolved (Gateway API,
// GatewayReasonListenersNotResolved).
func (n *Node) unresolvedListener() (worst *Condition) {
	for _, l := range n.Sections {
		c := l.Condition(ResolvedRefs)
		if c == nil || c.Status == fact.True || worst != nil && worst.Status <= c.Status {
			continue
		}
		sum := *c
		sum.Message = l.Spoken() + ": " + c.Message
		if c.Status == fact.False {
			sum.Reason = "ListenersNotResolved"
		}
		worst = &sum
	}
	return worst
}

// sumUp returns the Accepted condition of an object with listeners: false if no listener is valid,
// and true with another reason if only some are valid (Gateway API, GatewayReasonListenersNotValid,
// ListenerSetReasonListenersNotValid).
func sumUp(n *Node, own *implementation.Implementation) Condition {
	bad, unsure, all := 0, 0, 0
	var first *Condition
	for _, l := range n.Sections {
		if l.Level != LevelListener || l.Value == nil {
			continue
		}
		all++
		flaw := l.flaw(own)
		switch {
		case flaw == nil:
			continue
		case flaw.Status == fact.False:
			bad++
		default:
			unsure++
		}
		if first == nil || flaw.Status == fact.False && first.Status != fact.False {
			first = flaw
		}
	}
	if first == nil {
		return good(Accepted, Accepted)
	}
	sum := *first
	sum.Type, sum.Status, sum.Reason, sum.Message = Accepted, fact.True, Accepted, ""
	suffices := own.Gateways.AcceptedSuffices && n.Level == LevelGateway && (anyAccepted(n) || own.Listeners.UnresolvedReason != "" && anyUnresolved(n))
	switch {
	case bad == all && !suffices:
		sum.Status, sum.Reason, sum.Message = fact.False, notValid, "no listener is valid: "+first.Message
	case bad+unsure == all && !suffices:
		sum.Status, sum.Reason, sum.Message = fact.Unknown, NotInInput, first.Message
	case bad > 0:
		sum.Reason, sum.Message = notValid, fmt.Sprintf("%d of %d listeners are not valid: %s", bad, all, first.Message)
	}
	return sum
}

// anyAccepted reports whether any listener of an object is accepted.
func anyAccepted(n *Node) bool {
	return slices.ContainsFunc(n.Sections, func(l *Node) bool {
		c := l.Condition(Accepted)
		return c != nil && c.Status == fact.True
	})
}

// anyUnresolved reports whether any listener of an object is not accepted for its certificates alone, which some implementations
// look at only once the Gateway is accepted (kgateway, translator/listener/gateway_listener_translator.go).
func anyUnresolved(n *Node) bool {
	return slices.ContainsFunc(n.Sections, func(l *Node) bool {
		conflict := l.Condition(ConflictedIs)
		return l.failure != nil && (conflict == nil || conflict.Status != fact.True)
	})
}

// Attached reports whether a ListenerSet that its Gateway admits counts as attached to it: it is accepted, or only the
// addresses of the Gateway keep it from that (Istio pilot/pkg/config/kube/gateway/gateway_collection.go, GatewayCollection).
func (n *Node) Attached() bool {
	accepted := n.Condition(Accepted)
	if accepted == nil {
		return false
	}
	return accepted.Status == fact.True || accepted.Reason == UnsupportedAddress && anyAccepted(n)
}

// flaw returns the condition that makes a listener invalid, or nil. For a ListenerSet this includes
// an unresolved certificate, such as one without a grant (conformance test
// ListenerSetReferenceGrant). For a Gateway it does if the implementation says so.
func (n *Node) flaw(own *implementation.Implementation) *Condition {
	accepted, refs := n.Condition(Accepted), n.Condition(ResolvedRefs)
	switch {
	case n.failure != nil && own.Listeners.RouteKindsFirst && own.Gateways.UnresolvedNotValid:
		return n.failure // also where another condition hides it
	case n.partial && (own.Listeners.PartialAuthorities || own.Listeners.UnresolvedReason != "") && accepted != nil && accepted.Status == fact.True:
		return nil
	case n.Reserved && accepted != nil && accepted.Reason == "UnsupportedProtocol":
		return nil
	case accepted == nil: // rejected without an Accepted condition
		return n.Conditions.firstBad()
	case accepted.Status != fact.True:
		return accepted
	case refs.Status == fact.True, n.Owner.Level == LevelGateway && !own.Gateways.UnresolvedNotValid,
		refs.Reason == invalidRouteKinds, slices.Contains(own.Listeners.ValidUnresolved, refs.Reason):
		return nil
	}
	return refs
}
