package dns_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/internal/dns"
)

func TestIsSubdomain(t *testing.T) {
	for text, want := range map[string]bool{
		"a": true, "a.example": true, "a-b.c9": true, strings.Repeat("a", dns.MaxName): true,
		"": false, "A": false, "a.": false, ".a": false, "-a": false, "a-": false, "a_b": false, "*.a": false, strings.Repeat("a", dns.MaxName+1): false,
	} {
		if got := dns.IsSubdomain(text); got != want {
			t.Errorf("IsSubdomain(%q) = %v", text, got)
		}
	}
}
