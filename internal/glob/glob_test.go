package glob_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/internal/glob"
)

func TestBounded(t *testing.T) {
	for name, tt := range map[string]struct {
		pattern string
		want    bool
	}{
		"plain":                 {"apps/*/values.yaml", true},
		"sixty-four expansions": {strings.Repeat("{a,b}", 6), true},
		"one brace more":        {strings.Repeat("{a,b}", 7), false},
		"forty braces":          {strings.Repeat("{a,a}", 40) + "b*", false},
		"too long":              {strings.Repeat("a", glob.MaxBytes+1), false},
		"not a pattern":         {"a[", false},
	} {
		if got := glob.Bounded(tt.pattern); got != tt.want {
			t.Errorf("%s: got %t, want %t", name, got, tt.want)
		}
	}
}
