package network

import (
	"net/netip"
	"slices"
	"strings"
)

// cover is a network and the parts of it that are not meant.
type cover struct {
	network netip.Prefix
	except  []netip.Prefix
}

// names is how many networks a text has to name for some covers.
func names(list []cover) int {
	n := len(list)
	for _, c := range list {
		n += len(c.except)
	}
	return n
}

// coveredText describes networks by the fewest, where a network with exceptions may stand for many: "10.0.0.0/8 (except
// 10.1.0.0/16)".
func coveredText(list []netip.Prefix) string {
	four := slices.IndexFunc(list, func(p netip.Prefix) bool { return p.Addr().Is6() })
	if four < 0 {
		four = len(list)
	}
	var texts []string
	for _, family := range [][]netip.Prefix{list[:four], list[four:]} {
		for _, c := range coveredBy(family) {
			text := prefixText([]netip.Prefix{c.network})
			if len(c.except) > 0 {
				text += " (except " + prefixText(c.except) + ")"
			}
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ", ")
}

// coveredBy finds the covers of sorted networks of one family that name the fewest.
func coveredBy(list []netip.Prefix) []cover {
	if len(list) <= 1 {
		var out []cover
		for _, p := range list {
			out = append(out, cover{network: p})
		}
		return out
	}
	around := spanning(list[0], list[len(list)-1])
	upper := slices.IndexFunc(list, func(p netip.Prefix) bool { return bit(p.Addr(), around.Bits()) })
	parts := slices.Concat(coveredBy(list[:upper]), coveredBy(list[upper:]))
	if whole := (cover{around, missingIn(around, list)}); names([]cover{whole}) < names(parts) {
		return []cover{whole}
	}
	return parts
}

// spanning returns the smallest network that contains both of two disjoint ones.
func spanning(a, b netip.Prefix) netip.Prefix {
	for bits := min(a.Bits(), b.Bits()); ; bits-- {
		if p, _ := a.Addr().Prefix(bits); p.Contains(b.Addr()) {
			return p
		}
	}
}

// bit returns a bit of an address, the highest being 0.
func bit(a netip.Addr, at int) bool {
	bytes := a.AsSlice()
	return bytes[at/8]>>(7-at%8)&1 == 1
}

// missingIn returns what a network has beside some sorted networks in it.
func missingIn(around netip.Prefix, list []netip.Prefix) []netip.Prefix {
	var out []netip.Prefix
	next := around.Addr()
	for _, p := range list {
		if next.Less(p.Addr()) {
			out = append(out, addresses{next, p.Addr().Prev()}.networks()...)
		}
		next = lastOf(p).Next()
	}
	if last := lastOf(around); next.IsValid() && !last.Less(next) {
		out = append(out, addresses{next, last}.networks()...)
	}
	return out
}
