// Package glob limits untrusted patterns.
package glob

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Limits of a pattern. doublestar (match.go) matches each expansion of the braces
// separately, and each further brace multiplies their number. The cost of matching one
// expansion is bounded by its length.
const (
	MaxBytes      = 1024
	MaxExpansions = 64
)

// Bounded reports whether a pattern is valid and within the limits.
func Bounded(pattern string) bool {
	return len(pattern) <= MaxBytes && doublestar.ValidatePattern(pattern) && Expansions(pattern) <= MaxExpansions
}

// Expansions counts the patterns to which the braces of a valid pattern expand. The count is
// capped at one above the limit.
func Expansions(pattern string) int {
	e := expander{rest: pattern}
	return e.product("")
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
			n = min(n*e.sum(), MaxExpansions+1)
		}
	}
	return n
}

// sum counts the expansions of a brace group and consumes its closing brace.
func (e *expander) sum() int {
	for n := 0; ; {
		n = min(n+e.product(",}"), MaxExpansions+1)
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
