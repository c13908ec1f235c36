package protection

import "net/netip"

// isPrivate says whether an address is one that the Internet does not route to.
func isPrivate(text string) bool {
	a, err := netip.ParseAddr(text)
	if err != nil {
		return false
	}
	return a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || sharedSpace().Contains(a.Unmap())
}

// sharedSpace is what providers share among customers (RFC 6598).
func sharedSpace() netip.Prefix { return netip.PrefixFrom(netip.AddrFrom4([4]byte{100, 64}), 10) }
