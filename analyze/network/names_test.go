package network

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for _, test := range []struct {
		pattern, name    string
		labels, suffixes bool
	}{
		{"*.example.com", "a.example.com", true, true},
		{"*.example.com", "a.b.example.com", false, true},
		{"*.example.com", "example.com", false, false},
		{"*.example.com", ".example.com", true, false}, // there is no label before the dot
		{"*.example.com", "*.example.com", true, true},
		{"**.example.com", "a.b.example.com", true, false},
		{"**.example.com", "a.example.com", true, false},
		{"**.example.com", "example.com", false, false},
		{"api-*.acme.io", "api-1.acme.io", true, false},
		{"api-*.acme.io", "api-1.x.acme.io", false, false},
		{"a*", "ab*", true, false},
		{strings.Repeat("**.", 40) + "x", strings.Repeat("a.", 100) + "y", false, false}, // only the first one is deep
		{"*", "a.b.c", true, true},
		{"A.example.com.", "a.example.com", true, true},
	} {
		if got := coversLabels(test.pattern, test.name); got != test.labels {
			t.Errorf("Cilium: %s covers %s: %v, want %v", test.pattern, test.name, got, test.labels)
		}
		if got := coversName(test.pattern, test.name); got != test.suffixes {
			t.Errorf("Network Policy API: %s covers %s: %v, want %v", test.pattern, test.name, got, test.suffixes)
		}
	}
}
