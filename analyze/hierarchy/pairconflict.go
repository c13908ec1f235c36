package hierarchy

import "github.com/gwplan/gwplan/analyze/fact"

// pairConflicts resolves the conflicts on one port, pair by pair. Two listeners of one object both lose; of two
// objects, the first one wins (Cilium operator/pkg/gateway-api, listenerPairConflict).
func pairConflicts(on []*contender) {
	for i, c := range on {
		for _, earlier := range on[:i] {
			reason := pairConflict(earlier, c)
			switch {
			case reason == "", earlier.owner != c.owner && earlier.lost != "":
				continue
			case earlier.owner == c.owner && earlier.lost == "":
				earlier.lose(reason, []*contender{c}, anyone)
			}
			if c.lost == "" {
				c.lose(reason, []*contender{earlier}, anyone)
			}
		}
	}
}

// pairConflict returns why two listeners of one port conflict, or "". A TCP or UDP listener conflicts with every other
// listener, except TCP with UDP. A listener that terminates HTTPS and one that passes TLS through conflict if their
// hostnames overlap. Other listeners of one protocol conflict if they have the same hostname.
func pairConflict(a, b *contender) string {
	first, second := a.node.Value.Str("protocol"), b.node.Value.Str("protocol")
	switch {
	case a.layer4() && b.layer4() && first != second:
		return ""
	case a.layer4() || b.layer4():
		return protoConflict
	case endsHTTPS(a) && passesTLS(b), endsHTTPS(b) && passesTLS(a):
		if _, meet := intersectOne(a.hostname, b.hostname); meet == fact.True || a.hostname == "" || b.hostname == "" {
			return protoConflict
		}
		return ""
	case first == second && a.hostname == b.hostname:
		return hostConflict
	}
	return ""
}

func endsHTTPS(c *contender) bool {
	return c.node.Value.Str("protocol") == "HTTPS" && c.node.Value.Str("tls", "mode") != "Passthrough"
}

func passesTLS(c *contender) bool {
	return c.node.Value.Str("protocol") == "TLS" && c.node.Value.Str("tls", "mode") == "Passthrough"
}
