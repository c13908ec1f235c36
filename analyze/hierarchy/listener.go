package hierarchy

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// listeners evaluates the listeners of Gateways and ListenerSets.
type listeners struct {
	*gateways
	certificates *certificates
	// ages decides precedence among ListenerSets and among merged Gateways.
	ages *age.Known
	// owners caches the listeners of Gateways by port and hostname.
	owners map[*Node]map[portHost][]*Node
	// protocols caches the route kinds that the protocols of listeners support.
	protocols map[*Node]protocolKinds
}

// judgeListeners sets the conditions of the listeners of a Gateway and of the ListenerSets below
// it. Attachment does not depend on them: a rejected listener also counts its routes.
func (l *listeners) judgeListeners(gateway *Node) {
	own := l.Implementation(gateway)
	for _, owner := range append([]*Node{gateway}, l.setsOf(gateway)...) {
		for _, n := range owner.Sections {
			if n.Level != LevelListener || n.Value == nil {
				continue
			}
			if owner == gateway && l.NoUsableAddress(gateway) {
				continue // nothing is wrong with a listener that is not looked at
			}
			l.judgeListener(n, gateway, own)
		}
	}
	if l.NoUsableAddress(gateway) {
		return
	}
	if !slices.Contains(own.Listeners.Unconflicted, l.Controller(gateway)) {
		l.judgeConflicts(gateway, own)
	}
}

// concludeListeners sets the remaining conditions, which depend on other conditions.
func (l *listeners) concludeListeners(gateway *Node) {
	own := l.Implementation(gateway)
	for _, owner := range append([]*Node{gateway}, l.setsOf(gateway)...) {
		for _, n := range owner.Sections {
			if n.Level == LevelListener && n.Value != nil {
				conclude(n, own)
			}
		}
	}
}

// Listeners returns the listeners of a Gateway and of the ListenerSets that it takes.
func (l *listeners) Listeners(gateway *Node) []*Node {
	var out []*Node
	for _, owner := range append([]*Node{gateway}, l.setsOf(gateway)...) {
		for _, n := range owner.Sections {
			if n.Level == LevelListener && n.Value != nil && (owner == gateway || admission(owner, gateway) == fact.True) {
				out = append(out, n)
			}
		}
	}
	return out
}

// setsOf returns the ListenerSets below a Gateway in order of precedence: the oldest first, then by
// name (GEP-1713).
func (l *listeners) setsOf(gateway *Node) []*Node {
	var sets []*Node
	for _, e := range gateway.Down {
		if e.Child.Level == LevelListenerSet && e.Child.Object != nil {
			sets = append(sets, e.Child)
		}
	}
	if l.Implementation(gateway).Sets.ByName {
		slices.SortStableFunc(sets, func(a, b *Node) int { return a.Target.Compare(b.Target) })
		return sets
	}
	slices.SortStableFunc(sets, func(a, b *Node) int { return l.ages.Order(a.Object, b.Object).Compare })
	return sets
}

// judgeListener evaluates a listener on its own.
func (l *listeners) judgeListener(n, gateway *Node, own *implementation.Implementation) {
	l.judgeProtocol(n, own)
	l.judgeReserved(n, gateway, own)
	if l.judgeAlone(n, gateway, own) {
		return
	}
	if from := n.Value.Get("allowedRoutes", "namespaces"); selectorless(from) && !own.Listeners.SelectorOptional {
		n.setUnusable(from, "allowedRoutes.namespaces.from is Selector, but selector is missing")
	}
	l.certificates.judgeTLS(n, gateway, own)
	l.certificates.judgeFrontend(n, gateway, own)
	l.certificates.judgeClient(n, gateway, own)
}

// judgeReserved rejects a listener that Gateways of this controller may not have.
func (l *listeners) judgeReserved(n, gateway *Node, own *implementation.Implementation) {
	protocol, port, mode := n.Value.Str("protocol"), textOf(n.Value.Get("port")), n.Value.Str("tls", "mode")
	allowed, reserved := own.Listeners.Reserved[l.Controller(gateway)]
	message := ""
	switch {
	case reserved:
		if !slices.ContainsFunc(allowed, func(r implementation.Reservation) bool {
			taken := slices.ContainsFunc(allowed, func(o implementation.Reservation) bool { return strconv.Itoa(o.Port) == port })
			return r.Protocol == protocol && (r.Mode == "" || r.Mode == mode) && (strconv.Itoa(r.Port) == port || r.Port == 0 && !taken)
		}) {
			message = aListener(protocol) + " on port " + port + " is not one that this class of Gateway has"
		}
	case slices.Contains(own.Listeners.Exclusive, protocol):
		message = fmt.Sprintf("protocol %q is only for other classes of Gateway", protocol)
	}
	if message != "" {
		n.Reserved = reserved && (slices.Contains(own.Listeners.Exclusive, protocol) || slices.Contains([]string{"HTTP", "HTTPS", "TLS", "TCP"}, protocol))
		n.Conditions.worsen(n.condition(Accepted, fact.False, "UnsupportedProtocol", message, n.Value.Get("protocol")))
	}
}

// selectorless reports whether a `namespaces` stanza selects namespaces by a selector but has none.
func selectorless(stanza *loader.Value) bool {
	return stanza.Str("from") == "Selector" && stanza.Get("selector") == nil
}

// setUnusable records that a listener would not be programmed, for a cause that has no condition or
// reason in the specification.
func (n *Node) setUnusable(at *loader.Value, message string) {
	n.Conditions.worsen(n.condition(Programmed, fact.False, "Invalid", message, at))
}

// condition returns a condition about a node's object.
func (n *Node) condition(kind string, status fact.Fact, reason, message string, at *loader.Value) Condition {
	if at == nil {
		at = n.Value
	}
	return Condition{Type: kind, Status: status, Reason: reason, Message: message, Owner: n.Object, Ref: at}
}

// RouteKind is a route kind in the form that a listener's status uses.
type RouteKind struct{ Group, Kind string }

// protocolOf returns a listener's protocol, including the TLS mode if the listener terminates TLS.
func protocolOf(listener *loader.Value) string {
	protocol := listener.Str("protocol")
	if protocol == "TLS" && listener.Str("tls", "mode") != "Passthrough" {
		return implementation.TLSTerminate
	}
	return protocol
}

// routeKinds returns the route kinds that a listener's protocol supports, and whether the protocol
// is supported. For protocols that the specification does not define, only the implementation can
// tell, so the result is unknown.
func routeKinds(listener *loader.Value, own *implementation.Implementation) ([]RouteKind, fact.Fact) {
	var out []RouteKind
	if opaque(listener.Str("protocol")) {
		return nil, fact.Unknown
	}
	if own.Listeners.RouteKinds != nil {
		protocol := protocolOf(listener)
		if own.Listeners.StrictKinds && protocol == implementation.TLSTerminate && listener.Str("tls", "mode") != "Terminate" && listener.Get("tls").IsNull() {
			protocol = "TLS"
		}
		names, supported := own.Listeners.RouteKinds[protocol]
		for _, name := range names {
			out = append(out, RouteKind{loader.GatewayGroup, name})
		}
		return out, fact.Of(supported)
	}
	for i := range kinds {
		if slices.Contains(kinds[i].protocols, listener.Str("protocol")) {
			out = append(out, RouteKind{kinds[i].group, kinds[i].name})
		}
	}
	protocol := listener.Str("protocol")
	if knownProtocol(protocol) {
		return out, fact.True
	}
	// A protocol of an implementation has a domain prefix (Gateway API, ProtocolType); those of STUNNER and Istio have none.
	if strings.Contains(protocol, "/") || strings.HasPrefix(protocol, "TURN-") || protocol == "HBONE" {
		return out, fact.Unknown
	}
	return out, fact.False
}

// judgeProtocol evaluates whether the protocol is supported, and which route kinds the listener
// supports (Gateway API, ListenerStatus.supportedKinds).
func (l *listeners) judgeProtocol(n *Node, own *implementation.Implementation) {
	taken, supported := routeKinds(n.Value, own)
	protocol := n.Value.Str("protocol")
	switch supported {
	case fact.Unknown:
		n.Conditions.worsen(n.condition(Accepted, fact.Unknown, NotInInput,
			fmt.Sprintf("it depends on the implementation whether protocol %q is supported", protocol), n.Value.Get("protocol")))
	case fact.False:
		n.Conditions.worsen(n.condition(Accepted, fact.False, "UnsupportedProtocol",
			fmt.Sprintf("protocol %q is not supported", protocol), n.Value.Get("protocol")))
	case fact.True:
	}
	listed := n.Value.List("allowedRoutes", "kinds")
	if len(listed) == 0 || own.Listeners.KnownKindsOnly && supported == fact.False {
		n.Kinds = taken
		return
	}
	var wrong []string
	var at *loader.Value
	for _, k := range listed {
		one := RouteKind{groupOf(k, loader.GatewayGroup), k.Str("kind")}
		switch {
		case (own.Listeners.StrictKinds || own.Listeners.KindsOnce) && slices.Contains(n.Kinds, one):
			wrong = append(wrong, kindText(one.Group, one.Kind)+" twice")
			at = orValue(at, k)
		case supported == fact.Unknown, opaque(one.Kind), slices.Contains(taken, one), couldTake(n.Value, one, own),
			ownKind(l, one, protocol, own):
			n.Kinds = append(n.Kinds, one)
		default:
			wrong = append(wrong, kindText(one.Group, one.Kind))
			at = orValue(at, k)
		}
	}
	if len(wrong) > 0 {
		n.Conditions.worsen(n.condition(ResolvedRefs, fact.False, invalidRouteKinds,
			fmt.Sprintf("%s does not support %s", aListener(protocol), strings.Join(wrong, ", ")), at))
	}
}

// ownKind reports whether a kind is one of the implementation's own that is turned on.
func ownKind(l *listeners, one RouteKind, protocol string, own *implementation.Implementation) bool {
	return strings.HasPrefix(protocol, "HTTP") && slices.Contains(own.Listeners.OwnKinds, implementation.Kind{Group: one.Group, Name: one.Kind}) &&
		len(l.AllOf(one.Group, one.Kind)) > 0
}

// aListener describes a listener by its protocol.
func aListener(protocol string) string {
	if strings.HasPrefix(protocol, "H") {
		return "an " + protocol + " listener"
	}
	return "a " + protocol + " listener"
}

// kindText names a kind, with its group if that is not core or Gateway API.
func kindText(group, kind string) string {
	if group == "" || group == loader.GatewayGroup {
		return kind
	}
	return kind + "." + group
}

// couldTake reports whether some implementations support a kind that the specification's table does
// not list: TCPRoute on a TLS listener that terminates TLS.
func couldTake(listener *loader.Value, one RouteKind, own *implementation.Implementation) bool {
	k := lookup(one.Group, one.Kind)
	return own.Listeners.RouteKinds == nil && k != nil && k.terminated && protocolOf(listener) == implementation.TLSTerminate
}

func orValue(a, b *loader.Value) *loader.Value {
	if a != nil {
		return a
	}
	return b
}

// conclude sets conditions that depend on other conditions.
func conclude(n *Node, own *implementation.Implementation) {
	if n.bare {
		forbid(n, own)
		return
	}
	conflict := n.Condition(ConflictedIs)
	if conflict != nil && conflict.Status != fact.False && !conflict.quiet && !(own.Listeners.SilentlyRejects && n.Owner.Level == LevelGateway) {
		rejected := *conflict
		rejected.Type, rejected.Status, rejected.Reason = Accepted, conflict.Status.Not(), cmp.Or(conflict.rejected, conflict.Reason)
		if own.Listeners.ConflictsAlone {
			n.Conditions.set(rejected)
		}
		n.Conditions.worsen(rejected)
	}
	if n.Condition(Accepted) == nil && !(own.Listeners.SilentlyRejects && troubled(n, own)) {
		n.Conditions.set(good(Accepted, Accepted))
		if reason := own.Listeners.UnresolvedReason; reason != "" && n.partial && n.failure != nil {
			n.Conditions.set(n.condition(Accepted, fact.True, reason, n.failure.Message, n.failure.Ref))
		}
	}
	switch refs := n.Condition(ResolvedRefs); {
	case own.Listeners.ConflictsAlone && conflict != nil && conflict.Status == fact.True:
		if refs != nil && refs.Reason != invalidRouteKinds {
			n.Conditions.remove(ResolvedRefs)
		}
	case refs == nil && own.Listeners.Alone != nil && conflict != nil && conflict.Status == fact.True:
	case refs == nil:
		n.Conditions.set(good(ResolvedRefs, ResolvedRefs))
	}
	if conflict == nil {
		n.Conditions.set(Condition{Type: ConflictedIs, Status: fact.False, Reason: noConflicts})
	}
	forbid(n, own)
}

// troubled reports whether a listener has a condition that makes it invalid.
func troubled(n *Node, own *implementation.Implementation) bool {
	return slices.ContainsFunc(n.Conditions, func(c Condition) bool {
		return c.Bad() && c.Type != OverlapsTLS && !slices.Contains(own.Listeners.ValidUnresolved, c.Reason)
	})
}

// forbid records that a listener would not be programmed, if this is known.
func forbid(n *Node, own *implementation.Implementation) {
	if conflict := n.Condition(ConflictedIs); own.Listeners.ProgramsInvalid && n.failure == nil && (conflict == nil || conflict.Status == fact.False) {
		n.Conditions.remove(Programmed)
		return
	}
	accepted := n.Condition(Accepted)
	rejected := accepted != nil && accepted.Status == fact.False
	for _, kind := range []string{Accepted, ResolvedRefs} {
		c := n.Condition(kind)
		if c == nil || c.Status != fact.False || c.Reason == invalidRouteKinds && len(n.Kinds) > 0 && !n.bare || kind == ResolvedRefs && c.Reason == own.Listeners.PartialCertificates && !rejected {
			continue
		}
		stopped := *c
		stopped.Type = Programmed
		if kind == ResolvedRefs || c.Reason != hostConflict && c.Reason != protoConflict && c.Reason != own.Listeners.ModeConflict {
			stopped.Reason = "Invalid"
		}
		n.Conditions.worsen(stopped)
	}
}
