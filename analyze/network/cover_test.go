package network

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
)

func TestCoveredText(t *testing.T) {
	for _, test := range []struct {
		networks []string
		want     string
	}{
		{[]string{"10.0.0.0/8"}, "10.0.0.0/8"},
		{[]string{"10.1.2.3/32", "192.168.0.0/16"}, "10.1.2.3/32, 192.168.0.0/16"},
		{[]string{"10.0.0.0/16", "10.2.0.0/15", "10.4.0.0/14", "10.8.0.0/13", "10.16.0.0/12", "10.32.0.0/11", "10.64.0.0/10", "10.128.0.0/9"}, "10.0.0.0/8 (except 10.1.0.0/16)"},
		{[]string{"10.0.0.0/9", "10.192.0.0/10", "192.168.1.0/24"}, "10.0.0.0/9, 10.192.0.0/10, 192.168.1.0/24"},
		{[]string{"128.0.0.0/1", "fc00::/7"}, "128.0.0.0/1, fc00::/7"},
	} {
		var list []netip.Prefix
		for _, n := range test.networks {
			list = append(list, netip.MustParsePrefix(n))
		}
		if got := coveredText(list); got != test.want {
			t.Errorf("%v: %s, want %s", test.networks, got, test.want)
		}
	}
}

// TestCovers: covers mean exactly what they are made of, and name no more networks.
func TestCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var chosen []netip.Prefix
		for i := range 64 {
			if r.IntN(4) > 0 {
				chosen = append(chosen, netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(i) << 2, 0, 0}), 14))
			}
		}
		list := joined(chosen)
		got := coveredBy(list)
		if names(got) > len(list) {
			t.Fatalf("%v names more than %v", got, list)
		}
		var parts []netip.Prefix
		for _, c := range got {
			parts = append(parts, missingIn(c.network, c.except)...)
		}
		if !slices.Equal(joined(parts), list) {
			t.Fatalf("%v is %v, want %v", got, joined(parts), list)
		}
	}
}
