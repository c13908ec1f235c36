package dns_test

import (
	"testing"

	"github.com/gwplan/gwplan/internal/dns"
)

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		wildcard, name string
		want           bool
	}{
		{"*.example.com", "a.example.com", true},
		{"*.example.com", "a.b.example.com", true},
		{"*.example.com", "*.a.example.com", true},
		{"*.example.com", "example.com", false},
		{"*.example.com", ".example.com", false},
		{"*.example.com", "*.example.com", true},
		{"*.example.com", "aexample.com", false},
		{"a.example.com", "a.example.com", false},
		{"", "a", false},
	} {
		if got := dns.Covers(c.wildcard, c.name); got != c.want {
			t.Errorf("Covers(%q, %q) = %v", c.wildcard, c.name, got)
		}
	}
}
