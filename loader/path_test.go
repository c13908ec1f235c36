package loader_test

import (
	"testing"

	"github.com/gwplan/gwplan/loader"
)

func TestWithin(t *testing.T) {
	for _, tt := range []struct {
		dir, name string
		want      bool
	}{
		{".", "apps/shop.yaml", true},
		{".", ".", true},
		{"apps", "apps", true},
		{"apps", "apps/shop.yaml", true},
		{"apps", "apps-old/shop.yaml", false},
		{"apps/shop", "apps", false},
		{"apps", ".", false},
	} {
		if got := loader.Within(tt.dir, tt.name); got != tt.want {
			t.Errorf("Within(%q, %q) = %t", tt.dir, tt.name, got)
		}
	}
}
