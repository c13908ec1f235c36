package protection

import "net/netip"

// isPrivate says whether an address is one that the Internet does not route to.
func isPrivate(text string) bool {
	a, err := netip.ParseAddr(text)
	if err != nil {
		return false
	}
	return a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || carrier.Contains(a.Unmap())
}

// carrier is the space that providers share among customers (RFC 6598).
var carrier = netip.MustParsePrefix("100.64.0.0/10")
