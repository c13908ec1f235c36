package config

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Limits of a pattern. doublestar (match.go) matches each expansion of the braces
// separately, and each further brace multiplies their number. The cost of matching one
// expansion is bounded by its length.
const (
	maxPattern    = 1024
	maxExpansions = 64
)

// checkPattern returns what is wrong with a pattern and a hint, or "" for a valid one.
func checkPattern(p string) (message, hint string) {
	switch {
	case p == "":
		return "is empty", "use ** for everything"
	case len(p) > maxPattern:
		return fmt.Sprintf("has %d bytes, over the limit of %d", len(p), maxPattern), "shorten it"
	case !doublestar.ValidatePattern(p):
		return quote(p) + " is no valid glob", "close its brackets and braces, or put a backslash before them"
	}
	if e := (expander{rest: p}); e.product("") > maxExpansions {
		return fmt.Sprintf("%s expands to more than %d patterns", quote(p), maxExpansions), "use fewer braces"
	}
	return "", ""
}

// expander counts the expansions of the braces of a valid pattern. Counts are capped at
// one above the limit.
type expander struct{ rest string }

// product counts the expansions of the text up to one of the bytes in stops, or its end.
func (e *expander) product(stops string) int {
	n := 1
	for e.rest != "" && strings.IndexByte(stops, e.rest[0]) < 0 {
		c := e.rest[0]
		e.skip()
		switch c {
		case '\\':
			e.skip()
		case '[':
			e.class()
		case '{':
			n = min(n*e.sum(), maxExpansions+1)
		}
	}
	return n
}

// sum counts the expansions of a brace group and consumes its closing brace.
func (e *expander) sum() int {
	for n := 0; ; {
		n = min(n+e.product(",}"), maxExpansions+1)
		last := !strings.HasPrefix(e.rest, ",")
		e.skip()
		if last {
			return n
		}
	}
}

// skip consumes one byte, if there is one.
func (e *expander) skip() { e.rest = e.rest[min(1, len(e.rest)):] }

// class consumes a character class.
func (e *expander) class() {
	e.rest = strings.TrimLeft(e.rest, "^!")
	for e.rest != "" {
		c := e.rest[0]
		e.skip()
		switch c {
		case '\\':
			e.skip()
		case ']':
			return
		}
	}
}
