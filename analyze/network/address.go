package network

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
)

// block is a set of addresses: a network without some parts of it.
type block struct {
	network netip.Prefix
	except  []netip.Prefix
}

// parseBlock reads a network, or a single address.
func parseBlock(cidr string, except ...string) (block, error) {
	network, err := parseNetwork(cidr)
	if err != nil {
		return block{}, err
	}
	b := block{network: network}
	for _, e := range except {
		out, err := parseNetwork(e)
		if err != nil {
			return block{}, err
		}
		b.except = append(b.except, out)
	}
	return b, nil
}

func parseNetwork(text string) (netip.Prefix, error) {
	if !strings.Contains(text, "/") {
		address, err := netip.ParseAddr(text)
		if err != nil {
			return netip.Prefix{}, fmt.Errorf("%q is neither a network nor an address", text)
		}
		return netip.PrefixFrom(address.Unmap().WithZone(""), address.Unmap().BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("%q is not a network", text)
	}
	return p.Masked(), nil
}

// everything reports whether a block has all addresses of its family.
func (b block) everything() bool { return b.network.Bits() == 0 && len(b.except) == 0 }

// privateNetworks are those that pods and nodes have addresses of (RFC 1918, RFC 6598, RFC 4193).
var privateNetworks = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"),
	netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("fc00::/7"),
}

// private reports whether a block has private addresses.
func (b block) private() bool {
	return slices.ContainsFunc(privateNetworks, func(p netip.Prefix) bool {
		return p.Overlaps(b.network) && !slices.ContainsFunc(b.except, func(e netip.Prefix) bool {
			return e.Bits() <= p.Bits() && e.Contains(p.Addr()) || e.Bits() <= b.network.Bits() && e.Contains(b.network.Addr())
		})
	})
}

func (b block) String() string {
	if len(b.except) == 0 {
		return b.network.String()
	}
	out := make([]string, len(b.except))
	for i, e := range b.except {
		out[i] = e.String()
	}
	return b.network.String() + " without " + strings.Join(out, ", ")
}

// addresses is a range of addresses, both ends included.
type addresses struct{ first, last netip.Addr }

// in reports whether all or none of the addresses are in a block; ranges are cut such that there is
// nothing between.
func (a addresses) in(b block) fact.Fact {
	within := func(p netip.Prefix) bool { return p.Contains(a.first) && p.Contains(a.last) }
	return fact.Of(within(b.network) && !slices.ContainsFunc(b.except, within))
}

// lastOf returns the last address of a network.
func lastOf(p netip.Prefix) netip.Addr {
	bytes := p.Addr().AsSlice()
	for i := p.Bits(); i < p.Addr().BitLen(); i++ {
		bytes[i/8] |= 1 << (7 - i%8)
	}
	out, _ := netip.AddrFromSlice(bytes)
	return out
}

// cutAddresses divides all addresses of both families such that every network is made of whole ranges.
func cutAddresses(networks []netip.Prefix) []addresses {
	var out []addresses
	for _, all := range []netip.Prefix{netip.PrefixFrom(netip.IPv4Unspecified(), 0), netip.PrefixFrom(netip.IPv6Unspecified(), 0)} {
		starts := []netip.Addr{all.Addr()}
		for _, n := range networks {
			if n.Addr().BitLen() != all.Addr().BitLen() {
				continue
			}
			starts = append(starts, n.Addr())
			if after := lastOf(n).Next(); after.IsValid() {
				starts = append(starts, after)
			}
		}
		slices.SortFunc(starts, netip.Addr.Compare)
		starts = slices.Compact(starts)
		for i, first := range starts {
			last := lastOf(all)
			if i+1 < len(starts) {
				last = starts[i+1].Prev()
			}
			out = append(out, addresses{first, last})
		}
	}
	return out
}

// networks returns the fewest networks that have exactly the addresses of the range.
func (a addresses) networks() []netip.Prefix {
	var out []netip.Prefix
	for first := a.first; first.IsValid() && first.Compare(a.last) <= 0; {
		bits := first.BitLen()
		for bits > 0 {
			wider := netip.PrefixFrom(first, bits-1)
			if wider.Masked().Addr() != first || lastOf(wider).Compare(a.last) > 0 {
				break
			}
			bits--
		}
		p := netip.PrefixFrom(first, bits)
		out = append(out, p)
		first = lastOf(p).Next()
	}
	return out
}
