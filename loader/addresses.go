package loader

import (
	"net/netip"
	"regexp"
	"slices"
)

// addressSet matches the keys of lists of addresses that are sets. Of others, such as the servers of a program, the order may matter.
var addressSet = regexp.MustCompile(`(?i)(cidrs?|ranges?|ip_?blocks?|ips|allow|deny|(white|black|allow|deny)list)$`)

// settingsOf are keys below which are the settings of a program, whatever their names.
var settingsOf = []string{"config", "plugin", "plugins", "value", "pluginConfig"}

// SameAddresses reports whether two lists at the end of a path are sets of the same addresses, in whatever order: ranges are compared
// without their low bits, and what lies in another range of the list adds nothing.
func SameAddresses(path []string, a, b *Value) bool {
	last := len(path) - 1
	for last > 0 && path[last] == "*" {
		last--
	}
	if last < 0 || !addressSet.MatchString(path[last]) || slices.ContainsFunc(path, func(key string) bool { return slices.Contains(settingsOf, key) }) {
		return false
	}
	had, ok := addressesOf(a)
	has, also := addressesOf(b)
	return ok && also && slices.Equal(had, has)
}

// EqualInEffect is Equal but for sets of addresses.
func EqualInEffect(path []string, a, b *Value) bool {
	switch {
	case Equal(a, b):
		return true
	case a == nil || b == nil || a.Shape != b.Shape:
		return false
	case a.Shape == Map:
		if len(a.Fields) != len(b.Fields) {
			return false
		}
		for i, f := range a.Fields {
			other := b.Fields[i].Value // mostly in the same order, as in equalFields
			if b.Fields[i].Key != f.Key {
				other = b.Get(f.Key)
			}
			if !EqualInEffect(append(slices.Clone(path), f.Key), f.Value, other) {
				return false
			}
		}
		return true
	case a.Shape == List && len(a.Items) == len(b.Items) && !SameAddresses(path, a, b):
		for i := range a.Items {
			if !EqualInEffect(path, a.Items[i], b.Items[i]) {
				return false
			}
		}
		return true
	}
	return a.Shape == List && SameAddresses(path, a, b)
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
