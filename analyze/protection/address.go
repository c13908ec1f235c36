package protection

import (
	"net/netip"
	"strings"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

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

// everybody says whether a field lets all addresses of the Internet in: it has the range of
// all of them, and denies nothing.
func everybody(t *merge.Tree) bool {
	all, denies := false, false
	visit(t, func(text string) {
		if prefix, err := netip.ParsePrefix(text); err == nil && prefix.Bits() == 0 {
			all = true
		}
		denies = denies || strings.EqualFold(text, "deny")
	})
	return all && !denies
}

// visit gives the texts in a tree.
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
