package hierarchy

import (
	"fmt"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
)

// overlaps records HTTPS and TLS listeners on one port whose hostnames overlap: a client may reuse
// a connection for a hostname of another listener (Gateway API,
// ListenerConditionOverlappingTLSConfig).
func overlaps(listeners []*Node, own *implementation.Implementation) {
	type place struct{ port, hostname string }
	first := map[place]*Node{}
	ports := map[string][]*Node{}
	for _, n := range listeners {
		if protocol := n.Value.Str("protocol"); protocol != "HTTPS" && (protocol != "TLS" || own.Listeners.OverlapsValid) {
			continue
		}
		if own.Listeners.OverlapsValid && n.IsInvalid(own) {
			continue
		}
		port := textOf(n.Value.Get("port"))
		ports[port] = append(ports[port], n)
		if at := (place{port, n.Value.Str("hostname")}); first[at] == nil {
			first[at] = n
		}
	}
	for port, on := range ports {
		for _, n := range on {
			wildcards := wildcardsOver(n.Value.Str("hostname"))
			if own.Listeners.OverlapsValid {
				wildcards = closest(n.Value.Str("hostname"), wildcards)
			}
			for _, wildcard := range wildcards {
				if other := first[place{port, wildcard}]; other != nil {
					overlap(n, other)
					overlap(other, n)
				}
			}
		}
	}
}

// closest returns those of the wildcards over a hostname that cover it if a wildcard covers one
// label: the closest one, and the empty hostname. A wildcard is covered only by the latter.
func closest(hostname string, wildcards []string) []string {
	if len(wildcards) < 2 || strings.HasPrefix(hostname, "*.") {
		return wildcards[max(len(wildcards)-1, 0):]
	}
	return []string{wildcards[0], wildcards[len(wildcards)-1]}
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
