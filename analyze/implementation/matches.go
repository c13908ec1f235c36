package implementation

import (
	"strings"
	"unicode"
)

// Matches is what a controller demands of the matches of a rule.
type Matches struct {
	// Perl means that regular expressions may have what RE2 lacks.
	Perl bool
	// PathsAlone means that only the expressions of paths are compiled: those of headers and query parameters may be anything.
	PathsAlone bool
	// PathWithout are the characters that no path may have, nor may it have blanks or begin otherwise than with a slash; empty
	// for any path.
	PathWithout string
	// Reserved is the beginning that no path may have, or empty.
	Reserved string
	// Refused are methods of HTTP that no match may have.
	Refused []string
	// WholeMethods means that a match for a method of gRPC names both the service and the method, and neither by an expression.
	WholeMethods bool
	// NoDollar means that a path that a filter writes has no $.
	NoDollar bool
	// PlainNames means that the name of a header consists of letters, digits and hyphens.
	PlainNames bool
	// Filled means that the value of a condition for a header or a query parameter has more than blanks.
	Filled bool
}

// WrongPath says what is wrong with a path, as in " does not begin with /", or is empty.
func (m *Matches) WrongPath(path string) string {
	switch {
	case m.PathWithout == "":
		return ""
	case !strings.HasPrefix(path, "/"):
		return " does not begin with /"
	case m.HasWrongRune(path):
		return " has a blank or one of " + m.PathWithout
	}
	return ""
}

// HasWrongRune reports whether a text has a blank or a character that no path may have.
func (m *Matches) HasWrongRune(text string) bool {
	return m.PathWithout != "" && strings.ContainsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(m.PathWithout, c) })
}

// Headers is what a controller demands of the headers that a filter changes: they have plain names and values that it can
// write into its proxy's configuration, and none is named twice. The requests of a rule with any other header get an error,
// and those of a route without another rule are not answered by it.
type Headers struct {
	// Fixed are headers that no filter changes, FixedInResponses further ones that none changes in responses, all in lower
	// case; one that ends in * stands for all that begin so.
	Fixed, FixedInResponses []string
}
