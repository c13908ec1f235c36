package expression_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/internal/expression"
)

func TestCompile(t *testing.T) {
	for _, tt := range []struct {
		pattern string
		large   bool
	}{
		{"", false},
		{"^/api/v[0-9]+/[a-z0-9-]{1,63}$", false},
		{"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$", false},
		{strings.Repeat("x{1000}", 9), false},
		{strings.Repeat("x{1000}", 11), true},
		{"((abcdefghijkl){100}){10}", true},
		{"(?:a?){1000}" + strings.Repeat("b", 9000), true},
	} {
		if _, err := expression.Compile(tt.pattern); errors.Is(err, expression.ErrTooLarge) != tt.large || err != nil && !tt.large {
			t.Errorf("%.40q: %v", tt.pattern, err)
		}
	}
	if _, err := expression.Compile("("); err == nil || errors.Is(err, expression.ErrTooLarge) {
		t.Errorf("an expression that is not valid: %v", err)
	}
}
