package celsyntax

import (
	"strings"
	"testing"
)

func TestWrong(t *testing.T) {
	for text, wrong := range map[string]bool{
		"":                                      true,
		"true":                                  false,
		`request.path.startsWith("/a")`:         false,
		"has(a)":                                true,
		"has(a.b)":                              false,
		"a b":                                   true,
		`request.path = "/a"`:                   true,
		"x.map(a.b, c)":                         true,
		strings.Repeat("(", maxLength+1):        false, // too long to parse
		strings.Repeat("(", maxLength-1):        true,
		strings.Repeat("[", maxLength/2):        true,
		strings.Repeat("a?b:", maxLength/4):     true,
		strings.Repeat("{a:", maxLength/3):      true,
		strings.Repeat("a.map(b,", maxLength/8): true,
		strings.Repeat("a.all(b,", 100) + "b" + strings.Repeat(")", 100): false,
		strings.Repeat("a.b(", maxLength/4):                              true,
		strings.Repeat("!", maxLength-1) + "a":                           false,
		strings.Repeat("a||", maxLength/3) + "a":                         false,
	} {
		if got := Wrong(text); (got != "") != wrong {
			t.Errorf("%.40q: got %q", text, got)
		}
	}
}
