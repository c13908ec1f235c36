package hierarchy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
)

// overlapping finds listeners whose hostnames overlap.
type overlapping struct{ *listeners }

// judge records overlaps among the listeners of each Gateway, or of all Gateways that one data plane serves together.
func (l overlapping) judge(gateways []*Node) {
	gateways = slices.Clone(gateways)
	slices.SortStableFunc(gateways, func(a, b *Node) int { return l.ages.Order(a.Object, b.Object).Compare })
	met := map[*Node]bool{}
	for _, gateway := range gateways {
		own, class := l.Implementation(gateway), classOf(gateway)
		if own.Listeners.NoOverlaps || l.NoUsableAddress(gateway) {
			continue
		}
		if class == nil || !l.merges(class) {
			overlaps(l.Listeners(gateway), own)
			continue
		}
		if met[class] {
			continue
		}
		met[class] = true
		var all []*Node
		for _, merged := range gateways {
			if classOf(merged) == class && l.Translated(merged) {
				all = append(all, l.Listeners(merged)...)
			}
		}
		overlaps(all, own)
	}
}

// overlaps records HTTPS and TLS listeners on one port whose hostnames overlap: a client may reuse
// a connection for a hostname of another listener (Gateway API,
// ListenerConditionOverlappingTLSConfig).
func overlaps(listeners []*Node, own *implementation.Implementation) {
	ports := map[string][]*Node{}
	for _, n := range listeners {
		if protocol := n.Value.Str("protocol"); protocol != "HTTPS" && (protocol != "TLS" || own.Listeners.OverlapsValid) {
			continue
		}
		if n.bare || own.Listeners.OverlapsValid && (n.IsInvalid(own) || loses(n)) {
			continue
		}
		port := textOf(n.Value.Get("port"))
		ports[port] = append(ports[port], n)
	}
	for _, on := range ports {
		if own.Listeners.OverlapsValid {
			overlapsInTurn(on)
		} else {
			overlapsOf(on)
		}
	}
}

// loses reports whether a listener is known to lose a conflict, whether or not that is told of in Accepted.
func loses(n *Node) bool {
	c := n.Condition(ConflictedIs)
	return c != nil && c.Status == fact.True
}

// overlapsOf compares the listeners of a port with each other.
func overlapsOf(on []*Node) {
	first := map[string]*Node{}
	for _, n := range on {
		if hostname := n.Value.Str("hostname"); first[hostname] == nil {
			first[hostname] = n
		}
	}
	for _, n := range on {
		for _, wildcard := range wildcardsOver(n.Value.Str("hostname")) {
			if other := first[wildcard]; other != nil {
				overlap(n, other)
				overlap(other, n)
			}
		}
	}
}

// overlapsInTurn compares each listener of a port with those after it. One that is known to overlap is not compared any
// more, so that what overlaps with it alone is not found. A wildcard covers one label (Envoy Gateway,
// internal/gatewayapi/listener.go, checkOverlappingHostnames, and helpers.go, hostnameMatchesWithOther).
func overlapsInTurn(on []*Node) {
	// Listeners after the present one that are not known to overlap, by their hostname and by the wildcard that covers it. A
	// list that was looked at has no such listener any more.
	same, covered := map[string][]*Node{}, map[string][]*Node{}
	turn := map[*Node]int{}
	for i, n := range on {
		hostname := n.Value.Str("hostname")
		turn[n] = i
		same[hostname] = append(same[hostname], n)
		if wildcard := wildcardOver(hostname); wildcard != "" {
			covered[wildcard] = append(covered[wildcard], n)
		}
	}
	for i, n := range on {
		if n.Condition(OverlapsTLS) != nil {
			continue
		}
		look := func(lists map[string][]*Node, key string) {
			for _, other := range lists[key] {
				if turn[other] > i && other.Condition(OverlapsTLS) == nil {
					overlap(other, n)
					overlap(n, other)
				}
			}
			delete(lists, key)
		}
		hostname := n.Value.Str("hostname")
		if hostname == "" {
			for _, other := range on[i+1:] {
				look(same, other.Value.Str("hostname"))
			}
			return
		}
		look(same, hostname)
		look(same, "")
		look(covered, hostname)
		if wildcard := wildcardOver(hostname); wildcard != "" {
			look(same, wildcard)
		}
	}
}

// wildcardOver returns the wildcard that covers the first label of a hostname, "" if it is one or has one label.
func wildcardOver(hostname string) string {
	_, rest, found := strings.Cut(hostname, ".")
	if !found || strings.HasPrefix(hostname, "*.") {
		return ""
	}
	return "*." + rest
}

// IsInvalid reports whether a condition shows that a listener is not programmed. With some of its
// certificates it is (Envoy Gateway, internal/gatewayapi/validate.go, hasInvalidCondition).
func (n *Node) IsInvalid(own *implementation.Implementation) bool {
	bad := n.Conditions.firstBad()
	return bad != nil && (bad.Type != ResolvedRefs || bad.Reason != own.Listeners.PartialCertificates)
}

// overlap records the first listener that another one overlaps with.
func overlap(n *Node, other *Node) {
	if n.Condition(OverlapsTLS) != nil {
		return
	}
	n.Conditions.set(n.condition(OverlapsTLS, fact.True, "OverlappingHostnames",
		fmt.Sprintf("%s overlaps with %s of %s", hostText(n.Value.Str("hostname")), hostText(other.Value.Str("hostname")), other.Spoken()), n.Value.Get("hostname")))
}

// wildcardsOver returns the hostnames that cover a hostname: the wildcards above it and the empty
// hostname.
func wildcardsOver(hostname string) []string {
	if hostname == "" {
		return nil
	}
	var out []string
	rest := strings.TrimPrefix(hostname, "*.")
	if rest == hostname {
		_, rest, _ = strings.Cut(hostname, ".")
		if rest != "" {
			out = append(out, "*."+rest)
		}
	}
	for {
		_, after, more := strings.Cut(rest, ".")
		if !more {
			return append(out, "")
		}
		out, rest = append(out, "*."+after), after
	}
}
