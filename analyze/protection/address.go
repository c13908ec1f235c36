package protection

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// isPrivate reports whether an address is not routed on the Internet.
func isPrivate(text string) bool {
	a, err := netip.ParseAddr(text)
	if err != nil {
		return false
	}
	return a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || sharedSpace().Contains(a.Unmap())
}

// sharedSpace is the range that providers share among customers (RFC 6598).
func sharedSpace() netip.Prefix { return netip.PrefixFrom(netip.AddrFrom4([4]byte{100, 64}), 10) }

// everybody reports whether a field admits all addresses of the Internet: it has ranges with all
// of them and denies nothing.
func everybody(t *merge.Tree) bool {
	var ranges []netip.Prefix
	denies := false
	visit(t, func(text string) {
		if prefix, err := netip.ParsePrefix(text); err == nil {
			ranges = append(ranges, prefix.Masked())
		}
		denies = denies || strings.EqualFold(text, "deny") || strings.EqualFold(text, "custom")
	})
	return !denies && (together(ranges, netip.PrefixFrom(netip.IPv4Unspecified(), 0)) || together(ranges, netip.PrefixFrom(netip.IPv6Unspecified(), 0)))
}

// admittance reports whether the addresses of a field are those that are admitted: neither those that a limit counts nor
// those that are kept out.
func admittance(p catalogue.Protection, f protectedField) bool {
	if p.What != Authorisation && p.What != Authentication {
		return false
	}
	path := strings.ToLower(f.path)
	return !slices.ContainsFunc([]string{"deny", "denied", "block", "exclud", "notip", "not_ip", "notremote", "blacklist"}, func(word string) bool { return strings.Contains(path, word) })
}

// visit calls each for the texts in a tree.
func visit(t *merge.Tree, each func(text string)) {
	if t == nil {
		return
	}
	if below := entries(t); len(below) > 0 {
		for _, e := range below {
			visit(e.Tree, each)
		}
		return
	}
	visitValue(t.Value, each)
}

func visitValue(v *loader.Value, each func(text string)) {
	if v == nil {
		return
	}
	each(v.Text)
	for _, item := range v.Items {
		visitValue(item, each)
	}
	for _, f := range v.Fields {
		visitValue(f.Value, each)
	}
}

// addressKeys are the annotations that request addresses from load balancers (Cilium
// Documentation/network/lb-ipam.rst; MetalLB website/content/usage; kube-vip docs).
var addressKeys = []string{"io.cilium/lb-ipam-ips", "lbipam.cilium.io/ips", "metallb.io/loadBalancerIPs", "metallb.universe.tf/loadBalancerIPs", "kube-vip.io/loadbalancerIPs"}

// asked returns the addresses that a Gateway requests, in its spec or in the annotations of its
// infrastructure.
func asked(gateway *loader.Value) []*loader.Value {
	out := slices.Clone(gateway.List("addresses"))
	for _, key := range addressKeys {
		v := gateway.Get("infrastructure", "annotations", key)
		if v == nil {
			continue
		}
		for _, address := range strings.FieldsFunc(v.Text, func(r rune) bool { return r == ',' || r == ' ' }) {
			text := &loader.Value{Shape: loader.String, Text: address, Mark: v.Mark}
			out = append(out, &loader.Value{Shape: loader.Map, Mark: v.Mark, Fields: []loader.Field{{Key: "value", Value: text}}})
		}
	}
	return out
}

// addresses separates private addresses from those that clients outside can reach.
func (b form) addresses(list []*loader.Value) *merge.Tree {
	private, public := b.keyed(), b.keyed()
	for _, a := range list {
		switch v := a.Str("value"); {
		case isPrivate(v):
			// Private addresses are equivalent.
			b.put(private, "address", &loader.Value{Shape: loader.String, Text: "private", Mark: a.Mark})
		case v != "":
			b.put(public, v, a)
		}
	}
	t := b.nest("private", private)
	t.Entries = append(t.Entries, merge.Entry{Key: "public", Tree: public})
	return t
}

// together reports whether ranges have all addresses of another one between them.
func together(ranges []netip.Prefix, all netip.Prefix) bool {
	var inner []netip.Prefix
	for _, r := range ranges {
		switch {
		case r.Bits() <= all.Bits() && r.Contains(all.Addr()):
			return true
		case all.Contains(r.Addr()):
			inner = append(inner, r)
		}
	}
	if len(inner) < 2 {
		return false
	}
	low, high := halves(all)
	return together(inner, low) && together(inner, high)
}

// halves returns the two ranges that a range of more than one address consists of.
func halves(all netip.Prefix) (low, high netip.Prefix) {
	bits := all.Bits()
	address := all.Addr().AsSlice()
	address[bits/8] |= 0x80 >> (bits % 8)
	upper, _ := netip.AddrFromSlice(address)
	return netip.PrefixFrom(all.Addr(), bits+1), netip.PrefixFrom(upper, bits+1)
}
