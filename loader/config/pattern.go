package config

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Limits of a pattern. Matching tries each text that the braces stand for by
// itself (doublestar, match.go), and their number multiplies from brace to
// brace; what a text without braces costs is bounded by its length.
const (
	maxPattern    = 1024
	maxExpansions = 64
)

// checkPattern says what is wrong with a pattern and what to do, or nothing.
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
		return fmt.Sprintf("%s stands for more than %d patterns", quote(p), maxExpansions), "use fewer braces"
	}
	return "", ""
}

// expander counts what the braces of a valid pattern stand for. Counts end
// right above the limit.
type expander struct{ rest string }

// product counts up to one of the bytes that end an alternative, or to the end.
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

// sum counts the alternatives of a brace and takes its end away.
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

// skip takes a byte away, if there is one.
func (e *expander) skip() { e.rest = e.rest[min(1, len(e.rest)):] }

// class takes a character class away.
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
