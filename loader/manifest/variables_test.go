package manifest

import (
	"slices"
	"testing"
)

func TestVariables(t *testing.T) {
	for text, want := range map[string][]string{
		"":        nil,
		"a: $A":   nil,
		"a: ${A}": {"A"},
		"a: ${A}${B_1:+x}${C:=x}${D:-x}${E=x}${A}": {"A", "B_1"},
		"a: ${":                       nil,
		"a: ${}":                      nil,
		"a: ${${A}}":                  {"A"},
		"a: ${A/${B}/c}":              {"A", "B"},
		"kind: Secret\nb: \"${lower}": {"lower"},
	} {
		if got := variables([]byte(text)); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
