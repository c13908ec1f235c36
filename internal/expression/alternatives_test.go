package expression

import (
	"slices"
	"testing"
)

func TestAlternatives(t *testing.T) {
	for pattern, want := range map[string][]string{
		"/a":             {"/a"},
		"/a|/b|":         {"/a", "/b", ""},
		"/(a|b)|/c":      {"/(a|b)", "/c"},
		`/a\|b|/c`:       {`/a\|b`, "/c"},
		"/[|]|/[]|]|/c":  {"/[|]", "/[]|]", "/c"},
		"/[^]|]|/[^a|]x": {"/[^]|]", "/[^a|]x"},
		"(?i)/a|/b":      {"(?i)/a", "(?i)/b"},
		"(?:/a|/b)":      {"(?:/a|/b)"},
		`/\Qa|b\E|/c`:    {`/\Qa|b\E|/c`},
		`/a\`:            {`/a\`},
	} {
		if got := Alternatives(pattern); !slices.Equal(got, want) {
			t.Errorf("%q has the alternatives %q, not %q", pattern, got, want)
		}
	}
}
