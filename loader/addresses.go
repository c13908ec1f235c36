package loader

import (
	"net/netip"
	"slices"
)

// SameAddresses reports whether two lists of addresses and ranges have the same addresses, in whatever order and however often.
func SameAddresses(a, b *Value) bool {
	had, ok := addressesOf(a)
	has, also := addressesOf(b)
	return ok && also && slices.Equal(had, has)
}

// EqualInEffect is Equal but for lists of addresses, which are compared as sets.
func EqualInEffect(a, b *Value) bool {
	switch {
	case a == nil || b == nil || a.Shape != b.Shape:
		return Equal(a, b)
	case a.Shape == Map:
		return len(a.Fields) == len(b.Fields) && !slices.ContainsFunc(a.Fields, func(f Field) bool { return !EqualInEffect(f.Value, b.Get(f.Key)) })
	case a.Shape == List && !SameAddresses(a, b):
		return slices.EqualFunc(a.Items, b.Items, EqualInEffect)
	case a.Shape == List:
		return true
	}
	return Equal(a, b)
}

// addressesOf returns the ranges of a list that holds nothing but addresses and ranges, sorted, without those that lie in others.
func addressesOf(list *Value) ([]netip.Prefix, bool) {
	if list == nil || list.Shape != List || len(list.Items) == 0 {
		return nil, false
	}
	var all []netip.Prefix
	for _, item := range list.Items {
		prefix, err := netip.ParsePrefix(item.Text)
		if err != nil {
			address, err := netip.ParseAddr(item.Text)
			if err != nil || item.Shape != String || address.Zone() != "" {
				return nil, false
			}
			prefix = netip.PrefixFrom(address, address.BitLen())
		}
		all = append(all, prefix.Masked())
	}
	// The widest of those that begin at one address come first, so that what lies in another is behind it.
	slices.SortFunc(all, func(a, b netip.Prefix) int {
		if a.Addr() == b.Addr() {
			return a.Bits() - b.Bits()
		}
		return a.Addr().Compare(b.Addr())
	})
	out := all[:0]
	for _, prefix := range all {
		if len(out) == 0 || !out[len(out)-1].Contains(prefix.Addr()) {
			out = append(out, prefix)
		}
	}
	return out, true
}
